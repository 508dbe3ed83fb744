/**
 * @module What Deno Deploy sets, and what the service makes of it: which timeline delivers, and where
 * leads may be kept.
 */

import {
  deepStrictEqual as deepEqual,
  match,
  strictEqual as equal,
  throws,
} from "node:assert/strict";
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

for (const [platform, targets] of TIMELINES) {
  Deno.test(`with ${JSON.stringify(platform)} leads go to ${targets} target(s)`, () => {
    const config = parseConfig({ ...platform, LEAD_TARGETS: "https://leads.example/in" });
    equal(config.leadTargets.length, targets);
  });
}

Deno.test("on Deno Deploy the database is the platform's unless KV_PATH names another", () => {
  const config = parseConfig(DEPLOY);
  equal(config.kvPath, undefined);
  equal(kvPlace(config), "the platform's KV");
  equal(parseConfig({ ...DEPLOY, KV_PATH: "" }).kvPath, undefined);
  equal(
    parseConfig({ DENO_DEPLOY: "true", KV_PATH: "https://kv.example" }).kvPath,
    "https://kv.example",
  );
});

Deno.test("Deno puts DENO_KV_PATH_PREFIX before the database's name, and so it is read", () => {
  const assigned = { DENO_KV_PATH_PREFIX: "https://kv.example/", DENO_KV_DEFAULT_PATH: "db" };
  equal(parseConfig({ DENO_DEPLOY: "true", ...assigned }).kvPath, undefined);
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

for (const database of FORGETFUL) {
  Deno.test(`Deno Deploy with ${JSON.stringify(database)} is refused on every timeline`, () => {
    for (const timeline of ["production", "git-branch/x", "preview/abc"]) {
      const faults = faultsOf({ DENO_DEPLOY: "true", DENO_TIMELINE: timeline, ...database });
      equal(faults.length, 1);
      match(faults[0]!, /^KV_PATH .*gone with the isolate/);
    }
  });
}

Deno.test("a database that is not assigned is named beside the other faults", () => {
  const faults = faultsOf({ DENO_DEPLOY: "true", PORT: "x" });
  deepEqual(faults.map((fault) => fault.split(" ")[0]), ["PORT", "KV_PATH"]);
});

function faultsOf(env: Record<string, string>): readonly string[] {
  let faults: readonly string[] = [];
  throws(() => parseConfig(env), (error) => {
    faults = (error as ConfigError).faults;
    return error instanceof ConfigError;
  });
  return faults;
}
