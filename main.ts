/**
 * @module The composition root: configuration, KV, leads, app, cron, server, orderly stop. The only
 * reader of the environment and the only caller of `Deno.openKv`, `Deno.cron` and `Deno.serve`.
 */

import { parseConfig, summarise, VARIABLES } from "./config.ts";
import { consoleLog as log } from "./leads/log.ts";
import { createApp } from "./routes/app.ts";
import { once } from "./routes/http/prebuilt.ts";

const config = await orExit(2, () =>
  parseConfig(Object.fromEntries(VARIABLES.map((name) => [name, Deno.env.get(name)]))));
const { host: hostname, port, kvPath, leadTargets } = config;

const kv = await orExit(1, async () => {
  const file = kvPath?.match(/^(?!\w+:\/\/|:memory:)(?:(.*)\/)?[^/]+$/);
  if (file?.[1]) await Deno.mkdir(file[1], { recursive: true });
  return await Deno.openKv(kvPath);
}, `Cannot open KV at ${kvPath ?? "the platform's database"} (KV_PATH)`);

const leads = once(async () => {
  const { createLeads } = await import("./leads/leads.ts");
  return await createLeads(config, { kv, log });
});
const drain = async () => (await leads()).outbox.drain();
const app = createApp({ config, intake: async () => (await leads()).intake, log });

// A failed drain is logged and its jobs stay due: the next minute is the retry.
if (leadTargets.length > 0) Deno.cron("drain", "* * * * *", { backoffSchedule: [] }, drain);
const server = await orExit(1, () =>
  Deno.serve({ hostname, port, onListen: () => {} }, (request, connection) =>
    app.fetch(request, connection)), `Cannot listen on ${hostname}:${port} (HOST, PORT)`);
// deno-lint-ignore no-console -- for whoever started it; logs are for machines
console.log(summarise(config, Deno.version.deno));
if (leadTargets.length > 0) setTimeout(drain); // what an earlier process left behind

// Platforms wait 5 s before SIGKILL: requests get most of it, deliveries the rest or the queue.
let stopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, async () => {
    if (stopping) return;
    stopping = true;
    log.info("server.stopping", { signal });
    await Promise.race([server.shutdown(), new Promise((done) => setTimeout(done, 3_000))]);
    await (await leads()).outbox.stop(1_500);
    kv.close();
    Deno.exit(0);
  });
}

/** Runs a step of the start; a failure is told in one line and ends the process. */
async function orExit<T>(code: number, step: () => T | Promise<T>, what?: string): Promise<T> {
  try {
    return await step();
  } catch (error) {
    const { message } = error as Error;
    // deno-lint-ignore no-console -- before there is anything else
    console.error(what === undefined ? message : `${what}: ${message}`);
    return Deno.exit(code);
  }
}
