/**
 * @module The front matter of a page, between the `---` lines: YAML 1.2, checked member by member.
 *
 * The core schema, since `title: true` is no text to any reader of YAML, while `no` and a day are text.
 * Only scalars are taken, straight from the parsed nodes: an alias is never followed, so that none can
 * multiply. Fills no placeholders.
 */

import type { Document } from "yaml";
import { lazy } from "../schemas/lazy.ts";
import { PageFault, type SourceFault } from "./page_fault.ts";

/** The ways in which a page can be laid out; a page that names none has the first. */
export const LAYOUTS = ["text", "docs", "landing"] as const;

/** How a page is laid out: `docs` has its table of contents beside it, `landing` presents. */
export type Layout = typeof LAYOUTS[number];

/** What a page says about itself. */
export interface FrontMatter {
  readonly title: string;
  readonly description: string;
  /** The day of the last change that matters to readers, `YYYY-MM-DD`. */
  readonly updated: string;
  /** The place in the navigation, smallest first; without it the page is not in it. */
  readonly nav: number | undefined;
  /** The place in the footer, smallest first; without it the page is not in it. */
  readonly footer: number | undefined;
  /** The short name for menus; without it they show the title. */
  readonly label: string | undefined;
  readonly layout: Layout;
}

/** A source taken apart. */
export interface SplitSource {
  readonly frontMatter: FrontMatter;
  /** The line of each member that is there, counted from 1. */
  readonly lines: Readonly<Record<string, number>>;
  readonly body: string;
  /** The body's first line in the file, counted from 1. */
  readonly bodyLine: number;
}

/** What a member has to be. */
interface Rule {
  readonly holds: (value: unknown) => boolean;
  readonly must: string;
}

const LINE: Rule = {
  holds: (value) => typeof value === "string" && /^[^\r\n]*\S[^\r\n]*$/.test(value),
  must: "be one line of text, in quotes where YAML reads it as something else",
};
const PLACE: Rule = {
  holds: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 10_000,
  must: "be a whole number from 0 to 9999",
};
const RULES: Readonly<Record<keyof FrontMatter, Rule>> = {
  title: LINE,
  description: LINE,
  updated: { holds: isDay, must: "be a day in the form YYYY-MM-DD" },
  nav: PLACE,
  footer: PLACE,
  label: LINE,
  layout: {
    holds: (value) => LAYOUTS.some((known) => known === value),
    must: `be one of ${LAYOUTS.join(", ")}`,
  },
};
const REQUIRED = ["title", "description", "updated"] as const;

const yaml = lazy(() => import("yaml"));

/**
 * Takes a source apart into front matter and body.
 *
 * @param file the source's name, for messages
 * @throws {PageFault} naming every fault of the front matter with its line
 */
export async function splitFrontMatter(source: string, file: string): Promise<SplitSource> {
  const text = source.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const [, block, body = ""] = /^---\n([\s\S]*?\n)---(?:\n([\s\S]*))?$/.exec(text) ?? [];
  if (block === undefined) {
    throw new PageFault(file, {
      line: 1,
      state: "front matter between two `---` lines is missing",
    });
  }
  const closing = block.split("\n").length + 1;
  const { values, lines, faults } = await readMembers(block);
  const lacking = REQUIRED.filter((name) => !(name in lines))
    .map((name) => ({ line: closing, state: `front matter lacks \`${name}\`` }));
  if (faults.length > 0) throw new PageFault(file, ...faults);
  if (lacking.length > 0) throw new PageFault(file, ...lacking);
  const blank = /^\n*/.exec(body)?.[0].length ?? 0;
  return {
    frontMatter: {
      nav: undefined,
      footer: undefined,
      label: undefined,
      layout: LAYOUTS[0],
      ...values,
    } as FrontMatter, // each member has kept its rule
    lines,
    body: body.slice(blank),
    bodyLine: closing + 1 + blank,
  };
}

interface Members {
  readonly values: Readonly<Record<string, unknown>>;
  readonly lines: Readonly<Record<string, number>>;
  readonly faults: readonly SourceFault[];
}

async function readMembers(block: string): Promise<Members> {
  const { isMap, isScalar, LineCounter, parseDocument } = await yaml();
  const counter = new LineCounter();
  const document: Document = parseDocument(block, {
    version: "1.2",
    schema: "core",
    lineCounter: counter,
    prettyErrors: false,
  });
  const lineAt = (offset = 0) => counter.linePos(offset).line + 1; // below the opening `---`
  const members = isMap(document.contents)
    ? document.contents.items.map(({ key, value }) => ({
      name: isScalar(key) ? String(key.value) : "",
      line: lineAt(isScalar(key) ? key.range?.[0] : undefined),
      value: isScalar(value) ? value.value : undefined,
    }))
    : [];
  const faults = [...document.errors, ...document.warnings].map(({ pos: [at], message }) => ({
    // The end of an open quotation mark is far below the member to be corrected.
    line: members.findLast(({ line }) => line <= lineAt(at))?.line ?? lineAt(at),
    state: `front matter: ${message}`,
  }));
  if (faults.length === 0 && !isMap(document.contents)) {
    faults.push({ line: 2, state: "front matter is not in the form `name: value`" });
  }
  const values: Record<string, unknown> = {};
  const lines: Record<string, number> = {};
  for (const { name, line, value } of faults.length === 0 ? members : []) {
    if (!isMember(name)) {
      const known = Object.keys(RULES).join(", ");
      faults.push({ line, state: `front matter holds a member other than ${known}` });
      continue;
    }
    values[name] = value;
    lines[name] = line;
    const { holds, must } = RULES[name];
    if (!holds(value)) faults.push({ line, state: `\`${name}\` must ${must}` });
  }
  return { values, lines, faults };
}

function isMember(name: string): name is keyof FrontMatter {
  return Object.hasOwn(RULES, name);
}

function isDay(value: unknown): boolean {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const day = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
}
