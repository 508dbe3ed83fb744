/** @module What limits count, for whom, in a window so long that nothing is restored. */

import type { Instances } from "./instances.ts";
import { ask, isOnDeno } from "../../tiers/raw/wire.ts";
import { exampleCall } from "../../request/operation_input.ts";
import {
  type Attempt,
  type Client,
  type Kind,
  LIMIT_RULES,
  type LimitedService,
  PLENTY,
} from "./limit_client.ts";

export const SEQUENCE = { accepted: 5, attempts: 14, seconds: 3_600 };
export const BURST = { accepted: 20, attempts: PLENTY, seconds: 86_400 };
export const CLIENTS = { accepted: 2, attempts: 20, seconds: 86_400 };

/** Requests in turn: the body, the status, how often, and what the client has reached then. */
const STEPS: readonly (readonly [body: Kind, want: number, times: number, then?: string])[] = [
  ["invalid", 400, 1],
  ["valid", 200, 1, "before the limit"],
  ["valid", 200, SEQUENCE.accepted - 1],
  ["valid", 429, 1],
  ["invalid", 400, 1, "over the lead limit"],
  ["invalid", 400, SEQUENCE.attempts - SEQUENCE.accepted - 3],
  ["invalid", 429, 1],
  ["valid", 429, 1, "over the attempt limit"],
];

export async function checkSequence(limited: LimitedService): Promise<void> {
  const left = { accepted: SEQUENCE.accepted, attempts: SEQUENCE.attempts };
  const send = limited.client();
  const started = performance.now();
  for (const [body, want, times, then] of STEPS) {
    for (let time = 0; time < times; time++) {
      const title = `${body} body, ${left.accepted} leads and ${left.attempts} attempts left`;
      left.attempts = Math.max(0, left.attempts - 1);
      if (want === 200) left.accepted--;
      const seen = await send(body, title, { want });
      checkState(limited, { seen, left, seconds: (seen.gotAt - started) / 1_000 });
    }
    if (then !== undefined) await checkUnlimited(limited, then);
  }
  // A proxy in front of the service may wait for bodies itself.
  if (await isOnDeno(limited.session)) await checkRefusedUnread(limited);
}

/** RateLimit reports what is left of both limits, some seconds after the first request. */
function checkState({ rules, report }: LimitedService, { seen, left, seconds }: {
  readonly seen: Attempt;
  readonly left: Readonly<Record<"accepted" | "attempts", number>>;
  readonly seconds: number;
}): void {
  for (const limit of ["accepted", "attempts"] as const) {
    const about = `${seen.exchange.title}: ${rules[limit]}`;
    const says = (problem: string) =>
      report(LIMIT_RULES.limit_headers, `${about} ${problem}`, seen.exchange);
    const state = seen.limits.get(rules[limit]);
    if (state === undefined) {
      if (seen.limits.size > 0) says("is missing");
      continue;
    }
    const { quota, window, remaining, reset } = state;
    const isConfigured = quota === SEQUENCE[limit] && window === SEQUENCE.seconds;
    if (!isConfigured) says("has another policy than configured");
    if (remaining !== left[limit]) says(`leaves ${remaining} instead of ${left[limit]}`);
    // One more request is admitted after 1/n of the window, less the elapsed time.
    const most = left[limit] === quota ? 0 : Math.ceil(SEQUENCE.seconds / SEQUENCE[limit]);
    const least = Math.max(0, Math.floor(most - seconds) - 1);
    if (reset > most || reset < least) says("does not report when one more is left");
  }
}

/** Other operations and methods are neither counted nor refused. */
async function checkUnlimited(
  { session, operation, report }: LimitedService,
  when: string,
): Promise<void> {
  const { path } = operation;
  const others = session.contract.document.operations.filter((other) => other !== operation);
  const calls = [
    ...["GET", "HEAD", "OPTIONS", "PUT", "DELETE"].map((method) => ({ method, path })),
    ...others.flatMap((other) => exampleCall(session, other) ?? []),
  ];
  for (const call of calls) {
    const what = `${call.method} ${call.path}`;
    const exchange = await session.send(call, { title: `${what} ${when}` });
    if (exchange.answer.status === 429) {
      report(LIMIT_RULES.limit_scope, `${what} is limited, ${when}`, exchange);
    }
  }
}

