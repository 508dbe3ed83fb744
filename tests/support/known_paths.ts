/**
 * @module Every path of the service that is no page's, read from the app's own routes, so that no
 * second list of them can grow old.
 */

import { addressOf } from "../../site/page_path.ts";
import { pageFiles } from "../../static_files.ts";
import { appWithoutLeads } from "./app_without_leads.ts";

/** Lists the paths, each asset's included. */
export async function knownPaths(): Promise<string[]> {
  const { app } = await appWithoutLeads();
  const addresses = (await pageFiles.list()).map(addressOf);
  const pages = new Set(
    addresses.flatMap(({ path, markdownPath, markdownAliases }) => [
      path,
      markdownPath,
      ...markdownAliases,
    ]),
  );
  const answered = app.routes.filter(({ method }) => method === "GET" || method === "POST");
  return [...new Set(answered.map(({ path }) => path))].filter((path) => !pages.has(path));
}
