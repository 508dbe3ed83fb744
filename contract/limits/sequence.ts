/**
 * @module Checks requests in sequence: which limits each counts against, what RateLimit reports,
 * what a client over a limit gets, and which requests are not limited.
 */

import { ask, isOnDeno } from "../raw/wire.ts";
import { exampleCall } from "../tiers/example_call.ts";
import type { Attempt, Kind, LimitedService } from "./client.ts";

/** A window longer than the test, so that no allowance is restored. */
export const SEQUENCE = { accepted: 5, attempts: 14, seconds: 3_600 };

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

/** Runs on an instance with {@link SEQUENCE}. */
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
    const says = (fault: string) =>
      report("limit_headers", `${seen.exchange.title}: ${rules[limit]} ${fault}`, seen.exchange);
    const state = seen.limits.get(rules[limit]);
    if (state === undefined) {
      if (seen.limits.size > 0) says("is missing");
      continue;
    }
    const { quota, window, remaining, reset } = state;
    if (quota !== SEQUENCE[limit] || window !== SEQUENCE.seconds) {
      says("has another policy than configured");
    }
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
      report("limit_scope", `${what} is limited, ${when}`, exchange);
    }
  }
}

/** A client over the attempt limit is refused before its body is read. */
async function checkRefusedUnread({ session, operation, report }: LimitedService): Promise<void> {
  const example = exampleCall(session, operation)!;
  const headers = [...example.headers ?? [], ["content-length", "80"] as const];
  const call = { method: example.method, path: example.path, headers };
  const lines = [
    `${call.method} ${call.path} HTTP/1.1`,
    `host: ${new URL(session.base).host}`,
    ...headers.map((field) => field.join(": ")),
  ];
  const message = new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n{"`);
  const answer = await ask(session.base, message);
  if (answer === undefined) {
    return report("limit_unread", "over the attempt limit, the service waits for a stalled body");
  }
  const title = "a stalled body over the attempt limit";
  const exchange = session.record({ call, answer, title });
  if (answer.status !== 429) report("limit_unread", `${title} got ${answer.status}`, exchange);
}
