/** @module Leads that a test sends, and what an app has stored and delivered of them. */

import type { Delivery, LeadRecord } from "../../leads/lead.ts";
import { LEASE_MS } from "../../leads/leases.ts";
import type { LeadRequest } from "../../schemas/lead.ts";
import type { Receiver } from "./receiver.ts";
import { LEAD, startApp, type TestApp, type TestAppOptions } from "./test_app.ts";
import { until } from "./until.ts";

export function leadOf(n: number): LeadRequest {
  return { ...LEAD, company: `Company ${n}` };
}

export function addressOf(n: number): string {
  return `198.51.${n >> 8}.${n & 255}`;
}

export function crowd({ postLead }: Pick<TestApp, "postLead">, count: number): Promise<Response>[] {
  return Array.from({ length: count }, (_, n) => postLead(leadOf(n), addressOf(n)));
}

export async function statusesOf(answers: readonly Promise<Response>[]): Promise<number[]> {
  return await Promise.all(answers.map(async (answer) => {
    const { status, body } = await answer;
    await body?.cancel();
    return status;
  }));
}

/** An app that was killed right after each commit; `options` make another process on its database. */
export async function leaveBehind(
  count: number,
  targets: string,
): Promise<TestApp & { readonly options: TestAppOptions }> {
  const env = { LEAD_TARGETS: targets };
  const dead = await startApp({ env });
  await dead.leads.outbox.stop(0);
  await statusesOf(crowd(dead, count));
  return { ...dead, options: { env, wrapKv: () => dead.kv } };
}

/** Lets leases expire: a process must have seen another one's for as long as they last. */
export async function expireLeases(
  { leads, clock }: Pick<TestApp, "leads" | "clock">,
): Promise<void> {
  await leads.outbox.drain();
  clock.advance(LEASE_MS);
}

/** Posts a lead; returns the status and `delivered`, such as `200 true`. */
export async function post(
  { postLead }: TestApp,
  body: unknown = LEAD,
  address?: string,
): Promise<string> {
  const response = await postLead(body, address);
  const { delivered } = await response.json();
  return delivered === undefined ? String(response.status) : `${response.status} ${delivered}`;
}

export function stored({ store }: Pick<TestApp, "store">): Promise<LeadRecord[]> {
  return Array.fromAsync(store.all());
}

export async function theLead(t: TestApp): Promise<LeadRecord> {
  return (await stored(t))[0]!;
}

export function idsAt({ received }: Receiver): (string | undefined)[] {
  return received.map(({ headers }) => headers["webhook-id"]);
}

export async function deliveryOf(t: TestApp): Promise<Delivery> {
  return Object.values((await theLead(t)).deliveries)[0]!;
}

export async function countKeys({ kv }: TestApp, kind: string): Promise<number> {
  return (await Array.fromAsync(kv.list({ prefix: ["frontdoor1", kind] }))).length;
}

export function noted(t: TestApp, attempts: number): Promise<void> {
  return until(
    `${attempts} attempts`,
    async () => (await deliveryOf(t)).attempts.length === attempts,
  );
}
