/** @module The operators' programs as processes: their permissions, what they find and do, and what they print. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { type Ended, run, runDeno } from "../support/command.ts";
import { withReceiver } from "../support/receiver.ts";
import {
  freePort,
  runToItsEnd,
  startService,
  withFolder,
  withRunningService,
} from "../support/service.ts";
import { runLeads as leads, taskFlags } from "../support/start_task.ts";
import { postLead } from "../support/post_lead.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** The arguments of Deno for a program with exactly the permissions of its task. */
async function argumentsOf(program: "leads" | "doctor", words: readonly string[] = []) {
  const flags = await taskFlags(program, ROOT);
  return [...flags, "--no-prompt", `${ROOT}cli/${program}.ts`, ...words];
}

Deno.test("the doctor checks the database and the target of a running service", () =>
  withReceiver((receiver) =>
    withRunningService(async (service) => {
      const { code, out } = await runDeno(await argumentsOf("doctor"), {
        cwd: service.folder,
        env: {
          LEAD_TARGETS: receiver.url,
          LEAD_TARGET_HEADERS: `${new URL(receiver.url).host}:X-Key=zz81`,
          SITE_URL: "https://www.example.invalid",
          TRUST_PROXY_HOPS: "1",
        },
      });
      equal(code, 0, out);
      match(out, /^warn {2}variables: TRUST_PROXY_HOPS is set, and no such variable exists\./m);
      equal(out.includes("zz81"), false, out);
      match(out, /^ok {4}kv: .*commits in \d+ ms\.$/m);
      match(out, /^ok {4}target 127\.0\.0\.1:\d+: accepted a test event\.$/m);
      match(out, / 0 failed\n$/);
      deepEqual(
        receiver.received.map(({ body, headers }) => [JSON.parse(body).type, headers["x-key"]]),
        [["lead.test", "zz81"]],
      );
      equal(await service.end(), 0);
    }, { LEAD_TARGETS: receiver.url })
  ));

