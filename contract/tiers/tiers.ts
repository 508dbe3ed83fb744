/** @module The tiers of a run. */

import type { Tier } from "../session.ts";
import { casesTier } from "./cases.ts";
import { documentTier } from "./document.ts";
import { faultsTier } from "./faults.ts";
import { httpTier } from "./http.ts";
import { limitsTier } from "./limits.ts";
import { operationsTier } from "./operations.ts";
import { propertiesTier } from "./properties.ts";
import { rawTier } from "./raw.ts";
import { corpusTier } from "./corpus.ts";

/** In the order in which they run: the fast ones first; random requests take the time that is left. */
export const TIERS: readonly Tier[] = [
  corpusTier,
  documentTier,
  httpTier,
  casesTier,
  operationsTier,
  rawTier,
  propertiesTier,
  limitsTier,
  faultsTier,
];
