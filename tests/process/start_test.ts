/** @module Starts that fail print the reason, without a secret, and end with the documented exit code. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { pageText } from "../site/fixture.ts";
import { copyProject } from "../support/checkout.ts";
import { run, runDeno, start } from "../support/command.ts";
import { postLead } from "../support/post_lead.ts";
import {
  freePort,
  runToItsEnd,
  type ServiceOptions,
  startService,
  untilListens,
  withFolder,
} from "../support/service.ts";
import { runTask, taskFlags } from "../support/start_task.ts";
import { until } from "../support/until.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const FILE = ".data/frontdoor.sqlite";
const USED = `Cannot use KV at ${FILE} \\(KV_PATH\\): `;

interface Start extends ServiceOptions {
  readonly title: string;
  readonly env?: Record<string, string>;
  readonly prepare?: (folder: string) => Promise<unknown>;
  /** 2 unless given. */
  readonly code?: number;
  readonly says: readonly RegExp[];
}

const UNPRIVILEGED = Deno.uid() === 0
  ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
  : [];

function without(flag: string, entry?: string): NonNullable<ServiceOptions["flags"]> {
  return (words) =>
    words.flatMap((word) => {
      if (!word.startsWith(flag)) return [word];
      const rest = word.slice(flag.length + 1).split(",")
        .filter((one) => one !== entry && !one.endsWith(`/${entry}`));
      return entry === undefined || rest.length === 0 ? [] : [`${flag}=${rest.join(",")}`];
    });
}

function key(id: string, byte: number): Record<string, string> {
  return { LEAD_ENCRYPTION_KEYS: `${id}:${new Uint8Array(32).fill(byte).toBase64()}` };
}

const taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });

const STARTS: readonly Start[] = [
  {
    title: "all configuration errors are reported at once, with exit code 2",
    env: {
      PORT: "80000",
      LEAD_TARGETS: "gopher://secret.example/ smtp://ada:secret-word@mail.example",
      SITE_ULR: "https://secret.example",
      SITE_NAMES: "",
    },
    says: [
      /\n {2}PORT must be/,
      /\n {2}LEAD_TARGETS entry 1 must begin with https/,
      /\n {2}LEAD_TARGETS entry 2 must have from=ADDRESS, a plain one\n/,
      /\n {2}SITE_ULR is set, but the variable is SITE_URL\n$/,
    ],
  },
  {
    title: "an argument is rejected",
    args: ["1", "dev"], // only cli/dev.ts starts a server for development
    says: [/^Cannot understand 1 dev: start takes no arguments\n\nUsage: deno task start$/m],
  },
  {
    title: "a port in use is rejected",
    env: { PORT: String(taken.addr.port) },
    code: 1,
    says: [/^Cannot listen on 127\.0\.0\.1:\d+ \(HOST, PORT\): /],
  },
  {
    title: "a read-only file is rejected",
    async prepare(folder) {
      (await Deno.openKv(`${folder}/${FILE}`)).close();
      await Deno.chmod(`${folder}/${FILE}`, 0o400);
    },
    prefix: UNPRIVILEGED,
    says: [new RegExp(`^${USED}the file is read-only\n$`)],
  },
  {
    title: "a full disk is rejected",
    // The target of a link needs permission too.
    prepare: (folder) => Deno.symlink("/dev/full", `${folder}/${FILE}`),
    flags: () => ["run", "--allow-all"],
    says: [new RegExp(`^${USED}the disk is full\n$`)],
  },
  {
    title: "a KV outside .data is rejected by the permissions of the start task",
    env: { KV_PATH: "elsewhere.sqlite" },
    says: [/^Cannot use KV at elsewhere\.sqlite .*--allow-/],
  },
  ...([
    ["--allow-read", ".data", 2, /^Cannot use KV at .*Requires read access/],
    ["--allow-write", ".data", 2, /^Cannot use KV at .*Requires write access/],
    ["--allow-net", undefined, 1, /^Cannot listen on .*Requires net access/],
    ["--allow-env", "KV_PATH", 1, /Requires env access to "KV_PATH"/],
  ] as const).map(([flag, entry, code, words]): Start => ({
    title: `without ${flag} ${entry ?? ""} the service does not start`,
    flags: without(flag, entry),
    code,
    says: [words],
  })),
];

for (const { title, env = {}, prepare, code = 2, says, ...options } of STARTS) {
  Deno.test(title, () =>
    withFolder(async (folder) => {
      await Deno.mkdir(`${folder}/.data`);
      await prepare?.(folder);
      const started = { PORT: String(freePort()), ...env };
      const ended = await runToItsEnd(folder, started, options);
      equal(ended.code, code, ended.output);
      for (const words of says) match(ended.output, words);
      equal(/secret-word|(?:secret|mail)\.example/.test(ended.output), false, ended.output);
      if (code === 2) equal(ended.output.includes("    at "), false, "no stack");
    }));
}

Deno.test.afterAll(() => taken.close());

async function modesIn(folder: string): Promise<string[]> {
  const { out } = await run(["sh", "-c", "stat -c '%a %n' .data .data/*"], { cwd: folder });
  return out.trimEnd().split("\n");
}

