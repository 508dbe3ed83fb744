/** @module The tiers of a run: those for any service, and those that start instances of this one. */

import type { Tier } from "../run/session.ts";
import { TIERS as FOR_ANY } from "../tiers/tiers.ts";
import { faultsTier } from "./instances/faults.ts";
import { limitsTier } from "./instances/limits.ts";

export const TIERS: readonly Tier[] = [...FOR_ANY, limitsTier, faultsTier];
