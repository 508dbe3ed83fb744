/** @module The limits tier and time: an honest service passes, and who waits wrongly is found. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { Limited } from "../../contract/limits/client.ts";
import { holdsRecovery, holdsRetryAfter, WAITING } from "../../contract/limits/waiting.ts";
import { assertFound, foundIn, type Knobs, type Setting } from "./limited_service.ts";

const PLENTY = { count: 900_000, seconds: 3_600 };

/** What is looked at, how it is spoilt, and what is found; no words: nothing. */
type Row = readonly [
  setting: Setting,
  look: (limited: Limited) => Promise<void>,
  knobs: Knobs,
  words: string,
];

Deno.test("Retry-After is held to the second, and a whole window to the whole allowance", async () => {
  const accepted = { accepted: WAITING, attempts: PLENTY, proxied: true };
  const attempts = { accepted: PLENTY, attempts: WAITING, proxied: true };
  const wait = (change: (seconds: number) => number): Knobs => ({
    headers(headers, status) {
      if (status !== 429) return;
      const seconds = change(Number(headers.get("retry-after")));
      headers.set("retry-after", String(seconds));
      headers.set("ratelimit", headers.get("ratelimit")!.replace(/(r=0;t=)\d+/, `$1${seconds}`));
    },
  });
  const retry = (limited: Limited) => holdsRetryAfter(limited, "accepted");
  const recovery = (limited: Limited) => holdsRecovery(limited, "accepted");
  const rows: readonly Row[] = [
    [accepted, retry, {}, ""],
    [accepted, recovery, {}, ""],
    [attempts, (limited) => holdsRetryAfter(limited, "attempts"), {}, ""],
    [accepted, retry, wait((seconds) => seconds + 1), "is longer than it takes"],
    [accepted, retry, wait((seconds) => Math.max(1, seconds - 1)), "is shorter than it takes"],
    [accepted, retry, { extends: true }, "after Retry-After of thing came 429 instead of 200"],
    [accepted, retry, { more: 1 }, "at once beyond thing got 200 instead of 429"],
    [accepted, recovery, { missing: 0.5 }, "not all of thing is there again"],
    [accepted, recovery, { later: 1 }, "more than all of thing is there"],
  ];
  await Promise.all(rows.map(async ([setting, look, knobs, words]) => {
    const found = await foundIn(setting, { look, knobs });
    if (words === "") deepEqual(found, []);
    else assertFound(found, words);
  }));
});
