/** @module list and export: which leads, in which order and format. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { STORED_FIELDS } from "../../../schemas/lead_fields.ts";
import { LEAD } from "../../support/test_app.ts";
import {
  CRM,
  DAY,
  dead,
  delivered,
  HOUR,
  MAIL,
  MINUTE,
  test,
  type TestCli,
  waiting,
} from "./fixture.ts";

async function putAll({ put, clock }: TestCli): Promise<void> {
  const now = clock.now();
  const company = "Cafe\u0301, Bergstraße";
  const lead = { email: "dead@example.com", plan: "business", company } as const;
  const worst = { [CRM]: dead(now - DAY), [MAIL]: waiting(now + HOUR) };
  const open = { [CRM]: waiting(now + 5 * MINUTE), [MAIL]: delivered(now - DAY) };
  const done = { [CRM]: delivered(now - HOUR) };
  await put({ ago: 10 * DAY, lead: { email: "stored@example.com", plan: "pro", locale: "de" } });
  await put({ ago: 3 * DAY, lead, deliveries: worst });
  await put({ ago: DAY, lead: { email: "waiting@example.com", locale: "de" }, deliveries: open });
  await put({ ago: 2 * HOUR, lead: { email: "delivered@example.com" }, deliveries: done });
}

const FILTERS: readonly (readonly [words: string, expected: string])[] = [
  ["", "stored dead waiting delivered"],
  ["--state waiting", "waiting"],
  ["--plan business", "dead"],
  ["--plan none", "waiting delivered"],
  ["--plan retired", ""],
  ["--locale de", "stored waiting"],
  ["--since 1439m", "delivered"],
  ["--since 7199s", ""],
  ["--until 2026-11-18", "stored dead"],
  ["--since 2026-11-18 --until 2026-11-18", "dead"],
  ["--since 2026-11-18T12:00", "dead waiting delivered"],
  ["--since 2026-11-18T12:00:00.001Z", "waiting delivered"],
  ["--since 2026-11-18T13:00:00+01:00", "dead waiting delivered"],
  ["--until 2026-11-18T12:00", "stored"],
  ["--email DEAD@exam", "dead"],
  ["--company CAFÉ", "dead"],
  ["--text CAFÉ", "dead"],
  ["--text BERGSTRASSE", "dead"],
  ["--text gmbh --locale de", "stored waiting"],
  ["--limit 1", "delivered"],
  ["--limit 3 --locale de", "stored waiting"],
];

test("list filters by state, plan, locale, time, number and text, newest last", async (cli) => {
  await putAll(cli);
  for (const [words, expected] of FILTERS) {
    const out = await cli.printed("list", "--json", ...words.split(" ").filter(Boolean));
    const names = out.split("\n").slice(0, -1).map((line) => JSON.parse(line).email.split("@")[0]);
    equal(names.join(" "), expected, words);
  }
});

test("list as a table shows when the next attempt is due, and has the newest 50 by default", async (cli) => {
  equal(await cli.printed("list"), "No leads.\n");
  await putAll(cli);
  const now = cli.clock.now();
  await cli.put({ ago: 90_000, deliveries: { [CRM]: waiting(now) } });
  const soon = { [CRM]: waiting(now + 4_000), [MAIL]: waiting(now + HOUR) };
  await cli.put({ ago: 5_000, deliveries: soon });
  deepEqual((await cli.printed("list")).replace(/^[0-9a-f]{8}/gm, "xxxxxxxx").split("\n"), [
    "ID        RECEIVED  STATE             PLAN      LOCALE  EMAIL                  COMPANY",
    "xxxxxxxx  10d ago   stored            pro       de      stored@example.com     Example GmbH",
    "xxxxxxxx  3d ago    dead              business  en      dead@example.com       Cafe\u0301, Bergstraße",
    "xxxxxxxx  1d ago    waiting, in 5m    –         de      waiting@example.com    Example GmbH",
    "xxxxxxxx  2h ago    delivered         –         en      delivered@example.com  Example GmbH",
    "xxxxxxxx  1m ago    waiting, overdue  –         en      ada@example.com        Example GmbH",
    "xxxxxxxx  5s ago    waiting, in 4s    –         en      ada@example.com        Example GmbH",
    "6 leads",
    "",
  ]);
  for (let n = 46; n > 0; n--) await cli.put({ ago: 300 + n });
  const table = (await cli.printed("list")).split("\n");
  equal(table.length, 1 + 50 + 2);
  match(table[1]!, / waiting@/);
  equal(table[51], "the newest 50 leads; --limit shows more");
  match(await cli.printed("list", "--limit", "52"), /\n52 leads\n$/);
  equal((await cli.printed("list", "--json")).split("\n").length, 53);
});

test("export as CSV has a header, a record per lead, CRLF, and a byte order mark on request", async ({ put, run, printed, clock }) => {
  const old = await put({ ago: DAY, lead: { message: `=1, "two"` } });
  const deliveries = { [CRM]: delivered(clock.now()), [MAIL]: waiting(clock.now()) };
  const { id } = await put({ lead: { plan: "pro", locale: "de" }, deliveries });
  const columns = [
    ...["id", "received_at", "expires_at", "state"],
    ...STORED_FIELDS.map(([name]) => name),
    "deliveries",
  ];
  const lineOf = (cells: Record<string, string>) =>
    columns.map((name) => ({ ...LEAD, ...cells })[name] ?? "").join(",");
  const lines = [
    columns.join(","),
    lineOf({
      id: old.id,
      received_at: "2026-11-20T12:00:00.000Z",
      expires_at: "2027-02-18T12:00:00.000Z",
      state: "stored",
      message: `"'=1, ""two"""`,
    }),
    lineOf({
      id,
      received_at: "2026-11-21T12:00:00.000Z",
      state: "waiting",
      plan: "pro",
      locale: "de",
      deliveries: `"${CRM} delivered; ${MAIL} waiting"`,
    }),
    "",
  ];
  const out = lines.join("\r\n");
  const all = ["export", "--format", "csv"];
  deepEqual(await run(...all), { code: 0, out, err: "2 leads exported\n" });
  equal(await printed(...all, "--bom", "--until", "2026-11-21"), `\uFEFF${out}`);
  const json = await run("export", "--format", "jsonl", "--until", "2h");
  deepEqual([JSON.parse(json.out).message, json.out.at(-1)], [old.lead.message, "\n"]);
  equal(json.err, "1 lead exported\n");
});

test("export streams any number of leads in large chunks", async (cli) => {
  const record = await cli.put({ lead: { message: "x".repeat(2_000) } });
  cli.overrideStore({
    async *all() {
      yield* Array(100).fill(record);
    },
  });
  await cli.printed("export", "--format", "jsonl");
  ok(cli.writes > 5 && cli.writes < 10, `${cli.writes} writes`);
});
