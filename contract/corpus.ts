/**
 * @module Stores counterexamples as files: the shrunk requests that showed a fault, with their
 * expectations. Rule and digest of the requests name a file, so that a fault has one file.
 */

import { z } from "zod";
import { readYaml } from "./yaml_file.ts";
import type { Call } from "./exchange.ts";
import type { Want } from "./expectation.ts";
import { CannotRun, writeText } from "./cannot_run.ts";

/** A request and its expected answer, in addition to the rules of the oracle. */
export interface Step {
  readonly call: Call;
  readonly want: Want;
}

export interface Counterexample {
  readonly check: string;
  readonly where: string;
  readonly message: string;
  readonly seed: number;
  readonly steps: readonly Step[];
}

const Want = z.strictObject({
  status: z.string().regex(/^\d(?:\d\d|XX)(?:\|\d(?:\d\d|XX))*$/),
  code: z.string(),
  at: z.array(z.string()),
  type: z.array(z.string()),
  vary: z.array(z.string()),
  headers: z.record(z.string(), z.string()),
}).partial();

const Stored = z.strictObject({
  check: z.string().min(1),
  where: z.string(),
  message: z.string(),
  seed: z.int(),
  steps: z.array(z.strictObject({
    method: z.string().min(1),
    path: z.string().startsWith("/"),
    headers: z.array(z.tuple([z.string(), z.string()])).optional(),
    /** Text; `base64` has any other bytes. */
    body: z.string().optional(),
    base64: z.base64().optional(),
    want: Want,
  })).min(1),
});

/** Reads a counterexample. @throws {CannotRun} if the file is missing or malformed */
export async function readCounterexample(file: URL): Promise<Counterexample> {
  const stored = await readYaml(file, Stored); // JSON is YAML
  if (stored === undefined) throw new CannotRun(`Cannot read ${decodeURIComponent(file.pathname)}`);
  const { steps, ...rest } = stored;
  return {
    ...rest,
    steps: steps.map(({ method, path, headers, body, base64, want }) => ({
      call: {
        method,
        path,
        ...(headers === undefined ? {} : { headers }),
        ...(base64 === undefined ? {} : { body: Uint8Array.fromBase64(base64) }),
        ...(body === undefined ? {} : { body }),
      },
      want,
    })),
  };
}

/** The files of a corpus, sorted by name; empty if the folder does not exist. */
export async function corpusFiles(folder: URL): Promise<URL[]> {
  const names: string[] = [];
  try {
    for await (const { name } of Deno.readDir(folder)) {
      if (name.endsWith(".json")) names.push(name);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return names.sort().map((name) => new URL(encodeURIComponent(name), folder));
}

export async function saveCounterexample(folder: URL, example: Counterexample): Promise<URL> {
  const steps = example.steps.map(({ call: { body, ...call }, want }) => ({
    ...call,
    ...(body === undefined ? {} : storedBody(body)),
    want,
  }));
  const digest = new Uint8Array(
    await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(steps))),
  );
  const file = new URL(`${example.check}-${digest.subarray(0, 4).toHex()}.json`, folder);
  await Deno.mkdir(folder, { recursive: true });
  await writeText(file, `${JSON.stringify({ ...example, steps }, null, 2)}\n`);
  return file;
}

/** Stores well-formed text as text, to be readable. */
function storedBody(body: string | Uint8Array): { body: string } | { base64: string } {
  if (typeof body === "string") return body.isWellFormed() ? { body } : { base64: base64(body) };
  return { base64: base64(body) };
}

function base64(body: string | Uint8Array): string {
  return (typeof body === "string" ? new TextEncoder().encode(body) : body).toBase64();
}
