/**
 * @module Every path of the service that is no page's, read from the app's own routes, so that no
 * second list of them can grow old.
 */

import { contactPaths, LOCALES } from "../../site/page_path.ts";
import { pagesOf } from "../site/fixture.ts";
import { appWithoutLeads } from "./app_without_leads.ts";

/** Lists the paths, each asset's included: those of an app that has no pages. */
export async function knownPaths(): Promise<string[]> {
  const { app } = await appWithoutLeads({ pages: pagesOf({}) });
  // A route of its own, since it takes the form, but a page all the same.
  const pages = LOCALES.map((locale) => contactPaths(locale).form);
  const paths = new Set(app.routes.map(({ path }) => path)).difference(new Set(["/*", ...pages]));
  return [...paths];
}
