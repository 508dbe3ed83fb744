/**
 * @module Parses and validates the front matter of a page: YAML 1.2 between `---` lines.
 *
 * Uses the core schema, in which `no` and dates are strings. Aliases are refused, which rules out
 * alias bombs.
 */

import { CORE_SCHEMA, load, realMapTag, YAMLException } from "js-yaml";
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
export function splitFrontMatter(source: string, file: string, twin?: string): SplitSource {
  const text = source.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const [, block, body = ""] = /^---\n([\s\S]*?\n)---(?:\n([\s\S]*))?$/.exec(text) ?? [];
  if (block === undefined) {
    const state = "the file must begin with front matter between two `---` lines";
    throw new PageError(file, [{ line: 1, state }]);
  }
  const members = readMembers(block, file);
  const closing = block.split("\n").length + 1;
  const has = (name: string) => members.some((member) => member.name === name);
  const lacking = REQUIRED.filter((name) => !has(name) && !(name === "updated" && has("date")))
    .map((name) => ({ name, line: closing, state: `front matter needs a line \`${name}: …\`` }));
  const invalid = members.flatMap(problemsOf);
  const problems = [...invalid, ...lacking];
  const standIn = problems.length === 0 ? {} : frontMatterOf(twin, file);
  if (standIn === undefined) throw new PageError(file, problems);
  const wanted = Object.entries(standIn)
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

/** Undefined if the source has problems of its own. */
function frontMatterOf(source: string | undefined, file: string): FrontMatter | undefined {
  try {
    return source === undefined ? undefined : splitFrontMatter(source, file).frontMatter;
  } catch {
    return undefined;
  }
}

/** Below the opening `---`. */
const FIRST_LINE = 2;
const SCHEMA = CORE_SCHEMA.withTags(realMapTag);

interface Member {
  readonly name: string;
  readonly line: number;
  readonly value: unknown;
}

/** @throws {PageError} if it is not a mapping in YAML */
function readMembers(block: string, file: string): Member[] {
  const lines = block.split("\n");
  try {
    const read = load(block, { schema: SCHEMA, maxAliases: 0 });
    if (read instanceof Map) {
      return [...read].map(([key, value]) => {
        const name = typeof key === "string" ? key : "";
        // What continues a value is indented.
        const begin = RegExp(`^["']?${RegExp.escape(name)}["']?\\s*:`);
        const at = lines.findIndex((line) => begin.test(line));
        return { name, value, line: Math.max(at, 0) + FIRST_LINE };
      });
    }
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { reason, mark } = error;
    const isOpen = reason === "deficient indentation"; // found on the next line
    const plain = (isOpen ? "a quote or bracket is not closed" : reason)
      .replace(/^bad indentation of .*/, "this text must be in quotes")
      .replace(/^aliases .*/, "aliases such as *name are not read");
    const line = (mark?.line ?? 0) + FIRST_LINE - (isOpen ? 1 : 0);
    throw new PageError(file, [{ line, state: `front matter: ${plain}` }]);
  }
  const state = "front matter must have lines of the form `name: value`";
  throw new PageError(file, [{ line: FIRST_LINE, state }]);
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
