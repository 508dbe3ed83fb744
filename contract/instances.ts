/**
 * @module How instances of the service beside the harness are set up for limits and faults: read
 * from `instances.yaml`. Without that file neither can be looked at.
 */

import { z } from "zod";
import { ProfileError } from "./profile.ts";
import { readYaml } from "./yaml_file.ts";

const Header = z.string().regex(/^[\w-]+: .*$/, "is not a header");

/** The shape of `instances.yaml`. */
const Instances = z.strictObject({
  /** The variables that set an instance up. */
  settings: z.strictObject({
    /** Allowances, written `20/600s`. */
    accepted: z.string(),
    attempts: z.string(),
    /** How many proxies are trusted, and what a number is without a proxy. */
    proxies: z.string(),
    /** The database: a URL that nobody answers at puts it out of reach, given such a token. */
    database: z.string(),
    token: z.string(),
    /** Where leads go to: URLs. */
    targets: z.string(),
    /** How long an answer waits for them, written `500ms`. */
    patience: z.string(),
  }),
  /** Headers by which a client might pass for another. */
  forged: z.array(Header),
  /** Behind one trusted proxy: X-Forwarded-For fields of one client, and of others. */
  clients: z.array(z.strictObject({
    client: z.string(),
    same: z.array(z.string()),
    other: z.array(z.string()),
  })),
  /** What a lead's answer says of its delivery, by JSON Pointer. */
  delivered: z.string(),
  /** What the answer says as well whenever a lead is taken, by JSON Pointer. */
  taken: z.record(z.string(), z.unknown()),
  /** A valid body that is stored and delivered; the member `by` tells the target what to do. */
  stored: z.strictObject({ body: z.record(z.string(), z.unknown()), by: z.string() }),
  /** The longest that a 502 may take, in seconds. */
  not_stored_within: z.number(),
  /** A file without which pages cannot be made, what then answers 500, and what does not. */
  broken: z.strictObject({
    file: z.string(),
    text: z.string(),
    fails: z.array(z.string()),
    works: z.array(z.string()),
    code: z.string(),
    /** What must not be told of it. */
    hidden: z.array(z.string()),
    /** The header by which the failure can be found in the log. */
    id: z.string(),
  }),
});

/** How instances are set up. */
export type Instances = z.infer<typeof Instances>;

/**
 * Reads the file; undefined where there is none.
 *
 * @throws {ProfileError} naming every member that is wrong
 */
export function readInstances(folder: URL): Promise<Instances | undefined> {
  const file = new URL("instances.yaml", folder);
  return readYaml(file, { schema: Instances, failure: ProfileError });
}
