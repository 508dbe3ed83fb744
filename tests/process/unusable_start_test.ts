/**
 * @module A start that could keep no lead is refused before it listens, with exit code 2 and the cause.
 *
 * Root may write whatever its mode says. As root, the service is started by `setpriv` (util-linux) without
 * the capabilities that allow it, so that modes count for it as for any user.
 */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { startFlags } from "../support/start_task.ts";
import { run } from "../support/command.ts";
import { postLead } from "../support/post_lead.ts";
import {
  freePort,
  runToItsEnd,
  type Service,
  startService,
  withFolder,
} from "../support/service.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const FILE = ".data/frontdoor.sqlite";

/** Puts in the place of the database what keeps it from working; the cause that is told. */
const CASES: readonly (readonly [
  what: string,
  prepare: (folder: string) => Promise<void>,
  cause: string,
])[] = [
  [
    "a file that is not a database",
    (folder) => Deno.writeTextFile(`${folder}/${FILE}`, "this is not a database, but long enough"),
    "the file is not a database",
  ],
  [
    "a folder",
    (folder) => Deno.mkdir(`${folder}/${FILE}`),
    "the file or its folder cannot be opened for writing",
  ],
  [
    "a file that may only be read",
    async (folder) => {
      (await Deno.openKv(`${folder}/${FILE}`)).close();
      await Deno.chmod(`${folder}/${FILE}`, 0o400);
    },
    "the file is read-only",
  ],
  [
    "a folder that may only be read",
    (folder) => Deno.chmod(`${folder}/.data`, 0o500),
    "the file or its folder cannot be opened for writing",
  ],
];

for (const [what, prepare, cause] of CASES) {
  Deno.test(`${what} in the place of the database: no start, and why`, () =>
    withFolder(async (folder) => {
      await Deno.mkdir(`${folder}/.data`);
      await prepare(folder);
      const { code, output } = await runWithoutPrivileges(folder);
      equal(output, `Cannot use KV at ${FILE} (KV_PATH): ${cause}\n`);
      equal(code, 2);
    }));
}

Deno.test("a full disk: no start, and why", () =>
  withFolder(async (folder) => {
    // Linux's device that is always full; what a link leads to needs permission as well.
    await Deno.mkdir(`${folder}/.data`);
    await Deno.symlink("/dev/full", `${folder}/${FILE}`);
    const { code, output } = await runWithoutPrivileges(folder, ["--allow-all"]);
    equal(output, `Cannot use KV at ${FILE} (KV_PATH): the disk is full\n`);
    equal(code, 2);
  }));

Deno.test("a KV outside .data is refused by the permissions of the start task", () =>
  withFolder(async (folder) => {
    const { code, output } = await runToItsEnd(folder, { KV_PATH: `${folder}/elsewhere.sqlite` });
    equal(code, 2);
    match(output, /^Cannot use KV at .*--allow-/);
  }));

Deno.test("a sealed database without its key: no start, and which key; with it the lead is there", () =>
  withFolder(async (folder) => {
    const keyed = (id: string, byte: number) => ({
      LEAD_ENCRYPTION_KEYS: `${id}:${new Uint8Array(32).fill(byte).toBase64()}`,
    });
    const service = await startService(folder, keyed("first", 1));
    await mustStore(service);
    await service.end();
    for (const env of [{}, keyed("second", 2)]) {
      const { code, output } = await runToItsEnd(folder, env);
      match(output, /^Cannot use KV at .*: Cannot open what is sealed: .* has no first\n$/);
      equal(code, 2);
    }
    const { code, output } = await runToItsEnd(folder, keyed("first", 3));
    match(output, /the bytes or the key are not the right ones\n$/);
    equal(code, 2);
    const again = await startService(folder, keyed("first", 1));
    await mustStore(again);
    equal(await again.end(), 0);
  }));

Deno.test("what a start makes is for its user alone, and what was there stays as it was", () =>
  withFolder(async (folder) => {
    const service = await startService(folder);
    await mustStore(service);
    deepEqual(await modesIn(folder), [
      [".data", "700"],
      [".data/frontdoor.sqlite", "600"],
      [".data/frontdoor.sqlite-shm", "600"],
      [".data/frontdoor.sqlite-wal", "600"],
    ]);
    await service.end("SIGKILL");
    await Deno.chmod(`${folder}/.data`, 0o755);
    await Deno.chmod(`${folder}/${FILE}`, 0o640);
    const again = await startService(folder);
    deepEqual((await modesIn(folder)).slice(0, 2), [
      [".data", "755"],
      [".data/frontdoor.sqlite", "640"],
    ]);
    equal(await again.end(), 0);
  }));

async function mustStore({ url }: Pick<Service, "url">): Promise<void> {
  deepEqual(await (await postLead(url)).json(), { ok: true, delivered: false });
}

async function modesIn(folder: string): Promise<(readonly [string, string])[]> {
  const names = (await Array.fromAsync(Deno.readDir(`${folder}/.data`))).map(({ name }) => name);
  return await Promise.all(
    [".data", ...names.sort().map((name) => `.data/${name}`)].map(async (name) => {
      const { mode } = await Deno.stat(`${folder}/${name}`);
      return [name, (mode! & 0o777).toString(8)] as const;
    }),
  );
}

/** Starts the service with its own permissions, or with those given, to its end. */
async function runWithoutPrivileges(
  folder: string,
  permissions?: readonly string[],
): Promise<{ code: number; output: string }> {
  const line = [
    // Ends what should have ended by itself.
    ...["timeout", "--signal=KILL", "20"],
    ...(Deno.uid() === 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : []),
    Deno.execPath(),
    ...(permissions === undefined ? await startFlags(ROOT) : ["run", ...permissions]),
    `${ROOT}main.ts`,
  ];
  const { code, out, err } = await run(line, { cwd: folder, env: { PORT: String(freePort()) } });
  ok(!(out + err).includes("    at "), "no stack");
  return { code, output: out + err };
}
