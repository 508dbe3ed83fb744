/**
 * @module From starting a process to the end of its first answer on /api/health: service, bare server
 * with and without a database open, usual stack, by turns.
 *
 * Warm: Deno has run the program before. Cold: its dependencies are downloaded and nothing else is
 * kept, neither compiled modules nor V8's code cache, as on the first start of a fresh machine;
 * downloading is not what is measured. Each program has caches of its own, as on a machine of its own:
 * Deno keeps V8's code of its own modules once a folder, and after a program with other flags, such as
 * `deno task leads`, it is refused and made anew, which takes the next start some 10 ms.
 */

import { runDeno } from "../support/command.ts";
import { type Progress, usualProgram } from "./answers.ts";
import { benchProgram, type Program, serviceProgram, start, timeToAnswer } from "./processes.ts";
import { inTurn, ratios } from "./rounds.ts";
import type { Row } from "./rows.ts";
import { spreadOf } from "./stats.ts";

/** The usual stack takes 3.3 times as long as the bare server with KV open. */
const BAR = 2.6;
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
  const npm = await npmCache();
  const programs = await programsOf(folder, npm);
  const timed = (before: (program: Cached) => Promise<void>) =>
    Object.fromEntries(
      Object.entries(programs).map(([name, program]) => [name, async () => {
        await before(program);
        return await timeToAnswer(program, PATH);
      }]),
    );
  progress("Start, cold caches");
  const cold = await inTurn(timed(({ env }) => forget(env.DENO_DIR)), starts);
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
  const { service, bareKv } = await programsOf(folder, await npmCache(), false);
  const timed = {
    service: () => timeToAnswer(service!, PATH),
    bareKv: () => timeToAnswer(bareKv!, PATH),
  };
  await inTurn(timed, STARTS_BEFORE);
  return ratios(await inTurn(timed, starts), { of: "bareKv", to: "service" });
}

/** A program with caches of its own. */
interface Cached extends Program {
  readonly env: Record<"DENO_DIR", string>;
}

async function programsOf(
  folder: string,
  npm: string,
  withUsual = true,
): Promise<Record<string, Cached>> {
  const own = () => Deno.makeTempDir({ dir: folder });
  const cached = async (program: Program): Promise<Cached> => {
    const env = { ...program.env, DENO_DIR: await own() };
    await Deno.symlink(npm, `${env.DENO_DIR}/npm`);
    return { ...program, env };
  };
  const service = await serviceProgram(await own());
  const database = await own();
  const bareKv = benchProgram("bare.ts", { folder: database, args: [`${database}/bare.sqlite`] });
  return {
    bare: await cached(benchProgram("bare.ts", { folder: await own() })),
    bareKv: await cached(bareKv),
    service: await cached(service),
    ...(withUsual ? { usual: await cached(await usual(service, await own())) } : {}),
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

/** Where Deno keeps what it has downloaded. */
async function npmCache(): Promise<string> {
  return JSON.parse((await runDeno(["info", "--json"])).out).npmCache;
}

async function forget(cache: string): Promise<void> {
  for await (const { name } of Deno.readDir(cache)) {
    if (name !== "npm") await Deno.remove(`${cache}/${name}`, { recursive: true });
  }
}
