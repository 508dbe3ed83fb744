/** @module The settings for one service: `profile.yaml` in its folder of cases. */

import { z } from "zod";
import type { ApiDocument } from "../document/document.ts";
import { readYaml } from "../lib/yaml_file.ts";
import { CannotRun } from "../lib/cannot_run.ts";

const Profile = z.strictObject({
  /** Paths of the document in JSON and, optionally, in YAML. */
  document: z.string(),
  document_yaml: z.string().optional(),
  /** Every method may be sent to it, unless it is in production. */
  unsafe: z.boolean().optional(),
  /** Advice and what was not covered count as violations. */
  strict: z.boolean().optional(),
  /** The shape of errors; without it, only the document's schemas count. */
  errors: z.strictObject({
    /** Errors below this prefix have this shape, documented or not. */
    under: z.string(),
    schema: z.string(),
    /** JSON Pointers to strings that must not be empty. */
    not_empty: z.array(z.string()),
    code: z.string(),
    codes: z.record(z.string().regex(/^\d{3}$/), z.array(z.string()).min(1)),
    /** JSON Pointer to the list of issues, and within an issue to the path of the member. */
    issues: z.string().optional(),
    issue_at: z.string().optional(),
    /** JSON Pointer to a URL whose path must exist on the service. */
    docs: z.string().optional(),
    /** The code of an unknown path below `under`. */
    unknown_path: z.string().optional(),
  }).optional(),
  /** A valid body by operation id; `{n}` in a string becomes a unique number. */
  bodies: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
  /** Values that every 200 must have, by operation id and JSON Pointer. */
  says: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  /** The limited operation, and the names of its limits in RateLimit-Policy. */
  limits: z.strictObject({
    operation: z.string(),
    /** The limit that counts valid requests. */
    accepted: z.string(),
    /** The limit that counts every request. */
    attempts: z.string(),
    /** Environment variables that put the limits out of reach of a run. */
    unlimited: z.record(z.string(), z.string()).default({}),
  }).optional(),
  /** Members of requests whose values the owner chooses: see `chosen()`. */
  choices: z.array(z.string()).default([]),
  /** Pages that negotiate between HTML and markdown. */
  pages: z.array(z.string()).default([]),
  /** Statuses that need a fault outside the service, by operation id. */
  faults: z.record(z.string(), z.array(z.string())).default({}),
});

export type Profile = z.infer<typeof Profile>;
export type ErrorRules = NonNullable<Profile["errors"]>;
export type LimitRules = NonNullable<Profile["limits"]>;

export function emptyProfile(document: string): Profile {
  return Profile.parse({ document });
}

/** Whether a document has an operation that the profile names; true if it names none. */
export function isProfileOf(
  profile: Profile,
  { operations }: Pick<ApiDocument, "operations">,
): boolean {
  const { bodies, says = {}, faults, limits } = profile;
  const names = [bodies, says, faults].flatMap(Object.keys).concat(limits?.operation ?? []);
  return names.length === 0 || operations.some(({ id }) => names.includes(id));
}

/** @throws {CannotRun} if the file is missing, or naming every invalid member */
export async function readProfile(folder: URL): Promise<Profile> {
  const file = new URL("profile.yaml", folder);
  const profile = await readYaml(file, Profile);
  if (profile !== undefined) return profile;
  throw new CannotRun(`Cannot read ${file.pathname}: every folder of cases needs a profile`);
}
