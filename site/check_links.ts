/** @module Checks the links of a page: dead ones, missing headings. */

import { SITE } from "../schemas/site_data.ts";
import type { CheckedPage } from "./check_text.ts";
import { findLinks, isSafeLink, isSitePath } from "./links.ts";
import type { SourceProblem } from "./source_problem.ts";
import { NOT_FOUND_PAGE, pathsOf } from "./urls.ts";

export interface LinkContext {
  readonly pages: readonly CheckedPage[];
  /** Paths of pages that cannot be read: links to them are not reported. */
  readonly unreadable: ReadonlySet<string>;
  /** Other paths that may be linked: the API, discovery documents, assets. */
  readonly knownPaths: readonly string[];
}

export function problemsOfLinks(page: CheckedPage, context: LinkContext): SourceProblem[] {
  const { body, lines, hrefs } = page;
  const found = findLinks(body);
  const problems = found.flatMap(({ href, line }) => {
    const state = problemOfLink(href, { page, context });
    return state === undefined ? [] : [{ line: lines[line - 1]!, state }];
  });
  // Links that only the renderer recognises would stay relative in the markdown.
  const unseen = hrefs.filter((href) =>
    !/^(?:https?|mailto):/i.test(href) && !found.some((link) => link.href === href)
  );
  return [
    ...problems,
    ...unseen.map((href) => ({
      line: lines[0]!,
      state: `the link to ${href} must be written as [text](${href}) on one line`,
    })),
  ];
}

function problemOfLink(
  href: string,
  { page, context }: { readonly page: CheckedPage; readonly context: LinkContext },
): string | undefined {
  const { pages, unreadable, knownPaths } = context;
  if (!isSafeLink(href)) {
    return `a link must be a path from /, a #fragment, http, https or mailto: ${href}`;
  }
  if (!isSitePath(href) && !href.startsWith("#")) return undefined;
  const [, path = "", fragment] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/.exec(href) ?? [];
  if (unreadable.has(path)) return undefined;
  const target = path === ""
    ? page
    : pages.find((other) => other.name !== NOT_FOUND_PAGE && pathsOf(other).includes(path));
  if (target === undefined && !knownPaths.includes(path)) return `dead link: ${href}`;
  const plan = /[?&]plan=([^&#]*)/.exec(href)?.[1];
  if (plan !== undefined && !SITE.plans.includes(plan)) {
    return `link to a plan that static/site.json does not have: ${href}`;
  }
  // The fragment of a drawing is a part of it, such as an icon.
  if (path.endsWith(".svg")) return undefined;
  const anchors = [...target?.headings.map(({ id }) => id) ?? [], ...target?.rows ?? []];
  if (fragment !== undefined && !anchors.includes(fragment)) {
    return `link to a missing heading: ${href}`;
  }
  return undefined;
}
