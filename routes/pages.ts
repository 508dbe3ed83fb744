/**
 * @module The pages. A page's URL negotiates HTML or markdown (RFC 9110 §12.5.1); its `.md` sibling is
 * markdown whatever `Accept` says. `site/` makes the texts.
 */

import type { PageAddress } from "../site/page_path.ts";
import type { Site } from "../site/site.ts";
import type { AppHandler } from "./env.ts";
import { chooseRepresentation, type Representation } from "./http/negotiation.ts";
import { prebuild, prebuiltOnce } from "./http/prebuilt.ts";
import { MINUTES_5 } from "./http/public_document.ts";
import { pageSecurityHeaders } from "./http/security_headers.ts";
import { linkHeader } from "./page_links.ts";

/** What pages and the 404 for unknown paths work with. */
export interface PagesDeps {
  /** Loaded with the first page. */
  readonly site: () => Promise<Site>;
  readonly siteUrl: string;
}

/** The media type of each representation. */
export const CONTENT_TYPES: Readonly<Record<Representation, string>> = {
  html: "text/html; charset=utf-8",
  markdown: "text/markdown; charset=utf-8",
};

/** A negotiable answer differs by `Accept`, and a cache must know. */
export const NEGOTIATED = { vary: "Accept" };

/** The handlers of one page. */
export interface PageHandlers {
  /** HTML or markdown, by `Accept`. */
  readonly negotiated: AppHandler;
  /** Markdown, whatever `Accept` says. */
  readonly markdown: AppHandler;
}

/**
 * Creates the handlers of a page, each representation built with its first request.
 *
 * @param options.versions the page in every language, itself included
 */
export function page(
  address: PageAddress,
  { site, siteUrl, versions }: PagesDeps & { readonly versions: readonly PageAddress[] },
): PageHandlers {
  function representation(name: Representation, headers: Record<string, string>): AppHandler {
    return prebuiltOnce(async () => {
      const text = await (await site())[name](address);
      return await prebuild(text, {
        "content-type": CONTENT_TYPES[name],
        ...pageSecurityHeaders(siteUrl),
        ...MINUTES_5,
        "content-language": address.locale,
        link: linkHeader(siteUrl, { ...address, versions }),
        ...(name === "markdown" ? { "x-markdown-tokens": String(tokensOf(text)) } : {}),
        ...headers,
      });
    });
  }

  const { path, markdownPath } = address;
  return {
    negotiated: negotiated({
      html: representation("html", { ...NEGOTIATED, "content-location": path }),
      markdown: representation("markdown", { ...NEGOTIATED, "content-location": markdownPath }),
    }),
    // The page is what search engines should show, not its source.
    markdown: representation("markdown", { "x-robots-tag": "noindex" }),
  };
}

/** Answers in the representation that `Accept` asks for. */
export function negotiated(handlers: Readonly<Record<Representation, AppHandler>>): AppHandler {
  return (c) => handlers[chooseRepresentation(c)](c);
}

/** Roughly the tokens that a model counts: four characters each in European languages. */
function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}
