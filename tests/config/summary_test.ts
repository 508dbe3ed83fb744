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

/** Variables, the database that is opened, its name in messages, and the number of targets. */
const DATABASES:
  readonly (readonly [Record<string, string>, string | undefined, string, number])[] = [
    [{}, ".data/frontdoor.sqlite", ".data/frontdoor.sqlite", 1],
    [{ ...DEPLOY, KV_PATH: "", DENO_TIMELINE: "production" }, undefined, "the platform's KV", 1],
    [{ ...DEPLOY, ...PREFIX, DENO_TIMELINE: "preview/abc" }, undefined, "the platform's KV", 0],
    [{ DENO_DEPLOY: "true", KV_PATH: REMOTE }, REMOTE, "https://kv.example", 1],
  ];

Deno.test("Deno Deploy's database is the platform's unless KV_PATH names one; only production delivers", () => {
  for (const [env, kvPath, place, targets] of DATABASES) {
    const config = parseConfig({ ...env, LEAD_TARGETS: "https://a.example" });
    deepEqual([config.kvPath, kvPlace(config), config.leadTargets.length], [
      kvPath,
      place,
      targets,
    ]);
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

const NAMED = { SITE_NAME: "Example", SITE_URL: "https://www.example.com" };

Deno.test("summarise() prints the settings, of a target its name and host, and no secret", () => {
  equal(
    summarise(parseConfig({ ...NAMED, LEAD_RETENTION: "12h" }), "2.9.6"),
    `Example on http://127.0.0.1:8000, public as https://www.example.com
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
