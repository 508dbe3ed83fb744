/** @module Reads case files: requests as data, each with its exact expected outcome; see the README. */

import { z } from "zod";
import { parseYaml } from "../lib/yaml_file.ts";

const Pointer = z.string().regex(/^(?:\/|$)/, "is not a JSON Pointer");

const Row = z.strictObject({
  title: z.string().min(1).optional(),
  want: z.union([z.int(), z.string()]).transform(String).pipe(
    z.string().regex(/^\d{3}(?: \w+)?$/, "is not a status and an error code"),
  ),
  at: z.union([Pointer.transform((pointer) => [pointer]), z.array(Pointer).min(1)]).optional(),
  type: z.string().optional(),
  gives: z.record(z.string(), z.string()).optional(),
  send: z.string().regex(/^\S+(?: \/(?:\{[^}]*\}|\S)*)+$/, "is not METHOD,… /path …").optional(),
  headers: z.record(z.string(), z.string().nullable()).optional(),
  set: z.record(z.string(), z.unknown()).optional(),
  remove: z.array(z.string()).optional(),
  json: z.unknown().optional(),
  text: z.string().optional(),
  hex: z.string().regex(/^(?:[0-9a-f]{2} ?)+$/i, "is not bytes in hexadecimal").optional(),
  size: z.int().optional(),
  as: z.enum(["gzip", "utf-16le", "utf-16be", "latin1"]).optional(),
  live: z.literal(true).optional(),
}).refine(({ title, send }) => title !== undefined || send !== undefined, "has no title")
  .refine(
    (row) => ["json", "text", "hex"].filter((column) => column in row).length <= 1,
    "has more than one body",
  );

export type Row = z.infer<typeof Row>;

const Negotiation = z.strictObject({
  /** Paths that no page has. */
  missing: z.array(z.string()),
  rows: z.array(z.strictObject({
    accept: z.string(),
    want: z.enum(["html", "markdown"]),
    live: z.literal(true).optional(),
  })).min(1),
});

export type Negotiation = z.infer<typeof Negotiation>;

const CaseFile = z.strictObject({
  tier: z.literal("cases"),
  about: z.string().min(1),
  operation: z.string().optional(),
  cases: z.record(z.string(), z.array(Row).min(1)).optional(),
  negotiation: Negotiation.optional(),
}).refine(
  ({ cases, negotiation }) => (cases === undefined) !== (negotiation === undefined),
  "has either `cases` or `negotiation`",
).superRefine(({ cases = {} }, context) => {
  // Reports identify rows by title.
  const seen = new Set<string>();
  for (const [category, rows] of Object.entries(cases)) {
    for (const [index, row] of rows.entries()) {
      const title = row.title ?? row.send!;
      const message = `another row is called ${title}`;
      const path = ["cases", category, index];
      if (seen.has(title)) context.addIssue({ code: "custom", path, message });
      seen.add(title);
    }
  }
});

export type CaseFile = z.infer<typeof CaseFile> & { readonly name: string };

/** By name. @throws {CannotRun} naming file and line of each issue in the first invalid file */
export async function readCases(folder: URL): Promise<CaseFile[]> {
  const files: CaseFile[] = [];
  for await (const { name } of Deno.readDir(folder)) {
    if (!name.endsWith(".yaml")) continue;
    const text = await Deno.readTextFile(new URL(name, folder));
    if (/^tier: *cases$/m.test(text)) files.push(parseCaseFile(name, text));
  }
  return files.sort((one, other) => one.name < other.name ? -1 : 1);
}

export function parseCaseFile(name: string, text: string): CaseFile {
  return { ...parseYaml(text, { name, schema: CaseFile }), name };
}
