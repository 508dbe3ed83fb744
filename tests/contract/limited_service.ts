/**
 * @module A limited service of a few lines, for tests of the limits tier to spoil: it takes things
 * by POST, counts them by GCRA, and says so in its headers.
 */

import assert from "node:assert/strict";
import { readDocument } from "../../contract/document.ts";
import type { Finding } from "../../contract/finding.ts";
import { type Limited, limitedAt } from "../../contract/limits/client.ts";
import { createMatrix } from "../../contract/matrix.ts";
import type { Profile } from "../../contract/profile.ts";
import { createSchemas } from "../../contract/schema.ts";
import { createSession, type Session } from "../../contract/session.ts";

/** What the service gets wrong. */
export interface Knobs {
  /** So many more are admitted than is told. */
  readonly more?: number;
  /** So many more are admitted once a window has gone by. */
  readonly later?: number;
  /** A refusal counts as well. */
  readonly extends?: boolean;
  /** A wrong body counts as a valid one. */
  readonly wrongCounts?: boolean;
  /** Other methods count. */
  readonly allCount?: boolean;
  /** Other paths are limited. */
  readonly allLimited?: boolean;
  /** The body is read before the tries are counted. */
  readonly readsFirst?: boolean;
  /** A header that is believed to name the client, although nobody is trusted. */
  readonly believes?: string;
  /** Behind a proxy, the leftmost address counts. */
  readonly leftmost?: boolean;
  /** So much of the window is missing from an allowance that has come back. */
  readonly missing?: number;
  /** Changes the headers of an answer. */
  readonly headers?: (headers: Headers, status: number) => void;
}

/** How it is set: counts within so many seconds. */
export interface Setting {
  readonly accepted: { readonly count: number; readonly seconds: number };
  readonly attempts: { readonly count: number; readonly seconds: number };
  readonly proxied?: boolean;
}

/** A running one. */
interface LimitedService extends AsyncDisposable {
  readonly limited: Limited;
  /** What the limits tier has found, without what the oracle says. */
  found(): string[];
}

const DOCUMENT = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Things", version: "1" },
  paths: {
    "/alive": { get: { operationId: "alive", responses: { 200: { description: "x" } } } },
    "/things": {
      post: {
        operationId: "addThing",
        requestBody: { required: true, content: { "application/json": { schema: {} } } },
        responses: { 200: { description: "x" } },
      },
    },
  },
});

