/**
 * @module Every path of the service that is no page's, read from the app's own table of routes, so
 * that no second list of them can grow old.
 */

import { parseConfig } from "../../config.ts";
import { createApp } from "../../routes/app.ts";
import { contactPaths, LOCALES } from "../../site/page_path.ts";
import { assetFiles, pageFiles } from "../../static_files.ts";

const ASSET_ROUTE = "/assets/:name";

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
  const routes = new Set(app.routes.map(({ path }) => path));
  if (!routes.delete(ASSET_ROUTE)) throw new Error(`Cannot list the assets: no ${ASSET_ROUTE}`);
  return [
    ...[...routes].filter((path) => !pages.includes(path)),
    ...(await assetFiles.list()).map((name) => `/assets/${name}`),
  ];
}
