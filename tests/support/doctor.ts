/** @module Runs the doctor in this process, on a real database. */

import type { Environment, Finding } from "../../cli/doctor/finding.ts";
import { checkKv } from "../../cli/doctor/kv.ts";
import { runDoctor } from "../../cli/doctor/program.ts";
import { checkSettings, checkVariables } from "../../cli/doctor/settings.ts";
import { checkTargets } from "../../cli/doctor/targets.ts";
import { parseConfig } from "../../config/config.ts";
import { targetProblem } from "../../leads/delivery/targets.ts";
import type { Ended } from "./command.ts";

export type Variables = Readonly<Record<string, string>>;

export async function doctor(
  words: readonly string[],
  variables: Variables,
  open: Environment["openKv"] = openKv,
): Promise<Ended> {
  const text = { out: "", err: "" };
  const out = (more: string) => void (text.out += more);
  const err = (more: string) => void (text.err += more);
  return { code: await runDoctor(words, { out, err, variables, openKv: open }), ...text };
}

const openKv: Environment["openKv"] = (path) => Deno.openKv(path);

/** The checks of settings, database and targets: those of the pages take half a second. */
const CHECKS = [checkSettings, checkVariables, checkKv, checkTargets];

/** The findings whose check starts with a name; without `send` targets get no event. */
export async function findingsOf(
  check: string,
  variables: Variables,
  { send = false }: { readonly send?: boolean } = {},
): Promise<Finding[]> {
  const config = parseConfig(variables, targetProblem);
  const environment = { config, variables, isForDeploy: false, openKv, send };
  const found = await Promise.all(CHECKS.map((one) => one(environment)));
  return found.flat().filter((finding) => finding.check.startsWith(check));
}

/** The findings of the whole program. */
export async function allFindings(
  variables: Variables,
  words: readonly string[] = [],
): Promise<Finding[]> {
  return JSON.parse((await doctor(["--json", "--no-send", ...words], variables)).out).findings;
}
