/**
 * @module A worker of init: draws the pictures of the changed site and checks its sources. A worker loads
 * static/site.json and the words anew; the modules of init have the old ones.
 */

import { parseConfig } from "../../config/config.ts";
import { siteProblems } from "../app_without_leads.ts";
import type { Changes } from "./change.ts";
import { drawMade } from "./rasters.ts";

export interface Outcome {
  readonly changes: Changes;
  readonly note: string;
  readonly problems: readonly string[];
}

/** @param env the variables that pages mention */
async function finish(env: Readonly<Record<string, string>>): Promise<Outcome> {
  const problems = await siteProblems(parseConfig(env));
  return { ...await drawMade(), problems };
}

const { postMessage } = self as unknown as { postMessage(outcome: Outcome | string): void };
postMessage(await finish(JSON.parse(self.name)).catch((error: Error) => error.message));
