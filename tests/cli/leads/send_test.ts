/** @module send: which deliveries become due, at which targets, and what it says. */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { Deliveries } from "../../../leads/lead.ts";
import { FakeClock } from "../../support/fake_clock.ts";
import { dead, delivered, HOUR, type TestCli, waiting, withCli } from "./fixture.ts";

const NOW = new FakeClock().now();
const OLD = "webhook:crm.example:1a2b3c4d";
const LEASED = { ...waiting(NOW + HOUR), due: NOW + 20_000 };

/** Words, deliveries before, and after as `target state attempts`; whether the output says so. */
const CASES: readonly (readonly [words: string, Deliveries, after: string, says: RegExp])[] = [
  ["--stored", {}, "crm due 0, mail due 0", /: 2 deliveries.*\n {2}crm {2}1\n {2}mail {2}1\n$/],
  ["--stored --to mail", {}, "mail due 0", /: 1 delivery.*\n {2}mail {2}1\n$/],
  ["--stored", { crm: dead(1) }, "crm dead 1", /^Nothing to send: no lead is without a target/],
  [`--from ${OLD}`, { [OLD]: dead(1) }, "crm due 0, mail due 0", /: 2 deliveries/],
  ["--from x --to crm", { x: waiting(NOW + HOUR) }, "crm due 0", /: 1 delivery/],
  ["--from x --to crm", { x: waiting(NOW - HOUR) }, "crm due 0", /: 1 delivery/],
  ["--from x --to crm", { x: LEASED }, "x waiting 1", /^Left alone, .*: 1 delivery\.\n$/],
  [
    "--from x --to crm",
    { x: delivered(1) },
    "x delivered 1",
    /^Nothing to send: nothing waits for x/,
  ],
  ["--from y --to crm", { x: dead(1) }, "x dead 1", /^Nothing to send: nothing waits for y/],
  [
    "--from constructor --to crm",
    { x: dead(1) },
    "x dead 1",
    /^Nothing to send: nothing waits for constructor/,
  ],
  ["--from x --to crm", { x: dead(1), crm: delivered(1) }, "crm delivered 1", /: 0 deliveries/],
  ["--from x --to crm", { x: dead(1), crm: LEASED }, "crm waiting 1", /: 0 deliveries/],
  ["--from x --to crm", { x: dead(1), crm: dead(1) }, "crm due 0", /: 1 delivery/],
  ["ID", { mail: dead(1) }, "mail due 0, crm due 0", /: 2 deliveries/],
  ["ID ID --to crm", { crm: delivered(1) }, "crm due 0", /sent again: 1 delivery\.\n$/],
  ["ID --to crm", { crm: LEASED }, "crm waiting 1", /^Left alone/],
];

async function stateOf({ store }: TestCli, id: string): Promise<string> {
  return Object.entries((await store.get(id))!.deliveries).map(([target, { state, due, tries }]) =>
    `${target} ${state === "waiting" && due === NOW ? "due" : state} ${tries.length}`
  ).join(", ");
}

Deno.test("send makes leads due at targets; a dry run changes nothing; a second run repeats nothing", async () => {
  for (const [words, deliveries, after, says] of CASES) {
    await withCli(async (cli) => {
      cli.leads.targets = ["crm", "mail"].map((id) => ({ id, formerId: `webhook:${id}` }));
      const { id } = await cli.put({ deliveries });
      const line = ["send", ...words.replaceAll("ID", id.slice(-9)).split(" ")];
      const before = await stateOf(cli, id);
      const dry = await cli.printed(...line, "--dry-run");
      equal(await stateOf(cli, id), before, words);
      const out = await cli.printed(...line);
      match(out, says);
      equal(dry, out.replace(/^Due now: (.*?)\. .*/, "Dry run: $1 would be due now."), words);
      equal(await stateOf(cli, id), after, words);
      for (const target of ["crm", "mail"]) {
        const due = await cli.store.due(target, { now: NOW, most: 9 });
        equal(due.length, after.includes(`${target} due`) ? 1 : 0, words);
      }
      if (words.startsWith("ID")) return;
      match(await cli.printed(...line), /^(?:Nothing to send|Left alone)/);
      equal(await stateOf(cli, id), after, words);
    });
  }
});

Deno.test("send names the known targets, and says when a name cannot be checked", () =>
  withCli(async (cli) => {
    const { id } = await cli.put();
    const unchecked = await cli.run("send", "--stored", "--to", "crm", "--dry-run");
    match(
      unchecked.err,
      /^LEAD_TARGETS is not set here: cannot check that crm is one of them\.\n$/,
    );
    equal(unchecked.code, 0);
    cli.leads.targets = [{ id: "crm", formerId: "-" }, { id: "mail", formerId: "-" }];
    for (
      const [words, error] of [
        ["--stored --to crn", "Cannot send to crn: LEAD_TARGETS has crm, mail\n"],
        ["--from crm", /^Cannot send from crm to itself: /],
        [`${id} ffff`, /^Cannot find lead ffff/],
      ] as const
    ) {
      const { code, out, err } = await cli.run("send", ...words.split(" "));
      deepEqual([code, out], [1, ""], words);
      match(err, new RegExp(error));
      equal(await stateOf(cli, id), "", words);
    }
  }));

Deno.test("a target may be called constructor: send and stats count its deliveries", () =>
  withCli(async (cli) => {
    cli.leads.targets = [{ id: "constructor", formerId: "-" }];
    await cli.put();
    match(await cli.printed("send", "--stored"), /: 1 delivery\..*\n {2}constructor {2}1\n$/);
    const { targets } = JSON.parse(await cli.printed("stats", "--json"));
    deepEqual(Object.entries(targets), [["constructor", { waiting: 1, delivered: 0, dead: 0 }]]);
  }));

Deno.test("send shows its progress each second and counts only what it changed", () =>
  withCli(async (cli) => {
    cli.leads.targets = [{ id: "crm", formerId: "-" }];
    const records = await Promise.all(Array.from({ length: 25 }, () => cli.put()));
    await cli.store.remove(records[3]!.id);
    cli.overrideStore({
      async *all() {
        yield* records;
      },
      async change(id, change) {
        cli.clock.advance(100);
        // The service delivers one of them meanwhile.
        if (id === records[4]!.id) await cli.store.change(id, () => ({ crm: delivered(1) }));
        return await cli.store.change(id, change);
      },
    });
    const { code, out, err } = await cli.run("send", "--stored");
    equal(code, 0);
    match(out, /^Due now: 23 deliveries\./);
    equal(err, "10 leads read, 8 changed …\n20 leads read, 18 changed …\n");
  }));
