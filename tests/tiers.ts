/**
 * @module The tiers of the tests: files, permissions and needs; the stages of `deno task check`, `test`,
 * `ok`.
 */

export interface Tier {
  readonly files: readonly string[];
  /** The permissions, no more than the tests use. */
  readonly flags: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** For the help: how long it takes, what it needs. */
  readonly note: string;
  /** Options for the tests themselves: commander's flags, description and default. */
  readonly options?: readonly (readonly [flags: string, description: string, value?: string])[];
  /** It is a program, not a file of tests. */
  readonly isProgram?: true;
}

function allow(...permissions: readonly string[]): string[] {
  return permissions.map((permission) => `--allow-${permission}`);
}

const LOCAL = allow("net=127.0.0.1", "env", "read", "write", "run", "sys");
/** Permissions name it, and the tests' temporary folders must be below it. */
const TMP = { TMPDIR: "/tmp" };

/** What tests of the sample need: a site with other languages or plans skips them. */
export const SAMPLE = {
  languages: ["en", "de"],
  plans: ["pro", "business", "enterprise", "hosted"],
};
export const SAMPLE_TESTS = [
  ...["cli/init", "cli/pictures", "docs/examples", "leads/delivery/smtp", "leads/fields"],
  ...["process/dev", "process/languages", "process/start"],
  ...["process/tls_targets", "routes/api", "routes/contact_form"],
  ...["routes/discovery", "routes/failure", "routes/pages", "routes/security_headers"],
  ...["schemas/lead", "security/long_fields", "site/api_reference", "site/check"],
  ...["site/contact_form", "site/feed", "site/links", "site/placeholders", "site/site"],
  ...["site/search_index", "site/structured_data"],
].map((name) => `tests/${name}_test.ts`);

export const TIERS: Readonly<Record<string, Tier>> = {
  "test:unit": {
    files: ["tests"],
    flags: allow("net", "env", "read", "write", "run", "sys"),
    // Tests wait more than they compute.
    env: { DENO_JOBS: String(Math.max(4, navigator.hardwareConcurrency)) },
    note: "Less than two minutes of processor time. `check` has the types.",
  },
  "test:process": {
    files: ["tests/nightly/process/*.ts"],
    flags: LOCAL,
    note: "Two minutes. Needs Linux and the npm registry.",
  },
  "test:agents": {
    files: ["tests/graders/main.ts"],
    flags: allow("net=127.0.0.1", "read", "write", "run"),
    note: "Half a minute. Needs Python: .ci/install_python.",
    isProgram: true,
  },
  "test:browser": {
    files: ["reading", "looks", "using", "inbox"].map((name) => `tests/browser/${name}.ts`),
    flags: [
      ...allow("net=127.0.0.1", "env", "sys=homedir,osRelease", "read", "run"),
      ...["--allow-write=/tmp,.screenshots", "--ignore-read=/proc"],
    ],
    env: { ...TMP, DENO_JOBS: "4" },
    note: "Two minutes. Needs Chromium: .ci/install_chromium.",
  },
  "test:cluster": {
    files: ["tests/nightly/cluster/*.ts"],
    flags: allow(
      ...["net=127.0.0.1", "env=PATH,HOME,DENO_KV_ACCESS_TOKEN", "read", "write=/tmp", "run"],
    ),
    env: { ...TMP, DENO_JOBS: "5" },
    note: "A minute. Needs denokv: .ci/install_denokv.",
  },
  "test:deploy": {
    files: ["tests/nightly/deploy/*.ts"],
    flags: allow("net", "env", "read", "write=/tmp", "run"),
    env: TMP,
    note:
      "A minute. Needs nginx, Caddy, sqlite3, systemd, Go (.ci/install_deploy_tools), Python, denokv (.ci/install_*).",
  },
  "test:crash": {
    files: ["tests/nightly/process/kills.ts"],
    flags: LOCAL,
    note: "Five minutes. Needs Linux.",
    options: [
      ["--kills <n>", "how often the service is killed", "200"],
      ["--seed <n>", "repeats a run, which prints its seed"],
    ],
  },
  "test:year": {
    files: ["draining", "longest_wait", "expiry", "reading"]
      .map((name) => `tests/nightly/year/${name}.ts`),
    flags: LOCAL,
    env: { DENO_JOBS: "1" },
    note:
      "Four minutes, and ten times as many leads ten times as long. Prints a table. Needs denokv: .ci/install_denokv.",
    options: [["--leads <n>", "how many leads are stored", "20000"]],
  },
  "test:flood": {
    files: ["tests/nightly/flood.ts"],
    flags: LOCAL,
    note: "Half a minute. Needs Linux.",
  },
  "bench:guard": {
    files: ["tests/nightly/bench/guard.ts"],
    flags: LOCAL,
    env: TMP,
    note: "Two minutes. Needs Linux, wrk and git.",
    isProgram: true,
    options: [[
      "--base <commit>",
      "the commit to compare with (default: $BASE_COMMIT, or the one before)",
    ]],
  },
};

/** A command line of `deno`, with the name that the report gives it. */
export type Step = readonly [name: string, ...line: string[]];

const OWN_CODE = "--include=/(config|routes|schemas|leads|site|cli)/";

/** The step that runs a task of deno.json. */
export function task(name: string, ...words: readonly string[]): Step {
  return [name, "task", "-q", name, ...words];
}

const CHECK: readonly Step[] = [
  ["types of the tests", "check", "-q", "--config", "tests/deno.json", "tests"],
  ["types", "check", "-q", "main.ts", "cli/*.ts"],
  ["types of init", "check", "-q", "--config", "cli/init/deno.json", "cli/init"],
  ["types of the contract", "check", "-q", "--config", "contract/deno.json", "contract"],
  ["types of the scripts", "check", "-q", "--config", "static/browser.json", "static/assets"],
  ["format", "fmt", "--check"],
  ["lint", "lint"],
  task("check:pages"),
  ["document", "task", "-q", "contract", "--only=document"],
];

/** They wait more than they compute: for time-outs, restarts and pauses. */
const WAITING: readonly Step[] = [
  ...["test:cluster", "test:process"].map((name) => task(name)),
  task("soak", "--minutes", "0.7", "--json", "report/soak.json"),
  task("test:deploy"),
  task("contract", "--report", "report/contract"),
  task("fuzz", "--report", "report/fuzz"),
  task("test:agents"),
];

/**
 * By the name of the task: stages, one after another; the steps of one run two at a time, the longest
 * first. All are run, whether or not one before has failed.
 */
export const STAGES: Readonly<Record<"check" | "test" | "ok", readonly (readonly Step[])[]>> = {
  check: [CHECK],
  test: [[task("test:unit")], [task("contract")]],
  ok: [
    CHECK,
    [task("test:unit", "--coverage", ".coverage")],
    [["coverage", "coverage", OWN_CODE, "--exclude=/tests/", ".coverage"]],
    WAITING,
    [task("test:browser")],
    [task("bench:guard")],
  ],
};
