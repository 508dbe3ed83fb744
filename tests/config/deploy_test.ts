/**
 * @module What Deno Deploy sets, and what the service makes of it: which timeline delivers, and where
 * leads may be kept.
 */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { ConfigError, parseConfig } from "../../config/config.ts";
import { kvPlace } from "../../config/kv_path.ts";

/** What Deploy sets where a database is assigned to the application. */
const DEPLOY = { DENO_DEPLOY: "true", DENO_KV_DEFAULT_PATH: "https://kv.example/db" };

/** What Deploy sets, and whether leads are delivered then. */
const TIMELINES: readonly (readonly [Record<string, string>, number])[] = [
  [{}, 1],
  [{ DENO_TIMELINE: "" }, 1],
  [DEPLOY, 1],
  [{ ...DEPLOY, DENO_TIMELINE: "production" }, 1],
  [{ ...DEPLOY, DENO_TIMELINE: "git-branch/main" }, 0],
  [{ ...DEPLOY, DENO_TIMELINE: "git-branch/production" }, 0],
  [{ ...DEPLOY, DENO_TIMELINE: "preview/abc" }, 0],
];

Deno.test("only the production timeline delivers leads", () => {
  for (const [platform, targets] of TIMELINES) {
    const config = parseConfig({ ...platform, LEAD_TARGETS: "https://leads.example/in" });
    equal(config.leadTargets.length, targets, JSON.stringify(platform));
  }
});

/** Variables and the database that is opened. */
const DATABASES: readonly (readonly [Record<string, string>, string | undefined, string])[] = [
  [{}, ".data/frontdoor.sqlite", ".data/frontdoor.sqlite"],
  [DEPLOY, undefined, "the platform's KV"],
  [{ ...DEPLOY, KV_PATH: "" }, undefined, "the platform's KV"],
  [
    { ...DEPLOY, KV_PATH: "https://a:b@kv.example" },
    "https://a:b@kv.example",
    "https://kv.example",
  ],
  [
    { DENO_DEPLOY: "true", DENO_KV_PATH_PREFIX: "https://kv.example/", DENO_KV_DEFAULT_PATH: "db" },
    undefined,
    "the platform's KV",
  ],
];

Deno.test("on Deno Deploy the database is the platform's unless KV_PATH names another", () => {
  for (const [env, kvPath, place] of DATABASES) {
    const config = parseConfig(env);
    deepEqual([config.kvPath, kvPlace(config)], [kvPath, place]);
  }
});

/** Databases on Deploy that are gone with the isolate. */
const FORGETFUL: readonly Record<string, string>[] = [
  {},
  { KV_PATH: "" },
  { DENO_KV_DEFAULT_PATH: "" },
  { DENO_KV_DEFAULT_PATH: "/data/kv.sqlite" },
  { DENO_KV_PATH_PREFIX: "https://kv.example/" },
  { KV_PATH: ".data/frontdoor.sqlite", DENO_KV_DEFAULT_PATH: "https://kv.example/db" },
  { KV_PATH: ":memory:", DENO_KV_DEFAULT_PATH: "https://kv.example/db" },
];

Deno.test("a database that is gone with the isolate is refused, beside the other faults", () => {
  for (const database of FORGETFUL) {
    for (const DENO_TIMELINE of ["production", "preview/abc"]) {
      const faults = faultsOf({ DENO_DEPLOY: "true", DENO_TIMELINE, PORT: "x", ...database });
      equal(faults.length, 2);
      match(faults[0]!, /^PORT /);
      match(faults[1]!, /^KV_PATH .*gone with the isolate|would be gone/);
    }
  }
});

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    parseConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
  }
  return [];
}
