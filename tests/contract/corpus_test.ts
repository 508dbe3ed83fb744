/** @module Counterexamples: stored, read and sent again. */

import { deepStrictEqual as deepEqual, match, rejects } from "node:assert/strict";
import {
  corpusFiles,
  type Counterexample,
  readCounterexample,
  saveCounterexample,
} from "../../contract/tiers/corpus.ts";
import { corpusTier, replayTier } from "../../contract/tiers/corpus.ts";
import { respond, setUp, test } from "./small_service.ts";

const POST = { method: "POST", path: "/api/things" };
const THING = '{"email":"a@a.invalid","name":"x","y":"\\ud800ü"}';

const EXAMPLE: Counterexample = {
  check: "broken_refused",
  where: "addThing",
  message: "got 200 instead of 400",
  seed: 7,
  steps: [
    {
      call: { ...POST, headers: [["content-type", "application/json"]], body: THING },
      want: { status: "400" },
    },
    { call: { ...POST, body: Uint8Array.of(0, 0xff, 0x22) }, want: { status: "4XX" } },
    { call: { method: "GET", path: "/api/alive" }, want: { status: "2XX" } },
  ],
};

test("saveCounterexample() stores the same requests in one file, readCounterexample() reads it", async (folder) => {
  const file = await saveCounterexample(folder, EXAMPLE);
  deepEqual(await readCounterexample(file), EXAMPLE);
  match(file.pathname, /\/broken_refused-[0-9a-f]{8}\.json$/);
  await saveCounterexample(folder, { ...EXAMPLE, seed: 8, message: "seen again" });
  await saveCounterexample(folder, { ...EXAMPLE, steps: EXAMPLE.steps.slice(0, 1) });
  deepEqual((await corpusFiles(folder)).length, 2);
  deepEqual(await corpusFiles(new URL("file:///nowhere/at/all/")), []);
});

test("readCounterexample() names a missing or malformed file", async (folder) => {
  const file = new URL("x-1.json", folder);
  await Deno.writeTextFile(file, '{"check":"x","steps":[{"method":"GET"}]}');
  await rejects(readCounterexample(file), /Cannot use x-1\.json:[^]*path: /);
  await rejects(readCounterexample(new URL("y.json", folder)), /Cannot read .*y\.json/);
});

test("the corpus tier finds a fault that is back, and nothing in a correct service", async (corpus) => {
  const file = await saveCounterexample(corpus, EXAMPLE);
  await using fixed = setUp({ corpus });
  await using back = setUp({
    corpus,
    override: ({ text }) => text.includes('"y"') ? respond(200, {}) : undefined,
  });
  await corpusTier.run(fixed.session);
  await corpusTier.run(back.session);
  deepEqual(fixed.findings, []);
  deepEqual(fixed.requests[1]!.bytes, Uint8Array.of(0, 0xff, 0x22));
  deepEqual(fixed.requests.length, 3);
  deepEqual(back.findings.map(({ check, message }) => [check, message]), [
    ["broken_refused", "got 200 instead of 400"],
  ]);
  const lines: string[] = [];
  await replayTier(file, (line) => void lines.push(line)).run(fixed.session);
  match(lines.join("\n"), /^curl -i [^]*→ 400 in /);
});
