/** @module export: CSV and JSON lines, written as they are read. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { CRM, DAY, delivered, MAIL, waiting, withCli } from "./fixture.ts";

Deno.test("export as CSV has a header, a record a lead and CRLF", () =>
  withCli(async ({ put, run, clock }) => {
    const old = await put({ ago: DAY, lead: { message: `=1, "two"` } });
    const deliveries = { [CRM]: delivered(clock.now()), [MAIL]: waiting(clock.now()) };
    const { id } = await put({ lead: { plan: "pro", locale: "de" }, deliveries });
    deepEqual(await run("export", "--format", "csv"), {
      code: 0,
      out: "id,received_at,expires_at,state,email,company,plan,locale,message,deliveries\r\n" +
        `${old.id},2026-11-20T12:00:00.000Z,2027-02-18T12:00:00.000Z,stored,ada@example.com,` +
        `Example GmbH,,en,"'=1, ""two""",\r\n` +
        `${id},2026-11-21T12:00:00.000Z,2027-02-19T12:00:00.000Z,waiting,ada@example.com,` +
        `Example GmbH,pro,de,,"${CRM} delivered; ${MAIL} waiting"\r\n`,
      err: "2 leads exported\n",
    });
  }));

Deno.test("export filters, and marks the byte order if it is told to", () =>
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

Deno.test("export writes as it reads, however many leads there are", () =>
  withCli(async (cli) => {
    const record = await cli.put({ lead: { message: "x".repeat(2_000) } });
    const writes: number[] = [];
    cli.written = (text) => writes.push(text.length);
    const all = async function* () {
      for (let read = 0; read < 100; read++) yield record;
    };
    cli.leads.store = Object.assign(Object.create(cli.store), { all });
    await cli.printed("export", "--format", "jsonl");
    ok(Math.max(...writes) < 40_000, `${Math.max(...writes)} characters at once`);
    ok(writes.length < 10, `${writes.length} writes`);
  }));
