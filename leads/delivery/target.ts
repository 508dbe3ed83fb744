/** @module Targets, kinds of targets, and their ids and credentials. */

import type { TargetSetting } from "../../config/settings.ts";
import type { LeadRecord } from "../lead.ts";
import type { DeliveryOutcome } from "../retry.ts";

export interface Target {
  /** Its name in LEAD_TARGETS: the name of its queue, also in logs. */
  readonly id: string;
  /** Makes one attempt; `signal` aborts it. Never rejects. */
  deliver(record: LeadRecord, signal: AbortSignal): Promise<DeliveryOutcome>;
  /** As `deliver`, for a message of the service's own; absent: no person reads it there. */
  notify?(message: Message, signal: AbortSignal): Promise<DeliveryOutcome>;
}

export interface Message {
  /** One line. */
  readonly subject: string;
  readonly text: string;
}

export interface TargetOptions {
  /** `whsec_…`; several while a secret is being rotated. */
  readonly secrets: readonly string[];
  readonly now: () => number;
}

export interface TargetKind {
  /** Its URL schemes, without colon. */
  readonly schemes: readonly string[];
  /** The problem of a URL, whose credentials can be decoded: "must …", without quoting it. */
  problem(url: URL): string | undefined;
  /** @param setting its URL has no problem */
  create(setting: TargetSetting, options: TargetOptions): Omit<Target, "id">;
}

export function withoutCredentials(url: URL): URL {
  return Object.assign(new URL(url), { username: "", password: "" });
}

/** User and password, decoded; undefined if the percent-encoding is malformed. */
export function credentialsOf(
  { username, password }: URL,
): { user: string; password: string } | undefined {
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}
