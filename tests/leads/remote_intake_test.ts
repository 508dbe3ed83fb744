/** @module The intake of a worker: what it hands over, what it is told, what it knows by itself. */

import { deepStrictEqual as deepEqual, rejects, strictEqual as equal } from "node:assert/strict";
import { sharedAttempts } from "../../leads/attempts.ts";
import { type Clock, systemClock } from "../../leads/clock.ts";
import type { Leads } from "../../leads/leads.ts";
import { createRemoteLeads, serveIntake } from "../../leads/remote_intake.ts";
import { LEAD, withApp } from "../support/test_app.ts";

const SETTINGS = {
  leadRateLimit: { count: 20, windowMs: 600_000 },
  leadAttemptLimit: { count: 120, windowMs: 60_000 },
};
const log = { info: () => {}, error: () => {}, count: () => {} };

/** Runs a test with two workers' intakes, both handing over to the same leads. */
async function withWorkers(
  { leads, clock = systemClock }: {
    readonly leads: () => Promise<Pick<Leads, "intake">>;
    readonly clock?: Clock;
  },
  test: (intakes: readonly Leads["intake"][]) => Promise<void>,
): Promise<void> {
  const attempts = sharedAttempts();
  const channels = [new MessageChannel(), new MessageChannel()];
  const intakes = await Promise.all(channels.map(async ({ port1, port2: line }) => {
    serveIntake(port1, leads);
    return (await createRemoteLeads(SETTINGS, { line, attempts, log, clock })).intake;
  }));
  try {
    await test(intakes);
  } finally {
    for (const { port1, port2 } of channels) [port1, port2].forEach((port) => port.close());
  }
}

Deno.test("leads of one client that come to two workers at once are counted by one limit", () =>
  withApp(({ leads, clock }) =>
    withWorkers({ leads: () => Promise.resolve(leads), clock }, async (intakes) => {
      const outcomes = await Promise.all(Array.from({ length: 50 }, (_, n) => {
        const intake = intakes[n % 2]!;
        const sender = intake.sender("192.0.2.1");
        const lead = { ...LEAD, company: `Company ${n}` };
        return intake.submit(lead, { sender, requestId: String(n) });
      }));
      equal(outcomes.filter(({ kind }) => kind === "accepted").length, 20);
      equal(outcomes.filter(({ kind }) => kind === "limited").length, 30);
    })
  ));

Deno.test("each answer comes to the lead that it is about", () =>
  withApp(({ leads, store, clock }) =>
    withWorkers({ leads: () => Promise.resolve(leads), clock }, async ([intake]) => {
      const companies = Array.from({ length: 20 }, (_, n) => `Company ${n}`);
      await Promise.all(companies.map(async (company, n) => {
        const sender = intake!.sender(`192.0.2.${n}`);
        // Every other one is a test lead, which is not stored.
        const email = n % 2 === 0 ? LEAD.email : "ada@example.invalid";
        const options = { sender, requestId: company };
        const outcome = await intake!.submit({ ...LEAD, email, company }, options);
        deepEqual(outcome, { kind: "accepted", delivered: false });
        equal(intake!.limits(sender).lead.remaining, 19);
      }));
      const held = await Array.fromAsync(store.all(), ({ lead }) => lead.company);
      deepEqual(held.sort(), companies.filter((_, n) => n % 2 === 0).sort());
    })
  ));

Deno.test("attempts are counted without asking, by all workers together", () =>
  withWorkers({ leads: () => Promise.reject(new Error("nobody is to ask")) }, ([one, two]) => {
    const sender = one!.sender("192.0.2.1");
    const admitted = Array.from({ length: 150 }, (_, n) => [one!, two!][n % 2]!.attempt(sender));
    equal(admitted.filter(Boolean).length, 120);
    equal(one!.limits(sender).attempt.remaining, 0);
    return Promise.resolve();
  }));

Deno.test("an error in the first thread is one here, by its class alone", () =>
  withWorkers(
    { leads: () => Promise.reject(new RangeError("ada@example.com")) },
    async ([intake]) => {
      const sender = intake!.sender("192.0.2.1");
      await rejects(
        () => intake!.submit(LEAD, { sender, requestId: "1" }),
        /^Error: Cannot take a lead: RangeError$/,
      );
    },
  ));
