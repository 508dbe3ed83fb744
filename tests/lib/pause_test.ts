/** @module afterPause() waits for a pause, and calls back once. */

import { strictEqual as equal } from "node:assert/strict";
import { afterPause } from "../../lib/pause.ts";
import { pause, until } from "../support/until.ts";

Deno.test("afterPause() is put off by each call, and calls back once", async () => {
  let calls = 0;
  const touch = afterPause(400, () => calls++);
  for (let n = 0; n < 5; n++) {
    await pause(100);
    touch();
  }
  equal(calls, 0);
  await until("it calls back", () => calls > 0);
  touch();
  await pause(450);
  equal(calls, 1);
});
