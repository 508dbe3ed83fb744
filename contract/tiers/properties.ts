/**
 * @module The properties tier: sends random requests, and shrinks those that show a fault. The
 * counterexamples go into the corpus, which later runs send first.
 */

import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { GoneError, UnreachableError } from "../client.ts";
import { saveCounterexample, type Step } from "../corpus.ts";
import { faultsOf } from "../expectation.ts";
import type { Finding } from "../finding.ts";
import {
  pagesNegotiate,
  type Property,
  requestProperties,
  type Trial,
  unknownIsNotFound,
} from "../properties.ts";
import type { Session, Tier } from "../session.ts";

/** Examples of each property in production, where every lead counts against its limit. */
const LIVE_EXAMPLES = 4;

/** Requests to a service of which nothing but the document is known. */
const MOST = 2_000;

/** Causes that one property reports. */
const ROUNDS = 5;

/** The longest time of one round. */
const TIME_MS = 20_000;

export const propertiesTier: Tier = {
  name: "properties",
  tries: "random requests: valid and broken ones, bytes, paths, Accept fields",
  live: true,
  async run(session) {
    const others = [unknownIsNotFound, pagesNegotiate].map((make) => () => make(session));
    const makers = [...requestProperties(session), ...others];
    const examples = examplesOf(session, makers.length);
    for (const [index, make] of makers.entries()) {
      session.progress(index, makers.length);
      if (session.isOver()) {
        session.note(`${makers.length - index} properties were not tried: the time was up`);
        break;
      }
      const property = make();
      if (property === undefined) continue;
      await checkProperty(session, { property, examples });
    }
    session.progress(makers.length, makers.length);
  },
};

/** Many operations share what a run sends; a service with cases gets every example. */
function examplesOf({ live, cases, examples }: Session, count: number): number {
  const most = live ? LIVE_EXAMPLES : cases === undefined ? Math.ceil(MOST / count) : examples;
  return Math.min(most, examples);
}

interface Found extends Pick<Finding, "check" | "message" | "exchange"> {
  /** What makes it the same as an earlier finding. */
  readonly cause: string;
}

interface Failure {
  readonly steps: readonly Step[];
  readonly found: readonly Found[];
}

/** Checks a property until it shows no new cause, and reports the smallest counterexample of each. */
async function checkProperty(
  session: Session,
  { property, examples }: { readonly property: Property; readonly examples: number },
): Promise<void> {
  const { causes } = session.known;
  for (let round = 0; round < ROUNDS && !session.isOver(); round++) {
    const failure = await findFailure(session, { property, examples });
    if (failure === undefined) return;
    for (const { cause } of failure.found) causes.add(cause);
    await reportFailure(session, { property, failure });
    if (isLimited(failure)) return;
  }
}

async function findFailure(
  session: Session,
  { property, examples }: { readonly property: Property; readonly examples: number },
): Promise<Failure | undefined> {
  let failure: Failure | undefined;
  let unreachable: UnreachableError | undefined;
  const predicate = fc.asyncProperty(property.trials, async (trial) => {
    // While the service is gone or limited, every smaller trial would fail too.
    if (unreachable !== undefined || isLimited(failure)) return true;
    const all = await attempt(session, { property, trial }).catch((error): Found[] => {
      if (!(error instanceof UnreachableError)) throw error;
      unreachable = error;
      // As `send` reports it, so that it is one finding with those of other tiers.
      const message = `a request got no answer: ${error.reason}`;
      return [{ check: "answers", message, cause: `${property.where} ${message}` }];
    });
    const found = isLimited({ found: all })
      ? all
      : all.filter(({ cause }) => !session.known.causes.has(cause));
    if (found.length > 0) failure = { steps: trial.steps, found };
    return found.length === 0;
  });
  const { failed, errorInstance } = await fc.check(predicate, {
    seed: session.seed,
    numRuns: examples,
    interruptAfterTimeLimit: TIME_MS,
  });
  // An error of the harness itself must not count as success.
  if (failed && failure === undefined) throw errorInstance;
  if (unreachable instanceof GoneError) {
    if (failure !== undefined) await reportFailure(session, { property, failure });
    throw unreachable;
  }
  return failure;
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
  for (const { cause: _, ...one } of found) {
    session.report({
      ...one,
      ...(one.exchange === undefined ? { where: property.where } : {}),
      ...(file === undefined ? {} : { replay: relative(Deno.cwd(), fileURLToPath(file)) }),
    });
  }
}

/** A trial over a limit is not reproducible: it is neither shrunk nor stored. */
function isLimited(failure: Pick<Failure, "found"> | undefined): boolean {
  return failure?.found.some(({ exchange }) => exchange?.answer.status === 429) ?? false;
}

/** Sends the requests of a trial in turn, up to the first fault. */
async function attempt(
  session: Session,
  { property, trial }: { readonly property: Property; readonly trial: Trial },
): Promise<Found[]> {
  const { name, rule, where } = property;
  const { check = name, says = rule } = trial;
  for (const { call, want } of trial.steps) {
    const { exchange, found } = await session.probe(call, { title: says });
    const others = found.map((one) => ({
      ...one,
      cause: [one.check, one.where, one.message].join(" "),
    }));
    const faults = faultsOf(exchange.answer, { want, profile: session.contract.profile })
      .map((fault) => {
        const message = trial.says === undefined
          ? `${rule}: ${fault}`
          : `${says}, and the answer is ${exchange.answer.status}`;
        return { check, message, exchange, cause: trial.cause ?? [where, check, fault].join(" ") };
      });
    if (faults.length + others.length > 0) return [...faults, ...others];
  }
  return [];
}
