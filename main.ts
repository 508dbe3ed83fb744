/** @module The service's composition root: settings, database, leads, app, cron, server. */

import { parseConfig, readVariables } from "./config/config.ts";
import { envFileNote } from "./config/env_file.ts";
import { checkStart } from "./config/usage.ts";
import { checkDatabase, databaseAt } from "./leads/kv/open.ts";
import { lazy } from "./lib/lazy.ts";
import { consoleOutput, createLog, standardOutput } from "./lib/log.ts";
import { afterPause } from "./lib/pause.ts";
import { EXIT_CONFIG, orExit } from "./lib/process.ts";
import { createApp } from "./routes/app.ts";
import { serve } from "./routes/server.ts";
import { assetFiles, pageFiles } from "./site/files.ts";

await checkStart("start", Deno.args);

const env = readVariables((name) => Deno.env.get(name));
const isDeployed = Boolean(env["DENO_DEPLOY"]);
const output = isDeployed ? consoleOutput : standardOutput;
const log = createLog(output);
const envFile = await orExit(() => envFileNote(env), { code: EXIT_CONFIG });
const targets = env["LEAD_TARGETS"] ? await import("./leads/delivery/targets.ts") : undefined; // 31 ms
const config = await orExit(() => parseConfig(env, targets?.targetProblem), { code: EXIT_CONFIG });

const database = databaseAt(config, (path) => Deno.openKv(path));
const usable = checkDatabase(database, config);

const leads = lazy(async () => {
  const { createLeads } = await import("./leads/pipeline.ts"); // 63 ms
  return await createLeads(config, { ...database, log });
});
const runMaintenance = async () => (await leads()).runMaintenance();

async function checkPages(): Promise<void> {
  const { requireSoundSources } = await import("./site/check.ts");
  await requireSoundSources(pageFiles, config);
}
const abort = new AbortController();
const app = await orExit(async () => {
  const deps = { config, leads, pages: pageFiles, assets: assetFiles, log, now: Date.now };
  return await createApp({ ...deps, stopping: abort.signal }).catch(async (error) => {
    await checkPages(); // names every problem, not only the first name that cannot be a URL
    throw error;
  });
}, { code: EXIT_CONFIG });

if (database.isLocal) await usable; // pages need not wait for a KV server
// A failed run is logged and its jobs stay due: the next minute is the retry.
Deno.cron("drain the outbox and purge", "* * * * *", { backoffSchedule: [] }, runMaintenance);
const { host: hostname, leadTargets } = config;
// In the first second without a request, so that no visitor waits. For Deno Deploy, the build has done it.
const check = () => void orExit(checkPages, { code: EXIT_CONFIG });
const onRequest = isDeployed ? undefined : afterPause(1_000, check);
const answer: Deno.ServeHandler<Deno.NetAddr> = (request, connection) => {
  onRequest?.();
  return app.fetch(request, connection);
};
const listen = (port: number) => Deno.serve({ hostname, port, onListen() {} }, answer);
await serve({ config, listen, leads, log, output, abort, envFile, isDeployed, term: env["TERM"] });
if (leadTargets.length > 0) setTimeout(runMaintenance); // what an earlier process left behind
