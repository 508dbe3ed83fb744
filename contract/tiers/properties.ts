/** @module The properties tier: random requests; those that show a problem are shrunk, stored. */

import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { GoneError, SilentError, UnreachableError } from "../run/client.ts";
import { isJsonType } from "../document/document.ts";
import { typeOf } from "../document/read.ts";
import { mismatchesOf } from "../oracle/check.ts";
import { type Finding, keyOf } from "../oracle/finding.ts";
import { causeOf, causeOfDoubt, causeOfRefusal, isOfPart, saysOf, TRIAL_RULES } from "./trial.ts";
import { placeOf } from "../oracle/oracle.ts";
import {
  callFor,
  filled,
  inputsOf,
  type OperationInput,
  requestsOf,
  unknownIds,
} from "../request/operation_input.ts";
import { isBroken } from "../request/broken.ts";
import type { Parts } from "../request/write.ts";
import { type Session, SESSION_RULES, type Tier } from "../run/session.ts";
import { brokenOf } from "../values/edges.ts";
import { anyBytes, mediaTypes } from "../values/text.ts";
import { CannotGenerate } from "../values/options.ts";
import { attempt, valuesOf } from "../values/values.ts";
import { saveCounterexample, type Step } from "./corpus.ts";
import { declareRules, type RuleName, ruleNamed } from "../lib/rules.ts";

const RULES = declareRules({
  anything_survived: "breach: any bytes get a documented answer",
});

/** Examples of each property in production, where every lead counts against its limit. */
const LIVE_EXAMPLES = 4;

/** Requests by one kind of property to a service of which nothing but the document is known. */
const MOST = 667;

/** Causes that one property reports. */
const ROUNDS = 5;

const TIME_MS = 20_000;

export const propertiesTier: Tier = {
  name: "properties",
  tries: "random requests: valid and broken ones, and bytes",
  live: true,
  async run(session) {
    const { length: count } = session.contract.document.operations;
    let tried = 0;
    for (const input of inputsOf(session)) {
      session.progress(tried++, count);
      const { operation: { parameters }, media } = input;
      if (parameters.length === 0 && media === undefined) continue;
      for (const make of [validIsAccepted, brokenIsRefused, anythingIsSurvived]) {
        if (session.isOver()) {
          const part = `${tried} of ${count} operations`;
          return session.note(`random requests to ${part}: the time was up`);
        }
        const trials = attempt(() => make(session, input));
        if (trials === undefined || trials instanceof CannotGenerate) continue;
        await checkProperty(session, trials);
      }
    }
    session.progress(count, count);
  },
};

interface Trial extends Step {
  readonly check: RuleName;
  /** What is special about it, for the message. */
  readonly says: string;
  /** What makes a finding the same as an earlier one. */
  readonly cause: string;
  readonly isOdd?: boolean;
}

/** Undefined are those that cannot be sent: a filter that rejects most of them would not end. */
type Trials = fc.Arbitrary<Trial | undefined>;

interface Found extends Finding {
  /** What makes it the same as an earlier finding, if that is not what it says. */
  readonly cause?: string;
}

interface Failure {
  readonly trial: Trial;
  readonly found: readonly Found[];
}