Deno.test("a start creates files for its user alone, keeps existing modes, and needs the sealing key", () =>
  withFolder(async (folder) => {
    const service = await startService(folder, key("first", 1));
    deepEqual(await (await postLead(service.url)).json(), { ok: true, delivered: false });
    const files = ["", "-shm", "-wal"].map((end) => `600 ${FILE}${end}`);
    deepEqual(await modesIn(folder), ["700 .data", ...files]);
    await service.end("SIGKILL");
    await Deno.chmod(`${folder}/.data`, 0o755);
    await Deno.chmod(`${folder}/${FILE}`, 0o640);
    const again = await startService(folder, key("first", 1));
    deepEqual((await modesIn(folder)).slice(0, 2), ["755 .data", `640 ${FILE}`]);
    ok((await (await postLead(again.url)).text()).includes("true"), "the key opens the database");
    equal(await again.end(), 0);
    const env = { ...key("second", 2), PORT: String(freePort()) };
    const { code, output } = await runToItsEnd(folder, env);
    match(output, new RegExp(`^${USED}Cannot open what is sealed: .* has no first\n$`));
    equal(code, 2);
  }));

const HINT =
  /^Start the service with: deno task (start|dev)\nin the folder of deno\.json, [^\n]*\n$/;

/** Starts without the flags of the task; some also on a terminal, where Deno would ask. */
const BARE = ["run main.ts", "main.ts", "run --allow-env main.ts", "run cli/dev.ts"];

Deno.test("a start without flags names the task, with exit code 2", () =>
  withFolder(async (folder) => {
    for (const words of BARE) {
      const line = words.replace(/\S+\.ts/, `${ROOT}$&`).split(" ");
      const { code, out, err } = await runDeno(line, { cwd: folder });
      deepEqual([code, out], [2, ""], words);
      match(err, HINT);
      if (!/^run \S+$/.test(words)) continue;
      const shell = `NO_COLOR=1 ${Deno.execPath()} ${line.join(" ")}`;
      const asked = await run(["script", "-qec", shell, "/dev/null"], { cwd: folder });
      equal(asked.code, 2, words);
      match(asked.out.replaceAll("\r", ""), HINT);
    }
  }));

/** What a terminal is, and whether the summary is coloured on it. */
const TERMINALS = [["xterm", "", true], ["xterm", "1", false], ["dumb", "", false]] as const;

Deno.test("the summary is coloured on a terminal that shows colours, and what it says to try works", () =>
  Promise.all(TERMINALS.map(([TERM, NO_COLOR, isColoured]) =>
    withFolder(async (cwd) => {
      const port = freePort();
      const words = [Deno.execPath(), ...await taskFlags("service", ROOT), `${ROOT}main.ts`];
      const env = { PORT: String(port), TERM, NO_COLOR };
      const line = ["script", "-qec", words.join(" "), "/dev/null"];
      const terminal = start(line, { cwd, env, group: true });
      try {
        await untilListens(port, terminal);
        await until("it prints all", () => terminal.output().includes('"locale":"en"}'), 20_000);
        equal(terminal.output().includes("\x1b["), isColoured, terminal.output());
        const curl = /^curl .*$/m.exec(terminal.output())![0].trim();
        match((await run(["sh", "-c", curl])).out, /^\{"ok":true,"delivered":false\}/);
      } finally {
        await terminal.end();
      }
    })
  )).then(() => {}));

/** Two tasks; how each begins the line of a problem, and its exit code. */
const PROGRAMS = [
  ["check:pages", "", 1],
  ["start", "  ", 2],
] as const;

// `tests/site/check_test.ts` covers every kind of problem, `languages_test.ts` the doctor.
Deno.test("check and start fail with each problem of the pages, by file and line", () =>
  withFolder(async (cwd) => {
    await copyProject(cwd);
    const page = pageText("# Contact\n\n{{nope}}\n{{none}}\n");
    await Deno.writeTextFile(`${cwd}/static/pages/de/contact.md`, page);
    const styles = ":root {\n  --brand: teal;\n  --accent: #f2a900\n}\n";
    await Deno.writeTextFile(`${cwd}/static/styles/brand.css`, styles);
    const env = { PORT: String(freePort()) };
    await Promise.all(PROGRAMS.map(async ([line, begin, expected]) => {
      const { code, out, err } = await runTask(line, { cwd, env });
      equal(code, expected, out + err);
      for (const [at, name] of [[9, "nope"], [10, "none"]]) {
        const problem = `static/pages/de/contact\\.md:${at}: the placeholder \`${name}\``;
        match(out + err, new RegExp(`^${begin}${problem} is unknown; known are `, "m"));
      }
      if (begin !== "") return;
      match(out, /^\d+ pages, problems: 4\n$/);
      for (const colour of ["brand", "accent"]) {
        const rule = `it must have one line such as --${colour}: #`;
        match(err, new RegExp(`^static/styles/brand\\.css:1: ${rule}`, "m"));
      }
    }));
    // A name that cannot be a URL ends the start before it listens.
    await Deno.writeTextFile(`${cwd}/static/pages/de/Über uns.md`, page);
    const { code, err } = await runTask("start", { cwd, env });
    equal(code, 2);
    match(err, /de\/contact\.md:9: [^]*de\/Über uns\.md:1: the name must be en or de/);
  }));
