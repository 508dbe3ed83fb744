/** @module `deno task dev` leaves no process behind, whichever of its three processes gets a signal. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { withDev } from "../../support/dev_task.ts";
import { pause, until } from "../../support/until.ts";

/** Signals in turn, each with the process or group that gets it. */
const ENDS = [
  ...["SIGTERM task", "SIGINT group", "SIGINT group SIGINT group", "SIGTERM dev"],
  ...["SIGKILL task", "SIGKILL dev", "SIGTERM service"],
];

for (const isBroken of [false, true]) {
  const when = isBroken ? "while its code is broken" : "while a browser is open";
  Deno.test(`no process of dev outlives a signal ${when}`, async () => {
    const ends = isBroken ? ENDS.slice(0, -1) : ENDS;
    const ended = await Promise.allSettled(ends.map((signals) =>
      withDev(async (dev) => {
        if (isBroken) {
          const app = `${dev.project}routes/app.ts`;
          await Deno.writeTextFile(app, "this is no TypeScript", { append: true });
          await until("it waits", () => dev.output().includes("when its code changes"), 20_000);
        } else {
          (await fetch(`${dev.url}/dev/edition`)).text().catch(() => {});
        }
        const pids = await dev.processes();
        equal(pids.size, isBroken ? 2 : 3, dev.output());
        for (const [, signal, to] of signals.matchAll(/(SIG\w+) (\w+)/g)) {
          const name = signal as Deno.Signal;
          if (to === "group") dev.signal(name);
          else Deno.kill(pids.get(to as "task")!, name);
          await pause(200);
        }
        await until(`${signals} ends all`, async () => (await dev.processes()).size === 0, 8_000);
        // Unless it was killed, the task ends after the service.
        if (!/KILL|group SIG/.test(signals)) equal(await dev.finished, 0, signals);
      })
    ));
    // Not before all are settled: a test that has failed would leave the others' processes.
    deepEqual(ended.flatMap((one) => one.status === "rejected" ? [String(one.reason)] : []), []);
  });
}