/** Checks a property until it shows no new cause, and reports the smallest counterexample of each. */
async function checkProperty(session: Session, trials: Trials): Promise<void> {
  const { seed, pool, tier, contract } = session;
  /** Why nothing more is sent: an error, or an answer over a limit. Smaller trials would end alike. */
  let end: unknown;
  /** Those of a round, the smallest last. */
  let failures: Failure[] = [];
  const predicate = fc.asyncProperty(trials, async (trial) => {
    fc.pre(trial !== undefined);
    if (end !== undefined || session.isOver()) return true;
    const found = await findingsIn(session, trial).catch((error): readonly Found[] => {
      end = error;
      if (!(error instanceof UnreachableError) || error instanceof SilentError) return [];
      // As `send` reports it, so that it is one finding with those of other tiers.
      const message = `a request got no answer: ${error.reason}`;
      const where = placeOf(trial, contract);
      return [{ check: SESSION_RULES.answers, where, message, tier, exchange: error.exchange }];
    });
    end ??= found.find(isLimited);
    const fresh = found.filter((one) => !pool.causes.has(one.cause ?? keyOf(one)));
    if (fresh.length > 0) failures.push({ trial, found: fresh });
    return fresh.length === 0;
  });
  for (let round = 0; round < ROUNDS && end === undefined && !session.isOver(); round++) {
    failures = [];
    await fc.check(predicate, {
      seed,
      numRuns: examplesOf(session),
      interruptAfterTimeLimit: TIME_MS,
      // Few values of some schemas can be written into a request.
      maxSkipsPerRun: 10,
    });
    if (failures.length === 0) break;
    await reportFailure(session, await shorter(session, failures.at(-1)!));
  }
  // A request without an answer ends the property; another error ends the tier.
  const isOfRequest = end instanceof UnreachableError && !(end instanceof GoneError);
  if (end instanceof Error && !isOfRequest) throw end;
}

const MOST_SHORTER = 100;

/** The failure with the parts of its bytes left out that it does not need; others are shrunk before. */
async function shorter(session: Session, failure: Failure): Promise<Failure> {
  const { trial, found: [first] } = failure;
  let best = failure;
  let bytes = trial.call.body;
  if (!(bytes instanceof Uint8Array)) return failure;
  let tries = 0;
  for (let size = bytes.length >> 1; size > 0; size >>= 1) {
    for (let at = 0; at < bytes.length && tries < MOST_SHORTER; tries++) {
      const body: Uint8Array<ArrayBuffer> = Uint8Array.from([...bytes].toSpliced(at, size));
      const less = { ...trial, call: { ...trial.call, body } };
      const found = await findingsIn(session, less).catch(() => []);
      if (found.some((one) => keyOf(one) === keyOf(first!))) {
        best = { trial: less, found };
        bytes = body;
      } else at += size;
    }
  }
  return best;
}

/** Many operations share what a run sends; a service with cases gets every example. */
function examplesOf({ live, cases, examples, contract: { document } }: Session): number {
  const share = Math.ceil(MOST / document.operations.length);
  return Math.min(live ? LIVE_EXAMPLES : cases === undefined ? share : examples, examples);
}

async function reportFailure(
  session: Session,
  { trial: { call, want }, found }: Failure,
): Promise<void> {
  const { corpus, seed, pool } = session;
  const { check, where, message } = found[0]!;
  // An answer over a limit is not reproducible.
  const file = corpus === undefined || found.some(isLimited)
    ? undefined
    : await saveCounterexample(corpus, { check, where, message, seed, steps: [{ call, want }] });
  const replay = file && { replay: relative(Deno.cwd(), fileURLToPath(file)) };
  for (const { cause, ...one } of found) {
    pool.causes.add(cause ?? keyOf(one));
    session.report(ruleNamed(one.check), one.message, { ...one, ...replay });
  }
}

function isLimited({ exchange }: Finding): boolean {
  return exchange?.answer.status === 429;
}

/** Sends the request of a trial; its own problem is first. */
async function findingsIn(session: Session, trial: Trial): Promise<readonly Found[]> {
  const { call, want, check, says, cause } = trial;
  const { contract, tier } = session;
  const { exchange, found } = await session.probe(call, { title: says });
  const { answer } = exchange;
  const message = `${says}, and the answer is ${answer.status}`;
  const own = { check, where: placeOf(exchange, contract), message, tier, exchange, cause };
  const failure = found.find((one) => one.check === "no_server_error");
  // That it fails on odd bytes must not hide that it fails on requests of clients.
  if (failure && trial.isOdd) return session.pool.causes.has(keyOf(failure)) ? [] : [own];
  return mismatchesOf(answer, { want, profile: contract.profile }).length > 0
    ? [own, ...found]
    : found;
}

