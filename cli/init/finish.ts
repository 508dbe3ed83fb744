/**
 * @module A worker of init: draws the pictures of the changed site and checks its sources. A worker loads
 * static/site.json and the words anew; the modules of init have the old ones.
 */

import { parseConfig } from "../../config/config.ts";
import { siteProblems } from "../app_without_leads.ts";
import { drawMade } from "./rasters.ts";

export type Outcome = Awaited<ReturnType<typeof finish>>;

/** @param env the variables that pages mention */
async function finish(env: Readonly<Record<string, string>>) {
  const problems = await siteProblems(parseConfig(env));
  return { ...await drawMade(), problems };
}

const { postMessage } = self as unknown as { postMessage(outcome: Outcome | string): void };
postMessage(await finish(JSON.parse(self.name)).catch((error: Error) => error.message));
