/**
 * @module One thread of several (`workers.ts`): requests and nothing else. Pages and answers it makes
 * itself; valid leads go to the first thread, which alone has the database. It reads no environment.
 */

import { parseConfig } from "./config.ts";
import { consoleLog as log } from "./leads/log.ts";
import { createApp } from "./routes/app.ts";
import { once } from "./routes/http/prebuilt.ts";
import { keepServing } from "./serving.ts";
import { assetFiles, pageFiles } from "./static_files.ts";
import { STOP, type WorkerOrder, type WorkerReport } from "./workers.ts";

/** The first thread; the type of a worker's own global is not in this program's library. */
const first = globalThis as unknown as Pick<Worker, "postMessage" | "addEventListener">;

const ordered = heard();
report("here");
const { env, port, attempts, line } = await ordered as WorkerOrder;
const config = parseConfig(env);

const leads = once(async () => {
  const { createRemoteLeads } = await import("./leads/remote_intake.ts");
  return await createRemoteLeads(config, { line, attempts, log });
});
const app = createApp({ config, leads, pages: pageFiles, assets: assetFiles, log, now: Date.now });
const server = keepServing(
  (at) =>
    Deno.serve(
      { hostname: config.host, port: at, reusePort: true, onListen() {} },
      (request, info) => app.fetch(request, info),
    ),
  { port, log },
);

const told = heard();
report("ready");
if (await told === STOP) {
  app.stop();
  await server.stop();
}
report("stopped");

function report(word: WorkerReport): void {
  first.postMessage(word);
}

/** What the first thread says next. */
function heard(): Promise<WorkerOrder | typeof STOP> {
  return new Promise((resolve) =>
    first.addEventListener("message", ({ data }) => resolve(data), { once: true })
  );
}
