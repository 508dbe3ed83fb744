/** @module Which of the leads that were told lost and delivered all the same are no broken promise. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { LEASE_MS } from "../../leads/outbox.ts";
import { companiesInTheGap } from "./gap.ts";

const RECEIVED = Date.parse("2026-11-21T12:00:00Z");
const ID = `${
  RECEIVED.toString(16).padStart(12, "0").replace(/^.{8}/, "$&-")
}-7000-8000-000000000000`;

function log(event: string, fields: Record<string, unknown> = {}): string {
  return `the service runs\n${JSON.stringify({ event, lead: ID, ...fields })}\n`;
}

const LOST = log("lead.not_stored", { delivered: false });
const DIRECT = log("lead.not_stored", { delivered: true });
const DELIVERED = log("delivery.acknowledged");
const AFTER_LEASE = RECEIVED + LEASE_MS;

function companies(logs: readonly [one: string, other: string], at = AFTER_LEASE): string[] {
  const services = logs.map((text, n) => ({ name: `machine ${n}`, printed: ["", text] }));
  return [...companiesInTheGap(services, [{ id: ID, company: "A", at }])];
}

Deno.test("told lost by one machine, delivered by another after the lease: the gap of the README", () => {
  deepEqual(companies([LOST, DELIVERED]), ["A"]);
});

Deno.test("delivered while the lease still held is no gap but a fault", () => {
  deepEqual(companies([LOST, DELIVERED], AFTER_LEASE - 1), []);
});

Deno.test("delivered by the machine that has told it lost is no gap but a fault", () => {
  deepEqual(companies([LOST + DELIVERED, ""]), []);
  deepEqual(companies([LOST + DELIVERED, DELIVERED]), []);
});

Deno.test("a lead that nobody has told lost, or that nobody noted as delivered, is none either", () => {
  deepEqual(companies([DIRECT, DELIVERED]), []);
  deepEqual(companies(["", DELIVERED]), []);
  deepEqual(companies([LOST, ""]), []);
});
