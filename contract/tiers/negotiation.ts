/**
 * @module Content negotiation of pages (RFC 9110 §12.5.1): sends each Accept field of a case file to
 * each page of the profile and to unknown paths, by GET, HEAD and with the entity tag.
 *
 * A page is markdown only if Accept names `text/markdown` with a quality above zero and not below
 * HTML's; else HTML.
 */

import type { CaseFile, NegotiationRow } from "../case_file.ts";
import type { Exchange } from "../exchange.ts";
import { faultsOf, type Want } from "../expectation.ts";
import type { Session } from "../session.ts";
import { headFaults, notModifiedFaults } from "./http_get.ts";

export const TYPES = { html: "text/html", markdown: "text/markdown" } as const;

/** Fields that Vary of a negotiated answer must name. */
export const VARY = ["accept"];

/** Accept fields that must not change the `.md` URL of a page. */
const INDIFFERENT = ["text/html", "text/markdown;q=0", "image/png", "*/*"];

const MARKDOWN: Want = { status: "200", type: [TYPES.markdown] };

type Negotiation = NonNullable<CaseFile["negotiation"]>;

/**
 * Runs every row on every page; in production only rows marked `live`, on the first page.
 * @returns the number of rows
 */
export async function negotiate(session: Session, { missing, rows }: Negotiation): Promise<number> {
  const { live } = session;
  const pages = live ? session.contract.profile.pages.slice(0, 1) : session.contract.profile.pages;
  const chosen = rows.filter((row) => !live || row.live === true);
  for (const page of pages) {
    for (const row of chosen) await representation(session, { page, row });
    await separateTags(session, page);
    await sibling(session, page);
  }
  for (const path of live ? missing.slice(0, 1) : missing) {
    for (const row of chosen) await missingPage(session, { path, row });
  }
  return chosen.length;
}

async function representation(
  session: Session,
  { page, row }: { readonly page: string; readonly row: NegotiationRow },
): Promise<void> {
  const got = await get(session, page, { accept: row.accept });
  checkRow(session, got, { row, status: "200" });
  await headLikeGet(session, { got, row });
  const tag = got.answer.headers.get("etag");
  if (tag === null) {
    report(session, got, { check: "not_modified", message: "a page has no entity tag" });
    return;
  }
  const again = await get(session, page, { accept: row.accept, "if-none-match": tag });
  const want = { status: "304", vary: VARY, headers: { etag: tag } };
  for (
    const { message } of notModifiedFaults(again, { get: got, varying: new Set(["etag", "vary"]) })
  ) {
    report(session, again, { check: "not_modified", message });
  }
  for (const fault of faultsIn(session, again, want)) {
    report(session, again, {
      check: "not_modified",
      message: `${wantedText(row)}, with the entity tag: ${fault.replaceAll(tag, "the tag")}`,
    });
  }
}

async function missingPage(
  session: Session,
  { path, row }: { readonly path: string; readonly row: NegotiationRow },
): Promise<void> {
  const got = await get(session, path, { accept: row.accept });
  checkRow(session, got, { row, status: "404" });
  await headLikeGet(session, { got, row });
}

async function headLikeGet(
  session: Session,
  { got, row }: { readonly got: Exchange; readonly row: NegotiationRow },
): Promise<void> {
  const head = await session.send({ ...got.call, method: "HEAD" }, {
    title: `HEAD like GET, Accept: ${row.accept}`,
  });
  for (const { check, message } of headFaults(head, { get: got, varying: new Set() })) {
    report(session, head, { check, message: `${wantedText(row)}: ${message}` });
  }
}

/** The entity tag of one representation must not match another (RFC 9110 §8.8.3). */
async function separateTags(session: Session, page: string): Promise<void> {
  const html = await get(session, page, { accept: TYPES.html });
  const tag = html.answer.headers.get("etag");
  if (tag === null) return;
  const other = await get(session, page, { accept: TYPES.markdown, "if-none-match": tag });
  for (const fault of faultsIn(session, other, MARKDOWN)) {
    report(session, other, {
      check: "not_modified",
      message: `markdown with the entity tag of HTML: ${fault}`,
    });
  }
}

/** The `.md` URL of a page is its markdown, whatever Accept says. */
async function sibling(session: Session, page: string): Promise<void> {
  const negotiated = await get(session, page, { accept: TYPES.markdown });
  const named = negotiated.answer.headers.get("content-location");
  const paths = new Set([page === "/" ? "/index.md" : `${page}.md`, ...(named ? [named] : [])]);
  for (const path of paths) {
    for (const accept of session.live ? INDIFFERENT.slice(0, 1) : INDIFFERENT) {
      const got = await get(session, path, { accept });
      const faults = faultsIn(session, got, MARKDOWN);
      if (faults.length === 0 && got.answer.text !== negotiated.answer.text) {
        faults.push("is not the negotiated markdown");
      }
      for (const fault of faults) {
        report(session, got, { check: "sibling", message: `the markdown URL: ${fault}` });
      }
    }
  }
}

/** An answer has the media type that its row names, and its body is in that format. */
function checkRow(
  session: Session,
  got: Exchange,
  { row, status }: { readonly row: NegotiationRow; readonly status: string },
): void {
  const faults = faultsIn(session, got, { status, type: [TYPES[row.want]], vary: VARY });
  if (faults.length === 0) {
    const { answer } = got;
    // The parameter is required (RFC 7763 §2).
    const hasCharset = /;\s*charset=/i.test(answer.headers.get("content-type") ?? "");
    if (row.want === "markdown" && !hasCharset) faults.push(`${TYPES.markdown} has no charset`);
    if (answer.text.trimStart().startsWith("<") !== (row.want === "html")) {
      faults.push(`the body is not ${TYPES[row.want]}`);
    }
  }
  for (const fault of faults) {
    report(session, got, { check: "negotiation", message: `${wantedText(row)}: ${fault}` });
  }
}

function wantedText({ want }: NegotiationRow): string {
  return `asked for ${want}`;
}

function faultsIn({ contract }: Session, { answer }: Exchange, want: Want): string[] {
  return faultsOf(answer, { want, profile: contract.profile });
}

function report(
  session: Session,
  exchange: Exchange,
  { check, message }: { readonly check: string; readonly message: string },
): void {
  // One place for all pages, so that a fault of all pages is one finding.
  session.report({ check, where: "pages", message, exchange });
}

function get(
  session: Session,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Exchange> {
  return session.send({ method: "GET", path, headers: Object.entries(headers) }, {
    title: `a page, ${Object.entries(headers).map((pair) => pair.join(": ")).join(", ")}`,
  });
}
