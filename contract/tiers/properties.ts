/**
 * @module The properties tier: sends random requests, and shrinks those that show a fault. The
 * counterexamples go into the corpus, which later runs send first.
 */

import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { GoneError, UnreachableError } from "../client.ts";
import { faultsOf } from "../expectation.ts";
import { type Finding, keyOf } from "../finding.ts";
import { placeOf } from "../oracle/oracle.ts";
import { type Property, requestProperties, type Trial } from "../properties.ts";
import { SilentError } from "../sender.ts";
import type { Session, Tier } from "../session.ts";
import { saveCounterexample, type Step } from "./corpus.ts";

/** Examples of each property in production, where every lead counts against its limit. */
const LIVE_EXAMPLES = 4;

/** Requests to a service of which nothing but the document is known. */
const MOST = 2_000;

/** Properties of an operation. */
const PROPERTIES = 3;

/** Causes that one property reports. */
const ROUNDS = 5;

const MOST_SKIPPED = 10;

/** The longest time of one round. */
const TIME_MS = 20_000;

export const propertiesTier: Tier = {
  name: "properties",
  tries: "random requests: valid and broken ones, and bytes",
  live: true,
  async run(session) {
    const { length: count } = session.contract.document.operations;
    const tried = new Set<string>();
    for (const property of requestProperties(session)) {
      if (session.isOver()) {
        session.note(`random requests to ${tried.size} of ${count} operations: the time was up`);
        break;
      }
      tried.add(property.operation.id);
      session.progress(tried.size, count);
      await checkProperty(session, property);
    }
    session.progress(count, count);
  },
};

interface Found extends Finding {
  /** What makes it the same as an earlier finding, if that is not what it says. */
  readonly cause?: string;
}

interface Failure {
  readonly step: Step;
  readonly found: readonly Found[];
}

/** Checks a property until it shows no new cause, and reports the smallest counterexample of each. */
async function checkProperty(session: Session, { trials, operation }: Property): Promise<void> {
  const { seed, known, tier } = session;
  /** Why nothing more is sent: an error, or an answer over a limit. Smaller trials would end alike. */
  let end: unknown;
  /** Those of a round, the smallest last. */
  let failures: Failure[] = [];
  const predicate = fc.asyncProperty(trials, async (trial) => {
    fc.pre(trial !== undefined);
    if (end !== undefined || session.isOver()) return true;
    const found = await faultsIn(session, trial).catch((error): readonly Found[] => {
      end = error;
      if (!(error instanceof UnreachableError) || error instanceof SilentError) return [];
      // As `send` reports it, so that it is one finding with those of other tiers.
      const message = `a request got no answer: ${error.reason}`;
      return [{ check: "answers", where: operation.id, message, tier }];
    });
    end ??= found.find(isLimited);
    const fresh = found.filter((one) => !known.causes.has(one.cause ?? keyOf(one)));
    if (fresh.length > 0) {
      failures.push({ step: { call: trial.call, want: trial.want }, found: fresh });
    }
    return fresh.length === 0;
  });
  for (let round = 0; round < ROUNDS && end === undefined && !session.isOver(); round++) {
    failures = [];
    await fc.check(predicate, {
      seed,
      numRuns: examplesOf(session),
      interruptAfterTimeLimit: TIME_MS,
      // Few values of some schemas can be written into a request.
      maxSkipsPerRun: MOST_SKIPPED,
    });
    if (failures.length === 0) break;
    await reportFailure(session, failures.at(-1)!);
  }
  // A request without an answer ends the property; another error ends the tier.
  const isOfRequest = end instanceof UnreachableError && !(end instanceof GoneError);
  if (end instanceof Error && !isOfRequest) throw end;
}

/** Many operations share what a run sends; a service with cases gets every example. */
function examplesOf({ live, cases, examples, contract: { document } }: Session): number {
  const share = Math.ceil(MOST / PROPERTIES / document.operations.length);
  return Math.min(live ? LIVE_EXAMPLES : cases === undefined ? share : examples, examples);
}

async function reportFailure(session: Session, { step, found }: Failure): Promise<void> {
  const { corpus, seed, known } = session;
  const { check, where, message } = found[0]!;
  // An answer over a limit is not reproducible.
  const file = corpus === undefined || found.some(isLimited)
    ? undefined
    : await saveCounterexample(corpus, { check, where, message, seed, steps: [step] });
  const replay = file && { replay: relative(Deno.cwd(), fileURLToPath(file)) };
  for (const { cause, ...one } of found) {
    known.causes.add(cause ?? keyOf(one));
    session.report({ ...one, ...replay });
  }
}

function isLimited({ exchange }: Finding): boolean {
  return exchange?.answer.status === 429;
}

/** Sends the request of a trial; its own fault is first. */
async function faultsIn(session: Session, trial: Trial): Promise<readonly Found[]> {
  const { call, want, check, says, cause } = trial;
  const { contract, tier } = session;
  const { exchange, found } = await session.probe(call, { title: says });
  if (faultsOf(exchange.answer, { want, profile: contract.profile }).length === 0) return found;
  const message = `${says}, and the answer is ${exchange.answer.status}`;
  return [{ check, where: placeOf(exchange, contract), message, tier, exchange, cause }, ...found];
}
