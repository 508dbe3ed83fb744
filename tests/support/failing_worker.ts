/** @module A program of three threads, the second of which fails while the others are at work. */

import { STOP, workersOf } from "../../workers.ts";

const first = globalThis as unknown as Pick<Worker, "postMessage" | "addEventListener">;

if ("WorkerGlobalScope" in globalThis) {
  first.addEventListener("message", async ({ data }) => {
    if (data !== STOP) {
      // By then the others are at work as well, also on a machine that is busy.
      if (self.name === "worker 2") setTimeout(fail, 1_500);
      return first.postMessage("ready");
    }
    await work("worker 3");
    first.postMessage("stopped");
  });
  first.postMessage("here");
} else {
  const workers = workersOf(Deno.args)!;
  await workers.start({
    program: new URL(import.meta.url),
    env: {},
    port: 0,
    leads: () => Promise.reject(new Error("There are none")),
    async failed() {
      await Promise.all([work("the first thread"), workers.stop()]);
      Deno.exit();
    },
  });
}

function fail(): never {
  throw new Error("something nobody catches");
}

async function work(who: string): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 200));
  // deno-lint-ignore no-console -- what the test looks at
  console.log(`${who} has finished`);
}
