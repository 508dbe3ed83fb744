/**
 * @module Reads raw rows: requests as bytes, each with its expected outcome, from `generic.yaml` (for any
 * service, by HTTP alone) and the `raw.yaml` of a folder of cases. The columns of a row:
 *
 * | column | |
 * | --- | --- |
 * | `title` | what is tested |
 * | `use` | the name of an entry in `requests` that the row extends |
 * | `line` | the request line; ` HTTP/1.1` is appended if it has no version |
 * | `host` | the Host field; null for none (default: the service's) |
 * | `head` | header lines, after those of `use` |
 * | `body` | what follows the header, without framing |
 * | `bytes` | all bytes, instead of the five columns above |
 * | `lines` | the request lines of several pipelined requests |
 * | `then` | is sent after a pause, or after the 100 if `want` begins with 100 |
 * | `half_close` | the client closes its side after sending |
 * | `want` | the expected outcome, see below |
 * | `next` | outcome of another request on the same connection (default: `200`) |
 * | `by` | what sends the last answer: `service` (default), or `platform`, the server below it |
 * | `platform` | only this platform passes the request to the service |
 * | `path` | the documented path of a target in another spelling |
 * | `gives` | exact headers of the last answer |
 * | `lacks` | a header that the last answer must not have |
 * | `seconds` | `[from, to]`: when the last answer comes |
 * | `deviates` | what a standard requires instead, with its section |
 * | `rfc` | for any service: the section that requires `want`, which only says where a connection ends if it must |
 * | `so` | what a deviation from `rfc` means for clients |
 * | `should` | the outcomes that a SHOULD leaves of `want` |
 *
 * `want` lists answers, separated by commas: a status, a class (`4xx`, `xxx` is any), `usual` or
 * `unknown` (the status of the probe, and of an unknown path) and, after a space, an error code or
 * media type. At the end, `closed` (the server closes the connection), `open` (it stays open, but accepts
 * no request yet) or `http2`; by default the connection accepts another request. `|` separates
 * alternatives.
 *
 * Answers must not contain `zz81`, which rows send.
 *
 * `<body>` is the valid body of the file's operation, or in `generic.yaml` a complete request; `<size>` and
 * `<hex>` are its length. `<probe>`, `<unknown>` and `<base>` are paths, `<host>` and `<origin>` the service's.
 * `<x*9>` is `x` nine times, where `#` counts from 0. Characters up to U+00FF are bytes.
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
  lacks: z.string().optional(),
  seconds: z.tuple([z.number(), z.number()]).optional(),
  deviates: z.string().min(20).optional(),
  rfc: z.string().startsWith("RFC ").optional(),
  so: z.string().min(20).optional(),
  should: Wants.optional(),
}).refine(
  ({ use, line, bytes, lines }) =>
    (bytes === undefined ? 0 : 1) + (lines === undefined ? 0 : 1) +
        (use === undefined && line === undefined ? 0 : 1) === 1,
  "needs one of `use` or `line`, `bytes`, `lines`",
).refine(({ rfc, so }) => (rfc === undefined) === (so === undefined), "needs `rfc` and `so`");

export type RawRow = z.infer<typeof RawRow>;

const RawFile = z.strictObject({
  about: z.string(),
  /** The path of a GET that works, if the document does not tell. */
  probe: z.string().startsWith("/").optional(),
  /** The operation whose valid body is `<body>`; without one, `<body>` is a request. */
  operation: z.string().optional(),
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

interface WantedAnswer {
  /** A number, a class or a name. */
  readonly status: string;
  /** An error code, or a media type. */
  readonly word: string | undefined;
}

/** The state of the connection at the end; `good`: it accepts another request (default). */
export type Ending = keyof typeof ENDS;

/** One possible outcome of a row. */
export interface Want {
  readonly answers: readonly WantedAnswer[];
  readonly ending: Ending;
}

const STATUS = /^([1-5]\d\d|[1-5x]xx|usual|unknown)(?: (\S+))?$/;

/** Parses `want` into its alternatives. */
function readWant(text: string, wrong: (message: string) => void): Want[] {
  return text.split("|").map((outcome) => {
    const items = outcome.split(",").map((item) => item.trim());
    const last = items.at(-1) ?? "";
    const isEnding = last === "closed" || last === "open" || last === "http2";
    const answers = (isEnding ? items.slice(0, -1) : items).map((item) => {
      const [, status, word] = STATUS.exec(item) ?? [];
      if (status === undefined) wrong(`${JSON.stringify(item)} is not a valid outcome`);
      return { status: status ?? "", word };
    });
    return { answers, ending: isEnding ? last : "good" };
  });
}

/** Outcomes in words, without those without an answer if there are others. */
export function wantText(wants: readonly Want[]): string {
  const answered = wants.filter(({ answers }) => answers.length > 0);
  return (answered.length > 0 ? answered : wants).map(({ answers, ending }) =>
    outcomeText(
      answers.map(({ status, word }) =>
        `${status === "xxx" ? "one answer" : status} ${word ?? ""}`.trim()
      ),
      ending,
    )
  ).join(" or ");
}

const ENDS = {
  good: [],
  closed: ["a closed connection"],
  open: ["an open connection"],
  http2: ["HTTP/2"],
} as const;

export function outcomeText(answers: readonly string[], ending: Ending): string {
  return [...answers, ...ENDS[ending]].join(", then ") || "no answer";
}

/** Reads a file of rows. @throws {CannotRun} naming the line of each issue */
export function parseRawFile(text: string, name = "raw.yaml"): RawFile {
  return parseYaml(text, { name, schema: RawFile });
}
