/**
 * @module A run: starts the service if needed, reads its document, runs the tiers, applies waivers.
 * Prints nothing.
 */

import { send, UnreachableError } from "./client.ts";
import { type ApiDocument, DocumentError, objectOf, readDocument } from "./document.ts";
import { pathOf } from "./exchange.ts";
import type { Finding } from "./finding.ts";
import { type Cell, createMatrix } from "./matrix.ts";
import type { Contract } from "./oracle/check.ts";
import { emptyProfile, type Profile, readProfile } from "./profile.ts";
import { createSchemas } from "./schema.ts";
import type { Launcher } from "./service.ts";
import { createSession, type Effort, type Session, type Tier } from "./session.ts";
import { applyWaivers, type Waived, type Waiver } from "./waivers.ts";

export interface RunPlan extends Effort {
  /** Undefined: the launcher starts the service. */
  readonly url: string | undefined;
  readonly live: boolean;
  /** A second service, which should answer every request alike. */
  readonly against?: string | undefined;
  readonly tiers: readonly Tier[];
  /** Whether an unseen cell of the matrix is a finding: true if all tiers run. */
  readonly complete: boolean;
  /** The path of the document, instead of the profile's. */
  readonly document?: string | undefined;
  /** Undefined: the document alone. */
  readonly cases: URL | undefined;
  readonly corpus: URL | undefined;
  readonly waivers: readonly Waiver[];
  /** Undefined: the harness does not start the service. */
  readonly launcher: Launcher | undefined;
  progress?(tier: string, done: number, total: number): void;
}

export interface TierResult {
  readonly name: string;
  readonly tries: string;
  readonly exchanges: number;
  readonly findings: number;
  readonly ms: number;
  readonly skipped: string | undefined;
  /** Figures, and what was skipped. */
  readonly notes: readonly string[];
}

export interface RunResult extends Waived {
  readonly base: string;
  readonly seed: number;
  readonly title: string;
  readonly tiers: readonly TierResult[];
  readonly cells: readonly Cell[];
  readonly exchanges: number;
  readonly ms: number;
  readonly held: boolean;
  /** What to change if the run itself probably caused the findings. */
  readonly advice: string | undefined;
}

/** The usual path of a document. */
const DOCUMENT = "/openapi.json";

/** Settings of the instance that most tiers share: limits out of their reach. */
export const UNLIMITED = { LEAD_RATE_LIMIT: "900000/1h", LEAD_ATTEMPT_LIMIT: "900000/1h" };

/**
 * Runs a plan.
 * @throws {UnreachableError | DocumentError | CannotRun} if it could not run
 */
export async function run(plan: RunPlan): Promise<RunResult> {
  const started = performance.now();
  const profile = await profileOf(plan);
  const instance = plan.url === undefined ? await plan.launcher?.start(UNLIMITED) : undefined;
  const base = plan.url ?? instance?.url;
  if (base === undefined) throw new Error("Cannot run: neither a URL nor a launcher is given");
  try {
    const document = await fetchDocument(base, profile.document);
    if (plan.against !== undefined) await fetchDocument(plan.against, profile.document);
    const contract: Contract = { document, schemas: createSchemas(document), profile };
    const findings: Finding[] = [];
    const exchanges = new Map<string, number>();
    const notes: { readonly tier: string; readonly text: string }[] = [];
    const matrix = createMatrix(document, exemption(plan, contract));
    const session = createSession({
      ...plan,
      base,
      tier: "run",
      contract,
      matrix,
      findings,
      exchanges,
      note: (tier, text) => void notes.push({ tier, text }),
      progress: (tier, done, total) => plan.progress?.(tier, done, total),
    });
    const collected = { live: plan.live, session, findings, notes, exchanges };
    const { own = [], shared = [] } = Object.groupBy(
      plan.tiers,
      ({ startsInstances }) => startsInstances ? "own" : "shared",
    );
    const workers = [shared, own].map((tiers) => runInTurn(tiers, collected));
    const tiers = (await Promise.all(workers)).flat();
    const cells = matrix.cells();
    if (plan.complete) findings.push(...gaps(cells));
    const waived = applyWaivers(findings, {
      waivers: plan.waivers,
      tiers: tiers.filter(({ skipped }) => skipped === undefined).map(({ name }) => name),
    });
    return {
      ...waived,
      base,
      seed: plan.seed,
      title: titleOf(document),
      tiers,
      cells,
      exchanges: exchanges.values().reduce((sum, count) => sum + count, 0),
      ms: performance.now() - started,
      held: waived.open.length === 0 && waived.stale.length === 0,
      advice: adviceFor(plan, waived),
    };
  } finally {
    await plan.launcher?.stopAll();
  }
}

