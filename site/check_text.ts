/**
 * @module Checks the text of a page: title, description, headings, days, control characters, and HTML, which
 * the renderer escapes.
 */

import { isDay } from "./front_matter.ts";
import { documentTitle } from "./head.ts";
import { lineOf, withoutCode } from "./links.ts";
import type { RenderedMarkdown } from "./markdown.ts";
import type { Page, PageText } from "./page.ts";
import type { SourceProblem } from "./source_problem.ts";
import type { SiteFacts } from "./placeholders.ts";

/** Search engines and graders want a meaningful description, and truncate long texts. */
const LONGEST_TITLE = 70;
const DESCRIPTION_LENGTH = { min: 50, max: 200 };

const HEADING = /^ {0,3}#{1,6}(?=[ \t])|^\S.*(?=\n(?:=+|-{2,})[ \t]*$)/gm;
/** An opening tag or a comment; not `<https://…>`. */
const RAW_HTML = /(?<!\\)<(?:!--|[a-z][a-z0-9-]*(?=[\s/>])(?=[^<]*>))/gi;

/** Neither HTML nor XML, and so no feed, may have them (XML 1.0 §2.2). */
const FORBIDDEN = /[^\P{Cc}\t\n]|\p{Noncharacter_Code_Point}/gu;
/** What seems to be an entry of the feed. */
const DATED = /^## +(\d[\d.\/-]*): /gm;

export type CheckedPage = Page & PageText & RenderedMarkdown;

export function problemsOfText(
  page: CheckedPage,
  { siteName }: Pick<SiteFacts, "siteName">,
): SourceProblem[] {
  const { title, description, body, lines, memberLines, headings } = page;
  const problems: SourceProblem[] = [];
  const most = LONGEST_TITLE - documentTitle(title, siteName).length + title.length;
  if (title.length > most) {
    const state = `\`title\` must have at most ${most} characters: it has ${title.length}`;
    problems.push({ line: memberLines["title"]!, state });
  }
  const { min, max } = DESCRIPTION_LENGTH;
  const { length } = description;
  if (length < min || length > max) {
    const state = `\`description\` must have ${min} to ${max} characters: it has ${length}`;
    problems.push({ line: memberLines["description"]!, state });
  }
  if (headings.filter(({ depth }) => depth === 1).length !== 1 || !body.startsWith("# ")) {
    const state = "the text must begin with its only level-1 heading, such as `# Contact`";
    problems.push({ line: lines[0]!, state });
  }
  return [...problems, ...problemsOfLevels(page), ...problemsOfMatches(page)];
}

/** A skipped level breaks the outline that screen readers and the list of contents show. */
function problemsOfLevels(page: CheckedPage): SourceProblem[] {
  const places = headingLines(page);
  return page.headings.flatMap(({ depth }, at) => {
    const above = page.headings[at - 1]?.depth ?? depth;
    if (depth <= above + 1) return [];
    const marks = (level: number) => `\`${"#".repeat(level)}\``;
    const state = `a heading skips a level: write ${marks(above + 1)} instead of ${marks(depth)}`;
    return [{ line: places[at]!, state }];
  });
}

function problemsOfMatches({ body, lines, feedPath }: CheckedPage): SourceProblem[] {
  const prose = withoutCode(body);
  const problems = (found: readonly RegExpExecArray[], stateOf: (found: string[]) => string) =>
    found.map((one) => ({ line: lines[lineOf(body, one.index) - 1]!, state: stateOf(one) }));
  const dated = [...prose.matchAll(DATED)].filter(([, day]) => feedPath && !isDay(day));
  return [
    ...problems([...body.matchAll(FORBIDDEN)], () => "a control character: remove it"),
    ...problems(dated, ([, day]) => `for the feed, write the day as YYYY-MM-DD: it is ${day}`),
    ...problems(
      [...prose.matchAll(RAW_HTML)],
      ([tag]) => `HTML is shown as text: replace \`${tag}\` by markdown, or put code in backticks`,
    ),
  ];
}

/** The line in the source of each heading. */
export function headingLines({ body, lines, headings }: CheckedPage): number[] {
  const found = [...withoutCode(body).matchAll(HEADING)];
  return headings.map((_, at) => lines[lineOf(body, found[at]?.index ?? 0) - 1]!);
}
