/** @module show, find and stats. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { CRM, DAY, dead, delivered, HOUR, MAIL, MINUTE, test, waiting } from "./fixture.ts";

test("show prints the content and every attempt, as text and as JSON", async ({ put, printed, clock }) => {
  const now = clock.now();
  const { id, lead } = await put({
    ago: 2 * HOUR,
    lead: { plan: "pro", message: "Hello,\r\n\r\nwe would like to see it." },
    deliveries: { [CRM]: dead(now - HOUR), [MAIL]: waiting(now + 5 * MINUTE) },
  });
  deepEqual((await printed("show", id)).split("\n"), [
    `id: ${id}`,
    "receivedAt: '2026-11-21T10:00:00.000Z'",
    "expiresAt: null",
    "state: dead",
    "email: ada@example.com",
    "company: Example GmbH",
    "locale: en",
    "plan: pro",
    "message: |-",
    "  Hello,",
    "",
    "  we would like to see it.",
    "deliveries:",
    `  ${CRM}:`,
    "    is: 'dead after 1 attempt: the target has gone for good (410)'",
    "    state: dead",
    "    attempts:",
    "      - {at: '2026-11-21T11:00:00.000Z', durationMs: 40, result: http_410}",
    `  ${MAIL}:`,
    "    is: waiting, next attempt 2026-11-21T12:05:00.000Z (in 5m)",
    "    state: waiting",
    "    due: '2026-11-21T12:05:00.000Z'",
    "    attempts:",
    "      - {at: '2026-11-21T11:05:00.000Z', durationMs: 30, result: http_503}",
    "",
  ]);
  const attempts = (at: string, durationMs: number, result: string) => [{ at, durationMs, result }];
  deepEqual(JSON.parse(await printed("show", id, "--json")), {
    id,
    receivedAt: "2026-11-21T10:00:00.000Z",
    expiresAt: null,
    state: "dead",
    ...lead,
    deliveries: {
      [CRM]: { state: "dead", attempts: attempts("2026-11-21T11:00:00.000Z", 40, "http_410") },
      [MAIL]: {
        state: "waiting",
        due: "2026-11-21T12:05:00.000Z",
        attempts: attempts("2026-11-21T11:05:00.000Z", 30, "http_503"),
      },
    },
  });
});

const ATTEMPTS = Array(4).fill({ at: 0, durationMs: 1, result: "timeout" });

test("show distinguishes a lease, an overdue and a long-dead delivery", async ({ put, printed, clock }) => {
  const now = clock.now();
  for (
    const [delivery, expected] of [
      [waiting(now + 20_000), /waiting, in progress or due within seconds\n/],
      [waiting(now + 20_001), /waiting, next attempt .* \(in 20s\)\n/],
      [waiting(now - 60_000), /waiting, due now\n/],
      [waiting(now - HOUR), /overdue since .* \(1h ago\): is the service running\?'\n/],
      [delivered(now), / is: delivered\n/],
      [
        { ...dead(1), attempts: ATTEMPTS, omitted: 1_230 },
        / is: 'dead after 1,234 attempts: the target did not .*\n.*\n +omitted: 1230\n/,
      ],
      [
        { ...waiting(now + HOUR), earlier: 3 },
        /sent again after 3 attempts: waiting, next attempt/,
      ],
    ] as const
  ) {
    const { id } = await put({ deliveries: { [CRM]: delivery } });
    match(await printed("show", id), expected);
  }
});

test("show finds a lead by any unambiguous beginning or end of its id", async ({ put, printed, run }) => {
  const { id } = await put({ ago: DAY });
  const [one, two] = [await put(), await put()].map((record) => record.id).sort();
  for (const text of [id.toUpperCase(), id.slice(-8), id.slice(0, -1), ` ${id}`]) {
    ok((await printed("show", text)).startsWith(`id: ${id}\n`));
  }
  for (const none of ["ffff-no-such", "01234567-89ab-7def-8123-456789abcdef", ""]) {
    const { code, out, err } = await run("show", none);
    deepEqual([code, out], [1, ""]);
    match(err, /^Cannot find lead .*: no id starts or ends with it; list shows the ids\n$/);
  }
  const both = one!.slice(0, 8);
  equal(
    (await run("show", both)).err,
    `Cannot tell which lead ${both} is: ${one}, ${two} or another one\n`,
  );
});

test("find prints every lead of a person, expired ones marked, and nothing of others", async (cli) => {
  const now = cli.clock.now();
  const old = await cli.put({
    ago: 89 * DAY,
    lead: { email: "Ada@Example.com", message: "Hello,\n\x1b[2Jw\u202E", plan: "pro" },
    deliveries: { [CRM]: delivered(now - 89 * DAY), [MAIL]: dead(now - 89 * DAY) },
  });
  await cli.put({ lead: { email: "ada@example.com.suffix.example", company: "Other" } });
  const { id, index } = await cli.put({ deliveries: { [CRM]: delivered(now) } });
  cli.clock.advance(2 * DAY);

  const out = await cli.printed("find", "ADA@example.com");
  const [first = "", second = "", ...more] = out.split("---\n");
  match(first, new RegExp(`^id: ${old.id}\n.*expiresAt: '2026-11-22.*\nexpired: true\n`, "s"));
  match(second, new RegExp(`^id: ${id}\n.*expiresAt: '2027-02-19.*\nexpired: false\n`, "s"));
  ok(first.includes(String.raw`message: "Hello,\n\e[2Jw\u202E"`.replace("\\u202E", "\uFFFD")));
  ok(more.length === 0 && !out.includes("Other"));

  const json = await cli.printed("find", "ada@example.com", "--json");
  ok(!json.includes("\x1b") && json.startsWith('{\n  "email": '));
  const { email, asOf, leads, fields } = JSON.parse(json);
  deepEqual([email, asOf], ["ada@example.com", "2026-11-23T12:00:00.000Z"]);
  deepEqual([leads.length, leads[1].expired], [2, false]);
  const { deliveries, ...content } = leads[0]; // as show --json prints it, and
  deepEqual([content.id, content.message, content.expired], [old.id, old.lead.message, true]);
  deepEqual(content.keyedHashes, { email: index.email, content: old.index.same });
  deepEqual([deliveries[CRM].state, deliveries[MAIL].attempts[0].result], [
    "delivered",
    "http_410",
  ]);
  for (const name of Object.keys(fields)) {
    ok(["omitted", "earlier"].includes(name) || name in leads[0], name);
  }

  cli.leads.retentionMs = 30 * DAY; // shorter than when it was stored
  const shorter = JSON.parse(await cli.printed("find", "ada@example.com", "--json")).leads[1];
  equal(shorter.expiresAt, "2026-12-21T12:00:00.000Z");
  const { id: german } = await cli.put({ lead: { email: "ada@xn--mller-kva.example" } });
  ok((await cli.printed("find", " Ada@MÜLLER.example ")).startsWith(`id: ${german}`));
  const err = "No lead of bob@example.com can be found.\n";
  deepEqual(await cli.run("find", "bob@example.com", "--json"), { code: 1, out: "", err });
});

test("stats counts by state, plan, locale, day and target, as JSON and as text", async ({ put, clock, printed, leads, store }) => {
  const now = clock.now();
  await put({ ago: 40 * DAY, lead: { locale: "de" } });
  const { id } = await put({
    ago: 2 * DAY,
    lead: { plan: "pro" },
    deliveries: { [CRM]: dead(now), [MAIL]: waiting(now + HOUR) },
  });
  await put({ ago: HOUR, deliveries: { [CRM]: waiting(now + HOUR) } });
  await put({ deliveries: { constructor: delivered(now) } });
  await store.setPause(MAIL, { until: now + HOUR, failures: 3 }, null);
  await store.setPause(CRM, { until: now - 1, failures: 3 }, null);
  const refused = { what: "refused", step: 0 } as const;
  await store.addTallies([
    { ...refused, period: "2026-11-10T09", name: "honeypot", times: 1_200 },
    { ...refused, period: "2026-11-21T11", name: "honeypot", times: 3 },
    { ...refused, period: "2026-11-21T11", name: "rate_limited", times: 5 },
    { ...refused, period: "2026-10-01T11", name: "rate_limited", times: 7 },
    { ...refused, what: "dead", period: "2026-11-21T11", name: CRM, times: 1 },
  ]);
  deepEqual(JSON.parse(await printed("stats", "--json")), {
    leads: 4,
    states: { waiting: 1, delivered: 1, dead: 1, stored: 1 },
    plans: { none: 3, pro: 1 },
    locales: { de: 1, en: 3 },
    days: { "2026-10-12": 1, "2026-11-19": 1, "2026-11-21": 2 },
    targets: {
      [CRM]: { waiting: 1, delivered: 0, dead: 1 },
      [MAIL]: { waiting: 1, delivered: 0, dead: 0 },
      constructor: { waiting: 0, delivered: 1, dead: 0 },
    },
    paused: { [MAIL]: "2026-11-21T13:00:00.000Z" },
    refused: {
      "2026-10-01T11": { rate_limited: 7 },
      "2026-11-10T09": { honeypot: 1_200 },
      "2026-11-21T11": { honeypot: 3, rate_limited: 5 },
    },
    oldestWaiting: { id, receivedAt: "2026-11-19T12:00:00.000Z", ageSeconds: 172_800 },
    hints: [
      `${MAIL} is paused until 2026-11-21T13:00:00.000Z: its last attempts failed`,
      "1 lead is stored and goes nowhere: deno task leads send --stored",
    ],
  });
  const filtered = JSON.parse(await printed("stats", "--json", "--state", "delivered"));
  deepEqual([filtered.leads, filtered.oldestWaiting], [1, null]);
  const text = await printed("stats", "--since", "3d");
  match(text, /^leads: 3\nstates:\n {2}waiting: 1\n[^]*\nplans:\n {2}pro: 1\n {2}none: 2\n/);
  match(text, /\n {2}constructor:\n {4}waiting: 0\n {4}delivered: 1\n {4}dead: 0\npaused:/);
  match(text, new RegExp(`\noldestWaiting: ${id}, 2d ago\n`));
  leads.targets = [{ id: MAIL }];
  const all = await printed("stats");
  match(all, /\nrefused:\n {2}honeypot:\n {4}24 hours: 3\n {4}30 days: 1203\n {2}rate_limited:/);
  match(all, /- '1 lead is stored .*\n {2}- '1 lead waits for (\S+), .* leads send --from \1'\n$/);
  match(await printed("stats", "--plan", "hosted"), /^leads: 0\n[^]*\nhints:\n {2}- '1 lead is/);
  for (let n = 1; n <= 31; n++) await put({ ago: n * DAY });
  equal((await printed("stats")).match(/^ {2}'20\d\d-\d\d-\d\d': \d+$/gm)!.length, 30);
});
