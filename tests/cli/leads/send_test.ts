/** @module send and retry: which deliveries become due, at which targets, and what they say. */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { Deliveries } from "../../../leads/lead.ts";
import { KvFailure } from "../../../leads/kv/error_reasons.ts";
import { FakeClock } from "../../support/fake_clock.ts";
import { dead, delivered, HOUR, test, type TestCli, waiting } from "./fixture.ts";

const NOW = new FakeClock().now();
const OLD = "webhook:crm.example:1a2b3c4d";
const LEASED = { ...waiting(NOW + HOUR), due: NOW + 20_000, leased: true as const };
const LATE = { ...LEASED, due: NOW + 20_001 };
const BUSY = /^1 delivery left alone, as an attempt may be in progress: run it again in 30 s\.\n$/;

/** Words, deliveries before, and after as `target state attempts`; what the output says. */
const CASES: readonly (readonly [words: string, Deliveries, after: string, says: RegExp])[] = [
  [
    "send --stored",
    {},
    "crm due 0, mail due 0",
    /^Due now: 2 deliveries\. The running service starts within a minute\.\n {2}crm {2}1\n {2}mail {2}1\n$/,
  ],
  ["send --stored --to mail", {}, "mail due 0", /: 1 delivery\. .*\n {2}mail {2}1\n$/],
  ["send --stored", { crm: dead(1) }, "crm dead 1", /^Nothing to send: no lead is without a targ/],
  [`send --from ${OLD}`, { [OLD]: dead(1) }, "crm due 0, mail due 0", /: 2 deliveries/],
  ["send --from x --to crm", { x: waiting(NOW - HOUR) }, "crm due 0", /: 1 delivery/],
  ["send --from x --to crm", { x: LEASED }, "x waiting 1", BUSY],
  ["send --from x --to crm", { x: delivered(1) }, "x delivered 1", /^Nothing .* waits for x or is/],
  ["send --from y --to crm", { x: dead(1) }, "x dead 1", /^Nothing .* waits for y or is/],
  ["send --from x --to crm", { x: dead(1), crm: delivered(1) }, "crm delivered 1", /: 0 deliver/],
  ["send --from x --to crm", { x: dead(1), crm: LEASED }, "crm waiting 1", /: 0 deliveries/],
  ["send --from x --to crm", { x: dead(1), crm: dead(1) }, "crm due 1, round of 0", /: 1 delivery/],
  ["send ID", { mail: dead(1) }, "mail due 1, round of 0, crm due 0", /: 2 deliveries/],
  ["send ID ID --to crm", { crm: delivered(1) }, "crm due 1, round of 0", /: 1 delivery/],
  ["send ID --to crm", { crm: LEASED }, "crm waiting 1", BUSY],
  ["retry ID", { crm: dead(1), mail: LATE }, "crm due 1, mail due 1", /: 2 deliveries/],
  ["retry ID", { crm: LEASED }, "crm waiting 1", BUSY],
  ["retry ID", { crm: delivered(1) }, "crm delivered 1", /^No delivery is dead or waits\.\n$/],
  ["retry ID", {}, "", /^No delivery is dead or waits\.\n$/],
  ["retry ID --target mail", { crm: dead(1), mail: dead(1) }, "crm dead 1, mail due 1", /: 1 del/],
  ["retry --dead", { crm: dead(1), mail: LATE }, "crm due 1, mail waiting 1", /: 1 delivery/],
  ["retry --dead --target crm", { crm: dead(1), mail: dead(1) }, "crm due 1, mail dead 1", /: 1 d/],
  ["retry --dead", {}, "", /^No delivery is dead\.\n$/],
];

async function stateOf({ store }: TestCli, id: string): Promise<string> {
  return Object.entries((await store.get(id))!.deliveries).map(([target, delivery]) => {
    const { state, due, attempts, earlier = 0 } = delivery;
    const round = earlier > 0 ? `, round of ${attempts.length - earlier}` : "";
    return `${target} ${
      state === "waiting" && due === NOW ? "due" : state
    } ${attempts.length}${round}`;
  }).join(", ");
}

