/**
 * @module The service during development, which `deno task dev` starts (`cli/dev.ts`): as `main.ts`, with
 * the app of `app.ts`. It ends when its standard input closes, and with it the process that started it.
 */

import { parseConfig, readVariables } from "../../config/config.ts";
import { envFileNote } from "../../config/env_file.ts";
import { targetProblem } from "../../leads/delivery/targets.ts";
import { checkDatabase, databaseAt } from "../../leads/kv/open.ts";
import { createLeads } from "../../leads/pipeline.ts";
import { lazy } from "../../lib/lazy.ts";
import { createLog, standardOutput as output } from "../../lib/log.ts";
import { EXIT_CONFIG as code, orExit } from "../../lib/process.ts";
import { createApp } from "../../routes/app.ts";
import { serve } from "../../routes/server.ts";
import { assetFiles } from "../../site/files.ts";
import type { PageSource } from "../../site/files.ts";
import { developing } from "./app.ts";

const env = readVariables((name) => Deno.env.get(name));
const log = createLog(output);
const envFile = await orExit(() => envFileNote(env), { code });
const config = await orExit(() => parseConfig(env, targetProblem), { code });
const database = databaseAt(config, (path) => Deno.openKv(path));
const leads = lazy(() => createLeads(config, { ...database, log }));
const runMaintenance = async () => (await leads()).runMaintenance();

const abort = new AbortController();
const { signal: stopping } = abort;
const deps = { config, leads, assets: assetFiles, log, stopping, now: Date.now };
const create = (pages: PageSource) => createApp({ ...deps, pages });
const app = developing(create, config);

await checkDatabase(database, config);
Deno.cron("drain the outbox and purge", "* * * * *", { backoffSchedule: [] }, runMaintenance);
const listen = (port: number) =>
  Deno.serve({ hostname: config.host, port, onListen() {} }, app.fetch);
const term = env["TERM"];
await serve({ config, listen, leads, log, output, abort, envFile, term, isDev: true, code });
Deno.stdin.readable.pipeTo(new WritableStream()).finally(() => Deno.kill(Deno.pid, "SIGTERM"));
if (config.leadTargets.length > 0) setTimeout(runMaintenance);
