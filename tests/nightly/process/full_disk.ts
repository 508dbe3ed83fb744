/** @module A disk that becomes full while leads arrive; setrlimit(2) on file sizes stands in for it. */

import { match, ok, strictEqual as equal } from "node:assert/strict";
import { run } from "../../support/command.ts";
import { Ledger, mostIds } from "../../support/ledger.ts";
import { startReceiver } from "../../support/receiver.ts";
import { withRunningService } from "../../support/service.ts";
import { DATABASE, verify } from "../../crash/verify.ts";

/** Room for some 60 leads, less than the size at which SQLite begins its log anew. */
const ROOM_BYTES = 2 * 1024 * 1024;
const MOST_ROUNDS = 100;
const AT_ONCE = 8;

Deno.test("while the disk is full, a lead is delivered or answered 502; afterwards all answers are true", async () => {
  const ledger = new Ledger();
  let status = 204;
  await using receiver = startReceiver(() => new Response(null, { status }));
  await withRunningService(
    async ({ url, pid, folder, output, end }) => {
      async function limitFiles(bytes: number | "unlimited"): Promise<void> {
        const line = ["prlimit", `--pid=${pid}`, `--fsize=${bytes}:unlimited`];
        const { code, err } = await run(line);
        equal(code, 0, err);
      }
      async function post(options: readonly { readonly company?: string }[], expected: number) {
        const posts = options.map((lead) => ledger.post({ url, targeted: true }, lead));
        const answers = await Promise.all(posts);
        return answers.filter((answer) => answer.status === expected).length;
      }
      const lost = () => ledger.answers.filter((answer) => answer.status === 502);
      const fresh = Array(AT_ONCE).fill({});

      equal(await post(fresh, 200), AT_ONCE);
      const { size } = await Deno.stat(`${folder}/${DATABASE}-wal`);
      await limitFiles(size + ROOM_BYTES);
      status = 503;
      let rounds = 0;
      while (lost().length === 0 && rounds < MOST_ROUNDS) {
        await post(fresh, 200);
        rounds++;
      }
      ok(rounds > 4 && rounds < MOST_ROUNDS, `${rounds} rounds`);
      ok(await post(lost(), 502) > 0, "sent again to no avail");
      status = 204;
      equal(await post(fresh, 200), AT_ONCE);
      match(output(), /"kv\.failed".*"the disk is full(?: or reports an I\/O error)?"/);

      await limitFiles("unlimited");
      const again = lost();
      equal(await post(again, 200), again.length);
      await verify(folder, { receiver, ledger });
      equal(mostIds(receiver.received), 1);
      equal(await end(), 0);
    },
    { LEAD_TARGETS: receiver.url, TRUSTED_PROXY_HOPS: "1" },
    {
      // The signal of a write beyond the limit would end the process.
      prefix: ["sh", "-c", `trap "" XFSZ; exec "$0" "$@"`],
    },
  );
  // deno-lint-ignore no-console -- the figures of the run
  console.log(ledger.tally);
});
