/** @module A run: finds the service and its document, runs the tiers, applies waivers. */

import { CannotRun, named } from "../lib/cannot_run.ts";
import { type SendOptions, TIMEOUT_MS } from "./client.ts";
import type { ApiDocument, Operation } from "../document/document.ts";
import { objectOf } from "../lib/json.ts";
import { type Finding, isCounted } from "../oracle/finding.ts";
import { firstAnswers, locate } from "./locate.ts";
import { type Cell, Coverage } from "./coverage.ts";
import type { Contract } from "../oracle/check.ts";
import { createPermits, type Permission } from "./permits.ts";
import { type Clock, Pace } from "./pace.ts";
import { emptyProfile, isProfileOf, type Profile, readProfile } from "../oracle/profile.ts";
import { createSchemas } from "../document/schemas.ts";
import { createSession, GRACE_MS, type Session, type Setting, type Tier } from "./session.ts";
import { runTier, type TierRun } from "./run_tier.ts";
import { applyWaivers, type Waived, type Waiver } from "./waivers.ts";
import { declareRules } from "../lib/rules.ts";

const RULES = declareRules({
  completeness: "coverage: every documented status of every operation was seen",
});

type Given = Omit<Setting, "base" | "contract"> & Partial<Omit<Permission, "live">>;

export interface RunPlan extends Given {
  /** Undefined: the launcher starts the service. */
  readonly url?: string | undefined;
  readonly tiers: readonly Tier[];
  /** The waivers with which a service that is not that of the cases is tested without them. */
  readonly orGeneric?: readonly Waiver[] | undefined;
  /** Whether an unseen cell of the coverage is a finding: true if all tiers run. */
  readonly complete: boolean;
  /** The document's URL, file or path, instead of the profile's. */
  readonly document?: string | undefined;
  readonly headers?: SendOptions["headers"];
  readonly renew?: SendOptions["renew"];
  readonly checks?: Contract["checks"];
  /** Whether every finding counts; undefined: as the profile says. */
  readonly strict?: boolean | undefined;
  readonly command?: string;
  /** Seconds; undefined: no limit. */
  readonly time?: number | undefined;
  /** For the waits that a service in production asks for; by default the real one. */
  readonly clock?: Clock;
  readonly interrupted?: Promise<void> | undefined;
  readonly waivers: readonly Waiver[];
  /** The folder of the reports, relative to the working directory. */
  readonly report?: string | undefined;
  progress?(tier: string, done: number, total: number): void;
}

export interface TierResult extends TierRun, Pick<Tier, "name" | "tries"> {
  readonly exchanges: number;
  readonly findings: number;
  readonly notes: readonly string[];
}

export interface RunResult extends Waived {
  readonly base: string;
  readonly seed: number;
  readonly title: string;
  readonly tiers: readonly TierResult[];
  readonly cells: readonly Cell[];
  readonly exchanges: number;
  /** Operations that have accepted a request, of how many. */
  readonly accepted: readonly [number, number];
  readonly ms: number;
  readonly strict: boolean;
  readonly command: string;
  readonly report?: string | undefined;
  readonly passed: boolean;
  readonly failed: boolean;
  /** What was not tried, one line for each reason. */
  readonly left: readonly string[];
  /** What to change if the run itself probably caused the findings. */
  readonly advice: string | undefined;
}

/** How long a service that nobody here knows may take, for an answer and in all. */
const GENERIC = { timeoutMs: 15_000, time: 100 };

/** @throws {CannotRun} if it could not run */
export async function run(plan: RunPlan): Promise<RunResult> {
  const { url, launcher, cases } = plan;
  try {
    const profile = cases && await readProfile(cases);
    // The instance that most tiers share.
    const base = url ?? (await launcher?.start(profile?.limits?.unlimited))?.url;
    if (base === undefined) throw new Error("Cannot run: neither a URL nor a launcher is given");
    return await runOn(base, { ...plan, profile });
  } finally {
    await launcher?.stopAll();
  }
}

