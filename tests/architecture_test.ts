/** @module The layout of `.github/ARCHITECTURE.md`: imports between rooms, reserved words, files. */

import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { filesBelow } from "../site/files.ts";
import { run, runDeno } from "./support/command.ts";

const ROOT = new URL("../", import.meta.url);

/** Each room and what it may import beside itself, except those with `!`. The first row that fits counts. */
const ROOMS: readonly (readonly [room: string, mayImport: readonly string[]])[] = [
  ["main.ts", ["lib/", "config/", "routes/", "leads/", "site/", "cli/dev/"]],
  ["lib/", []],
  ["config/", ["lib/", "schemas/site_data.ts", "schemas/email.ts"]],
  ["schemas/", ["lib/", "static/site.json", "static/words/en.json"]],
  ["leads/pipeline.ts", ["leads/", "config/settings.ts", "schemas/", "lib/"]], // puts the parts together, KV among them
  ["cli/dev/", ["config/", "routes/http/", "site/", "lib/"]], // runs in the service's process
  // Links are checked against the routes.
  ["cli/init/", [
    "cli/terminal.ts",
    "cli/app_without_leads.ts",
    "leads/",
    "config/",
    "site/",
    "schemas/",
    "routes/app.ts",
    "lib/",
  ]],
  ["cli/", ["leads/", "config/", "site/", "schemas/", "routes/app.ts", "lib/"]],
  ["leads/kv/", ["leads/", "config/settings.ts", "schemas/", "lib/"]],
  ["leads/", ["leads/", "!leads/kv/", "config/settings.ts", "schemas/", "lib/"]],
  ["site/", ["schemas/", "config/settings.ts", "lib/"]],
  ["routes/http/", ["lib/lazy.ts", "config/settings.ts"]], // HTTP for any Hono app: knows no route and no Env
  ["routes/", ["routes/", "leads/", "!leads/kv/", "site/", "schemas/", "config/", "lib/"]],
  ["contract/", []],
  ["tests/", ["", "!main.ts"]],
];

const DEMO = "cli/demo_receiver.ts";

/** The composition roots of the service and of the programs. */
const ROOTS = ["main.ts", "cli/leads.ts", "cli/doctor.ts", "cli/init/main.ts", DEMO];

/** Rooms that no page waits for, and only the first lead. */
const BESIDE_REQUESTS = ["delivery/", "pseudonyms.ts", "sealing.ts", "kv/scrub_file.ts"]
  .map((path) => `leads/${path}`).concat("cli/");

/** Words that only some files or rooms may use. */
const RESERVED: readonly (readonly [word: string, where: readonly string[], reason: string])[] = [
  ["Deno.env", ROOTS, "a process reads its environment once"],
  ["Deno.openKv", ROOTS, "only a composition root opens the database"],
  ["Deno.serve", ["main.ts", DEMO], "only the service takes requests"],
  ["Deno.cron", ["main.ts"], "only the service works off the queue"],
  ["Deno.exit", ["lib/process.ts", "cli/terminal.ts"], "with OpenTelemetry it can block forever"],
  ["Deno.Kv", ["leads/kv/"], "no other room knows the database"],
  ["Deno.AtomicOperation", ["leads/kv/"], "no other room knows the database"],
  ['"node:', BESIDE_REQUESTS, "its first use takes megabytes and milliseconds"],
  ['"zod"', ["schemas/"], "every shape of the API is one schema"],
  ["@hono/hono", ["routes/", "site/", "cli/dev/"], "no other room knows HTTP or writes HTML"],
  ["@opentelemetry/api", ["leads/metrics.ts"], "metrics are loaded only if exported"],
  ["/metrics.ts", ["leads/pipeline.ts"], "metrics are loaded only if exported"],
];

const HONO = ["", "/request-id", "/utils/accept"];
const PATHS = (await filesBelow(ROOT.pathname)).filter((path) => !path.startsWith("node_modules/"));

function read(paths: readonly string[]): Promise<{ path: string; text: string }[]> {
  const textOf = (path: string) => Deno.readTextFile(new URL(path, ROOT));
  return Promise.all(paths.map(async (path) => ({ path, text: await textOf(path) })));
}

const FILES = (await read(PATHS.filter((path) => /^(?!static\/).*\.ts$/.test(path))))
  .map(({ path, text }) => {
    const specifiers = text.matchAll(/(?:\bfrom\s+|\bimport\s*\(?\s*)"(\.{1,2}\/[^"]+)"/g);
    const base = new URL(path, "file:///");
    const imports = [...specifiers].map(([, local]) => new URL(local!, base).pathname.slice(1));
    const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
    return { path, text, code, imports };
  });