for (const [words, deliveries, after, says] of CASES) {
  test(`${words} of ${JSON.stringify(deliveries)} leaves ${after}; a dry run changes nothing`, async (cli) => {
    cli.leads.targets = ["crm", "mail"].map((id) => ({ id }));
    const { id } = await cli.put({ deliveries });
    const line = words.replace(/ID$/, id).replaceAll("ID", id.slice(-9)).split(" ");
    const before = await stateOf(cli, id);
    const dry = words.startsWith("send") ? await cli.printed(...line, "--dry-run") : undefined;
    equal(await stateOf(cli, id), before, words);
    const out = await cli.printed(...line);
    match(out, says);
    const would = out.replace(/^Due now: (.*?)\. .*/, "Dry run: $1 would be due now.");
    equal(dry ?? would, would, words);
    equal(await stateOf(cli, id), after, words);
    for (const target of ["crm", "mail"]) {
      const due = (await cli.store.queue(target, { most: 9 })).filter((job) => job.due <= NOW);
      equal(due.length, after.includes(`${target} due`) ? 1 : 0, words);
    }
    const kinds = await Array.fromAsync(cli.kv.list({ prefix: ["frontdoor1", "dead"] }));
    equal(kinds.length, after.split("dead").length - 1, words);
    if (!/--stored|--from/.test(words)) return;
    match(await cli.printed(...line), /^(?:Nothing to send|1 delivery left alone)/);
    equal(await stateOf(cli, id), after, words);
  });
}

test("send and retry refuse an unknown target or lead, and say when a name cannot be checked", async (cli) => {
  const { id } = await cli.put();
  const unchecked = await cli.run("send", "--stored", "--to", "crm", "--dry-run");
  const unset = "LEAD_TARGETS is not set here: cannot check that crm is one of them.\n";
  deepEqual([unchecked.code, unchecked.err], [0, unset]);
  cli.leads.targets = [{ id: "crm" }, { id: "mail" }];
  for (
    const [words, error] of [
      ["send --stored --to crn", /^Cannot send to crn: LEAD_TARGETS has crm, mail\n$/],
      ["send --from crm", /^Cannot send from crm to itself: /],
      [`send ${id} ffff`, /^Cannot find lead ffff/],
      [`retry ${id} --target x`, /^No delivery to x is dead or waits\.\n$/],
    ] as const
  ) {
    const { code, out, err } = await cli.run(...words.split(" "));
    deepEqual([code, out], [1, ""], words);
    match(err, error);
    equal(await stateOf(cli, id), "", words);
  }
});

test("on a terminal send shows its progress; it counts only what it changed", async (cli) => {
  cli.leads.targets = [{ id: "crm" }];
  const records = await Promise.all(Array.from({ length: 25 }, () => cli.put()));
  await cli.store.remove(records[3]!.id);
  cli.overrideStore({
    async *all() {
      for (let n = 0; n < 40; n++) yield* records;
    },
    async change(id, change) {
      // The service delivers one of them meanwhile.
      if (id === records[4]!.id) await cli.store.change(id, () => ({ crm: delivered(1) }));
      return await cli.store.change(id, change);
    },
  });
  cli.columns = 80;
  const { out, err } = await cli.run("send", "--stored");
  equal(err, "1,000 leads read …\n");
  match(out, /^Due now: 23 deliveries\./);
  cli.columns = Infinity;
  equal((await cli.run("send", "--stored")).err, "");
});

test("a change that fails while the next leads are read ends the command with its reason", async (cli) => {
  const record = await cli.put({ deliveries: { crm: dead(1) } });
  cli.overrideStore({
    change: () => Promise.reject(new KvFailure("the disk is full")),
    async *all() {
      yield record;
      await new Promise((resolve) => setTimeout(resolve));
    },
  });
  deepEqual(await cli.run("retry", "--dead"), {
    code: 1,
    out: "",
    err: "Cannot go on: the disk is full\n",
  });
});
