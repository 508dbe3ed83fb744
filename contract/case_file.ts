/**
 * @module Files of cases: requests as data, each with the exact outcome that is expected. Reads and
 * validates them. Sends nothing.
 *
 * A file has `tier: cases` (what else is in the folder is for other tiers), `about` (a sentence),
 * `cases` (rows by category), and where its rows are changes to the valid body of one operation,
 * `operation` (its id). The columns of a row, which is one line:
 *
 * | column | |
 * | --- | --- |
 * | `title` | what is tried; may be left out beside `send`, which then is the title |
 * | `want` | status and error code: `200`, `400 invalid_lead` |
 * | `at` | JSON Pointers that the error's details must name, all and no other; `""` is the body |
 * | `type` | media type of the answer |
 * | `gives` | headers of the answer, with their exact values |
 * | `send` | `PUT,PATCH /a /b`: each method on each path, without body; else the operation's own |
 * | `headers` | headers of the request; null leaves out the one that would be sent |
 * | `set`, `remove` | members changed in, and left out of, the operation's valid body |
 * | `json` | another body, as a value |
 * | `text` | another body, as text, JSON or not |
 * | `hex` | another body, as bytes |
 * | `size` | the body is filled up with spaces to so many bytes |
 * | `as` | the body is sent in this encoding: `gzip`, `utf-16le`, `utf-16be`, `latin1` |
 * | `live` | the row is one of the few that are sent to a service in production |
 *
 * Strings in `set`, `json`, `text` and `headers` may be made: `{repeat: x, times: 121}` (a `{i}` in
 * it counts from 0), `{join: [a, b]}`. In a `text`, `{body}` is the operation's valid body and
 * `{members}` is that without its braces. `{n}` is a number that is used once.
 *
 * In place of `cases` a file may have `negotiation`: see `tiers/negotiation.ts`.
 */

import { z } from "zod";
import { parseYaml } from "./yaml_file.ts";

/** A text, or how to make it. */
export type Text =
  | string
  | { readonly repeat: Text; readonly times: number }
  | { readonly join: readonly Text[] };

const Text: z.ZodType<Text> = z.lazy(() =>
  z.union([
    z.string(),
    z.strictObject({ repeat: Text, times: z.int().min(0) }),
    z.strictObject({ join: z.array(Text) }),
  ])
);

const Pointer = z.string().regex(/^(?:\/|$)/, "is not a JSON Pointer");

const Row = z.strictObject({
  title: z.string().min(1).optional(),
  want: z.union([z.int(), z.string()]).transform(String).pipe(
    z.string().regex(/^\d{3}(?: \w+)?$/, "is not a status and an error code"),
  ),
  at: z.union([Pointer.transform((pointer) => [pointer]), z.array(Pointer).min(1)]).optional(),
  type: z.string().optional(),
  gives: z.record(z.string(), z.string()).optional(),
  send: z.string().regex(/^\S+(?: \/\S*)+$/, "is not METHOD,… /path …").optional(),
  headers: z.record(z.string(), Text.nullable()).optional(),
  set: z.record(z.string(), z.unknown()).optional(),
  remove: z.array(z.string()).optional(),
  json: z.unknown().optional(),
  text: Text.optional(),
  hex: z.string().regex(/^(?:[0-9a-f]{2} ?)+$/i, "is not bytes in hexadecimal").optional(),
  size: z.int().optional(),
  as: z.enum(["gzip", "utf-16le", "utf-16be", "latin1"]).optional(),
  live: z.literal(true).optional(),
}).refine(({ title, send }) => title !== undefined || send !== undefined, "has no title")
  .refine(
    (row) => BODIES.filter((column) => column in row).length <= 1,
    "has more than one body",
  );

const BODIES = ["json", "text", "hex"] as const;

export type Row = z.infer<typeof Row>;

/** What a file says that is for this reader; others of the folder are for others. */
const TIER = "cases";

const NegotiationRow = z.strictObject({
  accept: z.string(),
  want: z.enum(["html", "markdown"]),
  live: z.literal(true).optional(),
});

/** One Accept field and the representation that it asks for. */
export type NegotiationRow = z.infer<typeof NegotiationRow>;

const CaseFile = z.strictObject({
  tier: z.literal(TIER),
  about: z.string().min(1),
  operation: z.string().optional(),
  cases: z.record(z.string(), z.array(Row).min(1)).optional(),
  negotiation: z.strictObject({
    /** Paths that no page has. */
    missing: z.array(z.string()),
    rows: z.array(NegotiationRow).min(1),
  }).optional(),
}).refine(
  ({ cases, negotiation }) => (cases === undefined) !== (negotiation === undefined),
  "has either `cases` or `negotiation`",
).superRefine(({ cases = {} }, context) => {
  // Rows are known by their titles: no two of a file have the same.
  const seen = new Set<string>();
  for (const [category, rows] of Object.entries(cases)) {
    for (const [index, row] of rows.entries()) {
      const title = titleOf(row);
      const message = `another row is called ${title}`;
      if (seen.has(title)) {
        context.addIssue({ code: "custom", path: ["cases", category, index], message });
      }
      seen.add(title);
    }
  }
});

export type CaseFile = z.infer<typeof CaseFile> & { readonly name: string };

/**
 * Reads every file in a folder that has `tier: cases`, by name.
 * @throws {CannotRun} naming file and line of everything that is wrong with the first wrong file
 */
export async function readCases(folder: URL): Promise<CaseFile[]> {
  const files: CaseFile[] = [];
  for await (const { name } of Deno.readDir(folder)) {
    if (!name.endsWith(".yaml")) continue;
    const text = await Deno.readTextFile(new URL(name, folder));
    if (IS_OURS.test(text)) files.push(parseCaseFile(name, text));
  }
  return files.sort((one, other) => one.name < other.name ? -1 : 1);
}

const IS_OURS = new RegExp(`^tier: *${TIER}$`, "m");

/** Reads one file. @throws {CannotRun} naming file and line of everything that is wrong */
export function parseCaseFile(name: string, text: string): CaseFile {
  return { ...parseYaml(text, { name, schema: CaseFile }), name };
}

export function titleOf({ title, send }: Row): string {
  return title ?? send ?? "";
}