const SERVICE = FILES.filter(({ path }) => !/^(?:tests|contract)\//.test(path));
const BROWSER_FILES = await read(PATHS.filter((path) => /^static\/.*\.(?:css|js)$/.test(path)));

function pathsOf(files: readonly { readonly path: string }[]): string[] {
  return files.map(({ path }) => path);
}

function mayImport(path: string, target: string): boolean {
  const row = ROOMS.find(([room]) => path.startsWith(room));
  if (row === undefined) throw new Error(`${path} is in no room`);
  const [own, prefixes] = row;
  const refused = prefixes.some((one) => one[0] === "!" && target.startsWith(one.slice(1)));
  return target.startsWith(own) ||
    (!refused && prefixes.some((prefix) => target.startsWith(prefix)));
}

Deno.test("files import only what the layout allows, and no composition root", () => {
  const isRoot = (target: string) => [...ROOTS, "cli/dev.ts"].includes(target);
  const violations = FILES.flatMap(({ path, imports }) =>
    imports.filter((target) => !mayImport(path, target) || isRoot(target))
      .map((target) => `${path} → ${target}`)
  );
  deepEqual(violations, []);
});

Deno.test("imports have no cycles", () => {
  const graph = new Map(FILES.map(({ path, imports }) => [path, imports]));
  const done = new Set<string>();
  const cycles: string[] = [];
  function visit(path: string, trail: readonly string[]): void {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(" → "));
    if (done.has(path) || trail.includes(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  }
  for (const path of graph.keys()) visit(path, []);
  deepEqual(cycles, []);
});

Deno.test("the top level has only the rooms and the usual files", async () => {
  const { out } = await run(["git", "ls-tree", "--name-only", "HEAD"], { cwd: ROOT });
  deepEqual(out.split("\n").filter((name) => name !== "" && !name.startsWith(".")).sort(), [
    ...["CHANGELOG.md", "LICENSE", "README.md", "cli", "config", "contract", "deno.json"],
    ...["deno.lock", "deploy", "leads", "main.ts", "routes", "schemas", "site", "static", "tests"],
  ]);
});

for (const [word, where, reason] of RESERVED) {
  Deno.test(`${word} is used in ${where.join(" and ")} only: ${reason}`, () => {
    const elsewhere = SERVICE.filter(({ code }) => code.includes(word))
      .filter(({ path }) => !where.some((prefix) => path.startsWith(prefix)));
    deepEqual(pathsOf(elsewhere), []);
  });
}

Deno.test("tests start processes in tests/support/command.ts only, which sets deadlines; tasks in run.ts", () => {
  // In two words each, because this file is read as well.
  const words = ["Deno." + "Command", "child_" + "process"];
  const starters = FILES.filter(({ path, code }) =>
    path.startsWith("tests/") && words.some((word) => code.includes(word))
  );
  deepEqual(pathsOf(starters).sort(), ["tests/run.ts", "tests/support/command.ts"]);
});

Deno.test("files have at most 300 lines, main.ts 80 and routes/app.ts 150", () => {
  ok(BROWSER_FILES.length > 10);
  const most: Readonly<Record<string, number>> = { "main.ts": 80, "routes/app.ts": 150 };
  const long = [...FILES, ...BROWSER_FILES]
    .filter(({ path, text }) => text.split("\n").length - 1 > (most[path] ?? 300));
  deepEqual(pathsOf(long), []);
});

Deno.test("every file begins with its purpose, is in snake_case and has no default export", () => {
  const odd = FILES.filter(({ path, text }) =>
    !/^\/\*\*(?:\s*\n \*)? @module /.test(text) ||
    !/^(?:[a-z0-9_]+\/)*[a-z0-9_]+\.ts$/.test(path) ||
    /^export default /m.test(text)
  );
  const unexplained = BROWSER_FILES.filter(({ text }) => !/^\/\*\*?\s+\S/.test(text));
  deepEqual(pathsOf([...odd, ...unexplained]), []);
});

Deno.test("tests import strict assertions by name, because the others are loose in Deno 2.9", () => {
  const loose = FILES.filter(({ text }) => {
    const [, names = ""] = /import \{([^}]*)\} from "node:assert\/strict"/.exec(text) ?? [];
    return names.split(",").some((name) => /^(?:not)?(?:deep)?equal$/i.test(name.trim()));
  });
  deepEqual(pathsOf(loose), []);
});

Deno.test("a start loads no library but Hono", async () => {
  const { out } = await runDeno(["info", "--json", "main.ts"], { cwd: ROOT });
  const { modules } = JSON.parse(out);
  // Imported late, so that a start without deno.json can say so.
  const loaded = new Set(["main.ts", "routes/app.ts"].map((path) => new URL(path, ROOT).href));
  for (const specifier of loaded) {
    // deno-lint-ignore no-explicit-any -- JSON
    const { dependencies = [] } = modules.find((one: any) => one.specifier === specifier) ?? {};
    for (const { code, isDynamic } of dependencies) {
      if (code?.specifier !== undefined && !isDynamic) loaded.add(code.specifier);
    }
  }
  ok(loaded.has(new URL("routes/pages.ts", ROOT).href));
  const libraries = [...loaded].filter((specifier) => !specifier.startsWith("file:"));
  deepEqual(libraries.map((name) => name.replace(/^npm:\/?hono@[\d.]+/, "")).sort(), HONO);
});
