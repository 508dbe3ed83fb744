/**
 * @module Every path of the service that is no page's, read from the app's own table of routes, so
 * that no second list of them can grow old.
 */

import { parseConfig } from "../../config/config.ts";
import { createApp } from "../../routes/app.ts";
import { ASSETS } from "../../routes/assets.ts";
import { contactPaths, LOCALES } from "../../site/page_path.ts";
import { assetFiles, pageFiles } from "../../static_files.ts";

/** Lists the paths; the route of the assets stands as the assets that there are. */
export async function knownPaths(): Promise<string[]> {
  const app = createApp({
    config: parseConfig({}),
    leads: () => Promise.reject(new Error("Cannot take leads: the app is only looked at")),
    pages: pageFiles,
    assets: assetFiles,
    log: { info() {}, error() {}, count() {} },
    now: () => 0,
  });
  // A route of its own, since it takes the form, but a page all the same.
  const pages = LOCALES.map((locale) => contactPaths(locale).form);
  const routes = new Set(app.paths);
  if (!routes.delete(ASSETS)) throw new Error(`Cannot list the assets: no route for ${ASSETS}`);
  return [
    ...[...routes].filter((path) => !pages.includes(path)),
    ...(await assetFiles.list()).map((name) => ASSETS + name),
  ];
}
