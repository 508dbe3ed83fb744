/** @module A flood of posts while honest clients send leads: all answered are stored, memory is bounded. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { storeOn } from "../support/kv_with.ts";
import { figuresOf } from "../support/process_figures.ts";
import { leadRequest, RawClient } from "../support/raw_client.ts";
import { startService, withFolder } from "../support/service.ts";
import { LEAD } from "../support/test_app.ts";
import { pause } from "../support/until.ts";
import { warmUp } from "../support/warm_up.ts";

const POSTS = 100_000;
const CONNECTIONS = 32;
const HONEST_CLIENTS = 10;
const HONEST_PAUSE_MS = 100;
const HONEST_WITHIN_MS = 5_000;

/** V8 takes up to 50 MiB for young objects, and collects old ones when they have doubled. */
const ROOM_MIB = 100 + POSTS / 2048;

const TURN = [
  ...["valid", "invalid", "valid", "one address", "valid"] as const,
  ...["no JSON", "valid", "one address", "valid", "invalid"] as const,
];

function leadOf(company: string): string {
  return JSON.stringify({ ...LEAD, company, message: "Please call. ".repeat(20) });
}

function post(n: number) {
  const kind = TURN[n % TURN.length]!;
  const company = `Flood ${n}`;
  const ownAddress = `10.${n >> 16}.${n >> 8 & 255}.${n & 255}`;
  const address = kind === "one address" ? "203.0.113.9" : ownAddress;
  const bodies = {
    "valid": leadOf(company),
    "one address": leadOf(company),
    "invalid": JSON.stringify({ ...LEAD, company, plan: "free" }),
    "no JSON": `{"email":"${"x".repeat(500)}`,
  };
  return { kind, company, request: leadRequest(bodies[kind], address) };
}

Deno.test("100,000 posts lose no lead and do not delay honest clients", () =>
  withFolder(async (folder) => {
    const { port, pid, end } = await startService(folder, { TRUSTED_PROXY_HOPS: "1" });
    await warmUp(port);
    const { memory: before } = await figuresOf(pid);
    const began = performance.now();
    const answers: Record<string, number> = {};
    const accepted = new Set<string>();
    let sent = 0;
    let over = false;
    let most = before;
    let longest = 0;

    function note(what: string, { status, company }: { status: number; company: string }): void {
      answers[`${what} ${status}`] = (answers[`${what} ${status}`] ?? 0) + 1;
      if (status === 200) accepted.add(company);
    }
    async function attack(): Promise<void> {
      const client = await RawClient.connect(port);
      for (let n = sent++; n < POSTS; n = sent++) {
        const { kind, company, request } = post(n);
        note(kind, { ...await client.ask(request), company });
      }
      client.close();
    }
    async function beHonest(who: number): Promise<void> {
      const client = await RawClient.connect(port);
      for (let n = 0; !over; n++) {
        const company = `Honest ${who}, ${n}`;
        const start = performance.now();
        const address = `198.51.${who}.${n % 256}`;
        note("honest", { ...await client.ask(leadRequest(leadOf(company), address)), company });
        longest = Math.max(longest, performance.now() - start);
        await pause(HONEST_PAUSE_MS);
      }
      client.close();
    }
    async function watch(): Promise<void> {
      for (; !over; await pause(200)) most = Math.max(most, (await figuresOf(pid)).memory);
    }

    const honest = Array.from({ length: HONEST_CLIENTS }, (_, who) => beHonest(who));
    const others = Promise.all([watch(), ...honest]);
    try {
      await Promise.all(Array.from({ length: CONNECTIONS }, attack));
    } finally {
      over = true;
      await others;
    }
    const seconds = (performance.now() - began) / 1000;
    equal(await end(), 0);
    // deno-lint-ignore no-console -- figures to compare between nights
    console.log({ seconds, longest, before, most, ...answers });

    const { "honest 200": ofHonest = 0, "one address 200": ofOne = 0, ...rest } = answers;
    const refused = POSTS / 5 - ofOne;
    deepEqual(rest, {
      "valid 200": POSTS / 2,
      "invalid 400": POSTS / 5,
      "no JSON 400": POSTS / 10,
      "one address 429": refused,
    });
    ok(ofOne <= 20 + Math.ceil(seconds / 30), `${ofOne} leads of one address were accepted`);
    ok(ofHonest > 0 && longest < HONEST_WITHIN_MS, `an honest client waited ${longest} ms`);
    ok(most < before + ROOM_MIB, `${Math.round(before)} MiB became ${Math.round(most)}`);
    deepEqual(new Set(await companiesIn(folder)).symmetricDifference(accepted), new Set());
  }));

async function companiesIn(folder: string): Promise<string[]> {
  using kv = await Deno.openKv(`${folder}/.data/frontdoor.sqlite`);
  return await Array.fromAsync(storeOn(kv).all(), ({ lead }) => lead.company);
}
