/**
 * @module All checks, at once and each within its time. Settings that cannot be used are findings too,
 * and what is not about them is looked at all the same.
 */

import { type Config, ConfigError, parseConfig } from "../../config/config.ts";
import { targetFault } from "../../leads/delivery/targets.ts";
import { errorName } from "../../leads/log.ts";
import { type Check, type Environment, fail, type Finding, ok } from "./check.ts";
import { fileMode } from "./file_mode.ts";
import { kv } from "./kv.ts";
import { pages } from "./pages.ts";
import { permissions, version } from "./runtime.ts";
import { sealing } from "./sealing.ts";
import { imprint, proxy, signature, siteUrl } from "./settings.ts";
import { orphanedQueues } from "./orphaned_queues.ts";
import { targets } from "./targets.ts";
import { time } from "./time.ts";

/** In the order of the report. */
const CHECKS: readonly Check[] = [
  version,
  permissions,
  kv,
  fileMode,
  targets,
  orphanedQueues,
  time,
  siteUrl,
  imprint,
  signature,
  sealing,
  proxy,
  pages,
];

/** Longer than any check waits by itself. */
const LIMIT_MS = 30_000;

/** A check under way. */
export interface UnderWay {
  readonly name: string;
  /** Never rejects. */
  readonly findings: Promise<readonly Finding[]>;
}

/** Begins all checks. */
export function examine(environment: Omit<Environment, "config">): UnderWay[] {
  const { config, findings, faulty } = configuration(environment.variables);
  const unknown = faulty.union(new Set(environment.hidden));
  const begun = CHECKS
    .filter(({ requires }) => !requires.some((variable) => unknown.has(variable)))
    .map((check) => ({
      name: check.name,
      findings: withinTime(check, { ...environment, config }),
    }));
  return [{ name: "configuration", findings: Promise.resolve(findings) }, ...begun];
}

/** The settings without those that are wrong, which have their defaults, and a finding each. */
function configuration(variables: Environment["variables"]): {
  readonly config: Config;
  readonly findings: readonly Finding[];
  readonly faulty: ReadonlySet<string>;
} {
  const check = "configuration";
  try {
    const config = parseConfig(variables, targetFault);
    const finding = ok(check, "every variable can be used");
    return { config, findings: [finding], faulty: new Set() };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const faulty = new Set(error.faults.map((fault) => fault.split(" ")[0]!));
    // Without a database that lasts there is no Deno Deploy to be configured for.
    if (faulty.has("KV_PATH")) faulty.add("DENO_DEPLOY");
    const rest = Object.entries(variables).filter(([name]) => !faulty.has(name));
    return {
      config: parseConfig(Object.fromEntries(rest), targetFault),
      findings: error.faults.map((fault) =>
        fail(check, fault, "Correct it: .env.example shows each variable.")
      ),
      faulty,
    };
  }
}

async function withinTime(
  { name, run }: Check,
  environment: Environment,
): Promise<readonly Finding[]> {
  let clear = () => {};
  const late = new Promise<Finding[]>((resolve) => {
    clear = environment.clock.after(LIMIT_MS, () => {
      resolve([fail(name, `not done within ${LIMIT_MS / 1000} s`, "Run the doctor again.")]);
    });
  });
  try {
    return await Promise.race([run(environment), late]);
  } catch (error) {
    return [
      fail(
        name,
        `Cannot finish: ${errorName(error)}`,
        "Report it, with what deno task doctor --json prints.",
      ),
    ];
  } finally {
    clear();
  }
}
