/**
 * @module The faults tier: services that keep their promises pass, and those that break them do
 * not.
 */

import assert, { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { holdsFailure } from "../../contract/faults/failure.ts";
import {
  type Faulty,
  holdsDelivery,
  holdsNothing,
  holdsPartial,
  holdsWithoutDatabase,
  PATIENCE_MS,
} from "../../contract/faults/promises.ts";
import { type Receiver, startReceiver, startSilence } from "../../contract/faults/receiver.ts";
import type { Finding } from "../../contract/finding.ts";
import { readInstances } from "../../contract/instances.ts";
import { faultsTier } from "../../contract/tiers/faults.ts";
import { limitsTier } from "../../contract/tiers/limits.ts";
import { assertFound, sessionAt } from "./limited_service.ts";

const INSTANCES = await readInstances(new URL("../../contract/cases/", import.meta.url));

const DOCUMENT = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Leads", version: "1" },
  paths: {
    "/alive": { get: { operationId: "alive", responses: { 200: { description: "x" } } } },
    "/leads": {
      post: {
        operationId: "addLead",
        requestBody: { required: true, content: { "application/json": { schema: {} } } },
        responses: { 200: { description: "x" } },
      },
    },
  },
  components: { schemas: { Fault: { type: "object", required: ["error"] } } },
});

type Handler = (request: Request) => Response | Promise<Response>;

/** What a look at this service finds, but for what the oracle says. */
async function foundIn(
  handler: Handler,
  look: (faulty: Faulty) => Promise<void>,
): Promise<string[]> {
  const findings: Finding[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, handler);
  const base = `http://127.0.0.1:${server.addr.port}`;
  const session = sessionAt(base, {
    text: DOCUMENT,
    profile: {
      document: "/",
      errors: {
        under: "/api/",
        schema: "Fault",
        not_empty: ["/error/hint"],
        code: "/error/code",
        codes: {},
      },
      bodies: { addLead: {} },
      pages: [],
      faults: {},
    },
    findings,
  });
  await look({ session, instances: INSTANCES!, operation: "addLead" });
  await server.shutdown();
  return findings.filter(({ check }) => check === "promise" || check === "failure")
    .map(({ message }) => message);
}

/** Posts that may outlast the answer that they are for. */
const onTheWay: Promise<unknown>[] = [];

async function post(url: string, body: string): Promise<number> {
  const response = await fetch(url, { method: "POST", body, redirect: "manual" });
  await response.body?.cancel();
  return response.status;
}

async function withReceiver(test: (receiver: Receiver) => Promise<void>): Promise<void> {
  try {
    await using receiver = startReceiver();
    await test(receiver);
  } finally {
    await Promise.all(onTheWay);
  }
}

/** How a service of leads goes about it. */
interface Ways {
  /** Says so whatever the target does. */
  readonly says?: boolean;
  /** Copies are delivered again. */
  readonly forgets?: boolean;
  /** Hands leads to nobody. */
  readonly keeps?: boolean;
  /** How long it waits for a target. */
  readonly patienceMs?: number;
  /** Has no database: what no target takes is lost, and is said to be. */
  readonly loses?: boolean;
  readonly lostStatus?: number;
  /** A target that cannot be reached stands before the other. */
  readonly broken?: boolean;
  readonly limit?: number;
  readonly ok?: boolean;
}

/** A service of leads, as honest as its ways are. */
function leadService(receiver: Receiver | undefined, ways: Ways = {}): Handler {
  const known = new Map<string, boolean>();
  let count = 0;
  return async (request) => {
    if (request.method === "GET") return new Response("alive");
    const body = await request.text();
    if (++count > (ways.limit ?? Infinity)) return new Response(null, { status: 429 });
    const same = known.get(body);
    if (same !== undefined && !ways.forgets) return Response.json({ ok: true, delivered: same });
    const posted = receiver === undefined || ways.keeps
      ? Promise.resolve(false)
      : post(receiver.url, body).then((status) => status < 300);
    onTheWay.push(posted);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<boolean>((done) => {
      timer = setTimeout(() => done(false), ways.patienceMs ?? PATIENCE_MS);
    });
    const taken = await Promise.race([posted, late]);
    clearTimeout(timer);
    const delivered = ways.says ?? (taken && !ways.broken);
    if (!delivered && ways.loses) return new Response(null, { status: ways.lostStatus ?? 502 });
    known.set(body, delivered);
    return Response.json({ ok: ways.ok ?? true, delivered });
  };
}

Deno.test("a target does what the lead says, and tells how often it was asked", () =>
  withReceiver(async (receiver) => {
    const statuses = [];
    for (const body of ["does-take 1", "does-refuse 1", "does-reject 1", "does-redirect 1", "1"]) {
      statuses.push(await post(receiver.url, body));
    }
    deepEqual(statuses, [204, 503, 410, 307, 500]);
    equal(receiver.count("does-take"), 1);
    equal(receiver.count("1"), 5);
  }));

Deno.test("a silent database takes connections and says nothing", async () => {
  await using silence = startSilence();
  await assert.rejects(
    fetch(silence.url, { method: "POST", body: "?", signal: AbortSignal.timeout(200) }),
    { name: "TimeoutError" },
  );
});

