/** @module Several services on one denokv that fails in every way: afterwards all answers are true. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { DELIVERY_TIMEOUT_MS } from "../../../leads/delivery_worker.ts";
import { LONGEST_ANSWER_MS } from "../../../leads/intake.ts";
import { KV_DEADLINE_MS } from "../../../leads/ports.ts";
import type { KvProxy } from "../../support/kv_proxy.ts";
import type { Answer } from "../../support/ledger.ts";
import { type Machine, type Machines, RECOVERY_MS, startMachines } from "../../support/machines.ts";
import { pause, until } from "../../support/until.ts";

/** `200 true`, `502` */
function short({ status, delivered }: Answer): string {
  return delivered === undefined ? String(status) : `${status} ${delivered}`;
}

/** A commit and a read of 5 s each, one delivery attempt, and reserve for a busy machine. */
const ANSWER_MS = 20_000;

interface Outage {
  readonly name: string;
  readonly begin: (proxy: KvProxy) => void;
  readonly end?: (proxy: KvProxy) => void;
  readonly answers?: readonly [targeted: string, plain: string];
}

const LOST = ["200 true", "502"] as const;

const OUTAGES: readonly Outage[] = [
  {
    name: "refuses connections",
    begin: (proxy) => proxy.refuse(),
    end: (proxy) => proxy.accept(),
    answers: LOST,
  },
  { name: "answers 503", begin: (proxy) => proxy.fail("unavailable"), answers: LOST },
  { name: "does not answer", begin: (proxy) => proxy.fail("hang"), answers: LOST },
  {
    name: "refuses commits and answers reads",
    begin: (proxy) => proxy.fail("unavailable", { calls: ["commit"] }),
    answers: LOST,
  },
  {
    name: "executes calls and closes connections",
    begin: (proxy) => proxy.fail("lose", { calls: ["read", "commit"] }),
    answers: LOST,
  },
  {
    name: "executes commits without responding, and answers reads",
    begin: (proxy) => proxy.fail("lose", { calls: ["commit"] }),
    answers: ["200 false", "200 false"], // the delivery cannot be recorded either
  },
  { name: "is behind a dead connection", begin: (proxy) => proxy.strand() },
];

/** Runs all outages concurrently, each with its own machines: most time is waiting. */
async function atOnce(
  outages: readonly Outage[],
  test: (outage: Outage, machines: Machines) => Promise<void>,
): Promise<void> {
  const runs = outages.map(async (outage) => {
    await using machines = await startMachines();
    await test(outage, machines);
  });
  const failures = (await Promise.allSettled(runs)).flatMap((run, n) =>
    run.status === "rejected" ? [new Error(outages[n]!.name, { cause: run.reason })] : []
  );
  if (failures.length > 0) throw new AggregateError(failures, "Some outages failed");
}

let turn: Promise<unknown> = Promise.resolve();

/** Runs one at a time: concurrent starts of many services would time out. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = turn.then(() => work());
  turn = done.catch(() => {});
  return done;
}

async function startPair({ start }: Machines): Promise<[targeted: Machine, plain: Machine]> {
  return await Promise.all([start(), start({ LEAD_TARGETS: "" })]);
}

async function passOutage(
  { end = (proxy) => proxy.heal(), answers: expected }: Outage,
  { machines, pair }: { readonly machines: Machines; readonly pair: readonly Machine[] },
): Promise<void> {
  const { ledger, proxy, start, settle } = machines;
  const answers = await Promise.all([...pair, ...pair].map((machine) => ledger.post(machine)));
  for (const answer of answers) ok(answer.ms < ANSWER_MS, `${short(answer)} after ${answer.ms} ms`);
  if (expected !== undefined) deepEqual(answers.map(short), [...expected, ...expected]);

  end(proxy);
  for (const machine of pair) {
    await until("a lead is stored", async () => {
      await pause(500);
      return (await ledger.post(machine)).status === 200;
    }, RECOVERY_MS);
  }
  for (const { company } of answers.filter(({ status }) => status === 502)) {
    equal((await ledger.post(pair[1]!, { company })).status, 200, "resent");
  }
  // A new machine finds leads whose commit got no response at once, others within a minute.
  await inTurn(start);
  await settle({ repeats: true });
}

Deno.test("while KV fails, a lead is delivered or answered 502; afterwards all answers are true", () =>
  atOnce(OUTAGES, async (outage, machines) => {
    const pair = await inTurn(async () => {
      const pair = await startPair(machines);
      const before = [await machines.ledger.post(pair[0]), await machines.ledger.post(pair[1])];
      deepEqual(before.map(short), ["200 true", "200 false"]);
      return pair;
    });
    outage.begin(machines.proxy);
    await passOutage(outage, { machines, pair });
  }));

Deno.test("while neither KV nor the target answers, a lead is answered 502 within the longest time", async () => {
  const over = Promise.withResolvers<Response>();
  await using machines = await startMachines(() => over.promise);
  const { proxy, ledger, start } = machines;
  const machine = await start();
  equal(short(await ledger.post(machine)), "200 false");
  proxy.fail("hang");
  const answer = await ledger.post(machine).finally(() => over.resolve(new Response()));
  equal(short(answer), "502");
  const { ms } = answer;
  ok(ms > KV_DEADLINE_MS + DELIVERY_TIMEOUT_MS && ms < LONGEST_ANSWER_MS, `${ms} ms`);
});

Deno.test("KV that fails at the start is used as soon as it works; pages are served meanwhile", () =>
  atOnce(
    OUTAGES.filter(({ name }) => /^(?:refuses conn|does not)/.test(name)),
    async (outage, machines) => {
      outage.begin(machines.proxy);
      const pair = await inTurn(() => startPair(machines));
      for (const path of ["/api/health", "/", "/docs.md", "/openapi.json"]) {
        const response = await fetch(`${pair[0].url}${path}`);
        await response.body?.cancel();
        equal(response.status, 200, path);
      }
      await passOutage(outage, { machines, pair });
    },
  ));

Deno.test("three machines together admit exactly the limit of one client, and store a lead sent to all once", async () => {
  await using machines = await startMachines();
  const { ledger, denokv, start, settle, store, receiver } = machines;
  const env = { KV_PATH: denokv.url, LEAD_RATE_LIMIT: "20/10m" };
  const three = await Promise.all([start(env), start(env), start(env)]);
  const client = "203.0.113.1";
  await Promise.all(Array.from({ length: 100 }, (_, n) => ledger.post(three[n % 3]!, { client })));
  deepEqual(ledger.tally, { 200: 20, 429: 80 });

  const fourth = await start(env);
  for (const machine of [...three, fourth]) {
    equal((await ledger.post(machine, { client })).status, 429);
  }
  for (let round = 0; round < 10; round++) {
    const copies = [...three, ...three];
    await Promise.all(copies.map((to) => ledger.post(to, { company: `Round ${round}` })));
  }
  deepEqual(ledger.tally, { 200: 20 + 60, 429: 80 + 4 });
  await settle();
  equal(receiver.received.length, 30);
  equal((await Array.fromAsync(store.all())).length, 30);
});
