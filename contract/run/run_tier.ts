/** @module Runs tiers one after another: what ends a tier ends no run. */

import { CannotRun } from "../lib/cannot_run.ts";
import { EndedError, GoneError, UnreachableError } from "./client.ts";
import { pathOf } from "../lib/exchange.ts";
import type { Finding } from "../oracle/finding.ts";
import { TooLongWait } from "./pace.ts";
import { type Session, SESSION_RULES, type Tier } from "./session.ts";
import { declareRules } from "../lib/rules.ts";

const RULES = declareRules({
  harness_error: "breach: the harness itself does not fail: what it had left to try was not tried",
});

export interface TierRun {
  readonly ms: number;
  readonly skipped: string | undefined;
}

const WITHOUT_OPERATIONS = ["document", "corpus", "replay"];

interface Shared {
  readonly session: Session;
  readonly findings: Finding[];
  readonly notes: { readonly tier: string; readonly text: string }[];
  /** Why the tiers that send operations are not run. */
  readonly ended: { reason: string | undefined };
}

export async function runTier(tier: Tier, shared: Shared): Promise<TierRun> {
  const { session, ended } = shared;
  const began = performance.now();
  let skipped = session.live && !tier.live ? "not against a service in production" : undefined;
  if (!WITHOUT_OPERATIONS.includes(tier.name)) skipped ??= ended.reason;
  if (session.isOver()) skipped ??= "the time was over";
  try {
    skipped ??= tier.unable?.(session);
    if (skipped === undefined) await tier.run(session.of(tier.name, tier.share));
  } catch (error) {
    endTier(tier.name, error, shared);
  }
  return { skipped, ms: performance.now() - began };
}

function endTier(tier: string, error: unknown, { findings, notes, ended }: Shared): void {
  if (error instanceof EndedError) return void notes.push({ tier, text: error.message });
  if (error instanceof TooLongWait) {
    ended.reason ??= error.message;
    return void notes.push({ tier, text: `not finished: ${error.message}` });
  }
  if (error instanceof GoneError) {
    ended.reason ??= "the service no longer answers";
    const message = `it no longer answers: ${error.reason}`;
    findings.push({ check: SESSION_RULES.answers, tier, where: "the service", message });
  } else if (error instanceof UnreachableError) {
    const where = `${error.call.method} ${pathOf(error.call)}`;
    const message = "a request got no answer; the rest of the tier was not tried";
    findings.push({ check: SESSION_RULES.answers, tier, where, message });
  } else {
    const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
    const [, line = "?"] = /\/([\w.]+:\d+):\d+\)?$/m.exec(stack) ?? [];
    const text = error instanceof CannotRun ? message : `${message.split("\n", 1)[0]} (${line})`;
    findings.push({ check: RULES.harness_error, tier, where: `tier ${tier}`, message: text });
  }
}
