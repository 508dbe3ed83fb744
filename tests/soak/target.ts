/**
 * @module The receiver behind all services: a real HTTP server that takes leads, and fails as long as
 * it is told to.
 *
 * It goes down only after the requests in flight have their answers: a lead that it has taken without
 * being able to say so could be told lost, and no service can help that.
 */

import { Webhook } from "standardwebhooks";
import type { Taken } from "./gap.ts";
import type { Received } from "../support/receiver.ts";
import { pause } from "../crash/random.ts";

/** What it does. */
export type Mood = "up" | "down" | "failing" | "slow" | "redirecting" | "gone";

/** A running receiver. */
export interface Target {
  readonly url: string;
  /** Tries that it has acknowledged. */
  readonly taken: readonly (Received & Taken)[];
  /** Answers by status. */
  readonly answers: Readonly<Record<number, number>>;
  /** Requests whose signature does not hold. */
  readonly unsigned: number;
  turn(mood: Mood): Promise<void>;
}

/** What the services sign with. */
export const SECRET = `whsec_${btoa("a secret of the soak, 27 bytes")}`;

/** Longer than a sender is kept waiting (LEAD_INLINE_TIMEOUT), shorter than a try may take. */
const SLOW_MS = 3_000;

const STATUS: Record<Mood, number> = {
  up: 204,
  slow: 204,
  failing: 500,
  redirecting: 307,
  gone: 410,
  down: 503, // for what is still in flight when it goes down
};

/** Runs `work` with a receiver of its own. */
export async function withTarget(work: (target: Target) => Promise<void>): Promise<void> {
  const webhook = new Webhook(SECRET);
  const taken: (Received & Taken)[] = [];
  const answers: Record<number, number> = {};
  let unsigned = 0;
  let mood: Mood = "up";

  async function answer(request: Request): Promise<Response> {
    const { method, url } = request;
    const at = Date.now();
    const headers = Object.fromEntries(request.headers);
    const body = await request.text();
    try {
      webhook.verify(body, headers);
    } catch {
      unsigned++;
    }
    const status = STATUS[mood];
    if (mood === "slow") await pause(SLOW_MS);
    answers[status] = (answers[status] ?? 0) + 1;
    if (status === 204) {
      const { company } = JSON.parse(body).data;
      const id = headers["webhook-id"] ?? "";
      taken.push({ method, path: new URL(url).pathname, headers, body, id, company, at });
    }
    return new Response(null, { status, headers: status === 307 ? { location: url } : {} });
  }

  function listen(port = 0) {
    const options = {
      hostname: "127.0.0.1",
      port,
      onListen() {},
      onError: () => new Response(null, { status: 400 }), // the sender was killed while it sent
    };
    return Deno.serve(options, answer);
  }

  const first = listen();
  const { port } = first.addr;
  let server: typeof first | undefined = first;
  try {
    await work({
      url: `http://127.0.0.1:${port}/leads`,
      taken,
      answers,
      get unsigned() {
        return unsigned;
      },
      async turn(next) {
        mood = next;
        if (next !== "down") {
          server ??= listen(port);
          return;
        }
        const listening = server;
        server = undefined;
        await listening?.shutdown();
      },
    });
  } finally {
    await server?.shutdown();
  }
}
