/**
 * @module One request after the other: what each counts as, what RateLimit says after it, what
 * comes when leads or tries are out, and what is not limited at all.
 */

import { readAnswers } from "../raw/answers.ts";
import { asAnswer } from "../raw/verdict.ts";
import { openWire, platformOf } from "../raw/wire.ts";
import { exampleCall } from "../tiers/example_call.ts";
import { type Kind, type Limited, type Try } from "./client.ts";

/** Allowances that last for longer than this takes: nothing comes back meanwhile. */
export const SEQUENCE = { accepted: 5, attempts: 14, seconds: 3_600 };

/** A refusal unread comes at once; a body that stalls would be waited for much longer. */
const AT_ONCE_MS = 3_000;

/** What is left of each limit, as it should be. */
interface Left {
  accepted: number;
  attempts: number;
}

/** Runs the sequence on an instance that is set to {@link SEQUENCE}. */
export async function holdsSequence(limited: Limited): Promise<void> {
  const { accepted, attempts } = SEQUENCE;
  const left: Left = { accepted, attempts };
  const started = performance.now();
  const client = limited.client();

  async function step(
    kind: Kind,
    { title, want }: { readonly title: string; readonly want: number },
  ): Promise<void> {
    left.attempts = Math.max(0, left.attempts - 1);
    if (want === 200) left.accepted--;
    const seen = await client.try(kind, title);
    if (seen.status !== want) {
      const message = `${title}: got ${seen.status} instead of ${want}`;
      limited.say("limit_allowance", message, seen.exchange);
    }
    holdsState(limited, { seen, left, title, elapsedMs: seen.gotAt - started });
  }

  await step("wrong", { title: "a wrong body is a try and no lead", want: 400 });
  await step("valid", { title: "a valid body is a try and a lead", want: 200 });
  await unlimited(limited, "before the limit");
  while (left.accepted > 0) {
    await step("valid", { title: "a valid body within the allowance", want: 200 });
  }
  await step("valid", { title: "a valid body beyond the allowance", want: 429 });
  await step("wrong", { title: "a wrong body when no lead is left", want: 400 });
  await unlimited(limited, "when no lead is left");
  while (left.attempts > 0) {
    await step("wrong", { title: "a wrong body within the tries", want: 400 });
  }
  await step("wrong", { title: "a wrong body beyond the tries", want: 429 });
  await step("valid", { title: "a valid body beyond the tries", want: 429 });
  await unlimited(limited, "when no try is left");
  // A proxy that waits for bodies itself would be to blame.
  if (await platformOf(limited.session) !== undefined) await refusedUnread(limited);
}

/** Holds both fields against what was sent. */
function holdsState(limited: Limited, { seen, left, title, elapsedMs }: {
  readonly seen: Try;
  readonly left: Left;
  readonly title: string;
  readonly elapsedMs: number;
}): void {
  const { rules } = limited;
  for (const kind of ["accepted", "attempts"] as const) {
    const state = seen.limits.get(rules[kind]);
    const say = (what: string) =>
      limited.say("limit_headers", `${title}: ${rules[kind]} ${what}`, seen.exchange);
    if (state === undefined) {
      if (seen.limits.size > 0) say("is missing");
      continue;
    }
    if (state.quota !== SEQUENCE[kind] || state.window !== SEQUENCE.seconds) {
      say("has another policy than is set");
    }
    if (state.remaining !== left[kind]) {
      say(`leaves ${state.remaining} instead of ${left[kind]}`);
    }
    // One request more comes after the window's n-th part, less the time that has gone by.
    const most = left[kind] === SEQUENCE[kind] ? 0 : Math.ceil(SEQUENCE.seconds / SEQUENCE[kind]);
    const least = Math.max(0, Math.floor(most - elapsedMs / 1_000) - 1);
    if (state.reset > most || state.reset < least) say("does not say when one more is left");
  }
}

/** The rest of the service, and other methods of the same path, neither count nor are refused. */
async function unlimited({ session, operation, say }: Limited, when: string): Promise<void> {
  const { path } = operation;
  const others = session.law.document.operations.filter((other) => other !== operation);
  const calls = [
    ...["GET", "HEAD", "OPTIONS", "PUT", "DELETE"].map((method) => ({ method, path })),
    ...others.flatMap((other) => exampleCall(session, other) ?? []),
  ];
  for (const call of calls) {
    const title = `${call.method} ${call.path} ${when}`;
    const exchange = await session.send(call, { title });
    if (exchange.answer.status !== 429) continue;
    say("limit_scope", `${call.method} ${call.path} is limited, ${when}`, exchange);
  }
}

/** Who is out of tries is refused before a body is read: it need not even come. */
async function refusedUnread({ session, operation, say }: Limited): Promise<void> {
  const { method, path, headers = [] } = exampleCall(session, operation)!;
  const call = { method, path, headers: [...headers, ["content-length", "80"] as const] };
  const { host } = new URL(session.base);
  const head = [
    `${method} ${path} HTTP/1.1`,
    `host: ${host}`,
    ...call.headers.map((field) => field.join(": ")),
  ];
  const wire = await openWire(session.base);
  try {
    const started = performance.now();
    await wire.send(new TextEncoder().encode(`${head.join("\r\n")}\r\n\r\n{"`));
    const read = () =>
      readAnswers(wire.bytes(), { methods: [method], ended: wire.ended() }).answers[0];
    await wire.until(() => read() !== undefined, AT_ONCE_MS);
    const answer = read();
    if (answer === undefined) {
      return say("limit_unread", "beyond the tries a body that stalls is waited for");
    }
    const exchange = session.take({
      call,
      answer: asAnswer(answer, performance.now() - started),
      title: "a body that stalls beyond the tries",
    });
    if (answer.status === 429) return;
    say("limit_unread", `a body that stalls beyond the tries got ${answer.status}`, exchange);
  } finally {
    await wire.close();
  }
}
