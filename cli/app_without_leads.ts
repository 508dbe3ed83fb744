/** @module The app without a database: pages, documents and assets, but no leads. */

import type { Config } from "../config/config.ts";
import { type AppDeps, createApp } from "../routes/app.ts";
import { checkSite, knownPathsOf } from "../site/check.ts";
import { assetFiles, pageFiles } from "../site/files.ts";

export function createAppWithoutLeads(
  config: Config,
  deps: Partial<Omit<AppDeps, "config">> = {},
): ReturnType<typeof createApp> {
  return createApp({
    config,
    leads: () => Promise.reject(new Error("Cannot accept leads: there is no database")),
    pages: pageFiles,
    assets: assetFiles,
    log: { info() {}, error() {}, count() {} },
    stopping: new AbortController().signal,
    now: () => 0,
    ...deps,
  });
}

/** The paths that the app serves beside pages, to which pages may link. */
export function knownPaths(config: Config): Promise<string[]> {
  return knownPathsOf((pages) => createAppWithoutLeads(config, { pages }));
}

/** The problems of the pages' sources, each as `FILE:LINE: message`. */
export async function siteProblems(config: Config): Promise<string[]> {
  return await checkSite(pageFiles, { facts: config, knownPaths: await knownPaths(config) });
}
