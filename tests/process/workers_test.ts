/**
 * @module The service in two threads at one address: that both serve, that the limits are those of
 * one, how it stops, and what it says when it cannot have threads.
 */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { KvOperatorStore } from "../../leads/kv/operator.ts";
import { Sealer } from "../../leads/sealing.ts";
import { runDeno } from "../support/command.ts";
import { postLead } from "../support/post_lead.ts";
import { withReceiver } from "../support/receiver.ts";
import {
  freePort,
  runToItsEnd,
  type Service,
  startService,
  withFolder,
} from "../support/service.ts";
import { LEAD } from "../support/test_app.ts";
import { cpuTimes, listeners } from "../support/threads.ts";
import { until } from "../support/until.ts";

const TWO = { args: ["--workers", "2"] };

/** Starts two threads and waits for both: it is then that the service says what it is set to. */
async function startTwo(folder: string, env: Record<string, string> = {}): Promise<Service> {
  const service = await startService(folder, env, TWO);
  await until("both threads listen", () => /2 threads/.test(service.output()), 20_000);
  return service;
}

/** Posts all bodies at once, each on a connection of its own; how often each status came. */
async function statuses(url: string, bodies: readonly unknown[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  await Promise.all(bodies.map(async (body) => {
    const response = await postLead(url, body);
    await response.body?.cancel();
    counts[response.status] = (counts[response.status] ?? 0) + 1;
  }));
  return counts;
}

function leads(count: number): unknown[] {
  return Array.from({ length: count }, (_, n) => ({ ...LEAD, company: `Company ${n}` }));
}

Deno.test("two threads listen at one address, and both answer", () =>
  withFolder(async (folder) => {
    const service = await startTwo(folder);
    equal(await listeners(service.port), 2);
    const before = await cpuTimes(service.pid);
    for (let round = 0; round < 20; round++) {
      await Promise.all(Array.from({ length: 50 }, async () => {
        const response = await fetch(`${service.url}/docs`);
        equal(response.status, 200);
        await response.body?.cancel();
      }));
    }
    const after = await cpuTimes(service.pid);
    // A thread that only waits takes next to nothing; 500 answers take some 100 ms.
    for (const thread of ["main", "worker"] as const) {
      const ms = after[thread] - before[thread];
      ok(ms > 20, `${thread}: ${ms} ms`);
    }
    equal(await service.end(), 0);
  }));

Deno.test("of 300 attempts at once, whichever thread gets them, exactly 120 are admitted", () =>
  withFolder(async (folder) => {
    const service = await startTwo(folder, { LEAD_ATTEMPT_LIMIT: "120/1h" });
    deepEqual(await statuses(service.url, Array(300).fill({ no: "lead" })), { 400: 120, 429: 180 });
    equal(await service.end(), 0);
  }));

for (const KV_PATH of [".data/leads.sqlite", ":memory:"]) {
  Deno.test(`of 80 leads of one client at once, with KV in ${KV_PATH}, exactly 20 are admitted`, () =>
    withFolder(async (folder) => {
      const service = await startTwo(folder, { LEAD_RATE_LIMIT: "20/1h", KV_PATH });
      deepEqual(await statuses(service.url, leads(80)), { 200: 20, 429: 60 });
      equal(await service.end(), 0);
    }));
}

Deno.test("copies of a lead at both threads at once get one answer and are delivered once", () =>
  withReceiver(
    (receiver) =>
      withFolder(async (folder) => {
        const service = await startTwo(folder, { LEAD_TARGETS: receiver.url });
        const copies = Array.from({ length: 20 }, () => postLead(service.url, LEAD));
        for (const copy of await Promise.all(copies)) {
          deepEqual(await copy.json(), { ok: true, delivered: true });
        }
        equal(receiver.received.length, 1);
        equal(await service.end(), 0);
      }),
    async () => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return new Response();
    },
  ));

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.test(`on ${signal} requests in flight in both threads are answered, within 5 seconds`, () =>
    withReceiver(
      (receiver) =>
        withFolder(async (folder) => {
          const service = await startTwo(folder, {
            LEAD_TARGETS: receiver.url,
            LEAD_RATE_LIMIT: "100/1h",
          });
          const answers = leads(40).map(async (lead) => (await postLead(service.url, lead)).json());
          await receiver.arrived(40);
          const began = Date.now();
          const ended = service.end(signal);
          for (const answer of await Promise.all(answers)) {
            deepEqual(answer, { ok: true, delivered: true });
          }
          equal(await ended, 0);
          ok(Date.now() - began < 5_000);
        }),
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        return new Response();
      },
    ));
}

