/** @module The doctor in this process, on a real database, and what it finds. */

import type { Environment, Finding } from "../../cli/doctor/finding.ts";
import { runDoctor } from "../../cli/doctor/program.ts";
import type { Ended } from "./command.ts";

/** Variables to examine, as text. */
export type Variables = Readonly<Record<string, string>>;

/** Runs a command line of the doctor. */
export async function doctor(
  words: readonly string[],
  variables: Variables,
  openKv: Environment["openKv"] = (path) => Deno.openKv(path),
): Promise<Ended> {
  let out = "";
  let err = "";
  const code = await runDoctor(words, {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    variables,
    openKv,
  });
  return { code, out, err };
}

/** The findings of a check, or of those whose names begin so; nothing is sent unless asked for. */
export async function findingsOf(
  check: string,
  variables: Variables,
  { send = false }: { readonly send?: boolean } = {},
): Promise<Finding[]> {
  const { out } = await doctor(["--json", ...(send ? [] : ["--no-send"])], variables);
  const { findings }: { findings: Finding[] } = JSON.parse(out);
  return findings.filter((finding) => finding.check.startsWith(check));
}