/** A client over the attempt limit is refused before its body is read. */
async function checkRefusedUnread({ session, operation, report }: LimitedService): Promise<void> {
  const { method, path, headers: usual = [] } = exampleCall(session, operation)!;
  const own = { host: new URL(session.base).host, "content-length": "80" };
  const headers = [...usual, ...Object.entries(own)];
  const lines = [`${method} ${path} HTTP/1.1`, ...headers.map((field) => field.join(": "))];
  const message = new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n{"`);
  const answer = await ask(session.base, message);
  const waits = "over the attempt limit, the service waits for a stalled body";
  if (answer === undefined) return report(LIMIT_RULES.limit_unread, waits);
  const title = "a stalled body over the attempt limit";
  const exchange = session.record({ call: { method, path, headers }, answer, title });
  if (answer.status !== 429) {
    report(LIMIT_RULES.limit_unread, `${title} got ${answer.status}`, exchange);
  }
}

const AT_ONCE = 50;
/** Enough times {@link AT_ONCE} to show whether refusals change the wait. */
const REFUSALS = 40;

export async function checkBurst(
  limited: LimitedService,
  forged: Instances["forged"],
): Promise<void> {
  const { session, report } = limited;
  const send = limited.client();
  const burst = () => send("valid", `${AT_ONCE} at once`);
  await checkAtOnce(limited, burst, { admitted: 200, count: BURST.accepted });
  const first = await send("valid", "the first refusal");
  for (let n = 0; n < REFUSALS; n++) {
    const expected = { want: 429, check: LIMIT_RULES.limit_refusals };
    await atOnce(() => send("valid", "one refusal of many", expected));
  }
  const last = await send("valid", "a refusal after many");
  const seconds = (last.gotAt - first.sentAt) / 1_000;
  session.note(`${REFUSALS * AT_ONCE} refusals in ${seconds.toFixed(1)} s`);
  // RateLimit has the same time, or that is a finding.
  const waited = (first.wait ?? 0) - (last.wait ?? 0);
  if (waited < 0) report(LIMIT_RULES.limit_refusals, "refusals extend the wait", last.exchange);
  if (waited > seconds + 1) {
    report(LIMIT_RULES.limit_refusals, "refusals shorten the wait", last.exchange);
  }
  for (const header of forged) {
    const [, name, value] = /^(.*?): (.*)$/.exec(header) ?? [];
    const says = `a forged ${name} counts as another client`;
    const expected = { want: 429, check: LIMIT_RULES.limit_clients, says };
    await send("valid", `a forged ${name}`, { ...expected, headers: [[name!, value!]] });
  }
}

function atOnce(send: () => ReturnType<Client>): Promise<Attempt[]> {
  return Promise.all(Array.from({ length: AT_ONCE }, send));
}

/** Exactly `count` requests get the status of those that are admitted, and all others 429. */
async function checkAtOnce(
  { report }: LimitedService,
  send: () => ReturnType<Client>,
  { admitted, count }: { readonly admitted: number; readonly count: number },
): Promise<void> {
  const tries = await atOnce(send);
  const got = tally(tries.map(({ status }) => status));
  const wanted = tally(tries.map((_, index) => index < count ? admitted : 429));
  if (got === wanted) return;
  const last = tries.findLast(({ status }) => status === admitted)?.exchange;
  report(LIMIT_RULES.limit_allowance, `${AT_ONCE} at once got ${got} instead of ${wanted}`, last);
}

function tally(statuses: readonly number[]): string {
  const groups = Map.groupBy(statuses.toSorted(), (status) => status);
  return [...groups].map(([status, { length }]) => `${length} × ${status}`).join(" and ");
}

export async function checkClients(
  limited: LimitedService,
  rows: Instances["clients"],
): Promise<void> {
  for (const { client, same, other } of rows) {
    for (let n = 0; n <= CLIENTS.accepted; n++) {
      const want = n < CLIENTS.accepted ? 200 : 429;
      await limited.client(client)("valid", `the leads of ${client}`, { want });
    }
    for (const address of [...same, ...other]) {
      const isSame = same.includes(address);
      const says = `${address} is counted ${isSame ? "apart from" : "as"} ${client}`;
      const expected = { want: isSame ? 429 : 200, check: LIMIT_RULES.limit_clients, says };
      await limited.client(address)("valid", `${address}, after ${client}`, expected);
    }
  }
  const send = limited.client("192.0.2.250");
  const attempts = () => send("invalid", `${AT_ONCE} attempts at once`);
  await checkAtOnce(limited, attempts, { admitted: 400, count: CLIENTS.attempts });
}