Deno.test("kill -9 loses no lead that either thread has answered", () =>
  withFolder(async (folder) => {
    const service = await startTwo(folder, {
      LEAD_RATE_LIMIT: "10000/1h",
      LEAD_ATTEMPT_LIMIT: "10000/1h",
    });
    const answered: string[] = [];
    const enough = Promise.withResolvers<void>();
    const senders = Array.from({ length: 16 }, async (_, sender) => {
      for (let n = 0;; n++) {
        const company = `Company ${sender}/${n}`;
        try {
          const response = await postLead(service.url, { ...LEAD, company });
          await response.body?.cancel();
          if (response.status === 200) answered.push(company);
        } catch {
          return; // the process is gone
        }
        if (answered.length >= 200) enough.resolve();
      }
    });
    await enough.promise;
    await service.end("SIGKILL");
    await Promise.all(senders);

    const kv = await Deno.openKv(`${folder}/.data/frontdoor.sqlite`);
    const store = new KvOperatorStore({
      open: () => Promise.resolve(kv),
      now: Date.now,
      sealer: new Sealer([]),
      retentionMs: Infinity,
    });
    const held = new Set<string>();
    for await (const { lead } of store.all()) held.add(String(lead.company));
    kv.close();
    deepEqual(answered.filter((company) => !held.has(company)), []);
  }));

for (
  const [args, env, words] of [
    [["--workers", "0"], {}, /^Cannot use --workers: it must be a whole number from 1 to \d+\n/],
    [["--workers", "two"], {}, /^Cannot use --workers: it must be a whole number/],
    [["--workers", "100000"], {}, /^Cannot use --workers: it must be a whole number/],
    [["--worker", "2"], {}, /Unknown option '--worker'/],
    [
      ["--workers", "2"],
      { LEAD_RATE_LIMIT: "many" },
      /^Cannot use the configuration:\n.*LEAD_RATE/,
    ],
  ] as const
) {
  const set = Object.entries(env).map(([name, value]) => `${name}=${value} `).join("");
  Deno.test(`${set}start ${args.join(" ")} is refused with exit code 2`, () =>
    withFolder(async (folder) => {
      const { code, output } = await runToItsEnd(folder, env, { args });
      equal(code, 2);
      match(output, words);
      equal(output.includes("    at "), false, "no stack");
    }));
}

for (const word of ["--help", "-h"]) {
  Deno.test(`start ${word} says what can be asked for`, () =>
    withFolder(async (folder) => {
      const { code, output } = await runToItsEnd(folder, {}, { args: [word] });
      equal(code, 0);
      match(output, /^Usage: deno task start \[--workers N\]\n/);
    }));
}

Deno.test("an address that another process shares with its own threads is not taken", () =>
  withFolder(async (folder) => {
    const port = freePort();
    const other = Deno.listen({ hostname: "127.0.0.1", port, reusePort: true });
    const { code, output } = await runToItsEnd(folder, { PORT: String(port) }, TWO);
    other.close();
    equal(code, 1);
    match(output, new RegExp(`^Cannot listen on 127\\.0\\.0\\.1:${port} \\(HOST, PORT\\): `));
  }));

Deno.test("a worker that fails ends the process, told, with exit code 1, and the others in order", async () => {
  const program = new URL("../support/failing_worker.ts", import.meta.url).pathname;
  const { code, out, err: told } = await runDeno(["run", "--allow-all", program, "--workers", "3"]);
  const said = out.trim().split("\n").sort();
  equal(code, 1);
  deepEqual(said, ["the first thread has finished", "worker 3 has finished"]);
  match(told, /Uncaught \(in worker "worker 2"\).*something nobody catches/);
  match(told, /"event":"server\.worker_failed","worker":"worker 2"/);
});
