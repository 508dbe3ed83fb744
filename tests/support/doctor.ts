/** @module Runs the doctor in this process, on a real database. */

import type { Environment, Finding } from "../../cli/doctor/finding.ts";
import { runDoctor } from "../../cli/doctor/program.ts";
import type { Ended } from "./command.ts";

export type Variables = Readonly<Record<string, string>>;

export async function doctor(
  words: readonly string[],
  variables: Variables,
  openKv: Environment["openKv"] = (path) => Deno.openKv(path),
): Promise<Ended> {
  const text = { out: "", err: "" };
  const out = (more: string) => void (text.out += more);
  const err = (more: string) => void (text.err += more);
  return { code: await runDoctor(words, { out, err, variables, openKv }), ...text };
}

/** The findings whose check starts with a name; without `send` targets get no event. */
export async function findingsOf(
  check: string,
  variables: Variables,
  { send = false, words = [] }: { readonly send?: boolean; readonly words?: readonly string[] } =
    {},
): Promise<Finding[]> {
  const line = ["--json", ...(send ? [] : ["--no-send"]), ...words];
  const { out } = await doctor(line, variables);
  const { findings }: { findings: Finding[] } = JSON.parse(out);
  return findings.filter((finding) => finding.check.startsWith(check));
}
