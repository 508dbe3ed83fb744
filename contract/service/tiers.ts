/** @module The tiers of a run; the last two start instances of this service. */

import type { Tier } from "../run/session.ts";
import { faultsTier } from "./instances/faults.ts";
import { limitsTier } from "./instances/limits.ts";
import { casesTier } from "../tiers/cases.ts";
import { documentTier } from "../tiers/document.ts";
import { httpTier } from "../tiers/http.ts";
import { operationsTier } from "../tiers/operations.ts";
import { propertiesTier } from "../tiers/properties.ts";
import { rawTier } from "../tiers/raw/tier.ts";
import { corpusTier } from "../tiers/corpus.ts";

/** In the order in which they run: the fast ones first. */
export const TIERS: readonly Tier[] = [
  corpusTier,
  documentTier,
  casesTier,
  operationsTier,
  httpTier,
  rawTier,
  propertiesTier,
  limitsTier,
  faultsTier,
];