/** Answers to a request that fits the document, but not rules that no schema tells. */
const OTHER = "2XX|3XX|401|402|403|404|405|409|410|412|413|414|423|424|428|429|431|5XX";

function validIsAccepted(session: Session, input: OperationInput): Trials | undefined {
  const { operation } = input;
  const isOwn = session.cases !== undefined;
  const isRefused = session.pool.causes.has(causeOfRefusal(operation));
  if (operation.method === "DELETE" || isRefused) return undefined;
  const check = isOwn ? TRIAL_RULES.valid_accepted : TRIAL_RULES.undocumented_rule;
  const cause = causeOfDoubt(operation);
  const want = { status: isOwn ? "2XX" : OTHER };
  return requestsOf(input)
    .map((parts) => callFor(input, filled(input, parts, session)))
    .map((call) => call && { call, want, check, says: "it fits the document", cause });
}

/** Without the broken requests that are valid as soon as every parameter is any text. */
function brokenIsRefused(session: Session, input: OperationInput): Trials | undefined {
  const { operation, schema, options } = input;
  const isOwn = session.cases !== undefined;
  const refusal = ["400", "422"]
    .find((known) => operation.responses.some(({ status }) => status === known)) ?? "4XX";
  const want = { status: isOwn ? refusal : "3XX|4XX|5XX" };
  return brokenOf(schema, options).map((edge): Trial | undefined => {
    const { at, keyword, isLax } = edge;
    // Services that convert types get advice from the operations tier.
    if ((isLax && !isOwn) || !isOfPart(edge)) return undefined;
    const made = edge.value as Parts;
    const parts = at.startsWith("/path")
      ? made
      : operation.method === "DELETE"
      ? unknownIds(input, made, session.unique)
      : filled(input, made, session);
    const call = isBroken(input, parts) ? callFor(input, parts) : undefined;
    if (call === undefined) return undefined;
    const check = keyword === "format" ? TRIAL_RULES.format_refused : TRIAL_RULES.broken_refused;
    const cause = causeOf(operation, { at, keyword, check });
    return { call, want, says: saysOf(edge), check, cause };
  });
}

function anythingIsSurvived(session: Session, input: OperationInput): Trials | undefined {
  const { media, operation, options, smallest } = input;
  const { body: _, ...parts } = filled(input, smallest, session);
  const base = callFor(input, parts);
  if (media === undefined || !isJsonType(media.type) || base === undefined) return undefined;
  const schema = media.schema ?? {};
  const validate = session.contract.schemas.of(schema);
  const isOwn = session.cases !== undefined;
  function isRefused(type: string, bytes: Uint8Array): boolean {
    try {
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
      const problems = validate(JSON.parse(text));
      // Validators disagree about formats: both answers are right.
      return typeOf(type) !== media!.type ||
        problems.some((problem) => !/, format is /.test(problem));
    } catch {
      return true;
    }
  }
  const valid = valuesOf(schema, options).map((value) => JSON.stringify(value));
  const check = RULES.anything_survived;
  const cause = `${operation.id} ${check}`;
  return fc.tuple(anyBytes(valid), mediaTypes(media.type))
    .filter(([bytes]) => isHarmless(bytes))
    .map(([body, type]) => {
      const headers = [...base.headers ?? [], ["content-type", type] as const];
      const isOdd = isRefused(type, body);
      const want = isOwn && isOdd ? { status: "4XX" } : {};
      const call = { ...base, headers, body };
      return { call, want, check, says: "the body is random bytes", cause, isOdd };
    });
}

/** A damaged body must not contain a real address, because an accepted lead is delivered. */
function isHarmless(bytes: Uint8Array): boolean {
  const addresses = new TextDecoder().decode(bytes).match(/[^\s"]@[^"]*/g) ?? [];
  return addresses.every((address) => /[.@]invalid$/i.test(address));
}
