/** @module Many different leads from many clients, and leads that are stored but not delivered. */

import type { LeadRequest } from "../../schemas/lead.ts";
import { LEAD, type TestApp, type TestAppOptions, withApp } from "./test_app.ts";

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

/** Leads that a process stored and never attempted, as if killed right after each commit. */
interface LeftBehind {
  readonly dead: TestApp;
  /** Makes an app another process on that database. */
  readonly options: TestAppOptions;
}

export async function withLeftBehind(
  count: number,
  { targets, test }: {
    readonly targets: string;
    readonly test: (left: LeftBehind) => Promise<void>;
  },
): Promise<void> {
  const env = { LEAD_TARGETS: targets };
  await withApp(async (dead) => {
    await dead.leads.outbox.stop(0);
    await statusesOf(crowd(dead, count));
    await test({ dead, options: { env, wrapKv: () => dead.kv } });
  }, { env });
}
