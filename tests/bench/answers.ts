/** @module All kinds of answers, one after the other; cases with the same settings share a service. */

import { type Case, CASES } from "./cases.ts";
import { benchProgram, type Contender, type Program, serviceProgram, start } from "./processes.ts";
import { ask } from "./raw_http.ts";
import { type Row, SAME_ANSWER, TIMES_USUAL } from "./rows.ts";
import { spreadOf } from "./stats.ts";
import { type Effort, type Field, measureCase, type Ratios } from "./throughput.ts";
import type { UsualContents } from "./usual.ts";

/** Where the service stands behind one proxy, with its default limit of attempts in a longer time. */
export const SETTINGS = { TRUSTED_PROXY_HOPS: "1", LEAD_ATTEMPT_LIMIT: "120/1d" };

/** How the measurement goes on. */
export type Progress = (line: string) => void;

/** What measuring answers takes. */
export interface AnswersEffort extends Effort {
  readonly folder: string;
  readonly progress: Progress;
  /** Whether the usual stack takes part as well. */
  readonly others: boolean;
}

/** Rows of the named cases, in the order of the table. */
export async function measureAnswers(
  names: readonly string[],
  effort: AnswersEffort,
): Promise<Row[]> {
  const measured = await measureRatios(names, effort);
  return [...measured].map((
    [{ name, label, commits, constant, bar }, { service, usual, work }],
  ) => ({
    group: "answers",
    name,
    label,
    better: "higher",
    to: commits ? "a bare server with one KV commit" : SAME_ANSWER,
    service: spreadOf(service),
    work: spreadOf(work),
    ...(usual === undefined ? {} : { usual: spreadOf(usual) }),
    ...(bar === undefined ? {} : { bar }),
    ...(constant && usual !== undefined ? { timesUsual: TIMES_USUAL } : {}),
  }));
}

/** Ratios of the named cases, in the order of the table. */
export async function measureRatios(
  names: readonly string[],
  effort: AnswersEffort,
): Promise<Map<Case, Ratios>> {
  const cases = CASES.filter(({ name }) => names.includes(name));
  const found = new Map<Case, Ratios>();
  for (const group of Map.groupBy(cases, processOf).values()) {
    const asked = effort.others ? group : group.map((one) => ({ ...one, usual: false }));
    const field = await startField(asked, effort.folder);
    try {
      for (const [n, one] of asked.entries()) {
        effort.progress(one.label);
        found.set(group[n]!, await measureCase(one, field, effort));
      }
    } finally {
      for (const one of field.all) await one.end();
    }
  }
  return new Map(cases.map((one) => [one, found.get(one)!]));
}

/** What one process can be shared by. */
function processOf({ settings, webhook }: Case): string {
  return JSON.stringify([settings, webhook]);
}

/** The service as the cases need it, and the usual stack if one of them does; `all` is to be ended. */
export async function startField(
  group: readonly Case[],
  folder: string,
): Promise<Field & { readonly all: Contender[] }> {
  const [{ settings, webhook } = {} as Case] = group;
  const all: Contender[] = [];
  async function started(program: Program): Promise<Contender> {
    const contender = await start(program);
    all.push(contender);
    return contender;
  }
  const own = () => Deno.makeTempDir({ dir: folder });
  const receiver = webhook
    ? await started(benchProgram("bare.ts", { folder: await own() }))
    : undefined;
  const targets = receiver && { LEAD_TARGETS: `http://127.0.0.1:${receiver.port}/leads` };
  const service = await started(
    await serviceProgram(await own(), { ...SETTINGS, ...settings, ...targets }),
  );
  const usual = group.some((one) => one.usual)
    ? await started(await usualProgram(await own(), service.port))
    : undefined;
  return { service, usual, folder, all };
}

/** The usual stack, with the contents of the service at `port`. */
export async function usualProgram(folder: string, port: number): Promise<Program> {
  const text = async (path: string) => {
    const { body } = await ask(port, { method: "GET", path, headers: {} });
    return new TextDecoder().decode(body);
  };
  const input: UsualContents = {
    health: JSON.parse(await text("/api/health")),
    site: JSON.parse(await text("/api/site")),
    home: await text("/"),
  };
  const args = [`${folder}/usual.sqlite`];
  return benchProgram("usual.ts", { folder, args, input, config: true });
}
