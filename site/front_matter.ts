/**
 * @module Parses and validates the front matter of a page: YAML 1.2 between `---` lines.
 *
 * Uses the core schema, in which `no` and dates are strings. Reads only scalars, from the parsed
 * nodes: aliases are never resolved, which rules out alias bombs.
 */

import type { Document } from "yaml";
import { PageError, type SourceProblem } from "./source_problem.ts";

/** The first is the default; `docs` has a table of contents, `landing` a hero section. */
export const LAYOUTS = ["text", "docs", "landing"] as const;

export interface FrontMatter {
  readonly title: string;
  readonly description: string;
  /** Date of the last change that matters to readers, `YYYY-MM-DD`; defaults to `date`. */
  readonly updated: string;
  /** Date of publication, by which the index of a folder sorts its posts; defaults to `updated` there. */
  readonly date?: string;
  /** Position in the navigation, smallest first; pages without one are not in it. */
  readonly nav?: number;
  /** Position in the footer, likewise. */
  readonly footer?: number;
  /** Short name for menus; defaults to the title. */
  readonly label?: string;
  readonly layout: typeof LAYOUTS[number];
  /** `none`: check asks for no other language. */
  readonly translations?: "none";
}

export interface SplitSource {
  readonly frontMatter: FrontMatter;
  /** The line of each member, counted from 1. */
  readonly lines: Readonly<Record<string, number>>;
  readonly body: string;
  /** The body's first line in the file, counted from 1. */
  readonly bodyLine: number;
  /** Those for which the twin stands in. */
  readonly problems: readonly SourceProblem[];
}

type Rule = readonly [holds: (value: unknown) => boolean, must: string];

const LINE: Rule = [
  (value) => typeof value === "string" && /^(?=.*\S)\P{Cc}+$/u.test(value),
  "be one line of text without control characters, in quotes where YAML would read another type",
];
const PLACE: Rule = [
  (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 10_000,
  "be a whole number from 0 to 9999",
];
const DAY: Rule = [isDay, "be a day in the form YYYY-MM-DD"];
const RULES: Readonly<Record<keyof FrontMatter, Rule>> = {
  title: LINE,
  description: LINE,
  updated: DAY,
  date: DAY,
  translations: [(value) => value === "none", "be `none`, or be left out"],
  nav: PLACE,
  footer: PLACE,
  label: LINE,
  layout: [(value) => LAYOUTS.some((one) => one === value), `be one of ${LAYOUTS.join(", ")}`],
};
const REQUIRED = ["title", "description", "updated"] as const;

/**
 * @param twin the source of the same page in the default language: its members stand in for those that
 * are missing or invalid here, so that one text does not take a site down
 * @throws {PageError} naming every problem of the front matter with its line
 */
export async function splitFrontMatter(
  source: string,
  file: string,
  twin?: string,
): Promise<SplitSource> {
  const text = source.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const [, block, body = ""] = /^---\n([\s\S]*?\n)---(?:\n([\s\S]*))?$/.exec(text) ?? [];
  if (block === undefined) {
    const state = "the file must begin with front matter between two `---` lines";
    throw new PageError(file, { line: 1, state });
  }
  const members = await readMembers(block, file);
  const closing = block.split("\n").length + 1;
  const has = (name: string) => members.some((member) => member.name === name);
  const lacking = REQUIRED.filter((name) => !has(name) && !(name === "updated" && has("date")))
    .map((name) => ({ name, line: closing, state: `front matter needs a line \`${name}: …\`` }));
  const invalid = members.flatMap(problemsOf);
  const problems = [...invalid, ...lacking];
  const standIn = twin === undefined || problems.length === 0
    ? undefined
    : await splitFrontMatter(twin, file).catch(() => undefined);
  if (problems.length > 0 && standIn === undefined) throw new PageError(file, ...problems);
  const wanted = Object.entries(standIn?.frontMatter ?? {})
    .filter(([name]) => problems.some((problem) => problem.name === name));
  const valid = Object.fromEntries(
    members.filter(({ name }) => !invalid.some((problem) => problem.name === name))
      .map(({ name, value }) => [name, value]),
  );
  const blank = /^\n*/.exec(body)?.[0].length ?? 0;
  return {
    frontMatter: {
      layout: LAYOUTS[0],
      ...Object.fromEntries(wanted),
      ...("date" in valid && { updated: valid["date"] }),
      ...valid,
    } as FrontMatter, // validated by RULES
    lines: Object.fromEntries([...lacking, ...members].map(({ name, line }) => [name, line])),
    body: body.slice(blank),
    bodyLine: closing + 1 + blank,
    problems,
  };
}

interface Member {
  readonly name: string;
  readonly line: number;
  readonly value: unknown;
}

/** @throws {PageError} with the problems of the YAML */
async function readMembers(block: string, file: string): Promise<Member[]> {
  const { isMap, isScalar, LineCounter, parseDocument } = await import("yaml");
  const counter = new LineCounter();
  const { contents, errors, warnings }: Document = parseDocument(block, {
    version: "1.2",
    schema: "core",
    lineCounter: counter,
    prettyErrors: false,
  });
  const lineAt = (offset = 0) => counter.linePos(offset).line + 1; // below the opening `---`
  const members = isMap(contents)
    ? contents.items.map(({ key, value }) => ({
      name: isScalar(key) ? String(key.value) : "",
      line: lineAt(isScalar(key) ? key.range?.[0] : undefined),
      value: isScalar(value) ? value.value : undefined,
    }))
    : [];
  const problems = [...errors, ...warnings].map(({ pos: [at], message }) => ({
    // An unclosed quote is reported far below its member.
    line: members.findLast(({ line }) => line <= lineAt(at))?.line ?? lineAt(at),
    state: `front matter: ${
      message.replace(/^Nested mappings .*/, "Texts with `: ` must be in quotes")
    }`,
  }));
  if (problems.length > 0) throw new PageError(file, ...problems);
  if (isMap(contents)) return members;
  const state = "front matter must have lines of the form `name: value`";
  throw new PageError(file, { line: 2, state });
}

function problemsOf({ name, line, value }: Member): (SourceProblem & { readonly name: string })[] {
  if (!Object.hasOwn(RULES, name)) {
    const known = Object.keys(RULES).join(", ");
    return [{ name, line, state: `unknown field in front matter: it may have ${known}` }];
  }
  const [holds, must] = RULES[name as keyof FrontMatter];
  return holds(value) ? [] : [{ name, line, state: `\`${name}\` must ${must}` }];
}

/** Whether a text is a day of the calendar, `YYYY-MM-DD`. */
export function isDay(value: unknown): boolean {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const day = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
}