const PASSWORDS = [
  ["begin#end", /^FAIL {2}configuration: LEAD_TARGETS entry 1 must .*password # is written %/m],
  ["$NO_SUCH_NAME", /^warn {2}credentials: .*In a password write # as %23 and \$ as %24/m],
  ["a%23b%24NO_SUCH_NAME%40", /^ok {4}configuration: [^]*^FAIL {2}target .*: refused/m],
] as const;

Deno.test("the doctor notices a password that --env-file has cut or replaced", () =>
  withFolder(async (folder) => {
    for (const [password, says] of PASSWORDS) {
      const target = `LEAD_TARGETS=http://ada:${password}@127.0.0.1:${freePort()}/in`;
      await Deno.writeTextFile(`${folder}/.env`, `${target}\n`);
      const [run, ...args] = await argumentsOf("doctor");
      const line = [run!, `--env-file=${folder}/.env`, ...args, "--no-send"];
      match((await runDeno(line, { cwd: folder })).out, says);
    }
  }));

Deno.test("leads from before LEAD_TARGETS are counted, sent and delivered", () =>
  withReceiver((receiver) =>
    withFolder(async (folder) => {
      const service = await startService(folder);
      await (await postLead(service.url)).body?.cancel();
      const stats = await leads(["stats"], { folder });
      match(stats.out, /'1 lead is stored and goes nowhere: deno task leads send --stored'\n$/);

      const env = { LEAD_TARGETS: `crm=${receiver.url}` };
      const sent = await leads(["send", "--stored"], { folder, env });
      deepEqual([sent.code, sent.err], [0, ""]);
      match(sent.out, /^Due now: 1 delivery\. .*\n {2}crm {2}1\n$/);
      await service.end();

      const restarted = await startService(folder, env);
      await receiver.arrived(1, 20_000);
      await restarted.end();
      const found = await leads(["find", "ADA@example.com", "--json"], { folder });
      const [{ deliveries }] = JSON.parse(found.out).leads;
      deepEqual([deliveries.crm.state, deliveries.crm.attempts.length], ["delivered", 1]);
      equal(receiver.received.length, 1);
    })
  ));

const WITHOUT_KV: readonly (readonly [string, Record<string, string>, code: number, RegExp])[] = [
  ["list", {}, 1, /^Cannot open KV at \.data\/frontdoor\.sqlite .*: it does not exist; start the/],
  ["list", { KV_PATH: ":memory:" }, 1, /it is in the memory of the service's process/],
  ["list", { KV_PATH: "/nowhere/x" }, 1, /--allow-read/],
  ["list", { LEAD_TARGETS: "crm" }, 2, /LEAD_TARGETS entry 1 must/],
  ["list", { LEAD_ENCRYPTION_KEYS: "secret" }, 2, /LEAD_ENCRYPTION_KEYS entry 1 must be/],
];

Deno.test("leads creates no database, and its exit code distinguishes errors", () =>
  withFolder(async (folder) => {
    for (const [words, env, code, error] of WITHOUT_KV) {
      const ended = await leads(words.split(" "), { folder, env });
      equal(ended.code, code, ended.err);
      match(ended.err, error);
      ok(!/ {4}at |secret/.test(ended.err));
    }
    deepEqual(await Array.fromAsync(Deno.readDir(folder)), []);
  }));

/** C0 with a lone CR, DEL, C1, bidirectional controls, line separators. */
const CONTROLS = "a\x1b[2Jb\x07c\rd\x7fe\x85f\x9b31mg\u061Ch\u200Ei\u202Ej\u2066k\u2028l\u2029m";

const LEAD = {
  email: "ada@example.com",
  company: `Example ${CONTROLS}`,
  locale: "en",
  message: `One\r\nTwo\n\tThree ${CONTROLS}`,
};

/** A hostile word that a message repeats. */
const WORD = "x\x1b[31m\u202E";

const LINES: readonly (readonly [program: "leads" | "doctor", ...words: string[]])[] = [
  ["leads", "list"],
  ["leads", "show", "0"],
  ["leads", "export", "--format", "csv"],
  ["leads", WORD],
  ["doctor", `--for=${WORD}`],
];

/** Runs a program in bash, as `"$@"`. */
async function shell(
  script: string,
  [program, ...words]: typeof LINES[number],
  { folder, env = {} }: { readonly folder: string; readonly env?: Record<string, string> },
): Promise<Ended> {
  const line = [
    "bash",
    "-c",
    script,
    "bash",
    Deno.execPath(),
    ...await argumentsOf(program, words),
  ];
  return await run(line, { cwd: folder, env });
}

Deno.test("no text of a lead or a word of the command line controls a terminal", () =>
  withRunningService(async ({ url, folder, output }) => {
    const answer = await postLead(url, LEAD);
    equal((await answer.json()).ok, true);
    const env = { TERM: "xterm", SITE_NAME: "Example \u202E" };
    const terminal = `printf -v line '%q ' "$@"; SHELL=/bin/bash script -qec "$line" /dev/null`;
    await Promise.all(LINES.map(async (line) => {
      const { out } = await shell(terminal, line, { folder, env });
      const found = out.match(/[^\P{Cc}\t\n\r]|[\p{Bidi_Control}\u2028\u2029]|\r(?!\n)/gu);
      deepEqual(found, null, `${line} printed ${JSON.stringify(out)}`);
      ok(out.length > 30, `${line} printed ${out}`);
    }));
    const csv = await shell(`"$@"`, ["leads", "export", "--format", "csv"], { folder });
    ok(csv.out.includes(`"${LEAD.message.replaceAll('"', '""')}"`), JSON.stringify(csv.out));
    ok(!output().includes("\u202E"), "the start printed the name");
  }, { SITE_NAME: "Example \u202E" }));

Deno.test("a start that fails prints no control characters", () =>
  withFolder(async (folder) => {
    const { output } = await runToItsEnd(folder, { HOST: WORD, PORT: String(freePort()) });
    match(output, /^Cannot listen on x\uFFFD\[31m\uFFFD:/m);
  }));

Deno.test("a program that cannot write its output says why; a closed pipe ends it quietly", () =>
  withRunningService(async ({ url, folder }) => {
    await (await postLead(url)).body?.cancel();
    const lines = ["leads list", "leads export --format csv", "doctor --no-send"]
      .map((line) => line.split(" ") as ["leads" | "doctor", ...string[]]);
    await Promise.all(lines.map(async (line) => {
      const { code, err } = await shell(`"$@" > /dev/full`, line, { folder });
      equal(code, 1, `${line}`);
      match(
        err,
        /^(?:LEAD_TARGETS is not .*\n)?Cannot write the output: no space left on device\n$/,
      );
      const pipe = await shell(`"$@" | { read -r; }; exit \${PIPESTATUS[0]}`, line, { folder });
      equal(pipe.code, line[0] === "doctor" ? 1 : 0, `${line}`);
      equal(pipe.err.replace(/^(?:LEAD_TARGETS is not .*|1 lead exported)\n/, ""), "", `${line}`);
    }));
  }));
