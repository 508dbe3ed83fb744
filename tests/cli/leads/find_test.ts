/** @module find: all that is stored about a person, and nothing of others. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { CRM, DAY, dead, delivered, HOUR, MAIL, waiting, withCli } from "./fixture.ts";

Deno.test("find prints every lead of a person, expired ones marked, and nothing of others", () =>
  withCli(async (cli) => {
    const now = cli.clock.now();
    const old = await cli.put({
      ago: 89 * DAY,
      lead: { email: "Ada@Example.com", message: "Hello,\n\x1b[2Jworld", plan: "pro" },
      deliveries: { [CRM]: delivered(now - 89 * DAY), [MAIL]: dead(now - HOUR) },
    });
    await cli.put({ lead: { email: "ada@example.com.invalid-suffix.example", company: "Other" } });
    await cli.put({ lead: { email: "grace@example.com", company: "Other" } });
    const { id, index } = await cli.put({ deliveries: { [CRM]: waiting(now + 5 * DAY) } });
    cli.clock.advance(2 * DAY);

    const out = await cli.printed("find", "ADA@example.com");
    equal(out.match(/^[0-9a-f-]{36}$/gm)?.join(), `${old.id},${id}`);
    match(out, /kept until {2}2026-11-22T12:00:00.000Z \(1d ago\): expired, but still stored\n/);
    match(out, /kept until {2}2027-02-19T12:00:00.000Z \(in 88d\)\n/);
    ok(out.includes("\n    Hello,\n    \u{FFFD}[2Jworld\n") && !out.includes("Other"));

    const json = await cli.printed("find", "ada@example.com", "--json");
    ok(!json.includes("\x1b") && json.startsWith('{\n  "email": '));
    const { email, asOf, leads, fields } = JSON.parse(json);
    deepEqual([email, asOf], ["ada@example.com", "2026-11-23T12:00:00.000Z"]);
    deepEqual(leads.map((one: { expired: boolean }) => one.expired), [true, false]);
    const { deliveries, ...first } = leads[0];
    deepEqual(first, {
      id: old.id,
      receivedAt: "2026-08-24T12:00:00.000Z",
      expiresAt: "2026-11-22T12:00:00.000Z",
      state: "dead",
      ...old.lead,
      expired: true,
      keyedHashes: { email: index.email, content: old.index.same },
    });
    deepEqual([deliveries[CRM].state, deliveries[MAIL].tries[0].result], ["delivered", "http_410"]);
    const explained = Object.keys(fields);
    for (const name of explained) ok(name === "omitted" || name in leads[0], name);

    cli.leads.retentionMs = 30 * DAY; // shorter than when it was stored
    const shorter = JSON.parse(await cli.printed("find", "ada@example.com", "--json")).leads[1];
    equal(shorter.expiresAt, "2026-12-21T12:00:00.000Z");
    const { id: german } = await cli.put({ lead: { email: "ada@xn--mller-kva.example" } });
    ok((await cli.printed("find", " Ada@MÜLLER.example ")).startsWith(german));
    for (const words of [["bob@example.com"], ["bob@example.com", "--json"]]) {
      const err = "No lead of bob@example.com can be found.\n";
      deepEqual(await cli.run("find", ...words), { code: 1, out: "", err });
    }
  }));
