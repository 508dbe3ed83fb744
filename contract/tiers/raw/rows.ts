/** @module Raw rows (`generic.yaml` documents the columns), their bytes, and the calls to judge. */

import { z } from "zod";
import type { Call } from "../../lib/exchange.ts";

/** One possible outcome of a row: answers such as `400 invalid_lead`, or `4xx text/html`. */
export interface Want {
  readonly answers: readonly string[];
  /**
   * The state of the connection. `good`: it accepts another request (default). `any`: that is left to
   * the server (default of rows for any service).
   */
  readonly ending: "good" | "any" | "closed" | "open";
}

const STATUS = String.raw`(?:[1-5]\d\d|[1-5x]xx|usual|unknown)(?: [^\s,]+)?`;
const OUTCOME = new RegExp(
  `^(?=.)(?:${STATUS}(?:, ${STATUS})*)?(?:(?:^|, )(?:closed|open))?$`,
);

function areWants(text: string): boolean {
  return text.split(" | ").every((outcome) => OUTCOME.test(outcome));
}

/** Statuses that are not known beforehand. */
export type Names = Readonly<Record<"usual" | "unknown", string>>;

/** Parses outcomes; a connection ends as usual, unless they say how. */
function readWants(text: string, usual: Want["ending"], names: Names): Want[] {
  return text.split(" | ").map((outcome) => {
    const answers = outcome.split(", ").map((answer) =>
      answer.replace(/^(?:usual|unknown)/, (name) => names[name as keyof Names])
    );
    const last = answers.at(-1);
    const isEnding = last === "closed" || last === "open";
    return isEnding ? { answers: answers.slice(0, -1), ending: last } : { answers, ending: usual };
  });
}

const Head = z.array(z.string()).default([]);
const Request = z.strictObject({ line: z.string(), head: Head });

const Wants = z.union([z.int(), z.string()]).transform(String)
  .refine(areWants, "is not a valid outcome");

const Row = z.strictObject({
  title: z.string().min(1),
  use: z.string().optional(),
  line: z.string().optional(),
  host: z.string().nullable().optional(),
  head: Head,
  body: z.string().default(""),
  bytes: z.string().optional(),
  lines: z.array(z.string()).min(2).optional(),
  then: z.string().optional(),
  half_close: z.literal(true).optional(),
  want: Wants,
  next: Wants.prefault("200"),
  by: z.enum(["service", "platform"]).default("service"),
  platform: z.enum(["deno"]).optional(),
  path: z.string().startsWith("/").optional(),
  gives: z.record(z.string(), z.string()).default({}),
  lacks: z.string().optional(),
  seconds: z.tuple([z.number(), z.number()]).optional(),
  deviates: z.string().min(20).optional(),
  rfc: z.string().startsWith("RFC ").optional(),
  so: z.string().min(20).optional(),
  should: Wants.optional(),
}).refine(
  ({ use = undefined, line = use, bytes, lines }) =>
    [line, bytes, lines].filter((one) => one !== undefined).length === 1,
  "needs one of `use` or `line`, `bytes`, `lines`",
).refine(({ rfc, so }) => (rfc === undefined) === (so === undefined), "needs `rfc` and `so`");

export interface RawRow
  extends Omit<z.infer<typeof Row>, "use" | "line" | "lines" | "want" | "should" | "next"> {
  readonly lines: readonly string[];
  /** The operation whose valid body is `<body>`. */
  readonly operation: string | undefined;
  readonly want: readonly Want[];
  readonly should: readonly Want[];
  readonly next: readonly Want[];
}