async function runOn(
  base: string,
  { profile: own, ...given }: RunPlan & { readonly profile: Profile | undefined },
): Promise<RunResult> {
  const started = performance.now();
  const { live, tiers, seed, url, orGeneric } = given;
  const headers = given.headers ?? [];
  const locating = locate(base, {
    place: given.document ?? (orGeneric === undefined ? own?.document : undefined),
    headers,
  });
  const isGiven = given.document !== undefined;
  const { document, path } =
    await (isGiven ? named(`--document ${given.document}`, locating) : locating);
  // Before the first request that changes anything: another service's profile permits too much.
  const isOther = url !== undefined && own !== undefined && !isProfileOf(own, document);
  let { command = "deno task contract" } = given;
  if (isOther) {
    const message = "the document has no operation that the profile names";
    if (orGeneric === undefined) {
      throw new CannotRun(`--cases: ${message}: are they another service's?`);
    }
    command += " --generic";
  }
  const profile = isOther ? undefined : own;
  const plan = isOther
    ? { ...given, cases: undefined, replayed: undefined, waivers: orGeneric ?? [] }
    : given;
  const { time = plan.cases === undefined ? GENERIC.time : undefined } = plan;
  const until = time === undefined ? undefined : started + time * 1_000;
  const sending: SendOptions = {
    headers,
    ...(plan.renew ? { renew: plan.renew } : {}),
    timeoutMs: plan.cases === undefined ? GENERIC.timeoutMs : TIMEOUT_MS,
    ...(live ? { pace: new Pace({ until, clock: plan.clock }) } : {}),
  };
  const contract: Contract = {
    document,
    schemas: createSchemas(document),
    checks: plan.checks,
    profile: { ...profile ?? emptyProfile(""), document: path },
  };
  const permits = createPermits(document, {
    live,
    allowUnsafe: plan.allowUnsafe === true || (profile?.unsafe === true && !live),
    only: plan.only ?? [],
    exclude: plan.exclude ?? [],
  });
  const coverage = new Coverage(
    document,
    (operation, status) => permits(operation) ?? exemption(plan, contract)(operation, status),
  );
  const findings: Finding[] = [];
  const notes: { readonly tier: string; readonly text: string }[] = [];
  const exchanges = new Map<string, number>();
  const session = createSession({
    ...plan,
    ...{ base, contract, coverage, findings, exchanges, permits, sending },
    tier: "run",
    until,
    note: (tier, text) => void notes.push({ tier, text }),
    progress: (tier, done, total) => plan.progress?.(tier, done, total),
  });
  const problem = plan.launcher === undefined ? await firstAnswers(session, sending) : undefined;
  if (problem !== undefined) findings.push({ ...problem, tier: "run" });
  const ended = { reason: problem?.message.split(":", 1)[0] };
  const shared = { session, findings, notes, ended };
  const finished = new Map<string, TierRun>();
  async function inTurn(startsInstances: boolean): Promise<void> {
    for (const tier of tiers.filter((one) => (one.startsInstances ?? false) === startsInstances)) {
      finished.set(tier.name, await runTier(tier, shared));
    }
  }
  const never = new Promise<never>(() => {});
  // A tier that neither sends nor ends must not keep the report.
  const over = Promise.withResolvers<string>();
  const longest = time === undefined ? undefined : time * 1_000 + 2 * GRACE_MS;
  const timer = longest && setTimeout(() => over.resolve("the time was over"), longest);
  const ending = await Promise.race([
    Promise.all([inTurn(false), inTurn(true)]).then(() => undefined),
    plan.interrupted?.then(() => "interrupted") ?? never,
    over.promise,
  ]);
  clearTimeout(timer);

  const isWhole = ending === undefined && ended.reason === undefined;
  const { cells } = coverage;
  if (plan.complete && isWhole) findings.push(...gaps(cells));
  const all = tiers.map(({ name, tries }): TierResult => ({
    ...{ name, tries, ms: 0, skipped: ending, ...finished.get(name) },
    notes: notes.filter(({ tier }) => tier === name).map(({ text }) => text),
    exchanges: exchanges.get(name) ?? 0,
    findings: findings.filter(({ tier }) => tier === name).length,
  }));
  const ran = all.filter(({ skipped }) => skipped === undefined).map(({ name }) => name);
  const isEmpty = isWhole && ran.some((name) => !WITHOUT_EXCHANGES.includes(name)) &&
    exchanges.values().every((count) => count === 0);
  const waived = applyWaivers([...findings], { waivers: plan.waivers, tiers: ran });
  const stale = isWhole ? waived.stale : [];
  const strict = plan.strict === true || profile?.strict === true;
  const isBroken = waived.open.some((group) => isCounted(group, { strict })) || stale.length > 0;
  return {
    ...waived,
    ...{ base, seed, command, report: plan.report, strict, stale, cells, tiers: all },
    title: String(objectOf(document.value["info"])["title"] ?? ""),
    exchanges: exchanges.values().reduce((sum, count) => sum + count, 0),
    accepted: [coverage.accepted.size, document.operations.length],
    ms: performance.now() - started,
    passed: !isBroken,
    failed: ending === "interrupted" || isEmpty ||
      findings.some(({ check }) => check === "harness_error"),
    left: [...isOther ? [OTHER] : [], ...conversion(document), ...leftOut(document, permits)],
    advice: url === undefined || live ? undefined : adviceFor(waived, profile),
  };
}