/** Starts one. */
function startLimited(setting: Setting, knobs: Knobs = {}): LimitedService {
  const arrivals = new Map<string, number>();
  const started = performance.now();
  function limit(name: "accepted" | "attempts", client: string) {
    const { count, seconds } = setting[name];
    const key = `${name} ${client}`;
    const interval = 1_000 * seconds / count;
    const now = performance.now();
    const later = now - started > 1_000 * seconds ? knobs.later ?? 0 : 0;
    const more = name === "accepted" ? (knobs.more ?? 0) + later : 0;
    const room = 1_000 * seconds + more * interval;
    return {
      take(): boolean {
        const known = arrivals.get(key);
        const missing = known === undefined ? 0 : 1_000 * seconds * (knobs.missing ?? 0);
        const rested = now + missing;
        const next = Math.max(known ?? now, rested) + interval;
        const allowed = next - now <= room + 0.01;
        if (allowed || knobs.extends) arrivals.set(key, next);
        return allowed;
      },
      get state() {
        const used = Math.max(0, (arrivals.get(key) ?? now) - now);
        const left = Math.max(0, Math.floor((1_000 * seconds - used + 0.01) / interval));
        const reset = used === 0 ? 0 : (left + 1) * interval - (1_000 * seconds - used);
        return { left, reset: Math.ceil(reset / 1_000) };
      },
    };
  }

  const options = {
    hostname: "127.0.0.1",
    port: 0,
    onListen() {},
    // A body that breaks off is what a test may be about.
    onError: () => new Response(null, { status: 500 }),
  };
  const server = Deno.serve(options, async (request) => {
    const { pathname } = new URL(request.url);
    const forwarded = request.headers.get("x-forwarded-for")?.split(",").map((one) => one.trim());
    const client = setting.proxied
      ? forwarded?.at(knobs.leftmost ? 0 : -1) ?? "direct"
      : request.headers.get(knobs.believes ?? "-") ?? "direct";
    const attempts = limit("attempts", client);
    const accepted = limit("accepted", client);

    function answer(status: number): Response {
      const [a, b] = [accepted.state, attempts.state];
      const { accepted: x, attempts: y } = setting;
      const waits = [a, b].filter(({ left }) => left === 0).map(({ reset }) => reset);
      const headers = new Headers({
        "ratelimit-policy":
          `"thing";q=${x.count};w=${x.seconds}, "try";q=${y.count};w=${y.seconds}`,
        ratelimit: `"thing";r=${a.left};t=${a.reset}, "try";r=${b.left};t=${b.reset}`,
        ...(status === 429 ? { "retry-after": String(Math.max(1, ...waits)) } : {}),
      });
      knobs.headers?.(headers, status);
      return new Response(null, { status, headers });
    }

    if (pathname !== "/things" || request.method !== "POST") {
      if (knobs.allCount && pathname === "/things") attempts.take();
      if (knobs.allLimited && attempts.state.left === 0) return answer(429);
      return new Response(null, { status: pathname === "/alive" ? 200 : 405 });
    }
    const text = knobs.readsFirst ? await request.text() : undefined;
    if (!attempts.take()) return answer(429);
    const isWrong = (text ?? await request.text()) === "{}";
    if (isWrong && !knobs.wrongCounts) return answer(400);
    if (!accepted.take()) return answer(isWrong ? 400 : 429);
    return answer(isWrong ? 400 : 200);
  });

  const base = `http://127.0.0.1:${server.addr.port}`;
  const findings: Finding[] = [];
  const bodies = { addThing: { name: "a{n}" } };
  const profile = { document: "/", bodies, pages: [], faults: {} };
  const session = sessionAt(base, { text: DOCUMENT, profile, findings });
  const rules = { operation: "addThing", accepted: "thing", attempts: "try", code: "limited" };
  return {
    limited: limitedAt(session, rules),
    found: () =>
      findings.filter(({ tier, check }) => tier === "limits" && check.startsWith("limit_"))
        .map(({ check, message }) => `${check}: ${message}`),
    async [Symbol.asyncDispose]() {
      await server.shutdown();
    },
  };
}

/** A session with a service that has this document and profile, and with nothing around it. */
export function sessionAt(
  base: string,
  { text, profile, findings, against, corpus, live = false, examples = 1 }: {
    readonly text: string;
    readonly profile: Profile;
    readonly findings: Finding[];
    readonly against?: string | undefined;
    readonly corpus?: URL | undefined;
    readonly live?: boolean | undefined;
    readonly examples?: number | undefined;
  },
): Session {
  const document = readDocument(text);
  return createSession({
    base,
    law: { document, schemas: createSchemas(document), profile },
    cases: new URL("file:///nowhere/"),
    against,
    corpus,
    live,
    launcher: undefined,
    matrix: createMatrix(document, () => undefined),
    findings,
    exchanges: { count: 0 },
    seed: 42,
    examples,
    progress: () => {},
  });
}

/** What a look at a service with these faults finds. */
export async function foundIn(
  setting: Setting,
  { look, knobs = {} }: {
    readonly look: (limited: Limited) => Promise<unknown>;
    readonly knobs?: Knobs;
  },
): Promise<string[]> {
  await using service = startLimited(setting, knobs);
  await look(service.limited);
  return service.found();
}

/** Holds that a fault is found, by this rule and in these words. */
export function assertFound(found: readonly string[], words: string): void {
  assert(found.some((one) => one.includes(words)), `${words}\nis not in\n${found.join("\n")}`);
}
