/** @module An environment for the doctor to examine, and what it finds. */

import { parseConfig } from "../../config/config.ts";
import type { Check, Environment, Finding } from "../../cli/doctor/check.ts";
import { runDoctor } from "../../cli/doctor/program.ts";
import { targetFault } from "../../leads/delivery/targets.ts";
import { systemClock } from "../../leads/clock.ts";
import { pageFiles } from "../../site/files.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** A real database, the real time, and whatever a test puts in their place. */
export function patient(variables: Variables = {}, others: Partial<Environment> = {}): Environment {
  return {
    config: parseConfig(variables, targetFault),
    variables,
    hidden: [],
    openKv: (path) => Deno.openKv(path),
    send: true,
    denoVersion: Deno.version.deno,
    pages: pageFiles,
    clock: systemClock,
    ...others,
  };
}

/** What a check finds, one line a finding. */
export async function linesOf(check: Check, environment: Environment): Promise<string[]> {
  const findings = await check.run(environment);
  return findings.map(({ check, state, message }) => `${state} ${check}: ${message}`);
}

/** What the program has printed and how it has ended. */
export interface Report {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the program in this process. */
export async function doctor(
  words: readonly string[],
  variables: Variables,
  { colours = false, watched = false, ...others }:
    & Partial<Environment>
    & { readonly colours?: boolean; readonly watched?: boolean } = {},
): Promise<Report> {
  let out = "";
  let err = "";
  const code = await runDoctor(words, {
    terminal: {
      out: (text) => void (out += text),
      err: (text) => void (err += text),
      colours,
      watched,
    },
    environment: {
      variables,
      hidden: [],
      openKv: (path) => Deno.openKv(path),
      denoVersion: Deno.version.deno,
      pages: pageFiles,
      clock: systemClock,
      ...others,
    },
  });
  return { code, out, err };
}

/** The findings of a `--json` report. */
export function findingsIn({ out }: Report): Finding[] {
  return JSON.parse(out).findings;
}
