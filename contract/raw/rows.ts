/**
 * @module The rows of `raw.yaml`: requests as bytes, and what has to come back. Reads and
 * validates; sends nothing.
 *
 * The columns of a row:
 *
 * | column | |
 * | --- | --- |
 * | `title` | what is tried |
 * | `use` | a request of the file's `requests` that the row begins with |
 * | `line` | the request line; without a version, ` HTTP/1.1` is put after it |
 * | `host` | the Host field; null: none. Else that of the service |
 * | `head` | header lines, after those of `use` |
 * | `body` | what comes after the header, with no framing of its own |
 * | `bytes` | all bytes, in place of the five columns before |
 * | `lines` | several requests at once, by their lines |
 * | `then` | is sent after a pause, or where `want` begins with 100, when that has come |
 * | `half_close` | the client closes its side after sending |
 * | `want` | what comes back, see below |
 * | `next` | what a request after it gets on the same connection (default: `200`) |
 * | `by` | who answers last: `service` (default), or `platform`: the server below it, by itself |
 * | `platform` | the row is about requests that only this platform lets through |
 * | `path` | the documented path of a target that is spelt otherwise |
 * | `gives` | headers of the last answer, with their exact values |
 * | `seconds` | `[from, to]`: the last answer comes so late |
 * | `deviates` | what a standard asks for instead, and why the row does not |
 *
 * `want` is a list by commas: answers by status and, after a blank, error code or media type; at
 * the end `closed` (the server closes the connection), `open` (it stays, and can take no request
 * yet) or `http2`; with none of these the connection takes another request. Alternatives are parted
 * by `|`.
 *
 * What a row sends with `zz81` in it must not come back, in no answer and in no place of it.
 *
 * In what is sent, `host` apart, `<lead>` is a valid body, `<size>` and `<hex>` its length, `<x*9>`
 * nine times `x`, in which `#` counts from 0; characters up to U+00FF are bytes.
 */

import { z } from "zod";
import { parseYaml } from "../yaml_file.ts";

const Head = z.array(z.string()).default([]);
const Request = z.strictObject({ line: z.string(), head: Head });

const Wants = z.union([z.int(), z.string()]).transform((want, context) =>
  readWant(String(want), (message) => context.addIssue({ code: "custom", message }))
);

const RawRow = z.strictObject({
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
  seconds: z.tuple([z.number(), z.number()]).optional(),
  deviates: z.string().min(20).optional(),
}).refine(
  ({ use, line, bytes, lines }) =>
    (bytes === undefined ? 0 : 1) + (lines === undefined ? 0 : 1) +
        (use === undefined && line === undefined ? 0 : 1) === 1,
  "has to have one of `use` or `line`, `bytes`, `lines`",
);

export type RawRow = z.infer<typeof RawRow>;

const RawFile = z.strictObject({
  about: z.string(),
  /** The path of a GET that works: asked on a connection that should still be good. */
  probe: z.string().startsWith("/"),
  /** The operation whose valid body `<lead>` is. */
  operation: z.string(),
  requests: z.record(z.string(), Request),
  cases: z.record(z.string(), z.array(RawRow).min(1)),
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

/** One answer that is expected. */
interface WantedAnswer {
  readonly status: number;
  /** An error code, or with a slash a media type. */
  readonly word: string | undefined;
}

/** The state of the connection at the end; `good`: it accepts another request. */
export type Ending = "good" | "closed" | "open" | "http2";

/** One way in which a row may go. */
export interface Want {
  readonly answers: readonly WantedAnswer[];
  readonly ending: Ending;
}

/** Reads `want`: every way in which it may go. */
function readWant(text: string, wrong: (message: string) => void): Want[] {
  return text.split("|").map((way) => {
    const items = way.split(",").map((item) => item.trim());
    const last = items.at(-1) ?? "";
    const isEnding = last === "closed" || last === "open" || last === "http2";
    const answers = (isEnding ? items.slice(0, -1) : items).map((item) => {
      const [, status, word] = /^([1-5]\d\d)(?: (\S+))?$/.exec(item) ?? [];
      if (status === undefined) wrong(`${JSON.stringify(item)} is not what can come back`);
      return { status: Number(status), word };
    });
    return { answers, ending: isEnding ? last : "good" };
  });
}

/** What is wanted, as it was written. */
export function wantText(wants: readonly Want[]): string {
  return wants.map(({ answers, ending }) =>
    [
      ...answers.map(({ status, word }) => word === undefined ? `${status}` : `${status} ${word}`),
      ...(ending === "good" ? [] : [ending]),
    ].join(", ")
  ).join(" or ");
}

/** Reads a file of rows. @throws {CannotRun} naming every line that is wrong */
export function parseRawFile(text: string): RawFile {
  return parseYaml(text, { name: "raw.yaml", schema: RawFile });
}
