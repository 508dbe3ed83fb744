/** @module Types of settings, for other rooms. */

export type { Config } from "./config.ts";
export type { ContentSignal, RateLimit, SealingKey, TargetSetting, TimeOfDay } from "./readers.ts";
