/** @module Counter-examples: kept as they were, sent again first, and alone by `--replay`. */

import assert, { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { CaseError } from "../../contract/case_file.ts";
import {
  corpusFiles,
  type Counterexample,
  keep,
  readCounterexample,
} from "../../contract/corpus.ts";
import { corpusTier } from "../../contract/tiers/replay.ts";
import { TIERS } from "../../contract/tiers/tiers.ts";
import { runDeno } from "../support/command.ts";
import { say, type Setting, setUp, type Spoil, withFolder } from "./small_service.ts";

const EXAMPLE: Counterexample = {
  check: "broken_refused",
  where: "addThing",
  message: "got 200 instead of 400",
  seed: 7,
  steps: [
    {
      call: {
        method: "POST",
        path: "/api/things",
        headers: [["content-type", "application/json"]],
        body: '{"email":"a@a.invalid","name":"x","y":"\\ud800ü"}',
      },
      want: { status: "400", code: "wrong", at: [""] },
    },
    {
      call: { method: "POST", path: "/api/things", body: Uint8Array.of(0, 0xff, 0x22) },
      want: { status: "4XX" },
    },
    { call: { method: "GET", path: "/api/alive" }, want: { status: "2XX" } },
  ],
};

Deno.test("a counter-example is read as it was kept, and the same one is one file", async () => {
  await withFolder(async (folder) => {
    const file = await keep(folder, EXAMPLE);
    deepEqual(await readCounterexample(file), EXAMPLE);
    assert(/\/broken_refused-[0-9a-f]{8}\.json$/.test(file.pathname));
    await keep(folder, { ...EXAMPLE, seed: 8, message: "seen again" });
    equal((await corpusFiles(folder)).length, 1);
    await keep(folder, { ...EXAMPLE, steps: EXAMPLE.steps.slice(0, 1) });
    equal((await corpusFiles(folder)).length, 2);
  });
});

Deno.test("what is no counter-example is refused by name", async () => {
  await withFolder(async (folder) => {
    const file = new URL("x-1.json", folder);
    await Deno.writeTextFile(file, '{"check":"x","steps":[{"method":"GET"}]}');
    for (
      const [wrong, said] of [[file, "steps.0.path"], [new URL("y.json", folder), "Cannot read"]]
    ) {
      await readCounterexample(wrong as URL).then(
        () => assert.fail("it was read"),
        (error) => assert(error instanceof CaseError && error.message.includes(String(said))),
      );
    }
  });
});

Deno.test("a folder that is not there is an empty corpus", async () => {
  deepEqual(await corpusFiles(new URL("file:///nowhere/at/all/")), []);
});

Deno.test("the corpus is sent before everything else", () => {
  equal(TIERS[0], corpusTier);
});

/** Takes what has a member more. */
const LENIENT: Spoil = ({ text }) => text.includes('"y"') ? say(200, {}) : undefined;

/** Has a corpus of one example sent. */
async function sent(spoil?: Spoil): Promise<Pick<Setting, "findings" | "got">> {
  const seen = { findings: [], got: [] } as unknown as Pick<Setting, "findings" | "got">;
  await withFolder(async (folder) => {
    await keep(folder, EXAMPLE);
    await using setting = setUp({ corpus: folder, ...(spoil === undefined ? {} : { spoil }) });
    await corpusTier.run(setting.session);
    seen.findings.push(...setting.findings);
    seen.got.push(...setting.got);
  });
  return seen;
}

Deno.test("a fault that is mended is no finding any more, one that is back is", async () => {
  const mended = await sent();
  deepEqual(mended.findings, []);
  deepEqual(mended.got.map(({ method, path }) => `${method} ${path}`), [
    "POST /api/things",
    "POST /api/things",
    "GET /api/alive",
  ]);
  deepEqual(mended.got[1]!.bytes, Uint8Array.of(0, 0xff, 0x22));
  const back = await sent(LENIENT);
  deepEqual(back.findings.map(({ check, message }) => [check, message]), [
    ["broken_refused", "got 200 instead of 400 wrong"],
  ]);
});

Deno.test("nothing is replayed where there is no corpus", async () => {
  await using setting = setUp();
  assert(corpusTier.unable?.(setting.session) !== undefined);
});

/** The harness as a program, on one file. */
async function replayed(url: string, file: string) {
  const main = new URL("../../contract/main.ts", import.meta.url).pathname;
  const cases = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${cases}/profile.yaml`, "document: /openapi.json\n");
    const args = ["run", "-A", main, "--url", url, "--replay", file, "--cases", cases];
    const { code, out, err } = await runDeno(args, { cwd: "/" });
    return { code, out: out + err };
  } finally {
    await Deno.remove(cases, { recursive: true });
  }
}

Deno.test("--replay ends with 0 where it holds, 1 where it does not, 2 without a file", async () => {
  await withFolder(async (folder) => {
    const plain: Counterexample = {
      ...EXAMPLE,
      steps: EXAMPLE.steps.map(({ call, want }) => ({ call, want: { status: want.status } })),
    };
    const file = (await keep(folder, plain)).pathname;
    await using honest = setUp();
    await using lenient = setUp({ spoil: LENIENT });
    const [held, violated, without] = await Promise.all([
      replayed(honest.url, file),
      replayed(lenient.url, file),
      replayed(honest.url, `${file}.not`),
    ]);
    deepEqual([held.code, violated.code, without.code], [0, 1, 2], held.out + violated.out);
    assert(held.out.includes("curl -i"), held.out);
    assert(held.out.includes("→ 400"), held.out);
    assert(violated.out.includes("got 200 instead of 400"), violated.out);
    assert(without.out.includes("Cannot read"), without.out);
  });
});
