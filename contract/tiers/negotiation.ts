/**
 * @module Content negotiation of pages (RFC 9110 §12.5.1). A page is markdown only if Accept names
 * `text/markdown` with a quality above zero and not below HTML's; else HTML.
 */

import type { Negotiation } from "./case_file.ts";
import type { Exchange } from "../lib/exchange.ts";
import { mismatchesOf, varyOf } from "../oracle/check.ts";
import type { Session } from "../run/session.ts";
import { chosen } from "../request/operation_input.ts";
import { compareGet } from "./http_get.ts";
import { declareRules } from "../lib/rules.ts";
import { HTTP_RULES } from "../oracle/http.ts";

const RULES = declareRules({
  negotiation: "breach: a page has the media type that Accept asks for (RFC 9110 §12.5.1)",
  sibling: "breach: the markdown URL of a page is its markdown",
});

const TYPES = { html: "text/html", markdown: "text/markdown" } as const;

/** In production only rows marked `live`, on the first page. @returns the number of rows */
export async function negotiate(session: Session, { missing, rows }: Negotiation): Promise<number> {
  const { live, contract: { profile: { pages } } } = session;
  const some = (paths: readonly string[]) =>
    (live ? paths.slice(0, 1) : paths).flatMap((path) => chosen(path, session.contract));
  const sent = rows.filter((row) => !live || row.live === true);
  for (const path of some(pages)) {
    await checkRows(session, sent, { path, status: "200" });
    await checkSibling(session, path);
  }
  for (const path of some(missing)) await checkRows(session, sent, { path, status: "404" });
  return sent.length;
}

/** Each row selects its representation, with an entity tag of its own (RFC 9110 §8.8.3). */
async function checkRows(
  session: Session,
  rows: Negotiation["rows"],
  { path, status }: { readonly path: string; readonly status: string },
): Promise<void> {
  const { profile } = session.contract;
  const tags = new Map<string, string>();
  for (const { accept, want } of rows) {
    const exchange = await get(session, path, accept);
    const { headers, text } = exchange.answer;
    const type = TYPES[want];
    const problems = mismatchesOf(exchange.answer, { want: { status, type }, profile });
    if (problems.length === 0) {
      const vary = varyOf(headers);
      if (!vary.includes("accept") && !vary.includes("*")) problems.push("Vary lacks accept");
      // The parameter is required (RFC 7763 §2).
      const hasCharset = /;\s*charset=/i.test(headers.get("content-type") ?? "");
      if (want === "markdown" && !hasCharset) problems.push(`${type} has no charset`);
      const isHtml = text.trimStart().startsWith("<");
      if (isHtml !== (want === "html")) problems.push(`the body is not ${type}`);
    }
    for (const problem of problems) {
      session.report(RULES.negotiation, `asked for ${want}: ${problem}`, { exchange });
    }
    await compareGet(session, { get: exchange, varying: new Set(), most: 1 });
    const tag = headers.get("etag");
    const isShared = tag !== null && tags.getOrInsert(tag, want) !== want;
    if (status === "404" || (tag !== null && !isShared)) continue;
    const message = isShared ? "HTML and markdown share an entity tag" : "a page has no entity tag";
    session.report(HTTP_RULES.not_modified, message, { exchange });
  }
}

/** The `.md` URL of a page is its markdown, whatever Accept says. */
async function checkSibling(session: Session, page: string): Promise<void> {
  const { answer: { headers, text } } = await get(session, page, TYPES.markdown);
  const own = page === "/" ? "/index.md" : `${page}.md`;
  for (const path of new Set([own, headers.get("content-location") ?? own])) {
    const exchange = await get(session, path, TYPES.html);
    const want = { status: "200", type: TYPES.markdown };
    const problems = mismatchesOf(exchange.answer, { want, profile: session.contract.profile });
    if (exchange.answer.text !== text) problems.push("is not the negotiated markdown");
    if (problems.length === 0) continue;
    session.report(RULES.sibling, `the markdown URL: ${problems[0]}`, { exchange });
  }
}

function get(session: Session, path: string, accept: string): Promise<Exchange> {
  const call = { method: "GET", path, headers: [["accept", accept]] as const };
  return session.send(call, { title: `a page, Accept: ${accept}` });
}
