/**
 * @module A worker of init: draws the pictures of the changed site and checks its sources. A worker loads
 * static/site.json and the words anew; the modules of init have the old ones.
 */

import { parseConfig } from "../../config/config.ts";
import { checkSite } from "../../site/check.ts";
import { pageFiles } from "../../site/files.ts";
import { knownPaths } from "../app_without_leads.ts";
import { apply } from "./change.ts";
import { drawMade } from "./rasters.ts";

/** The variables that pages mention. */
export type Task = Readonly<Record<string, string>>;

export interface Outcome {
  readonly images: number;
  readonly note: string;
  readonly problems: readonly string[];
}

async function finish(env: Task): Promise<Outcome> {
  const facts = parseConfig(env);
  const { changes, note } = await drawMade();
  await apply(changes);
  const problems = await checkSite(pageFiles, { facts, knownPaths: await knownPaths(facts) });
  const images = [...changes.values()].filter((content) => content instanceof Uint8Array).length;
  return { images, note, problems };
}

const { postMessage } = self as unknown as { postMessage(outcome: Outcome | string): void };
postMessage(await finish(JSON.parse(self.name)).catch((error: Error) => error.message));
