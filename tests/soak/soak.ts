/**
 * @module Mixed traffic on real services for a long time, while their target and their KV fail, some of
 * them are restarted, and the contract harness runs alongside.
 */

import { withDenokv } from "../support/denokv.ts";
import { type KvProxy, withKvProxy } from "../support/kv_proxy.ts";
import { knownPaths } from "../support/known_paths.ts";
import { Ledger } from "../support/ledger.ts";
import { withFolder } from "../support/service.ts";
import { type HarnessRun, keepRunning, runHarness } from "./harness.ts";
import { isKept, type SoakReport, summarise } from "./report.ts";
import { type Soaked, withServices } from "./services.ts";
import { settle } from "./settlement.ts";
import { watchSizes } from "./sizes.ts";
import { SECRET, type Target, withTarget } from "./target.ts";
import { ROUND_MINUTES, runRound } from "./timeline.ts";
import { Traffic } from "./traffic.ts";

/** What is to be done. */
export interface SoakOptions {
  readonly minutes: number;
  /** Called every ten seconds during the traffic, and with each step after it. */
  readonly progress: (line: string) => void;
}

/** Everything that a soak has in hand. */
interface Soak extends SoakOptions {
  readonly services: readonly Soaked[];
  readonly target: Target;
  readonly proxy: KvProxy;
  /** Where denokv is, past the proxy. */
  readonly denokv: string;
  readonly folder: string;
}

/** The harness sends some 20 leads a run from one address, and obeys the limit. */
const ENV = {
  TRUSTED_PROXY_HOPS: "1",
  LEAD_RATE_LIMIT: "30/30s",
  LEAD_WEBHOOK_SECRET: SECRET,
};

/** What start, the rest of a round and settlement take at the most. */
const BESIDE_TRAFFIC_MS = 1_800_000;

/** Runs a soak of whole rounds, at least one. */
export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const withinMs = options.minutes * 60_000 + BESIDE_TRAFFIC_MS;
  let report: SoakReport | undefined;
  await withFolder((folder) =>
    withTarget((target) =>
      withDenokv((denokv) =>
        withKvProxy(denokv.url, (proxy) =>
          withServices({
            folder,
            env: { ...ENV, LEAD_TARGETS: target.url },
            denokv: { ...denokv.env, KV_PATH: proxy.url },
            withinMs,
          }, async (services) => {
            const soak = { ...options, services, target, proxy, folder, denokv: denokv.url };
            report = await soakThrough(soak);
          })), { withinMs })
    )
  );
  return report!;
}

async function soakThrough(soak: Soak): Promise<SoakReport> {
  const { services, target, progress } = soak;
  const ledger = new Ledger();
  const runs: HarnessRun[] = [];
  const reports = `${soak.folder}/harness`;
  const rounds = Math.max(1, Math.round(soak.minutes / ROUND_MINUTES));
  const began = Date.now();
  let phase = "";
  let isOver = false;

  const traffic = new Traffic({ services, ledger, ...await whatCanBeRead(services[0]!.url) });
  const alongside = keepRunning(services.filter(({ steady }) => steady), {
    folder: reports,
    stopped: () => isOver,
    runs,
  });
  const watch = watchSizes(services, () => {
    const time = new Date(Date.now() - began).toISOString().slice(11, 19);
    const said = `${traffic.sent} requests, ${runs.length} runs of the harness`;
    progress(`${time} ${phase}; ${said}, ${traffic.faults.size} kinds of wrong answers`);
  });
  for (let round = 1; round <= rounds; round++) {
    await runRound({
      ...soak,
      ledger,
      onPhase: (name) => phase = `round ${round} of ${rounds}, ${name}`,
    });
  }
  isOver = true;
  await Promise.all([traffic.stop(), alongside]);
  watch.stop();
  const minutes = (Date.now() - began) / 60_000;

  progress("the harness on each service");
  for (const service of services) runs.push(await runHarness(service, reports));
  const settlement = await settle({ ...soak, ledger });
  const report = summarise({
    minutes,
    rounds,
    services,
    target,
    traffic,
    ledger,
    runs,
    settlement,
    series: watch.series,
  });
  if (!isKept(report)) {
    progress(`what the services have logged is kept in ${await keepLogs(services)}`);
  }
  return report;
}

/** A log has nothing in it that may not be kept; where it has, that is to be found. */
async function keepLogs(services: readonly Soaked[]): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "soak-logs-" });
  for (const { name, printed } of services) {
    await Deno.writeTextFile(`${folder}/${name.replace(", ", "-")}.log`, printed.join("\n"));
  }
  return folder;
}

/** Pages as the sitemap tells them, and everything else that can be read. */
async function whatCanBeRead(url: string): Promise<{ pages: string[]; documents: string[] }> {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text();
  const pages = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc]) =>
    new URL(loc!).pathname
  );
  const documents = (await knownPaths()).filter((path) => path !== "/api/lead");
  return { pages, documents };
}
