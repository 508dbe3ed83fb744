/** @module The workflows: existing commands, pinned actions, least permissions, the deploy. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { parse } from "yaml";
import { runDeno } from "./support/command.ts";

const ROOT = new URL("../", import.meta.url);
const FOLDER = new URL(".github/workflows/", ROOT);

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly uses?: string;
  readonly steps?: readonly Step[];
  readonly needs?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly "timeout-minutes"?: number;
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

const names = (await Array.fromAsync(Deno.readDir(FOLDER))).map(({ name }) => name).sort();
const workflows = new Map<string, Workflow>(
  await Promise.all(names.map(async (name) => {
    const text = await Deno.readTextFile(new URL(name, FOLDER));
    return [name, parse(text, { strict: true, uniqueKeys: true })] as const;
  })),
);
const { tasks, deploy } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
const ci = await Deno.readTextFile(new URL(".ci/run", ROOT));
const [, tested] = /^deno_version=(.*)$/m.exec(ci)!;

/** The lock files beside that of the root. */
const LOCKS = ["cli/init/deno.lock", "contract/deno.lock", "tests/deno.lock"];

function stepsOf(name: string): Step[] {
  return Object.values(workflows.get(name)!.jobs).flatMap(({ steps = [] }) => steps);
}

function commandsIn(name: string): string {
  return stepsOf(name).map(({ run = "" }) => run).join("\n");
}

Deno.test("actions are pinned, jobs may only read, and secrets reach only the deploy command", () => {
  for (const [name, { permissions, jobs }] of workflows) {
    deepEqual(permissions, { contents: "read" }, name);
    for (const { uses = "" } of [...stepsOf(name), ...Object.values(jobs)]) {
      if (!uses.startsWith("./.github/")) match(uses, /^$|^[\w-]+\/[\w.-]+@v\d+(?:\.\d+)*$/);
    }
    for (const [id, job] of Object.entries(jobs)) {
      ok(id === "seed" || job.uses !== undefined || job["timeout-minutes"]! <= 180, id);
      ok(!("permissions" in job));
      ok(!JSON.stringify(job.env ?? {}).includes("secrets."));
    }
    for (const step of stepsOf(name)) {
      ok(!step.run?.includes("${{"), step.run);
      equal(JSON.stringify(step).includes("secrets."), /^deno deploy\b/.test(step.run ?? ""));
    }
    const commands = commandsIn(name);
    const run = [...commands.matchAll(/deno task ([\w:]+)/g)].map(([, task]) => task!);
    deepEqual(run.filter((task) => !Object.hasOwn(tasks, task)), []);
    for (const [, version] of commands.matchAll(/\bdeno@(\S+)/g)) equal(version, tested);
  }
  for (const name of ["ci.yml", "nightly.yml"]) {
    const locks = [...commandsIn(name).matchAll(/^deno audit.*?(?:--lock=(.*))?$/gm)];
    deepEqual(locks.map(([, lock]) => lock), [undefined, ...LOCKS]);
  }
});

Deno.test("main is tested, then deployed, then checked by the contract, all at one commit", () => {
  const { on, jobs } = workflows.get("deploy.yml")!;
  deepEqual(on["push"], { branches: ["main"] });
  equal(jobs["test"]!.uses, "./.github/workflows/ci.yml");
  equal(jobs["deploy"]!.needs, "test");
  equal(jobs["live"]!.needs, "deploy");
  const live = jobs["live"]!.steps!.map(({ run = "" }) => run);
  ok(live.some((run) => /^deno task contract --url "\$URL" --live\b/.test(run)));
  ok(live.some((run) => run.includes("gh workflow run deploy.yml -f commit=")));
  const steps = [...stepsOf("ci.yml"), ...stepsOf("deploy.yml")];
  const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
  deepEqual(
    new Set(checkouts.map((step) => step.with?.["ref"])),
    new Set(["${{ inputs.commit }}"]),
  );
});

Deno.test("deno.json deploys every file that the service imports", async () => {
  // The deploy command requires an organisation and an application in the file.
  for (const name of ["org", "app"]) match(deploy[name], /^[a-z0-9-]+$/);
  deepEqual(deploy.runtime, { type: "dynamic", entrypoint: "main.ts" });
  match(deploy.install, /^deno install --frozen\b/);
  for (const path of deploy.exclude) ok((await Deno.stat(new URL(path, ROOT))).isDirectory);
  const { out } = await runDeno(["info", "--json", deploy.runtime.entrypoint], { cwd: ROOT });
  const { modules } = JSON.parse(out) as { modules: { specifier: string }[] };
  const needed = modules.map(({ specifier }) => specifier)
    .filter((specifier) => specifier.startsWith(ROOT.href))
    .map((specifier) => specifier.slice(ROOT.href.length));
  ok(needed.includes("leads/delivery/smtp.ts"), "dynamic imports count");
  deepEqual(
    needed.filter((file) => deploy.exclude.some((path: string) => file.startsWith(path))),
    [],
  );
});
