/** @module parseConfig() on Deno Deploy: which timeline delivers, and which storage is durable. */

import { deepStrictEqual as deepEqual, strictEqual as equal, throws } from "node:assert/strict";
import { parseConfig } from "../../config/config.ts";
import { kvPlace } from "../../config/kv_path.ts";

/** What Deploy sets if a database is assigned. */
const DEPLOY = { DENO_DEPLOY: "true", DENO_KV_DEFAULT_PATH: "https://kv.example/db" };

/** What Deploy sets, and the number of targets. */
const TIMELINES: readonly (readonly [Record<string, string>, number])[] = [
  [{}, 1],
  [DEPLOY, 1],
  [{ ...DEPLOY, DENO_TIMELINE: "production" }, 1],
  [{ ...DEPLOY, DENO_TIMELINE: "git-branch/main" }, 0],
  [{ ...DEPLOY, DENO_TIMELINE: "preview/abc" }, 0],
];

Deno.test("only the production timeline delivers leads", () => {
  for (const [platform, targets] of TIMELINES) {
    const config = parseConfig({ ...platform, LEAD_TARGETS: "https://leads.example/in" });
    equal(config.leadTargets.length, targets, JSON.stringify(platform));
  }
});

/** Variables, the database that is opened, and its name in messages. */
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

/** Storage that is not durable on Deploy. */
const NOT_DURABLE: readonly Record<string, string>[] = [
  {},
  { KV_PATH: "" },
  { DENO_KV_DEFAULT_PATH: "" },
  { DENO_KV_DEFAULT_PATH: "/data/kv.sqlite" },
  { DENO_KV_PATH_PREFIX: "https://kv.example/" },
  { KV_PATH: ".data/frontdoor.sqlite", DENO_KV_DEFAULT_PATH: "https://kv.example/db" },
  { KV_PATH: ":memory:", DENO_KV_DEFAULT_PATH: "https://kv.example/db" },
];

Deno.test("parseConfig() refuses storage that is not durable, beside other faults", () => {
  for (const database of NOT_DURABLE) {
    for (const DENO_TIMELINE of ["production", "preview/abc"]) {
      throws(
        () => parseConfig({ DENO_DEPLOY: "true", DENO_TIMELINE, PORT: "x", ...database }),
        /\n {2}PORT .*\n {2}KV_PATH .*(?:are|would be) gone with the isolate/,
      );
    }
  }
});
