/**
 * @module The layout as a test: which room may import which, and what every source file looks like.
 * `.github/ARCHITECTURE.md` says why.
 */

import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { VARIABLES } from "../config/config.ts";
import { filesBelow } from "../site/files.ts";
import { run, runDeno } from "./support/command.ts";

const ROOT = new URL("../", import.meta.url);
const MOST_LINES = 300;

/**
 * Each room, and the prefixes of what it may import beside itself; `!` takes back. The first row
 * that a file's path begins with counts.
 */
const ROOMS: readonly (readonly [room: string, mayImport: readonly string[]])[] = [
  ["main.ts", ["config/", "routes/", "schemas/", "leads/", "site/"]],
  ["config/exit.ts", ["leads/telemetry.ts"]], // telemetry decides how a process can end
  ["config/", ["schemas/values.ts"]],
  ["schemas/", []],
  ["leads/leads.ts", ["leads/", "schemas/"]], // puts the parts together, KV among them
  ["cli/", ["leads/", "config/", "site/", "schemas/"]],
  ["leads/kv/", ["leads/", "schemas/"]],
  ["leads/", ["leads/", "!leads/kv/", "schemas/"]],
  ["site/client/client.ts", ["static/assets/api.d.ts"]], // what others download: stands alone
  ["site/client/", ["schemas/"]],
  ["site/", ["schemas/"]],
  ["routes/http/", ["schemas/lazy.ts"]], // HTTP for any Hono app: knows no route and no Env
  ["routes/", ["routes/", "leads/", "!leads/kv/", "site/", "schemas/", "config/"]],
  ["contract/", []],
  ["tests/", ["", "!main.ts"]],
];

/** The composition roots of the service, of the operator's program and of the doctor. */
const ROOTS = ["main.ts", "cli/leads.ts", "cli/doctor.ts"];

/** What no page waits for, nor any lead but the first. */
const BESIDE_REQUESTS = [
  "leads/delivery/",
  "leads/privacy.ts",
  "leads/sealing.ts",
  "leads/kv/rewrite.ts",
  "cli/",
];

/** What only some files or rooms may name. */
const RESERVED: readonly (readonly [word: string, where: readonly string[], reason: string])[] = [
  ["Deno.env", ROOTS, "a process reads its environment once"],
  ["Deno.openKv", ROOTS, "only a composition root opens the database"],
  ["Deno.serve", ["main.ts"], "only the service takes requests"],
  ["Deno.cron", ["main.ts"], "only the service works off the queue"],
  [
    "Deno.exit",
    ["config/exit.ts", "cli/terminal.ts"],
    "with OpenTelemetry on it can block for ever",
  ],
  ["Deno.Kv", ["leads/kv/"], "no other room knows the database"],
  ["Deno.AtomicOperation", ["leads/kv/"], "no other room knows the database"],
  ['"node:', BESIDE_REQUESTS, "its first use takes megabytes and milliseconds"],
  ['"zod"', ["schemas/"], "every shape of the API is one schema"],
  [
    "@hono/hono",
    ["routes/", "site/", "leads/delivery/mail.ts"],
    "no other room knows HTTP or writes HTML",
  ],
  ["@opentelemetry/api", ["leads/metrics.ts"], "metrics are loaded where somebody listens"],
  ["/metrics.ts", ["leads/telemetry.ts"], "metrics are loaded where somebody listens"],
];

/** What starts a process; in two words, because this file is looked through as well. */
const PROCESSES = ["Deno." + "Command", "child_" + "process"];

async function sources(folder = ""): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder || ".", ROOT))) {
    if (name.startsWith(".") || name === "static" || name === "node_modules") continue;
    if (isDirectory) found.push(...await sources(`${folder}${name}/`));
    else if (name.endsWith(".ts")) found.push(`${folder}${name}`);
  }
  return found.sort();
}

const FILES = await Promise.all((await sources()).map(async (path) => {
  const text = await Deno.readTextFile(new URL(path, ROOT));
  return { path, text, imports: importsOf(path, text) };
}));

