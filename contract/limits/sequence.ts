/**
 * @module Checks requests in sequence: which limits each counts against, what RateLimit reports,
 * what a client over a limit gets, and which requests are not limited.
 */

import { ask, platformOf } from "../raw/wire.ts";
import { exampleCall } from "../request/intake.ts";
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

/** How many requests each limit should have left. */
type Left = Record<"accepted" | "attempts", number>;

/** Runs on an instance with {@link SEQUENCE}. */
export async function checkSequence(limited: LimitedService): Promise<void> {
  const left: Left = { accepted: SEQUENCE.accepted, attempts: SEQUENCE.attempts };
  const started = performance.now();
  const client = limited.client();
  for (const [kind, want, times, then] of STEPS) {
    for (let time = 0; time < times; time++) {
      const title = `${kind} body, ${left.accepted} leads and ${left.attempts} attempts left`;
      left.attempts = Math.max(0, left.attempts - 1);
      if (want === 200) left.accepted--;
      const seen = await client.send(kind, title);
      limited.expect(seen, { want });
      checkState(limited, { seen, left, title, elapsedMs: seen.gotAt - started });
    }
    if (then !== undefined) await checkUnlimited(limited, then);
  }
  // A proxy in front of the service may wait for bodies itself.
  if (await platformOf(limited.session) !== undefined) await checkRefusedUnread(limited);
}

function checkState(limited: LimitedService, { seen, left, title, elapsedMs }: {
  readonly seen: Attempt;
  readonly left: Left;
  readonly title: string;
  readonly elapsedMs: number;
}): void {
  const { rules } = limited;
  for (const kind of ["accepted", "attempts"] as const) {
    const state = seen.limits.get(rules[kind]);
    const report = (what: string) =>
      limited.report("limit_headers", `${title}: ${rules[kind]} ${what}`, seen.exchange);
    if (state === undefined) {
      if (seen.limits.size > 0) report("is missing");
      continue;
    }
    if (state.quota !== SEQUENCE[kind] || state.window !== SEQUENCE.seconds) {
      report("has another policy than configured");
    }
    if (state.remaining !== left[kind]) {
      report(`leaves ${state.remaining} instead of ${left[kind]}`);
    }
    // One more request is admitted after 1/n of the window, less the elapsed time.
    const most = left[kind] === SEQUENCE[kind] ? 0 : Math.ceil(SEQUENCE.seconds / SEQUENCE[kind]);
    const least = Math.max(0, Math.floor(most - elapsedMs / 1_000) - 1);
    if (state.reset > most || state.reset < least) report("does not report when one more is left");
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
    const title = `${call.method} ${call.path} ${when}`;
    const exchange = await session.send(call, { title });
    if (exchange.answer.status !== 429) continue;
    report("limit_scope", `${call.method} ${call.path} is limited, ${when}`, exchange);
  }
}

/** A client over the attempt limit is refused before its body is read. */
async function checkRefusedUnread({ session, operation, report }: LimitedService): Promise<void> {
  const { method, path, headers = [] } = exampleCall(session, operation)!;
  const call = { method, path, headers: [...headers, ["content-length", "80"] as const] };
  const head = [
    `${method} ${path} HTTP/1.1`,
    `host: ${new URL(session.base).host}`,
    ...call.headers.map((field) => field.join(": ")),
  ];
  const message = `${head.join("\r\n")}\r\n\r\n{"`;
  const answer = await ask(session.base, new TextEncoder().encode(message));
  if (answer === undefined) {
    return report("limit_unread", "over the attempt limit, the service waits for a stalled body");
  }
  const title = "a stalled body over the attempt limit";
  const exchange = session.record({ call, answer, title });
  if (answer.status === 429) return;
  report("limit_unread", `${title} got ${answer.status}`, exchange);
}
