/**
 * @module What stands between the `---` lines at the head of a page, checked member by member.
 *
 * A strict subset of YAML 1.2: one `name: value` a line, the value plain or quoted. Whatever is
 * accepted means the same to every reader of YAML 1.2; what would need one (lists, anchors, text over
 * several lines) is refused. A YAML library would cost the first page some 35 ms, and it reads
 * environment variables that the service has no permission for. Fills no placeholders.
 */

import { PageFault } from "./page_fault.ts";

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

const REQUIRED = ["title", "description", "updated"] as const;
const MEMBERS: readonly string[] = [...REQUIRED, "nav", "footer", "label", "layout"];

/**
 * Takes a source apart into front matter and body.
 *
 * @param file the source's name, for messages
 * @throws {PageFault} naming the line of the first fault
 */
export function splitFrontMatter(source: string, file: string): SplitSource {
  const text = source.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const [, block, body = ""] = /^---\n([\s\S]*?\n)---(?:\n([\s\S]*))?$/.exec(text) ?? [];
  if (block === undefined) {
    throw new PageFault(file, {
      line: 1,
      state: "front matter between two `---` lines is missing",
    });
  }
  const closing = block.split("\n").length + 1;
  const members = readMembers(block, file);
  for (const name of REQUIRED) {
    if (!members.has(name)) {
      throw new PageFault(file, { line: closing, state: `front matter lacks \`${name}\`` });
    }
  }
  const blank = /^\n*/.exec(body)?.[0].length ?? 0;
  return {
    frontMatter: checked(members, file),
    lines: Object.fromEntries([...members].map(([name, { line }]) => [name, line])),
    body: body.slice(blank),
    bodyLine: closing + 1 + blank,
  };
}

interface Member {
  readonly value: string;
  /** Unquoted, so that YAML may take it for something other than text. */
  readonly plain: boolean;
  readonly line: number;
}

function readMembers(block: string, file: string): ReadonlyMap<string, Member> {
  const members = new Map<string, Member>();
  for (const [index, text] of block.split("\n").entries()) {
    if (/^\s*(?:#.*)?$/.test(text)) continue;
    const line = index + 2; // below the opening `---`
    const read = readMember(text);
    if (typeof read === "string") throw new PageFault(file, { line, state: read });
    if (members.has(read.name)) {
      throw new PageFault(file, { line, state: `front matter holds \`${read.name}\` twice` });
    }
    members.set(read.name, { ...read, line });
  }
  return members;
}

/** Reads one line, or says what is wrong with it. */
function readMember(text: string): { name: string; value: string; plain: boolean } | string {
  const [, name, written] = /^([a-z]+):[ \t]+(\S.*?)[ \t]*$/.exec(text) ?? [];
  if (name === undefined || written === undefined) {
    return "front matter is not in the form `name: value`";
  }
  if (!MEMBERS.includes(name)) {
    return `front matter holds a member other than ${MEMBERS.join(", ")}`;
  }
  const value = scalar(written);
  if (value === undefined) return `\`${name}\` has to stand in double quotes`;
  return { name, value, plain: value === written };
}

/** The text that a scalar stands for, or undefined where YAML might read it otherwise. */
function scalar(written: string): string | undefined {
  if (written.startsWith('"')) {
    try {
      return String(JSON.parse(written)); // JSON strings are YAML's double-quoted scalars
    } catch {
      return undefined;
    }
  }
  if (/^'(?:[^']|'')*'$/.test(written)) return written.slice(1, -1).replaceAll("''", "'");
  const special = /^[-?:,[\]{}#&*!|>%@`'"]|:(?:\s|$)|\s#|\t/;
  return special.test(written) ? undefined : written;
}

function checked(members: ReadonlyMap<string, Member>, file: string): FrontMatter {
  function refuse(name: string, what: string): never {
    throw new PageFault(file, {
      line: members.get(name)?.line ?? 1,
      state: `\`${name}\` ${what}`,
    });
  }
  function text(name: "title" | "description" | "label"): string {
    const { value = "", plain = false } = members.get(name) ?? {};
    if (value.trim() === "" || /[\r\n]/.test(value)) return refuse(name, "is not one line of text");
    // Unquoted, YAML reads these as a number, a truth value or nothing.
    if (plain && /^(?:[-+]?\.?\d[\w.+-]*|[-+]?\.inf|\.nan|~|null|true|false)$/i.test(value)) {
      return refuse(name, "has to stand in double quotes");
    }
    return value;
  }
  function place(name: "nav" | "footer"): number | undefined {
    const value = members.get(name)?.value;
    if (value === undefined) return undefined;
    return /^\d{1,4}$/.test(value) ? Number(value) : refuse(name, "is not a whole number");
  }
  const updated = members.get("updated")?.value ?? "";
  if (!isDay(updated)) return refuse("updated", "is not a day in the form YYYY-MM-DD");
  const named = members.get("layout")?.value ?? LAYOUTS[0];
  const layout = LAYOUTS.find((known) => known === named);
  if (layout === undefined) return refuse("layout", `is not one of ${LAYOUTS.join(", ")}`);
  return {
    title: text("title"),
    description: text("description"),
    updated,
    nav: place("nav"),
    footer: place("footer"),
    label: members.has("label") ? text("label") : undefined,
    layout,
  };
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
