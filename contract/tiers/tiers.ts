/** @module The tiers for any service. */

import type { Tier } from "../run/session.ts";
import { casesTier } from "./cases.ts";
import { documentTier } from "./document.ts";
import { httpTier } from "./http.ts";
import { operationsTier } from "./operations.ts";
import { propertiesTier } from "./properties.ts";
import { rawTier } from "./raw/tier.ts";
import { corpusTier } from "./corpus.ts";

/** In the order in which they run: the fast ones first; random requests take the time that is left. */
export const TIERS: readonly Tier[] = [
  corpusTier,
  documentTier,
  casesTier,
  operationsTier,
  httpTier,
  rawTier,
  propertiesTier,
];