/** Local imports of a file, static, type-only and dynamic, as paths from the root. */
function importsOf(path: string, text: string): string[] {
  const specifiers = text.matchAll(/(?:\bfrom\s+|\bimport\s*\(?\s*)"(\.{1,2}\/[^"]+)"/g);
  return [...specifiers].map(([, specifier]) =>
    new URL(specifier!, new URL(path, "file:///")).pathname.slice(1)
  );
}

function rowOf(path: string) {
  const row = ROOMS.find(([room]) => path.startsWith(room));
  if (row === undefined) throw new Error(`${path} stands in no room`);
  return row;
}

function mayImport(path: string, target: string): boolean {
  const [own, prefixes] = rowOf(path);
  const refused = prefixes.some((prefix) =>
    prefix[0] === "!" && target.startsWith(prefix.slice(1))
  );
  return target.startsWith(own) ||
    (!refused && prefixes.some((prefix) => target.startsWith(prefix)));
}

Deno.test("every import stays within what the layout allows", () => {
  const trespasses = FILES.flatMap(({ path, imports }) =>
    imports.filter((target) => !mayImport(path, target)).map((target) => `${path} → ${target}`)
  );
  deepEqual(trespasses, []);
});

/** All that is at the top, apart from names that begin with a dot. */
const TOP = [
  ...["CHANGELOG.md", "LICENSE", "README.md", "deno.json", "deno.lock", "main.ts"],
  ...[
    "cli",
    "config",
    "contract",
    "deploy",
    "leads",
    "routes",
    "schemas",
    "site",
    "static",
    "tests",
  ],
];

Deno.test("the top level has the rooms and the usual files, and nothing else", async () => {
  const { out } = await run(["git", "ls-tree", "--name-only", "HEAD"], { cwd: ROOT });
  const names = out.split("\n").filter((name) => name !== "" && !name.startsWith("."));
  deepEqual(names.sort(), TOP.toSorted());
});

Deno.test("nothing imports a composition root", () => {
  const importers = FILES.filter(({ imports }) => imports.some((one) => ROOTS.includes(one)));
  deepEqual(importers.map(({ path }) => path), []);
});

