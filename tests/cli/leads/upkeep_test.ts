/** @module reseal and purge. */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { SealingKey } from "../../../schemas/values.ts";
import { DAY, dump, withCli } from "./fixture.ts";

const OLD: SealingKey = { id: "k2025", key: new Uint8Array(32).fill(1) };
const NEW: SealingKey = { id: "k2026", key: new Uint8Array(32).fill(2) };

Deno.test("reseal seals with the newest key, after which the old one is not needed", () =>
  withCli(async (cli) => {
    const { id } = await cli.put({ lead: { message: "secret" } });
    await cli.put();
    cli.leads.store = cli.storeWith([OLD]);
    equal(await cli.printed("reseal"), "2 leads of 2 sealed anew\n");
    equal((await dump(cli.kv)).includes("ada@example.com"), false);
    cli.leads.store = cli.storeWith([NEW, OLD]);
    equal(await cli.printed("reseal"), "2 leads of 2 sealed anew\n");
    equal(await cli.printed("reseal"), "0 leads of 2 sealed anew\n");
    cli.leads.store = cli.storeWith([NEW]);
    match(await cli.printed("show", id), /\n {4}secret\n/);
  }));

Deno.test("a missing key is named, with exit code 1", () =>
  withCli(async (cli) => {
    const { id } = await cli.put();
    cli.leads.store = cli.storeWith([OLD]);
    await cli.run("reseal");
    cli.leads.store = cli.storeWith([NEW]);
    for (const words of [["list"], ["show", id], ["stats"], ["reseal"], ["retry", "--dead"]]) {
      const { code, err } = await cli.run(...words);
      equal(code, 1);
      equal(err, "Cannot open what is sealed: LEAD_ENCRYPTION_KEYS has no k2025\n");
    }
  }));

Deno.test("purge removes all that is past its retention, and tells how many", () =>
  withCli(async (cli) => {
    for (let n = 0; n < 3; n++) await cli.put({ ago: 10 * DAY });
    const { id } = await cli.put();
    equal(await cli.printed("purge"), "0 leads purged\n");
    cli.clock.advance(85 * DAY);
    const asked: number[] = [];
    cli.leads.store = Object.assign(Object.create(cli.store), {
      purge(most: number) {
        asked.push(most);
        return cli.store.purge(2); // as if there were thousands
      },
    });
    equal(await cli.printed("purge"), "3 leads purged\n");
    equal(asked.length, 3);
    deepEqual((await Array.fromAsync(cli.store.all())).map((lead) => lead.id), [id]);
  }));
