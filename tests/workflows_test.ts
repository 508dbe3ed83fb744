/**
 * @module The workflows, as far as they can be held to anything without running them: they are YAML,
 * what they run exists, what they use is pinned to a version, and they may do as little as possible.
 */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { parse } from "yaml";
import { run as runProgram, runDeno } from "./support/command.ts";

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

Deno.test("there are the workflows that the documents name", () => {
  deepEqual(names, ["ci.yml", "deploy.yml", "nightly.yml"]);
});

for (const name of names) {
  Deno.test(`${name}: every task that is run is one of deno.json`, () => {
    const run = [...commandsIn(name).matchAll(/deno task ([\w:]+)/g)].map(([, task]) => task!);
    deepEqual(run.filter((task) => !Object.hasOwn(tasks, task)), []);
  });

  Deno.test(`${name}: every script that is run is there and can be run`, async () => {
    for (const [script] of commandsIn(name).matchAll(/\.ci\/\w+/g)) {
      const { mode } = await Deno.stat(new URL(script, ROOT));
      ok(mode! & 0o100, script);
    }
  });

  Deno.test(`${name}: every action is pinned to a version, and every workflow is ours`, () => {
    for (const { uses } of [...stepsOf(name), ...jobsOf(name)]) {
      if (uses === undefined) continue;
      const own = /^\.\/\.github\/workflows\/(.+)$/.exec(uses)?.[1];
      if (own === undefined) match(uses, /^[\w-]+\/[\w.-]+@v\d+(?:\.\d+)*$/);
      else ok(names.includes(own), own);
    }
  });

  Deno.test(`${name}: may read the repository and nothing else`, () => {
    deepEqual(workflows.get(name)!.permissions, { contents: "read" });
    for (const job of jobsOf(name)) ok(!("permissions" in job));
  });

  Deno.test(`${name}: every job ends some time`, () => {
    for (const [id, job] of Object.entries(workflows.get(name)!.jobs)) {
      const isQuick = id === "seed";
      ok(isQuick || job.uses !== undefined || job["timeout-minutes"]! <= 180, id);
    }
  });

  Deno.test(`${name}: what comes from outside reaches a shell as a variable, never as text`, () => {
    for (const { run = "" } of stepsOf(name)) ok(!run.includes("${{"), run);
  });

  Deno.test(`${name}: Deno is the version that the tests run with`, () => {
    const [, tested] = /^deno_version=(.*)$/m.exec(ci)!;
    for (const [, version] of commandsIn(name).matchAll(/\bdeno@(\S+)/g)) equal(version, tested);
  });

  Deno.test(`${name}: a secret is given to the one step that needs it`, () => {
    for (const step of stepsOf(name)) {
      const needs = /^deno deploy\b/.test(step.run ?? "");
      equal(JSON.stringify(step).includes("secrets."), needs);
    }
    for (const job of jobsOf(name)) ok(!JSON.stringify(job.env ?? {}).includes("secrets."));
  });
}

Deno.test("main is tested, then deployed, then held to its contract", () => {
  const { on, jobs } = workflows.get("deploy.yml")!;
  deepEqual(on["push"], { branches: ["main"] });
  equal(jobs["test"]!.uses, "./.github/workflows/ci.yml");
  equal(jobs["deploy"]!.needs, "test");
  equal(jobs["live"]!.needs, "deploy");
  const live = jobs["live"]!.steps!.map(({ run = "" }) => run);
  ok(live.some((run) => /^deno task contract --url "\$URL" --live\b/.test(run)));
  ok(live.some((run) => run.includes("gh workflow run deploy.yml -f commit=")));
});

Deno.test("what a failed live run says of rolling back comes out whole", async () => {
  const { run, env } = workflows.get("deploy.yml")!.jobs["live"]!.steps!
    .find(({ run = "" }) => run.includes("GITHUB_STEP_SUMMARY"))!;
  const summary = await Deno.makeTempFile();
  try {
    const values = {
      ORG: "our-org",
      APP: "our-app",
      BEFORE: "0123abc",
      URL: "https://www.example",
    };
    deepEqual([...Object.keys(env!), "URL"].sort(), Object.keys(values).sort());
    const { code, err } = await runProgram(["bash", "-eu", "-c", run!], {
      env: { ...values, GITHUB_STEP_SUMMARY: summary },
    });
    equal(code, 0, err);
    const text = await Deno.readTextFile(summary);
    for (
      const words of [
        "## https://www.example does not keep its contract",
        "https://console.deno.com/our-org/our-app",
        "`deno deploy deployments list --org our-org --app our-app`",
        "`gh workflow run deploy.yml -f commit=0123abc`",
        "unlock",
      ]
    ) ok(text.includes(words), words);
  } finally {
    await Deno.remove(summary);
  }
});

Deno.test("every checkout of a deploy is of the same commit", () => {
  for (const name of ["ci.yml", "deploy.yml"]) {
    const checkouts = stepsOf(name).filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    ok(checkouts.length > 0);
    for (const step of checkouts) equal(step.with?.["ref"], "${{ inputs.commit }}");
  }
});

Deno.test("the dependencies are audited with each change and each night", () => {
  for (const name of ["ci.yml", "nightly.yml"]) match(commandsIn(name), /^deno audit/m);
});

Deno.test("what deno.json says of deploying is there, and nothing that runs is left out", async () => {
  // Without an organisation and an application the command refuses the file, whatever its options say.
  for (const name of ["org", "app"]) match(deploy[name], /^[a-z0-9-]+$/);
  deepEqual(deploy.runtime, { type: "dynamic", entrypoint: "main.ts" });
  match(deploy.install, /^deno install --frozen\b/);
  for (const path of deploy.exclude) ok((await Deno.stat(new URL(path, ROOT))).isDirectory);
  const { out } = await runDeno(["info", "--json", deploy.runtime.entrypoint], { cwd: ROOT });
  const { modules } = JSON.parse(out) as { modules: { specifier: string }[] };
  const needed = modules.map(({ specifier }) => specifier)
    .filter((specifier) => specifier.startsWith(ROOT.href))
    .map((specifier) => specifier.slice(ROOT.href.length));
  ok(needed.includes("leads/delivery/smtp.ts"), "what is imported when it is needed counts too");
  deepEqual(
    needed.filter((file) => deploy.exclude.some((path: string) => file.startsWith(path))),
    [],
  );
});
