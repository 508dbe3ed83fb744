/** @module export: CSV by RFC 4180 that no spreadsheet runs, JSON lines, and constant memory. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import type { LeadRecord } from "../../../leads/lead.ts";
import { CELLS, withoutAdded } from "./cells.ts";
import { CRM, DAY, delivered, withCli } from "./fixture.ts";
import { readCsv } from "./read_csv.ts";

Deno.test("export as CSV has a header, a record a lead and CRLF; what was nasty is whole", () =>
  withCli(async ({ put, run, clock }) => {
    const records: LeadRecord[] = [];
    for (const [index, [message]] of CELLS.entries()) {
      records.push(await put({ ago: (100 - index) * 1_000, lead: { message } }));
    }
    await put({ lead: { plan: "pro" }, deliveries: { [CRM]: delivered(clock.now()) } });
    const { code, out, err } = await run("export", "--format", "csv");
    equal(code, 0);
    equal(err, `${CELLS.length + 1} leads exported\n`);
    const [header, ...rows] = readCsv(out);
    deepEqual(header, [
      "id",
      "received_at",
      "expires_at",
      "state",
      "email",
      "company",
      "plan",
      "locale",
      "message",
      "deliveries",
    ]);
    equal(rows.length, CELLS.length + 1);
    for (const [index, [message]] of CELLS.entries()) {
      equal(rows[index]![0], records[index]!.id);
      equal(withoutAdded(rows[index]![8]!), message);
    }
    deepEqual(rows.at(-1)!.slice(1), [
      "2026-11-21T12:00:00.000Z",
      "2027-02-19T12:00:00.000Z",
      "delivered",
      "ada@example.com",
      "Example GmbH",
      "pro",
      "en",
      "",
      `${CRM} delivered`,
    ]);
  }));

Deno.test("export filters, marks the byte order where asked to, and says how many", () =>
  withCli(async ({ put, run, printed }) => {
    await put({ ago: 3 * DAY });
    const { id } = await put({ ago: DAY, lead: { message: "=1" } });
    const csv = await run("export", "--format", "csv", "--since", "2d", "--bom");
    equal(csv.out.charCodeAt(0), 0xFEFF);
    equal(csv.out.split("\r\n").length, 3);
    const lines = await run("export", "--format", "jsonl", "--since", "2d");
    const lead = JSON.parse(lines.out);
    deepEqual([lead.id, lead.message], [id, "=1"]);
    deepEqual([lines.err, lines.out.at(-1)], ["1 lead exported\n", "\n"]);
    equal(await printed("export", "--format", "jsonl", "--plan", "pro"), "");
  }));

Deno.test("export needs a format that it knows", () =>
  withCli(async ({ run, printed }) => {
    match((await run("export")).err, /^Cannot export: --format is missing;.*\n$/);
    match((await run("export", "--format", "xlsx")).err, /it is one of csv, jsonl/);
    match((await run("export", "--format", "jsonl", "--bom")).err, /--bom is for CSV/);
    match((await run("export", "--output", "x")).err, /there is no option --output/);
    equal((await run("export")).code, 2);
    match(await printed("export", "--help"), /leading\s+apostrophe/);
  }));

Deno.test("export writes as it reads, whatever the number of leads, and tells how far it is", () =>
  withCli(async (cli) => {
    const record = await cli.put({ lead: { message: "x".repeat(2_000) } });
    const most = 20_000;
    let ahead = 0;
    let read = 0;
    let characters = 0;
    let err = "";
    Object.assign(cli.terminal, {
      out: (text: string) => {
        ahead = Math.max(ahead, text.length);
        characters += text.length;
      },
      err: (text: string) => err += text,
    });
    cli.stores.store = Object.assign(Object.create(cli.store), {
      async *all() {
        for (; read < most; read++) {
          if (read % 1_000 === 0) cli.clock.advance(1_000);
          yield record;
        }
      },
    });
    equal((await cli.run("export", "--format", "jsonl")).code, 0);
    ok(characters > most * 2_000);
    ok(ahead < 40_000, `${ahead} characters at once`);
    const progress = err.split("\n").filter((line) => line.endsWith("…"));
    ok(progress.length >= 8 && progress.length <= 10, err);
    match(progress[0]!, /^[\d,]+ leads exported …$/);
    equal(err.split("\n").at(-2), "20,000 leads exported");
  }));
