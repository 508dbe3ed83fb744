/** @module `deno task dev` leaves no process behind, whichever of its three processes gets a signal. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { withCopy, withDev } from "../../support/dev_task.ts";
import { pause, until } from "../../support/until.ts";

/** Signals, and to which process; a pause is in milliseconds. */
const ENDS: Readonly<
  Record<string, readonly (number | [Deno.Signal, "task" | "dev" | "service" | "group"])[]>
> = {
  "SIGTERM to the task": [["SIGTERM", "task"]],
  "Ctrl-C": [["SIGINT", "group"]],
  "Ctrl-C twice": [["SIGINT", "group"], 200, ["SIGINT", "group"]],
  "SIGTERM to the service": [["SIGTERM", "service"]],
  "SIGTERM to its parent": [["SIGTERM", "dev"]],
  "SIGKILL to the task": [["SIGKILL", "task"]],
  "SIGKILL to its parent": [["SIGKILL", "dev"]],
};

for (const isBroken of [false, true]) {
  const when = isBroken ? "while its code is broken" : "while a browser listens";
  Deno.test(`no process of dev outlives a signal ${when}`, async () => {
    const ends = Object.entries(ENDS)
      .filter(([title]) => !isBroken || title !== "SIGTERM to the service");
    const ended = await Promise.allSettled(ends.map(([title, steps]) =>
      withDev(async (dev) => {
        if (isBroken) {
          const app = `${dev.project}routes/app.ts`;
          await Deno.writeTextFile(app, "this is no TypeScript", { append: true });
          await until("it waits", () => dev.output().includes("when its code changes"), 20_000);
        } else {
          (await fetch(`${dev.url}/dev/events`)).text().catch(() => {});
        }
        const pids = await dev.processes();
        equal(pids.size, isBroken ? 2 : 3, dev.output());
        for (const step of steps) {
          if (typeof step === "number") await pause(step);
          else if (step[1] === "group") dev.signal(step[0]);
          else Deno.kill(pids.get(step[1])!, step[0]);
        }
        await until(`${title} ends all`, async () => (await dev.processes()).size === 0, 8_000);
        // Unless it was killed, the task ends after the service.
        if (!/KILL|twice/.test(title)) equal(await dev.finished, 0, title);
      })
    ));
    // Not before all are settled: a test that has failed would leave the others' processes.
    deepEqual(ended.flatMap((one) => one.status === "rejected" ? [String(one.reason)] : []), []);
  });
}
