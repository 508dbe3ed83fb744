/** @module Counterexamples, shrunk, as files: the corpus tier sends all again, `--replay` one. */

import { z } from "zod";
import { CannotRun, writeText } from "../lib/cannot_run.ts";
import { ruleNamed } from "../lib/rules.ts";
import { type Call, curlOf, storedCall } from "../lib/exchange.ts";
import { mismatchesOf } from "../oracle/check.ts";
import type { Session, Tier } from "../run/session.ts";
import { converse } from "./raw/wire.ts";
import { readYaml } from "../lib/yaml_file.ts";

/** What is expected of an answer in addition to the rules of the oracle, such as `2XX|404`. */
const Want = z.strictObject({
  status: z.string().regex(/^\d(?:\d\d|XX)(?:\|\d(?:\d\d|XX))*$/),
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
    body: z.string().optional(),
    base64: z.base64().optional(),
    /** All bytes of a connection, in parts, instead of the request. */
    bytes: z.array(z.base64()).readonly().optional(),
    want: Want,
  })).min(1),
});

const Report = z.object({ open: z.array(z.object({ replay: Stored.optional() })) });

export interface Step {
  readonly call: Call;
  readonly bytes?: readonly string[] | undefined;
  readonly want: z.infer<typeof Want>;
}

export interface Counterexample extends Omit<z.infer<typeof Stored>, "steps"> {
  readonly steps: readonly Step[];
}

export const corpusTier: Tier = {
  name: "corpus",
  tries: "the counterexamples that earlier runs have found",
  live: false,
  unable: ({ replayed }) => replayed === undefined ? "there is no corpus in this run" : undefined,
  async run(session) {
    const files = session.replayed === undefined ? [] : await corpusFiles(session.replayed);
    for (const [index, file] of files.entries()) {
      session.progress(index, files.length);
      const example = await readCounterexample(file);
      const isPermitted = example.steps.every(({ call }) => session.permits(call) === undefined);
      if (isPermitted) await replay(session, example);
    }
    session.progress(files.length, files.length);
  },
};

/** Replays one file. @param print called for each request and each answer */
export function replayTier(file: URL, print: (line: string) => void): Tier {
  return {
    tries: "the requests of one counterexample",
    name: "replay",
    live: true,
    run: async (session) => await replay(session, await readCounterexample(file), { print }),
  };
}

async function replay(
  session: Session,
  { check, steps }: Counterexample,
  { print }: { readonly print?: (line: string) => void } = {},
): Promise<void> {
  for (const { call, want, bytes } of steps) {
    if (bytes !== undefined) {
      const parts = bytes.map((part) => Uint8Array.fromBase64(part));
      print?.((await converse(session.base, parts)).slice(0, 2_000));
      continue;
    }
    const exchange = await session.send(call, { title: `${check} again`, named: true });
    const { answer } = exchange;
    print?.(curlOf(exchange));
    print?.(`→ ${answer.status} in ${Math.round(answer.ms)} ms\n${answer.text.slice(0, 2_000)}\n`);
    for (const message of mismatchesOf(answer, { want, profile: session.contract.profile })) {
      session.report(ruleNamed(check), message, { exchange });
    }
  }
}

/** A file, or with a hash such as `#2` a finding of a report. @throws {CannotRun} */
export async function readCounterexample(file: URL): Promise<Counterexample> {
  const number = Number(file.hash.slice(1));
  const stored = number > 0
    ? (await readYaml(file, Report))?.open[number - 1]?.replay
    : await readYaml(file, Stored); // JSON is YAML
  if (stored === undefined) throw new CannotRun(`Cannot read ${decodeURIComponent(file.pathname)}`);
  const steps = stored.steps.map(({ base64, want, bytes, ...call }): Step => {
    const body = base64 === undefined ? {} : { body: Uint8Array.fromBase64(base64) };
    return { call: { ...call, ...body } as Call, want, ...(bytes ? { bytes } : {}) };
  });
  return { ...stored, steps };
}

/** The files of a corpus, sorted by name; empty if the folder does not exist. */
export async function corpusFiles(folder: URL): Promise<URL[]> {
  try {
    const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
    return names.filter((name) => name.endsWith(".json")).sort()
      .map((name) => new URL(encodeURIComponent(name), folder));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** Stores a counterexample; rule and digest of the requests name it, so that a problem has one file. */
export async function saveCounterexample(folder: URL, example: Counterexample): Promise<URL> {
  const steps = example.steps.map(({ call, ...step }) => ({ ...storedCall(call), ...step }));
  const text = new TextEncoder().encode(JSON.stringify(steps));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", text), 0, 4);
  const file = new URL(`${example.check}-${digest.toHex()}.json`, folder);
  await Deno.mkdir(folder, { recursive: true });
  await writeText(file, `${JSON.stringify({ ...example, steps }, null, 2)}\n`);
  return file;
}
