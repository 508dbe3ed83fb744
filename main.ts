/** @module The service's composition root: configuration, KV, leads, app, cron, server, orderly stop. */

import { MISSPELT, parseConfig, VARIABLES } from "./config/config.ts";
import { EXIT_CONFIG, orExit, stopOnSignal, within } from "./lib/process.ts";
import { isFile, isRemote, kvPlace } from "./lib/kv_path.ts";
import { summarise } from "./config/summary.ts";
import { checkStart } from "./config/usage.ts";
import { makePrivateFile, probeKv } from "./leads/kv/probe.ts";
import { consoleOutput, createLog, standardOutput } from "./lib/log.ts";
import { keepServing } from "./routes/server.ts";
import { lazy } from "./lib/lazy.ts";
import { assetFiles, pageFiles } from "./site/files.ts";
import type { PageSource } from "./site/files.ts";

const isDev = Deno.args.join(" ") === `${Deno.ppid} dev`; // from cli/dev.ts, and from nowhere else
await checkStart("start", isDev ? [] : Deno.args);
const names = [...VARIABLES, ...MISSPELT.keys()];
const env = Object.fromEntries(names.map((name) => [name, Deno.env.get(name)]));
const output = env["DENO_DEPLOY"] ? consoleOutput : standardOutput;
const log = createLog(output);
const targets = env["LEAD_TARGETS"] ? await import("./leads/delivery/targets.ts") : undefined;
const config = await orExit(() => parseConfig(env, targets?.targetProblem), { code: EXIT_CONFIG });
const { host: hostname, port, kvPath, leadTargets } = config;

const isLocal = !isRemote(kvPath);
const file = isFile(kvPath) ? kvPath : undefined;
const openKv = () => makePrivateFile(file).then(() => Deno.openKv(kvPath));
// A remote KV may come back and is then opened again; a file is opened once, or the start fails.
const open = isLocal ? lazy(openKv) : openKv;
const usable = orExit(
  () => probeKv(open, { sealingKeys: config.leadEncryptionKeys, isLocal }),
  { code: EXIT_CONFIG, what: `Cannot use KV at ${kvPlace(config)} (KV_PATH)` },
);

const leads = lazy(async () => {
  const { createLeads } = await import("./leads/pipeline.ts");
  return await createLeads(config, { open, file, log });
});
const runMaintenance = async () => (await leads()).runMaintenance();
const checkPages = async () =>
  await (await import("./site/required_sources.ts")).requireSoundSources(pageFiles, config);
const abort = new AbortController();
const stopping = abort.signal;
const { createApp } = await import("./routes/app.ts"); // it imports what deno.json maps
const create = (pages: PageSource = pageFiles) =>
  createApp({ config, leads, pages, assets: assetFiles, log, stopping, now: Date.now });
const dev = isDev ? await import("./cli/dev/app.ts") : undefined;
const app = dev?.developing(create, { config, stopping }) ??
  await orExit(() =>
    create().catch(async (error) => {
      await checkPages(); // names every problem, not only the first name that cannot be a URL
      throw error;
    }), { code: EXIT_CONFIG });

if (isLocal) await usable; // pages need not wait for a KV server
// A failed run is logged and its jobs stay due: the next minute is the retry.
Deno.cron("drain the outbox and purge", "* * * * *", { backoffSchedule: [] }, runMaintenance);
const serve = (port: number) => Deno.serve({ hostname, port, onListen() {} }, app.fetch);
const server = await orExit(
  () => keepServing(serve, { port, log }),
  { what: `Cannot listen on ${hostname}:${port} (HOST, PORT)`, code: isDev ? EXIT_CONFIG : 1 },
);

// Platforms send SIGKILL after 5 s: requests get most of that, deliveries the rest or the queue.
stopOnSignal(async () => {
  log.info("server.stopping");
  abort.abort();
  await within(3_000, server.stop());
  await within(1_000, leads().then(({ outbox }) => outbox.stop(1_000)));
  await within(200, output.flush());
});

const isColoured = Deno.stdout.isTerminal() && !Deno.noColor && Deno.env.get("TERM") !== "dumb";
const isDeployed = output === consoleOutput;
output.info(summarise(config, { denoVersion: Deno.version.deno, isColoured, isDev, isDeployed }));
if (leadTargets.length > 0) setTimeout(runMaintenance); // what an earlier process left behind
// Not before: loading the YAML parser would double the time to the first answer.
if (!isDev) setTimeout(() => orExit(checkPages, { code: EXIT_CONFIG }), 10);