Deno.test("what a target did with a lead is what is said of it, once and in time", () =>
  withReceiver(async (receiver) => {
    const look = (faulty: Faulty) => holdsDelivery(faulty, receiver);
    const honest = () => leadService(receiver);
    deepEqual(await foundIn(honest(), look), []);
    const rows: readonly (readonly [ways: Ways, words: string])[] = [
      [
        { says: true },
        "a lead that its target does refuse: got 200, delivered true instead of 200, delivered false",
      ],
      [
        { says: false },
        "a lead that its target takes: got 200, delivered false instead of 200, delivered true",
      ],
      [{ says: true, keeps: true }, "a lead that is said to be delivered has not arrived once"],
      [{ forgets: true }, "the same lead again is delivered again"],
      [{ ok: false }, "a lead is taken, and /ok is not true"],
      [{ patienceMs: 50 }, "a target that hangs is not waited for as long as is set"],
      [
        { loses: true },
        "a lead that its target does reject: got 502 instead of 200, delivered false",
      ],
    ];
    await Promise.all(rows.map(async ([ways, words]) => {
      assertFound(await foundIn(leadService(receiver, ways), look), words);
    }));
  }));

Deno.test("a lead that one of two targets takes is not delivered, and reaches the one", () =>
  withReceiver(async (receiver) => {
    const look = (faulty: Faulty) => holdsPartial(faulty, receiver);
    deepEqual(await foundIn(leadService(receiver, { broken: true }), look), []);
    assertFound(await foundIn(leadService(receiver), look), "got 200, delivered true");
    const keeps = leadService(receiver, { broken: true, keeps: true });
    assertFound(
      await foundIn(keeps, look),
      "a target that cannot be reached keeps a lead from another",
    );
  }));

Deno.test("without database, what no target takes is a 502, and the rest goes on", () =>
  withReceiver(async (receiver) => {
    const delivering = (faulty: Faulty) => holdsWithoutDatabase(faulty, receiver);
    deepEqual(await foundIn(leadService(receiver, { loses: true }), delivering), []);
    assertFound(await foundIn(leadService(receiver), delivering), "instead of 502");
    const nothing = (faulty: Faulty) => holdsNothing(faulty, { accepted: 2, how: "so" });
    const losing = (ways: Ways) => leadService(undefined, { loses: true, limit: 2, ...ways });
    deepEqual(await foundIn(losing({}), nothing), []);
    assertFound(
      await foundIn(losing({ says: false, loses: false }), nothing),
      "got 200, delivered false instead of 502",
    );
    assertFound(await foundIn(losing({ lostStatus: 500 }), nothing), "got 500 instead of 502");
    assertFound(await foundIn(losing({ limit: 9 }), nothing), "the limit does not hold, so");
    const dead: Handler = (request) =>
      request.method === "GET" ? new Response(null, { status: 503 }) : losing({})(request);
    assertFound(await foundIn(dead, nothing), "alive does not work, so");
  }));

Deno.test("a failure is a page for people, an error for programs, and tells nothing of itself", async () => {
  const { broken } = INSTANCES!;
  const good = { error: { code: broken.code, hint: "Try again." } };
  const withId = { [broken.id]: "41" };
  const error = (body: unknown, headers: Record<string, string> = withId, status = 500) =>
    Response.json(body, { status, headers });
  const page = (text: string, headers: Record<string, string> = withId) =>
    new Response(text, { status: 500, headers: { "content-type": "text/html", ...headers } });
  /** A service whose pages fail in this way, and what does not fail works. */
  const failing = (ways: { page?: () => Response; error?: () => Response } = {}): Handler =>
  (
    { url, headers },
  ) => {
    if (broken.works.includes(new URL(url).pathname)) return new Response("works");
    return headers.get("accept") === "text/html"
      ? (ways.page ?? (() => page("<h1>Failed, 41</h1>")))()
      : (ways.error ?? (() => error(good)))();
  };
  deepEqual(await foundIn(failing(), holdsFailure), []);
  const rows: readonly (readonly [ways: Parameters<typeof failing>[0], words: string])[] = [
    [{ error: () => error(good, withId, 200) }, "got 200 instead of 500"],
    [{ error: () => error(good, {}) }, `500 lacks ${broken.id}`],
    [{ error: () => error({ error: { code: "odd", hint: "x" } }) }, "500 has not the code"],
    [
      { error: () => error({ error: { code: broken.code, hint: " " } }) },
      "500: there is nothing at /error/hint",
    ],
    [{ error: () => error({}) }, "500: the value must have required property 'error'"],
    [{ error: () => error({ ...good, stack: "Error: front matter" }) }, "500 tells of the fault"],
    [{ error: () => page("<h1>Oh, 41</h1>") }, "500 is text/html, not application/json"],
    [{ page: () => error(good) }, "500 is application/json, not text/html"],
    [{ page: () => page("<h1>Failed</h1>") }, `500 does not show its ${broken.id}`],
    [{ page: () => page("<h1>Failed, 41</h1>", {}) }, `500 lacks ${broken.id}`],
    [{ page: () => page("<h1>41: zz81-broken</h1>") }, "500 tells of the fault"],
  ];
  for (const [ways, words] of rows) {
    assertFound(await foundIn(failing(ways), holdsFailure), words);
  }
  assertFound(
    await foundIn(() => error(good), holdsFailure),
    "it does not work where a page cannot be made",
  );
});

Deno.test("neither tier can run where the harness has not started the service", () => {
  const session = sessionAt("http://127.0.0.1:1", {
    text: DOCUMENT,
    profile: {
      document: "/",
      bodies: {},
      pages: [],
      faults: {},
      limits: { operation: "addLead", accepted: "a", attempts: "b", code: "c" },
    },
    findings: [],
  });
  for (const tier of [limitsTier, faultsTier]) {
    equal(tier.live, false);
    assert(tier.unable!(session)?.includes("has not started"));
    const { limits: _, ...profile } = session.law.profile;
    const without = { ...session, law: { ...session.law, profile } };
    assert(tier.unable!(without)?.includes("the profile names no"));
  }
});
