/** @module The service's composition root: configuration, KV, leads, app, cron, server, orderly stop. */

import { isRemote, kvPlace, parseConfig, summarise, VARIABLES } from "./config.ts";
import { consoleLog as log } from "./leads/log.ts";
import { createApiErrors } from "./routes/api_error.ts";
import { createApp } from "./routes/app.ts";
import { createHandler } from "./routes/handler.ts";
import { lazy } from "./routes/lazy.ts";
import { keepServing } from "./serving.ts";
import { EXIT_CONFIG, makeFolderOf, orExit, refuseArguments } from "./start.ts";
import { assetFiles, pageFiles } from "./static_files.ts";

refuseArguments(Deno.args);
const env = Object.fromEntries(VARIABLES.map((name) => [name, Deno.env.get(name)]));
const targets = env["LEAD_TARGETS"] ? await import("./leads/delivery/targets.ts") : undefined;
const config = await orExit(() => parseConfig(env, targets?.targetFault), { code: EXIT_CONFIG });
const { host: hostname, port, kvPath, leadTargets } = config;

const openKv = () => makeFolderOf(kvPath).then(() => Deno.openKv(kvPath));
// A remote KV may come back, and be opened again; a file is opened or there is no start.
const open = isRemote(kvPath) ? openKv : lazy(openKv);
if (!isRemote(kvPath)) {
  await orExit(open, { what: `Cannot open KV at ${kvPlace(config)} (KV_PATH)` });
}

const leads = lazy(async () => {
  const { createLeads } = await import("./leads/leads.ts");
  return await createLeads(config, { open, log });
});
const tend = async () => (await leads()).tend();
const stopping = new AbortController();
const checkPages = async () =>
  await (await import("./site/source_faults.ts")).requireSoundSources(pageFiles, config);
const app = await orExit(() =>
  createApp({
    config,
    leads,
    pages: pageFiles,
    assets: assetFiles,
    log,
    stopping: stopping.signal,
    now: Date.now,
  }).catch(async (error) => {
    await checkPages(); // a name that cannot be a URL is perhaps not the only fault
    throw error;
  }), { code: EXIT_CONFIG });
const handler = createHandler(app, { errors: createApiErrors(config.siteUrl), log });

// A failed run is logged and its jobs stay due: the next minute is the retry.
Deno.cron("tend leads", "* * * * *", { backoffSchedule: [] }, tend);
const serve = (port: number) => Deno.serve({ hostname, port, onListen() {} }, handler);
const server = await orExit(
  () => keepServing(serve, { port, log }),
  { what: `Cannot listen on ${hostname}:${port} (HOST, PORT)` },
);

// Platforms wait 5 s before SIGKILL: requests get most of it, deliveries the rest or the queue.
const stop = lazy(async () => {
  log.info("server.stopping");
  stopping.abort();
  await Promise.race([server.stop(), new Promise((done) => setTimeout(done, 3_000))]);
  await leads().then(({ outbox }) => outbox.stop(1_500)).catch(() => {});
  Deno.exit();
});
for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, stop);

// deno-lint-ignore no-console -- for whoever started it; the log is for machines
console.log(summarise(config, Deno.version.deno));
if (leadTargets.length > 0) setTimeout(tend); // what an earlier process left behind
// After the first requests: they are not to wait for it (see site/source_faults.ts).
setTimeout(() => orExit(checkPages, { code: EXIT_CONFIG }), 10);
