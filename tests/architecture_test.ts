/** @module The layout of `docs/architecture.md`: imports between rooms, reserved words, shape of files. */

import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { filesBelow } from "../site/files.ts";

/** Rooms of the harness: each may import those before it, and its version. */
const HARNESS = ["lib", "document", "values", "oracle", "request", "run", "tiers"]
  .map((name) => `contract/${name}/`);

/** What a room may import beside itself, except with `!`. The first row that fits a path counts. */
const ROOMS: readonly (readonly [room: string, mayImport: readonly string[]])[] = [
  ["main.ts", ["config/", "leads/", "lib/", "routes/", "schemas/", "site/"]],
  ["lib/", []],
  ["schemas/", ["lib/", "static/"]],
  ["config/", ["lib/", "schemas/"]],
  ["leads/pipeline.ts", ["config/settings.ts", "leads/", "lib/", "schemas/"]], // assembles them, with KV
  ["leads/kv/", ["config/settings.ts", "leads/", "lib/", "schemas/"]],
  ["leads/", ["config/settings.ts", "leads/", "!leads/kv/", "lib/", "schemas/"]],
  ["site/", ["config/settings.ts", "lib/", "schemas/", "static/"]],
  ["routes/http/", ["config/settings.ts", "lib/"]], // for any Hono app: knows no route and no Env
  ["routes/", ["config/", "leads/", "!leads/kv/", "lib/", "routes/", "schemas/", "site/"]],
  ["cli/", ["config/", "leads/", "lib/", "routes/", "schemas/", "site/", "static/"]],
  ...HARNESS.map((room, at) => [room, ["contract/deno.json", ...HARNESS.slice(0, at)]] as const),
  ["contract/report/", ["contract/lib/", "contract/oracle/", "contract/run/"]],
  ["contract/mutants/", ["contract/lib/", "contract/tiers/raw/"]],
  ["contract/strangers/", ["contract/lib/", "contract/mutants/", "contract/oracle/"]],
  ["contract/service/", ["!contract/values/", ...HARNESS]],
  ["contract/", []], // the programs: alone they may import service/
  ["tests/", [""]],
];

/** The composition roots of the service and of the programs. No file imports them. */
const ROOTS = ["main.ts"].concat(
  ["dev/service", "leads", "inbox", "doctor", "init/main", "demo_receiver"].map((name) =>
    `cli/${name}.ts`
  ),
);

/** Rooms that no page waits for, and only the first lead. */
const BESIDE_REQUESTS = ["delivery/", "pseudonyms.ts", "sealing.ts", "kv/scrub_file.ts"]
  .map((path) => `leads/${path}`).concat("cli/");

/** Words that only some files or rooms of the service may use. */
const RESERVED: readonly (readonly [word: string, where: readonly string[], reason: string])[] = [
  ["Deno.env", ROOTS, "a process reads its environment once"],
  ["Deno.openKv", ROOTS, "only a composition root opens the database"],
  ["Deno.serve", ROOTS, "only programs take requests"],
  ["Deno.cron", ROOTS.slice(0, 2), "only the service works off the queue"],
  ["Deno.exit", ["lib/process.ts", "cli/terminal.ts"], "with OpenTelemetry it can block forever"],
  ["Deno.Kv", ["leads/kv/"], "no other room knows the database"],
  ['"node:', BESIDE_REQUESTS, "its first use takes megabytes and milliseconds"],
  ['"zod"', ["schemas/"], "every shape of the API is one schema"],
  [
    "@hono/hono",
    ["routes/", "site/", "cli/dev/", "cli/inbox/"],
    "no other room knows HTTP or writes HTML",
  ],
  ["@opentelemetry/api", ["leads/metrics.ts"], "metrics are loaded only if exported"],
  ["/metrics.ts", ["leads/pipeline.ts"], "metrics are loaded only if exported"],
];

const HONO = ["", "/utils/accept", "/utils/mime"].map((path) => `@hono/hono${path}`);

