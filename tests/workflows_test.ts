/** @module The workflows: valid YAML, existing commands, pinned actions, least permissions. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { parse } from "yaml";
import { runDeno } from "./support/command.ts";

const ROOT = new URL("../", import.meta.url);
const FOLDER = new URL(".github/workflows/", ROOT);

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
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

function jobsOf(name: string): Job[] {
  return Object.values(workflows.get(name)!.jobs);
}

function stepsOf(name: string): Step[] {
  return jobsOf(name).flatMap(({ steps = [] }) => steps);
}

function commandsIn(name: string): string {
  return stepsOf(name).map(({ run = "" }) => run).join("\n");
}

for (const name of names) {
  Deno.test(`${name}: its commands exist, and its Deno is that of the tests`, async () => {
    const commands = commandsIn(name);
    const run = [...commands.matchAll(/deno task ([\w:]+)/g)].map(([, task]) => task!);
    deepEqual(run.filter((task) => !Object.hasOwn(tasks, task)), []);
    for (const [script] of commands.matchAll(/\.ci\/\w+/g)) {
      ok((await Deno.stat(new URL(script, ROOT))).mode! & 0o100, script);
    }
    const [, tested] = /^deno_version=(.*)$/m.exec(ci)!;
    for (const [, version] of commands.matchAll(/\bdeno@(\S+)/g)) equal(version, tested);
  });

  Deno.test(`${name}: actions are pinned, jobs have a timeout and may only read, no expression is in a shell`, () => {
    deepEqual(workflows.get(name)!.permissions, { contents: "read" });
    for (const { uses } of [...stepsOf(name), ...jobsOf(name)]) {
      if (uses === undefined) continue;
      const own = /^\.\/\.github\/workflows\/(.+)$/.exec(uses)?.[1];
      if (own === undefined) match(uses, /^[\w-]+\/[\w.-]+@v\d+(?:\.\d+)*$/);
      else ok(names.includes(own), own);
    }
    for (const [id, job] of Object.entries(workflows.get(name)!.jobs)) {
      ok(id === "seed" || job.uses !== undefined || job["timeout-minutes"]! <= 180, id);
      ok(!("permissions" in job));
      ok(!JSON.stringify(job.env ?? {}).includes("secrets."));
    }
    for (const step of stepsOf(name)) {
      ok(!step.run?.includes("${{"), step.run);
      // Only the step that needs a secret gets it.
      equal(JSON.stringify(step).includes("secrets."), /^deno deploy\b/.test(step.run ?? ""));
    }
  });
}

Deno.test("main is tested, then deployed, then checked by the contract", () => {
  const { on, jobs } = workflows.get("deploy.yml")!;
  deepEqual(on["push"], { branches: ["main"] });
  equal(jobs["test"]!.uses, "./.github/workflows/ci.yml");
  equal(jobs["deploy"]!.needs, "test");
  equal(jobs["live"]!.needs, "deploy");
  const live = jobs["live"]!.steps!.map(({ run = "" }) => run);
  ok(live.some((run) => /^deno task contract --url "\$URL" --live\b/.test(run)));
  ok(live.some((run) => run.includes("gh workflow run deploy.yml -f commit=")));
});

Deno.test("every checkout of a deploy is the same commit", () => {
  for (const name of ["ci.yml", "deploy.yml"]) {
    const checkouts = stepsOf(name).filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    ok(checkouts.length > 0);
    for (const step of checkouts) equal(step.with?.["ref"], "${{ inputs.commit }}");
  }
});

Deno.test("dependencies are audited with each change and each night", () => {
  for (const name of ["ci.yml", "nightly.yml"]) match(commandsIn(name), /^deno audit/m);
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
