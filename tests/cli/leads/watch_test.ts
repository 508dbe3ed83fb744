/** @module list --watch: what it prints, how little it reads, and an outage of KV. */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { KvFailure } from "../../../leads/kv/cause.ts";
import { CRM, dead, delivered, HOUR, MINUTE, type TestCli, waiting, withCli } from "./fixture.ts";

/** Runs `list --watch`; each step is taken while it waits. Ctrl-C after the last one. */
async function watch(cli: TestCli, words: string, steps: readonly (() => unknown)[]) {
  const left = [...steps];
  cli.pause = async (ms) => {
    cli.clock.advance(ms);
    const step = left.shift();
    await step?.();
    return step !== undefined;
  };
  const ended = await cli.run("list", "--watch", ...words.split(" ").filter(Boolean));
  equal(ended.code, 0, ended.err);
  return { ...ended, lines: ended.out.split("\n").slice(0, -1) };
}

Deno.test("list --watch adds new leads, attempts and changes of state until Ctrl-C", () =>
  withCli(async (cli) => {
    const now = cli.clock.now();
    const { id: first } = await cli.put({ ago: HOUR, deliveries: { [CRM]: waiting(now + HOUR) } });
    const ids = [first];
    const { lines } = await watch(cli, "", [
      () => {}, // nothing happens
      async () => ids.push((await cli.put({ deliveries: { [CRM]: waiting(now + 20_000) } })).id),
      () => cli.store.change(ids[1]!, () => ({ [CRM]: delivered(now) })),
      async () => ids.push((await cli.put({ ago: 18_000 })).id), // stored late
      () =>
        cli.store.change(first, () => ({
          [CRM]: { ...waiting(now + HOUR), tries: [...dead(1).tries, ...dead(2).tries] },
        })),
    ]);
    const rows = lines.toSpliced(2, 1).map((line) => line.split(/ {2,}/));
    deepEqual(
      rows.slice(1).map(([end = "", , state]) =>
        `${ids.findIndex((id) => id.endsWith(end))} ${state}`
      ),
      ["0 waiting, in 1h", "1 waiting, in 16s", "1 delivered", "2 stored", "0 waiting, in 59m"],
    );
    equal(new Set(lines.slice(3).map((line) => line.search(/ada@/))).size, 1, "rows are aligned");
  }));

Deno.test("list --watch filters, follows a lead into a state, and prints JSON lines", () =>
  withCli(async (cli) => {
    const { id } = await cli.put({ deliveries: { [CRM]: waiting(cli.clock.now()) } });
    const german = { lead: { locale: "de" }, deliveries: { [CRM]: dead(1) } } as const;
    await cli.put(german);
    const { lines, err } = await watch(cli, "--json --state dead --locale en", [
      () => cli.put(),
      () => cli.put(german),
      () => cli.store.change(id, () => ({ [CRM]: dead(1) })),
    ]);
    deepEqual([lines.map((line) => JSON.parse(line).id), err], [[id], ""]);
    match((await watch(cli, "--state waiting", [])).out, /^ID .*COMPANY\n$/);
  }));

Deno.test("list --watch reads the newest 100 leads, and survives an outage with one message", () =>
  withCli(async (cli) => {
    for (let n = 1; n < 150; n++) await cli.put({ ago: n * MINUTE });
    let [read, isDown] = [0, false];
    cli.overrideStore({
      async *all(options) {
        if (isDown) throw new KvFailure("the connection is refused");
        for await (const record of cli.store.all(options)) {
          read++;
          yield record;
        }
      },
    });
    const { lines, err } = await watch(cli, "", [
      () => read = 0,
      () => equal(read, 100),
      () => isDown = true,
      () => {},
      () => {},
      () => cli.put(),
      () => isDown = false,
    ]);
    equal(err, "Cannot read KV: the connection is refused. Trying until it responds.\n");
    match(lines.at(-1)!, / stored /);
    equal(lines.length, 1 + 50 + 1 + 1);
  }));
