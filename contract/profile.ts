/**
 * @module What is particular to one service: read from `profile.yaml` in the folder of cases. The
 * rest of the harness takes any OpenAPI 3.1 document.
 */

import { z } from "zod";
import { readYaml } from "./yaml_file.ts";
import { CannotRun } from "./cannot_run.ts";

const Statuses = z.record(z.string().regex(/^\d{3}$/), z.array(z.string()).min(1));

const Profile = z.strictObject({
  /** Where the document is, and where the same one is in YAML. */
  document: z.string(),
  document_yaml: z.string().optional(),
  /** The shape of errors; without it only the document's own schemas count. */
  errors: z.strictObject({
    /** Paths that begin with it answer errors in this shape alone, documented or not. */
    under: z.string(),
    schema: z.string(),
    /** JSON Pointers to strings that must not be empty. */
    not_empty: z.array(z.string()),
    /** JSON Pointer to the code, and the codes that each status may have. */
    code: z.string(),
    codes: Statuses,
    /** JSON Pointer to the list of what is wrong with a request, and in it to the place of each. */
    issues: z.string().optional(),
    issue_at: z.string().optional(),
    /** JSON Pointer to a URL whose path must be there on the service. */
    docs: z.string().optional(),
    /** The code of an unknown path below `under`. */
    unknown_path: z.string().optional(),
  }).optional(),
  /** A valid body by operation id; a `{n}` in a string becomes a number that is used once. */
  bodies: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
  /** What a success always says, where its schema allows more: by operation id, by JSON Pointer. */
  says: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  /** The operation that is limited, and how its limits are named in RateLimit-Policy. */
  limits: z.strictObject({
    operation: z.string(),
    /** Counts what is valid. */
    accepted: z.string(),
    /** Counts every request. */
    attempts: z.string(),
    /** The error code of a refusal. */
    code: z.string(),
  }).optional(),
  /** Pages that negotiate between HTML and markdown. */
  pages: z.array(z.string()).default([]),
  /** Statuses that only a fault outside the service can cause, by operation id. */
  faults: z.record(z.string(), z.array(z.string())).default({}),
});

export type Profile = z.infer<typeof Profile>;

/**
 * Reads the profile of a folder of cases.
 * @throws {CannotRun} without a file, or naming every member that is wrong
 */
export async function readProfile(folder: URL): Promise<Profile> {
  const file = new URL("profile.yaml", folder);
  const profile = await readYaml(file, Profile);
  if (profile !== undefined) return profile;
  throw new CannotRun(`Cannot read ${file.pathname}: every folder of cases has a profile`);
}

/** The value at a JSON Pointer (RFC 6901), or undefined. */
export function at(value: unknown, pointer: string): unknown {
  let current = value;
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof current !== "object" || current === null) return undefined;
    current = Object.hasOwn(current, name) ? (current as Record<string, unknown>)[name] : undefined;
  }
  return current;
}
