/** @module Every tier, in the order in which they run: what is cheap and telling first. */

import type { Tier } from "../session.ts";
import { documentTier } from "./document.ts";
import { httpTier } from "./http.ts";

export const TIERS: readonly Tier[] = [documentTier, httpTier];
