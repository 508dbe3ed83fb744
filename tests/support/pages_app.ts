/** @module An app that has nothing but pages, and what every answer of a page carries. */

import assert from "node:assert/strict";
import { createApiErrors } from "../../routes/api_error.ts";
import { createPages } from "../../routes/pages.ts";
import { createSite, type PageSource } from "../../site/site.ts";
import { send } from "./send.ts";
import { FACTS, REAL_PAGES, SITE_URL } from "../site/fixture.ts";

/** The media types of a page's two representations. */
export const HTML = "text/html; charset=utf-8";
/** See {@link HTML}. */
export const MARKDOWN = "text/markdown; charset=utf-8";

/** Sends a request to such an app. */
type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** Creates an app that has nothing but pages. */
export function pagesApp(source: PageSource = REAL_PAGES): Send {
  const site = createSite(source, FACTS);
  const page = createPages({
    site: () => Promise.resolve(site),
    siteUrl: SITE_URL,
    errors: createApiErrors(SITE_URL),
  });
  return (path, init) => send(page, path, init);
}

/** Holds an answer to the headers that every page has. */
export function assertPageHeaders(response: Response): void {
  assert.match(response.headers.get("content-security-policy") ?? "", /^default-src 'none'; /);
  assert.equal(response.headers.get("x-content-type-options"), "nosniff");
  assert.match(response.headers.get("strict-transport-security") ?? "", /^max-age=/);
  assert.equal(response.headers.get("set-cookie"), null);
}
