/** @module Which storage and timeline parseConfig() accepts on Deno Deploy, and what summarise() prints. */

import { deepStrictEqual as deepEqual, doesNotMatch, match, throws } from "node:assert/strict";
import { strictEqual as equal } from "node:assert/strict";
import { parseConfig } from "../../config/config.ts";
import { kvPlace } from "../../config/kv_path.ts";
import { summarise } from "../../config/summary.ts";

/** What Deploy sets if a database is assigned. */
const DEPLOY = { DENO_DEPLOY: "true", DENO_KV_DEFAULT_PATH: "https://kv.example/db" };
const PREFIX = { DENO_KV_PATH_PREFIX: "https://kv.example/", DENO_KV_DEFAULT_PATH: "db" };
const REMOTE = "https://a:b@kv.example";

/** Variables, the database that is opened, and its name in messages. */
const DATABASES: readonly (readonly [Record<string, string>, string | undefined, string])[] = [
  [{}, ".data/frontdoor.sqlite", ".data/frontdoor.sqlite"],
  [{ ...DEPLOY, KV_PATH: "" }, undefined, "the platform's KV"],
  [{ ...DEPLOY, ...PREFIX }, undefined, "the platform's KV"],
  [{ DENO_DEPLOY: "true", KV_PATH: REMOTE }, REMOTE, "https://kv.example"],
];

Deno.test("on Deno Deploy the database is the platform's unless KV_PATH names another", () => {
  for (const [env, kvPath, place] of DATABASES) {
    const config = parseConfig(env);
    deepEqual([config.kvPath, kvPlace(config)], [kvPath, place]);
  }
});

Deno.test("only the production timeline delivers leads", () => {
  for (
    const [DENO_TIMELINE, targets] of [["", 1], ["production", 1], ["preview/abc", 0]] as const
  ) {
    const config = parseConfig({ ...DEPLOY, DENO_TIMELINE, LEAD_TARGETS: "https://a.example" });
    equal(config.leadTargets.length, targets, DENO_TIMELINE);
  }
});

/** Storage that is not durable on Deploy. */
const NOT_DURABLE: readonly Record<string, string>[] = [
  { KV_PATH: "", DENO_KV_DEFAULT_PATH: "" },
  { DENO_KV_DEFAULT_PATH: "/data/kv.sqlite" },
  { ...PREFIX, DENO_KV_DEFAULT_PATH: "" },
  { KV_PATH: ".data/frontdoor.sqlite" },
  { KV_PATH: ":memory:" },
];

Deno.test("parseConfig() refuses storage that is not durable, beside other faults", () => {
  for (const database of NOT_DURABLE) {
    throws(
      () => parseConfig({ ...DEPLOY, DENO_TIMELINE: "preview/abc", PORT: "x", ...database }),
      /\n {2}PORT .*\n {2}KV_PATH .*(?:are|would be) gone with the isolate/,
    );
  }
});

Deno.test("summarise() prints the settings, of a target its name and host, and no secret", () => {
  equal(
    summarise(parseConfig({ SITE_URL: "https://www.example.com", LEAD_RETENTION: "12h" }), "2.9.6"),
    `Nordlotse on http://127.0.0.1:8000, public as https://www.example.com
  leads go to   nowhere: they are stored and logged (set LEAD_TARGETS)
  leads are in  .data/frontdoor.sqlite, kept 0.5 days, not sealed: set LEAD_ENCRYPTION_KEYS
  each client   20 leads in 600 s, 120 tries in 60 s
  runs on       Deno 2.9.6`,
  );
  match(summarise(parseConfig({ LEAD_TARGETS: "https://a.example" }), "2.9.6"), /unsigned/);
  const env = {
    LEAD_TARGETS: "https://ada:pass-word@hooks.example:8443/T0/secret-path?token=abc#part",
    LEAD_WEBHOOK_SECRET: `whsec_${new Uint8Array(24).fill(7).toBase64()}`,
    LEAD_ENCRYPTION_KEYS: `id2026:${new Uint8Array(32).fill(8).toBase64()}`,
    KV_PATH: "https://ada:pass-word@kv.example",
  };
  const text = summarise(parseConfig(env), "2.9.6");
  match(text, /leads go to {3}hooks\.example:8443 \(signed\)\n/);
  match(text, /https:\/\/kv\.example, kept 90 days, sealed\n/);
  doesNotMatch(text, /ada|pass-word|secret-path|token|abc|part|whsec|BwcH|id2026|CAgI/);
});
