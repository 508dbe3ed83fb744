/** @module list --watch: what it prints, how little it reads, and an outage of KV. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { KvFailure } from "../../../leads/kv/cause.ts";
import type { Deliveries } from "../../../leads/lead.ts";
import { CRM, DAY, dead, delivered, HOUR, MINUTE, type TestCli, waiting } from "./fixture.ts";
import { withCli } from "./fixture.ts";

/** Runs `list --watch`; each step is taken while it waits. Ctrl-C after the last one. */
async function watch(cli: TestCli, words: string, steps: readonly (() => unknown)[]) {
  const left = [...steps];
  cli.pause = async (ms) => {
    if (ms === 0) return true;
    cli.clock.advance(ms);
    const step = left.shift();
    await step?.();
    return step !== undefined;
  };
  const ended = await cli.run("list", "--watch", ...words.split(" ").filter(Boolean));
  equal(ended.code, 0, ended.err);
  return { ...ended, lines: ended.out.split("\n").slice(0, -1) };
}

function change({ store }: TestCli, id: string, deliveries: Deliveries) {
  return store.change(id, () => deliveries);
}

Deno.test("list --watch adds new leads, attempts and changes of state until Ctrl-C", () =>
  withCli(async (cli) => {
    const now = cli.clock.now();
    const { id: first } = await cli.put({
      ago: HOUR,
      deliveries: { [CRM]: waiting(now + MINUTE) },
    });
    const ids = [first];
    const email = `ada@${"long.".repeat(12)}example`;
    const { lines } = await watch(cli, "", [
      () => {}, // nothing happens
      async () => ids.push((await cli.put({ deliveries: { [CRM]: waiting(now + 20_000) } })).id),
      () => change(cli, ids[1]!, { [CRM]: delivered(now) }),
      async () => ids.push((await cli.put({ ago: 18_000, lead: { email } })).id), // stored late
      () => cli.clock.advance(MINUTE), // the service attempts the first one
      () =>
        change(cli, first, {
          [CRM]: { ...waiting(now + HOUR), tries: [...dead(1).tries, ...dead(2).tries] },
        }),
      () => cli.clock.advance(10 * MINUTE),
      () => change(cli, first, { [CRM]: dead(now) }), // an operator's doing, seen within a minute
      () => cli.clock.advance(MINUTE),
    ]);
    const shown = lines.map((line) =>
      line.replace(/^(\w{8}) /, (_, end) => `#${ids.findIndex((id) => id.endsWith(end))} `).split(
        / {2,}/,
      ).filter((_, n) => n !== 1)
    );
    deepEqual(shown.map(([id, state]) => `${id} ${state}`), [
      "ID STATE",
      "#0 waiting, in 1m",
      "1 lead undefined",
      "#1 waiting, in 16s",
      "#1 delivered",
      "#2 stored",
      "#0 waiting, in 58m",
      "#0 dead",
    ]);
    equal(new Set(lines.slice(3).map((line) => line.search(/ada@/))).size, 1, "rows are aligned");
    ok(lines[5]!.includes(`${email}  Example GmbH`), "nothing is cut in a pipe");
  }));

Deno.test("list --watch filters, follows a lead into a state, and prints JSON lines", () =>
  withCli(async (cli) => {
    const { id } = await cli.put({ deliveries: { [CRM]: waiting(cli.clock.now()) } });
    await cli.put({ lead: { locale: "de" }, deliveries: { [CRM]: dead(1) } });
    const { lines, err } = await watch(cli, "--json --state dead --locale en", [
      () => cli.put(),
      () => cli.put({ lead: { locale: "de" }, deliveries: { [CRM]: dead(1) } }),
      () => change(cli, id, { [CRM]: dead(1) }),
    ]);
    deepEqual([lines.map((line) => JSON.parse(line).id), err], [[id], ""]);
    match((await watch(cli, "--state waiting", [])).out, /^ID .*COMPANY\n$/);
  }));

Deno.test("list --watch reads little, and survives an outage of KV with one message", () =>
  withCli(async (cli) => {
    const now = cli.clock.now();
    for (let n = 1; n < 200; n++) {
      const deliveries = { [CRM]: n % 2 === 0 ? delivered(1) : waiting(now + DAY) };
      await cli.put({ ago: n * MINUTE, deliveries });
    }
    let [listed, gotten, isDown] = [0, 0, false];
    cli.overrideStore({
      async *all(options) {
        if (isDown) throw new KvFailure("the connection is refused");
        for await (const record of cli.store.all(options)) {
          listed++;
          yield record;
        }
      },
      get(id) {
        gotten++;
        return cli.store.get(id);
      },
    });
    const { lines, err } = await watch(cli, "", [
      () => ([listed, gotten] = [0, 0]),
      ...Array(27).fill(() => {}),
      () => deepEqual([listed, gotten], [28, 0], "one lead every two seconds"),
      ...Array(3).fill(() => {}),
      () => equal(gotten, 99, "each watched lead once a minute"),
      () => isDown = true,
      ...Array(5).fill(() => {}),
      () => cli.put(),
      () => isDown = false,
    ]);
    equal(err, "Cannot read KV: the connection is refused. Trying until it responds.\n");
    match(lines.at(-1)!, / stored /);
    equal(lines.length, 1 + 50 + 1 + 1);
  }));
