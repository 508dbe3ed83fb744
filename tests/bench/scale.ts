/**
 * @module What a second thread brings: the service with `--workers 2` to itself with one, by turns. The
 * load takes its share of the same cores: on two of them there is nothing to gain.
 */

import { listeners } from "../support/threads.ts";
import { until } from "../support/until.ts";
import { type Progress, SETTINGS } from "./answers.ts";
import { CASES } from "./cases.ts";
import { load } from "./load.ts";
import { prepare } from "./prepare.ts";
import { type Contender, serviceProgram, start } from "./processes.ts";
import { inTurn, ratios } from "./rounds.ts";
import type { Row } from "./rows.ts";
import { spreadOf } from "./stats.ts";
import { checked, type Effort, WARM_UP_MS } from "./throughput.ts";

/** An answer without work, a page, a refusal that each thread decides, and what one does for all. */
const MEASURED = ["health", "home-html", "400", "lead"];
const BOTH_LISTEN_WITHIN_MS = 10_000;

/** A row a kind of answer; none where threads cannot share an address, which is said. */
export async function measureScale(
  effort: Effort & { readonly folder: string; readonly progress: Progress },
): Promise<Row[]> {
  if (Deno.build.os !== "linux") {
    effort.progress("Threads are not measured: they share an address on Linux only");
    return [];
  }
  const servers = {
    one: await withThreads(1, effort.folder),
    two: await withThreads(2, effort.folder),
  };
  const rows: Row[] = [];
  for (const one of CASES.filter(({ name }) => MEASURED.includes(name))) {
    effort.progress(`Two threads: ${one.label}`);
    const slices = async (ms: number) =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(servers).map(async ([name, server]) => {
            const { request } = await prepare(one, server.port);
            return [name, async () => {
              const done = await load({ server, requests: [request] }, { ...effort, ms });
              return checked(done, `${name}, ${one.name}`, one.status).perSecond;
            }] as const;
          }),
        ),
      );
    await inTurn(await slices(WARM_UP_MS), 1);
    const rounds = await inTurn(await slices(effort.sliceMs), effort.rounds);
    rows.push({
      group: "scale",
      name: `two-threads-${one.name}`,
      label: `${one.label}, two threads`,
      better: "higher",
      to: `itself with one thread, load and all on ${navigator.hardwareConcurrency} cores`,
      service: spreadOf(ratios(rounds, { of: "two", to: "one" })),
    });
  }
  for (const server of Object.values(servers)) await server.end();
  return rows;
}

async function withThreads(count: number, within: string): Promise<Contender> {
  const folder = await Deno.makeTempDir({ dir: within });
  const server = await start(await serviceProgram(folder, SETTINGS, ["--workers", String(count)]));
  await until(
    `${count} threads listen`,
    async () => await listeners(server.port) === count,
    BOTH_LISTEN_WITHIN_MS,
  );
  return server;
}
