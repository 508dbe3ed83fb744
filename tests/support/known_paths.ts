/** @module The paths of the service that are not pages, read from the app's routes. */

import { contactPaths, LOCALES } from "../../site/page_path.ts";
import { pagesOf } from "../site/fixture.ts";
import { appWithoutLeads } from "./app_without_leads.ts";

export async function knownPaths(): Promise<string[]> {
  const { app } = await appWithoutLeads({ pages: pagesOf({}) });
  // These pages have a route of their own, which accepts the form.
  const pages = LOCALES.map((locale) => contactPaths(locale).form);
  const paths = new Set(app.routes.map(({ path }) => path)).difference(new Set(["/*", ...pages]));
  return [...paths];
}