const OTHER = "the cases: this is another service, so its document alone is tested (--generic)";

function conversion({ source: { name, version } }: ApiDocument): string[] {
  return version === "3.1" ? [] : [`the document as it is: ${name} was converted to OpenAPI 3.1`];
}

/** Tiers that may send nothing that is counted. */
const WITHOUT_EXCHANGES = ["document", "corpus", "replay", "raw", "cases"];

const MOST_LEFT = 5;

function leftOut({ operations }: ApiDocument, permits: Session["permits"]): string[] {
  const reasons = Map.groupBy(operations, (one) => permits(one) ?? "");
  reasons.delete("");
  return [...reasons].map(([reason, those]) => {
    const named = those.slice(0, MOST_LEFT).map(({ method, path }) => `${method} ${path}`);
    const more = those.length > MOST_LEFT ? ` and ${those.length - MOST_LEFT} more` : "";
    return `not tried: ${named.join(", ")}${more}: ${reason}`;
  });
}

/** Statuses that only instances started by the harness can show. */
function exemption(plan: RunPlan, { profile }: Contract) {
  return ({ id }: Operation, status: string): string | undefined => {
    if (plan.launcher !== undefined) return undefined;
    if (plan.cases === undefined && status.startsWith("5")) return "no request may cause it";
    if (profile.faults[id]?.includes(status)) return "needs a fault outside the service";
    if (status === "429" && profile.limits?.operation === id) {
      return "the harness does not exceed the limits of a service it did not start";
    }
    return undefined;
  };
}

function gaps(cells: readonly Cell[]): Finding[] {
  const unseen = cells.filter(({ seen, exempt }) => seen.size === 0 && exempt === undefined);
  return unseen.map(({ operation: where, status }) => {
    const message = `the documented status ${status} was never seen`;
    return { check: RULES.completeness, tier: "coverage", where, message };
  });
}

/** How to start a service whose limits the run has met. */
function adviceFor({ open }: Waived, profile: Profile | undefined): string | undefined {
  const exchanges = open.flatMap(({ findings }) => findings.map(({ exchange }) => exchange));
  if (!exchanges.some((exchange) => exchange?.answer.status === 429)) return undefined;
  const settings = Object.entries(profile?.limits?.unlimited ?? {}).map((pair) => pair.join("="));
  const change = settings.length === 0 ? "raise them" : `start it with ${settings.join(" ")}`;
  return "The service refused requests over its limits, which were not judged: " +
    `${change}, or use --live`;
}