const ROOT = new URL("../", import.meta.url);
const PATHS = (await filesBelow(ROOT.pathname))
  .filter((path) => /^(?!static\/|node_modules\/).*\.ts$/.test(path));
const FILES = await Promise.all(PATHS.map(async (path) => {
  const text = await Deno.readTextFile(new URL(path, ROOT));
  const specifiers = text.matchAll(/(?:\bfrom\s+|\bimport\s*\(?\s*)"(\.{1,2}\/[^"]+)"/g);
  const imports = [...specifiers].map(([, to]) => resolved(to!, path));
  return { path, text, imports, code: text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "") };
}));

function resolved(specifier: string, from: string): string {
  return new URL(specifier, new URL(from, ROOT)).href.slice(ROOT.href.length);
}

function pathsOf(files: typeof FILES): string[] {
  return files.map(({ path }) => path);
}

function using(word: string, rooms: RegExp): string[] {
  return pathsOf(FILES.filter(({ path, code }) => rooms.test(path) && code.includes(word)));
}

Deno.test("files import only what the layout allows, and no composition root", () => {
  const violations = FILES.flatMap(({ path, imports }) => {
    const [own, prefixes] = ROOMS.find(([room]) => path.startsWith(room))!;
    const allowed = (target: string) =>
      target.startsWith(own) || (prefixes.some((prefix) => target.startsWith(prefix)) &&
        !prefixes.some((prefix) => prefix[0] === "!" && target.startsWith(prefix.slice(1))));
    return imports.filter((target) => !allowed(target) || ROOTS.includes(target))
      .map((target) => `${path} → ${target}`);
  });
  deepEqual(violations, []);
});

Deno.test("imports have no cycles", () => {
  let left = FILES;
  for (let before = NaN; left.length !== before;) {
    before = left.length;
    const [paths, targets] = [new Set(pathsOf(left)), new Set(left.flatMap((one) => one.imports))];
    // In no cycle is what imports nothing that is left, or what no file that is left imports.
    left = left.filter((one) => targets.has(one.path) && one.imports.some((to) => paths.has(to)));
  }
  deepEqual(pathsOf(left), []);
});

for (const [word, where, reason] of RESERVED) {
  Deno.test(`${word} is used in ${where.join(" and ")} only: ${reason}`, () => {
    const elsewhere = (path: string) => !where.some((prefix) => path.startsWith(prefix));
    deepEqual(using(word, /^(?!tests|contract)/).filter(elsewhere), []);
  });
}

Deno.test("tests start processes in tests/support/command.ts only, which sets deadlines; tasks in run.ts", () => {
  // In two words each, because this file is read as well.
  const starters = ["Deno." + "Command", "child_" + "process"].flatMap((w) => using(w, /^tests/));
  deepEqual(starters.sort(), ["tests/run.ts", "tests/support/command.ts"]);
});

Deno.test("files have their purpose at the top and at most 300 lines; tests import strict assertions", () => {
  // `equal` and `deepEqual` of node:assert/strict are loose in Deno 2.9.
  const loose =
    /import \{[^}]*\b(?:not)?(?:deep)?equal\b(?<! as \w+)[^}]*\} from "node:assert\/strict"/i;
  const odd = FILES.filter(({ text }) =>
    !/^\/\*\*(?:\s*\n \*)? @module /.test(text) || text.split("\n").length > 301 || loose.test(text)
  );
  deepEqual(pathsOf(odd), []);
});

Deno.test("a start loads no library but Hono", () => {
  const started = new Set(["main.ts", "routes/app.ts"]); // imported late, to name a missing deno.json
  const libraries = new Set<string>();
  for (const path of started) {
    const { text = "" } = FILES.find((file) => file.path === path) ?? {}; // else JSON
    for (const [, to] of text.matchAll(/^(?:im|ex)port (?!type )(?:[^";]+ from )?"([^"]+)"/gm)) {
      if (to![0] === ".") started.add(resolved(to!, path));
      else libraries.add(to!);
    }
  }
  ok(started.has("routes/pages.ts"));
  deepEqual([...libraries].sort(), HONO);
});