/** The profile of the folder of cases; without one, of a service of which nothing else is known. */
async function profileOf({ cases, document }: RunPlan): Promise<Profile> {
  const profile = cases === undefined
    ? emptyProfile(document ?? DOCUMENT)
    : await readProfile(cases);
  return document === undefined ? profile : { ...profile, document };
}

interface Collected {
  readonly session: Session;
  readonly live: boolean;
  readonly findings: Finding[];
  readonly notes: readonly { readonly tier: string; readonly text: string }[];
  readonly exchanges: ReadonlyMap<string, number>;
}

async function runInTurn(tiers: readonly Tier[], collected: Collected): Promise<TierResult[]> {
  const results: TierResult[] = [];
  for (const tier of tiers) results.push(await runTier(tier, collected));
  return results;
}

async function runTier(
  { name, tries, ...tier }: Tier,
  { session, live, findings, notes, exchanges }: Collected,
): Promise<TierResult> {
  const skipped = live && !tier.live
    ? "not against a service in production"
    : tier.unable?.(session);
  const began = performance.now();
  if (skipped === undefined) {
    await tier.run(session.of(name)).catch(recordUnanswered(name, findings));
  }
  return {
    name,
    tries,
    skipped,
    notes: notes.filter(({ tier }) => tier === name).map(({ text }) => text),
    exchanges: exchanges.get(name) ?? 0,
    findings: findings.filter(({ tier }) => tier === name).length,
    ms: performance.now() - began,
  };
}

/** Once the document has been read, a request without an answer is a fault of the service. */
function recordUnanswered(tier: string, findings: Finding[]) {
  return (error: unknown): void => {
    if (!(error instanceof UnreachableError)) throw error;
    const { call } = error;
    const where = `${call.method} ${pathOf(call)}`;
    const message = "a request got no answer; the rest of the tier was not tried";
    findings.push({ check: "answers", tier, where, message });
  };
}

export async function fetchDocument(base: string, path: string): Promise<ApiDocument> {
  const answer = await send(base, { method: "GET", path });
  if (answer.status !== 200) {
    throw new DocumentError(`Cannot read the document: ${base}${path} answers ${answer.status}`);
  }
  return readDocument(answer.text);
}

/** Statuses that only instances started by the harness can show. */
function exemption(plan: RunPlan, { profile }: Contract) {
  return (operation: string, status: string): string | undefined => {
    if (plan.launcher !== undefined) return undefined;
    if (profile.faults[operation]?.includes(status)) return "needs a fault outside the service";
    if (status === "429" && profile.limits?.operation === operation) {
      return "the harness does not exceed the limits of a service it did not start";
    }
    return undefined;
  };
}

function gaps(cells: readonly Cell[]): Finding[] {
  return cells.filter(({ seen, exempt }) => seen.size === 0 && exempt === undefined)
    .map(({ operation, status }) => ({
      check: "completeness",
      tier: "matrix",
      where: operation,
      message: `the documented status ${status} was never seen: add a case, or remove it`,
    }));
}

function adviceFor({ url, live }: RunPlan, { open }: Waived): string | undefined {
  const isLimited = open.some(({ findings }) =>
    findings.some(({ exchange }) => exchange?.answer.status === 429)
  );
  if (url === undefined || live || !isLimited) return undefined;
  const settings = Object.entries(UNLIMITED).map(([name, value]) => `${name}=${value}`).join(" ");
  return "The service refused requests over its limits, which were not judged: start it with " +
    `\`${settings} deno task start\`, or use --live`;
}

function titleOf({ value }: ApiDocument): string {
  return String(objectOf(value["info"])["title"] ?? "");
}
