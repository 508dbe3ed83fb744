/**
 * @module From starting a process to the end of its first answer on /api/health: service, bare server
 * with and without a database open, usual stack, by turns.
 *
 * Warm: Deno has run the program before. Cold: its dependencies are downloaded and nothing else is
 * kept, neither compiled modules nor V8's code cache, as on the first start of a fresh machine;
 * downloading is not what is measured.
 */

import { type Progress, usualProgram } from "./answers.ts";
import { benchProgram, type Program, serviceProgram, start, timeToAnswer } from "./processes.ts";
import { inTurn, ratios } from "./rounds.ts";
import type { Row } from "./rows.ts";
import { spreadOf } from "./stats.ts";

/** 45 ms where the bare server with KV open takes 23. */
const BAR = 45 / 23;
/** After so many starts Deno's caches are as they stay. */
const STARTS_BEFORE = 3;
const PATH = "/api/health";

/** How often, and where files may lie. */
export interface StartEffort {
  readonly starts: number;
  readonly folder: string;
  readonly progress: Progress;
}

/** What starting costs with warm and with cold caches. */
export async function measureStart({ starts, folder, progress }: StartEffort): Promise<Row[]> {
  const cache = await emptyCache(folder);
  const programs = await programsOf(folder, cache);
  const timed = (before: () => Promise<void>) =>
    Object.fromEntries(
      Object.entries(programs).map(([name, program]) => [name, async () => {
        await before();
        return await timeToAnswer(program, PATH);
      }]),
    );
  progress("Start, cold caches");
  const cold = await inTurn(timed(() => forget(cache)), starts);
  progress("Start, warm caches");
  await inTurn(timed(async () => {}), STARTS_BEFORE);
  const warm = await inTurn(timed(async () => {}), starts);

  const common = { group: "start", better: "lower" } as const;
  const toKv = { ...common, to: "a bare server with KV open" };
  const kv = (rounds: typeof warm, of: string) => spreadOf(ratios(rounds, { of, to: "bareKv" }));
  return [
    {
      ...toKv,
      name: "start",
      label: "Start to first answer",
      service: kv(warm, "service"),
      usual: kv(warm, "usual"),
      bar: BAR,
    },
    {
      ...toKv,
      name: "start-cold",
      label: "Start to first answer, nothing compiled before",
      service: kv(cold, "service"),
      usual: kv(cold, "usual"),
    },
    {
      ...common,
      to: "a bare server without KV",
      name: "start-bare",
      label: "Start to first answer",
      service: spreadOf(ratios(warm, { of: "service", to: "bare" })),
      usual: spreadOf(ratios(warm, { of: "usual", to: "bare" })),
    },
  ];
}

/** The share of the bare server's speed (with KV open) at which the service starts, one a round. */
export async function startSpeeds(
  { starts, folder }: Omit<StartEffort, "progress">,
): Promise<number[]> {
  const { service, bareKv } = await programsOf(folder, await emptyCache(folder), false);
  const timed = {
    service: () => timeToAnswer(service!, PATH),
    bareKv: () => timeToAnswer(bareKv!, PATH),
  };
  await inTurn(timed, STARTS_BEFORE);
  return ratios(await inTurn(timed, starts), { of: "bareKv", to: "service" });
}

async function programsOf(
  folder: string,
  cache: string,
  withUsual = true,
): Promise<Record<string, Program>> {
  const own = () => Deno.makeTempDir({ dir: folder });
  const env = { DENO_DIR: cache };
  const service = await serviceProgram(await own(), env);
  const database = await own();
  const bareKv = benchProgram("bare.ts", { folder: database, args: [`${database}/bare.sqlite`] });
  return {
    bare: { ...benchProgram("bare.ts", { folder: await own() }), env },
    bareKv: { ...bareKv, env },
    service,
    ...(withUsual ? { usual: { ...await usual(service, await own()), env } } : {}),
  };
}

async function usual(service: Program, folder: string): Promise<Program> {
  const running = await start(service);
  try {
    return await usualProgram(folder, running.port);
  } finally {
    await running.end();
  }
}

/** A folder of caches that holds nothing but what has been downloaded. */
async function emptyCache(folder: string): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  const { npmCache } = JSON.parse(new TextDecoder().decode(stdout));
  const cache = await Deno.makeTempDir({ dir: folder });
  await Deno.symlink(npmCache, `${cache}/npm`);
  return cache;
}

async function forget(cache: string): Promise<void> {
  for await (const { name } of Deno.readDir(cache)) {
    if (name !== "npm") await Deno.remove(`${cache}/${name}`, { recursive: true });
  }
}
