/**
 * @module `deno task dev`: runs the service (`cli/dev/service.ts`), starts it again when its code or `.env`
 * changes, and ends with its parent.
 *
 * Not `deno run --watch`, which cuts off requests on a restart, outlives the service, and hides its exit
 * code.
 */

// deno-lint-ignore-file no-console -- for the developer at the terminal

import { checkStart } from "../config/usage.ts";
import { exit, EXIT_CONFIG, stopOnSignal } from "../lib/process.ts";
import { onChange } from "./dev/watch.ts";

/** What the service is made of; the rest of `static/` it watches itself. */
const CODE =
  /^(?:\.env|(?:deno|static\/(?:words\/)?[\w-]+|(?:config|leads|lib|routes|schemas|site|cli\/dev)\/[\w/]+)\.(?:ts|json))$/;

/** The service needs at most 4.2 s. */
const STOP_MS = 4_500;

let service: Deno.ChildProcess | undefined;

/** @param fixable exit codes after which an edit may help; 1 is an uncaught error */
function begin(fixable = [1, EXIT_CONFIG]): void {
  const args = ["run", "-q", "--env-file", "-P=service", "cli/dev/service.ts"];
  // Standard input closes when this process ends, however it ends: then the service ends too.
  const child = new Deno.Command(Deno.execPath(), { args, stdin: "piped" }).spawn();
  service = child;
  child.status.then(({ code }) => {
    if (child !== service) return;
    service = undefined;
    if (!fixable.includes(code)) return exit(code);
    console.error("The service has ended; it starts again when its code changes.");
  });
}

async function end(): Promise<void> {
  const child = service;
  service = undefined;
  child?.kill("SIGTERM");
  const timer = setTimeout(() => child?.kill("SIGKILL"), STOP_MS);
  await child?.status;
  clearTimeout(timer);
}

await checkStart("dev", Deno.args);
const parent = Deno.ppid;
begin([1]); // settings and port stay as they are
stopOnSignal(end);
const orphaned = setInterval(() => {
  if (Deno.ppid === parent) return;
  clearInterval(orphaned);
  Deno.kill(Deno.pid, "SIGTERM");
}, 500);

let restarted = Promise.resolve();
onChange({ folder: "", concerns: CODE }, (path) => {
  console.error(`\n${path} has changed`);
  // It may be ending by itself.
  restarted = restarted.then(end).catch(() => {}).then(() => begin());
});
