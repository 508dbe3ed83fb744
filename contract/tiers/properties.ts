/**
 * @module The properties tier: sends random requests, and shrinks those that show a fault. The
 * counterexamples go into the corpus, which later runs send first.
 */

import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { UnreachableError } from "../client.ts";
import { saveCounterexample, type Step } from "../corpus.ts";
import { faultsOf } from "../expectation.ts";
import type { Finding } from "../finding.ts";
import {
  anythingIsSurvived,
  brokenIsRefused,
  intakesOf,
  pagesNegotiate,
  type Property,
  unknownIsNotFound,
  validIsAccepted,
} from "../properties.ts";

import type { Session, Tier } from "../session.ts";
import { CannotGenerate } from "../values/options.ts";

/** Examples of each property in production, where every lead counts against its limit. */
const LIVE_EXAMPLES = 4;

export const propertiesTier: Tier = {
  name: "properties",
  tries: "random requests: valid and broken bodies and queries, bytes, paths, Accept fields",
  live: true,
  async run(session) {
    const properties = propertiesOf(session);
    for (const [index, property] of properties.entries()) {
      session.progress(index, properties.length);
      await checkProperty(session, property);
    }
    session.progress(properties.length, properties.length);
  },
};

/** All properties that can be tested; a schema that prevents one is a finding. */
function propertiesOf(session: Session): Property[] {
  const intakes = intakesOf(session).flatMap((intake) => {
    try {
      return [validIsAccepted, brokenIsRefused, anythingIsSurvived].map((make) =>
        make(session, intake)
      );
    } catch (error) {
      if (!(error instanceof CannotGenerate)) throw error;
      const what = intake.type === undefined ? "queries" : "bodies";
      const message = `${what} cannot be generated: ${error.message}`;
      session.report({ check: "schema_unknown", where: intake.operation.id, message });
      return [];
    }
  });
  const others = [unknownIsNotFound(session), pagesNegotiate(session)];
  return [...intakes, ...others].filter((property) => property !== undefined);
}

interface Failure {
  readonly steps: readonly Step[];
  readonly found: readonly (Pick<Finding, "check" | "message" | "exchange">)[];
}

/** Checks a property, and reports the smallest counterexample. */
async function checkProperty(session: Session, property: Property): Promise<void> {
  let failure: Failure | undefined;
  let unreachable: UnreachableError | undefined;
  const predicate = fc.asyncProperty(property.trials, async (steps) => {
    // While the service is gone or limited, every smaller trial would fail too.
    if (unreachable !== undefined || isLimited(failure)) return true;
    const found = await attempt(session, { property, steps }).catch((error) => {
      if (!(error instanceof UnreachableError)) throw error;
      unreachable = error;
      return [{ check: property.name, message: `${property.rule}: there was no answer` }];
    });
    if (found.length > 0) failure = { steps, found };
    return found.length === 0;
  });
  const { failed, errorInstance } = await fc.check(predicate, {
    seed: session.seed,
    numRuns: session.live ? Math.min(LIVE_EXAMPLES, session.examples) : session.examples,
  });
  // An error of the harness itself must not count as success.
  if (failed && failure === undefined) throw errorInstance;
  if (failure !== undefined) await reportFailure(session, { property, failure });
  if (unreachable !== undefined) throw unreachable;
}

async function reportFailure(
  session: Session,
  { property, failure }: { readonly property: Property; readonly failure: Failure },
): Promise<void> {
  const { steps, found } = failure;
  const { corpus, seed } = session;
  const { check, message } = found[0]!;
  const file = corpus === undefined || isLimited(failure)
    ? undefined
    : await saveCounterexample(corpus, { check, where: property.where, message, seed, steps });
  for (const one of found) {
    session.report({
      ...one,
      ...(one.exchange === undefined ? { where: property.where } : {}),
      ...(file === undefined ? {} : { replay: relative(Deno.cwd(), fileURLToPath(file)) }),
    });
  }
}

/** A trial over a limit is not reproducible: it is neither shrunk nor stored. */
function isLimited(failure: Failure | undefined): boolean {
  return failure?.found.some(({ exchange }) => exchange?.answer.status === 429) ?? false;
}

/** Sends the requests of a trial in turn, up to the first fault. */
async function attempt(
  session: Session,
  { property, steps }: { readonly property: Property; readonly steps: readonly Step[] },
): Promise<Failure["found"]> {
  const { name, rule } = property;
  for (const { call, want } of steps) {
    const { exchange, found } = await session.probe(call, { title: rule });
    const faults = faultsOf(exchange.answer, { want, profile: session.contract.profile })
      .map((fault) => ({ check: name, message: `${rule}: ${fault}`, exchange }));
    if (faults.length + found.length > 0) return [...faults, ...found];
  }
  return [];
}
