/**
 * @module The properties tier: sends random requests, and shrinks those that show a fault. The
 * counterexamples go into the corpus, which later runs send first.
 */

import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { GoneError, UnreachableError } from "../client.ts";
import { saveCounterexample } from "./corpus.ts";
import { faultsOf } from "../expectation.ts";
import type { Finding } from "../finding.ts";
import { type Property, requestProperties, type Trial } from "../properties.ts";
import { placeOf } from "../oracle/oracle.ts";
import { SilentError } from "../sender.ts";
import type { Session, Tier } from "../session.ts";

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
    const examples = examplesOf(session, count);
    const tried = new Set<string>();
    for (const property of requestProperties(session)) {
      if (session.isOver()) {
        session.note(`random requests to ${tried.size} of ${count} operations: the time was up`);
        break;
      }
      tried.add(property.operation.id);
      session.progress(tried.size, count);
      await checkProperty(session, { property, examples });
    }
    session.progress(count, count);
  },
};

/** Many operations share what a run sends; a service with cases gets every example. */
function examplesOf({ live, cases, examples }: Session, operations: number): number {
  const generic = cases === undefined ? Math.ceil(MOST / PROPERTIES / operations) : examples;
  return Math.min(live ? LIVE_EXAMPLES : generic, examples);
}

interface Found extends Pick<Finding, "check" | "message" | "exchange"> {
  readonly where?: string;
  /** What makes it the same as an earlier finding. */
  readonly cause: string;
}

interface Failure extends Pick<Trial, "steps"> {
  readonly found: readonly Found[];
}

interface Checked {
  readonly property: Property;
  /** The number of random requests. */
  readonly examples: number;
}

/** Checks a property until it shows no new cause, and reports the smallest counterexample of each. */
async function checkProperty(session: Session, checked: Checked): Promise<void> {
  for (let round = 0; round < ROUNDS && !session.isOver(); round++) {
    const { failure, gone } = await findFailure(session, checked);
    if (failure !== undefined) await reportFailure(session, failure);
    if (gone !== undefined) throw gone;
    if (failure === undefined || isLimited(failure.found)) return;
  }
}

async function findFailure(session: Session, { property, examples }: Checked): Promise<{
  readonly failure: Failure | undefined;
  readonly gone: GoneError | undefined;
}> {
  let failure: Failure | undefined;
  let unreachable: UnreachableError | undefined;
  const predicate = fc.asyncProperty(property.trials, async (trial) => {
    fc.pre(trial !== undefined);
    // While the service is gone or limited, every smaller trial would fail too.
    const isEnd = unreachable !== undefined || isLimited(failure?.found ?? []);
    if (isEnd || session.isOver()) return true;
    const where = property.operation.id;
    const found = await faultsIn(session, trial).catch((error): Found[] => {
      if (!(error instanceof UnreachableError)) throw error;
      unreachable = error;
      if (error instanceof SilentError) return [];
      // As `send` reports it, so that it is one finding with those of other tiers.
      const message = `a request got no answer: ${error.reason}`;
      return [{ check: "answers", where, message, cause: `${where} ${message}` }];
    });
    const { causes } = session.known;
    const fresh = isLimited(found) ? found : found.filter(({ cause }) => !causes.has(cause));
    if (fresh.length > 0) failure = { steps: trial.steps, found: fresh };
    return fresh.length === 0;
  });
  const { failed, errorInstance } = await fc.check(predicate, {
    seed: session.seed,
    numRuns: examples,
    interruptAfterTimeLimit: TIME_MS,
    // Few values of some schemas can be written into a request.
    maxSkipsPerRun: MOST_SKIPPED,
  });
  // An error of the harness itself must not count as success; too many skipped values give none.
  if (failed && failure === undefined && errorInstance !== null) throw errorInstance;
  return { failure, gone: unreachable instanceof GoneError ? unreachable : undefined };
}

async function reportFailure(session: Session, { steps, found }: Failure): Promise<void> {
  const { corpus, seed, known } = session;
  const [{ check, message, exchange, where = placeOf(exchange!, session.contract) }] = found as [
    Found,
  ];
  const file = corpus === undefined || isLimited(found)
    ? undefined
    : await saveCounterexample(corpus, { check, where, message, seed, steps });
  const replay = file === undefined ? {} : { replay: relative(Deno.cwd(), fileURLToPath(file)) };
  for (const { cause, ...one } of found) {
    known.causes.add(cause);
    session.report({ ...one, ...replay });
  }
}

/** A trial over a limit is not reproducible: it is neither shrunk nor stored. */
function isLimited(found: readonly Found[]): boolean {
  return found.some(({ exchange }) => exchange?.answer.status === 429);
}

/** Sends the requests of a trial in turn, up to the first fault. */
async function faultsIn(session: Session, trial: Trial): Promise<Found[]> {
  const { check, says, cause } = trial;
  const { profile } = session.contract;
  for (const { call, want } of trial.steps) {
    const { exchange, found } = await session.probe(call, { title: says });
    const message = `${says}, and the answer is ${exchange.answer.status}`;
    const isWrong = faultsOf(exchange.answer, { want, profile }).length > 0;
    const others = found.map((one) => ({
      ...one,
      cause: [one.check, one.where, one.message].join(" "),
    }));
    if (isWrong) return [{ check, message, exchange, cause }, ...others];
    if (others.length > 0) return others;
  }
  return [];
}