export const RawFile = z.strictObject({
  about: z.string(),
  /** The path of a GET that works, if the document does not tell. */
  probe: z.string().startsWith("/").optional(),
  /** The operation whose valid body is `<body>`; without one, `<body>` is a request. */
  operation: z.string().optional(),
  requests: z.record(z.string(), Request),
  cases: z.record(z.string(), z.array(Row).min(1)),
}).superRefine(({ requests, cases }, context) => {
  const titles = new Set<string>();
  for (const [category, rows] of Object.entries(cases)) {
    for (const [index, { title, use }] of rows.entries()) {
      const wrong = (message: string) =>
        context.addIssue({ code: "custom", path: ["cases", category, index], message });
      if (use !== undefined && !Object.hasOwn(requests, use)) wrong(`there is no request ${use}`);
      if (titles.has(title)) wrong(`another row is called ${title}`);
      titles.add(title);
    }
  }
});

export type RawFile = z.infer<typeof RawFile>;

export function rowsOf({ operation, requests, cases }: RawFile, names: Names): RawRow[] {
  return Object.values(cases).flat().map((row): RawRow => {
    const { line = row.line, head = [] } = requests[row.use ?? ""] ?? {};
    const lines = row.lines ?? (line === undefined ? [] : [line]);
    const usual = row.rfc === undefined ? "good" : "any";
    return {
      ...row,
      ...{ operation, lines, head: [...head, ...row.head] },
      want: readWants(row.want, usual, names),
      should: readWants(row.should ?? row.want, usual, names),
      next: readWants(row.next, "good", names),
    };
  });
}

export interface Message {
  /** The bytes, and those that are sent later. */
  readonly parts: readonly Uint8Array<ArrayBuffer>[];
  /** The requests in order, as far as they can be parsed: a target may be no path. */
  readonly calls: readonly Call[];
  /** The bytes as a text of JSON, parts one after another. */
  readonly text: string;
}

/** What placeholders mean: `host`, `body` and others. `size` and `hex` follow from `body`. */
export type Words = Readonly<Record<"host" | "body", string>> & Readonly<Record<string, string>>;

export function messageOf(row: RawRow, words: Words): Message {
  const size = words.body.length;
  const all: Words = { ...words, size: String(size), hex: size.toString(16) };
  const fill = (text: string) => text.replace(/<(\w+)>/g, (same, name) => all[name] ?? same);
  const { host = words.host } = row;
  const body = fill(row.body);
  const fields = row.head.map(fill);
  const lines = row.lines.map(fill);
  function request(first: string): string {
    const start = / HTTP\/\S*$/.test(first) ? first : `${first} HTTP/1.1`;
    const head = [start, ...(host === null ? [] : [`Host: ${host}`]), ...fields];
    return `${head.join("\r\n")}\r\n\r\n${body}`;
  }
  const headers = fields.map(repeated).join("\r\n").matchAll(/^([^:\r\n]+):[\t ]*(.*)$/gm)
    .map(([, name, value]) => [name!, value!] as const).toArray();
  function callOf(start: string): Call {
    const [method = "", target = ""] = repeated(start).split(" ");
    const named = target.startsWith("/") ? target : URL.parse(target)?.pathname ?? target;
    const sent = body === "" ? {} : { body: latin1(body) };
    return { method, path: row.path ?? named, headers, ...sent };
  }
  const text = row.bytes === undefined ? lines.map(request).join("") : fill(row.bytes);
  const starts = row.bytes === undefined ? lines : repeated(text).split(/\r?\n/, 1);
  const parts = [text, ...row.then === undefined ? [] : [fill(row.then)]];
  return {
    parts: parts.map(latin1),
    calls: starts.map(callOf),
    text: parts.map((part) => JSON.stringify(part)).join(", then "),
  };
}

export function getMessage(path: string, host: string): Uint8Array<ArrayBuffer> {
  return latin1(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
}

const REPEATED = /<([^<>]+)\*(\d+)>/g;

/** The text with its repeated units; `#` counts from 0. */
export function repeated(text: string): string {
  return text.replace(REPEATED, (_all, unit: string, times: string) => {
    const units = Array.from({ length: Number(times) }, (_, n) => unit.replaceAll("#", String(n)));
    return units.join("");
  });
}

/** The bytes of a text with repetitions; characters up to U+00FF are bytes. */
function latin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(repeated(text), (character) => character.charCodeAt(0));
}
