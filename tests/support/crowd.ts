/** @module Many different leads from many clients, and leads that are stored but not delivered. */

import type { LeadRequest } from "../../schemas/lead.ts";
import { LEAD, startApp, type TestApp, type TestAppOptions } from "./test_app.ts";

export function leadOf(n: number): LeadRequest {
  return { ...LEAD, company: `Company ${n}` };
}

/** The n-th of 65,536 addresses. */
export function addressOf(n: number): string {
  return `198.51.${n >> 8}.${n & 255}`;
}

/** Sends leads concurrently, each from its own address. */
export function crowd(
  { postLead }: Pick<TestApp, "postLead">,
  count: number,
): Promise<Response>[] {
  return Array.from({ length: count }, (_, n) => postLead(leadOf(n), addressOf(n)));
}

/** The statuses in order; cancels the bodies. */
export async function statusesOf(answers: readonly Promise<Response>[]): Promise<number[]> {
  return await Promise.all(answers.map(async (answer) => {
    const { status, body } = await answer;
    await body?.cancel();
    return status;
  }));
}

/**
 * An app that stored leads and never attempted them, as if killed right after each commit; `options`
 * make another process on its database.
 */
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