Deno.test("imports have no cycles", () => {
  const graph = new Map(FILES.map(({ path, imports }) => [path, imports]));
  const done = new Set<string>();
  const cycles: string[] = [];
  function visit(path: string, trail: string[]): void {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(" → "));
    if (done.has(path) || trail.includes(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  }
  for (const path of graph.keys()) visit(path, []);
  deepEqual(cycles, []);
});

for (const [word, where, reason] of RESERVED) {
  Deno.test(`${word} stands in ${where.join(" and ")} only: ${reason}`, () => {
    const elsewhere = FILES
      .filter(({ path }) => !/^(?:tests|contract)\//.test(path))
      .filter(({ path }) => !where.some((prefix) => path.startsWith(prefix)))
      .filter(({ text }) => withoutComments(text).includes(word))
      .map(({ path }) => path);
    deepEqual(elsewhere, []);
  });
}

Deno.test("tests start processes in tests/support/command.ts only, which gives each its deadline", () => {
  const elsewhere = FILES
    .filter(({ path }) => path.startsWith("tests/") && path !== "tests/support/command.ts")
    .filter(({ text }) => PROCESSES.some((word) => withoutComments(text).includes(word)))
    .map(({ path }) => path);
  deepEqual(elsewhere, []);
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
}

/** Made by `deno task client`: as long as the API is large. */
const GENERATED = ["static/assets/client.js"];

/** What runs or styles in the browser: no room of its own, but read and changed like the rest. */
async function browserFiles(): Promise<{ path: string; text: string }[]> {
  const names = await filesBelow(new URL("static/", ROOT));
  const paths = names.map((name) => `static/${name}`)
    .filter((path) => /\.(?:css|js)$/.test(path) && !GENERATED.includes(path));
  return await Promise.all(
    paths.map(async (path) => ({ path, text: await Deno.readTextFile(new URL(path, ROOT)) })),
  );
}

Deno.test(`no file has more than ${MOST_LINES} lines, styles and scripts of the pages included`, async () => {
  const styled = await browserFiles();
  ok(styled.length > 10);
  const long = [...FILES, ...styled]
    .map(({ path, text }) => [path, text.split("\n").length - 1] as const)
    .filter(([, lines]) => lines > MOST_LINES);
  deepEqual(long, []);
});

Deno.test("every style and script of the pages opens with a comment that says what it is for", async () => {
  const odd = (await browserFiles()).filter(({ text }) => !/^\/\*\*?\s+\S/.test(text));
  deepEqual(odd.map(({ path }) => path), []);
});

Deno.test("every file opens with its @module comment, in snake_case, without default export", () => {
  const odd = FILES.filter(({ path, text }) =>
    !/^\/\*\*(?:\s*\n \*)? @module /.test(text) ||
    !/^(?:[a-z0-9_]+\/)*[a-z0-9_]+\.ts$/.test(path) ||
    /^export default /m.test(text)
  );
  deepEqual(odd.map(({ path }) => path), []);
});

Deno.test("tests import assertions under their strict names, because the others are loose in Deno 2.9", () => {
  const loose = FILES
    .filter(({ text }) => {
      const [, names = ""] = /import \{([^}]*)\} from "node:assert\/strict"/.exec(text) ?? [];
      return names.split(",").some((name) => /^(?:not)?(?:deep)?equal$/i.test(name.trim()));
    });
  deepEqual(loose.map(({ path }) => path), []);
});

for (const [file, lines] of [["main.ts", 80], ["routes/app.ts", 120]] as const) {
  Deno.test(`${file} has at most ${lines} lines, to be read at a glance`, () => {
    const { text } = FILES.find(({ path }) => path === file)!;
    ok(text.split("\n").length - 1 <= lines);
  });
}

/** A module of `deno info --json`. */
interface Module {
  readonly specifier: string;
  readonly dependencies?: readonly {
    readonly code?: { readonly specifier: string };
    readonly isDynamic?: boolean;
  }[];
}

Deno.test("the first answer does not wait for zod: main.ts loads it by dynamic imports alone", async () => {
  const { out } = await runDeno(["info", "--json", "main.ts"], { cwd: ROOT });
  const { modules }: { modules: readonly Module[] } = JSON.parse(out);
  const loaded = new Set([new URL("main.ts", ROOT).href]);
  for (const specifier of loaded) {
    const { dependencies = [] } = modules.find((one) => one.specifier === specifier) ?? {};
    for (const { code, isDynamic } of dependencies) {
      if (code !== undefined && !isDynamic) loaded.add(code.specifier);
    }
  }
  ok(loaded.has(new URL("routes/app.ts", ROOT).href));
  deepEqual([...loaded].filter((specifier) => /\bzod\b/.test(specifier)), []);
});

Deno.test("the tasks may read exactly the variables that the configuration knows", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  for (const task of ["start", "dev", "doctor"]) {
    const allowed = /--allow-env=(\S+)/.exec(tasks[task].command)?.[1]?.split(",").sort();
    // Deno itself reads the token when KV is remote, and the library `yaml` the other two.
    const others = ["DENO_KV_ACCESS_TOKEN", "LOG_STREAM", "LOG_TOKENS"];
    deepEqual(allowed, [...VARIABLES, ...others].sort(), task);
  }
  // The operator's program needs what says where leads are, how long they stay, how they are sealed.
  const allowed = /--allow-env=(\S+)/.exec(tasks.leads.command)?.[1]?.split(",").sort();
  const needed = VARIABLES.filter((name) => /^KV_|^LEAD_(?:RETENTION|ENCRYPTION_KEYS)$/.test(name));
  deepEqual(allowed, [...needed, "DENO_KV_ACCESS_TOKEN"].sort(), "leads");
});
