/** @module Which storage and timeline parseConfig() accepts on Deno Deploy, and what summarise() prints. */

import { deepStrictEqual as deepEqual, doesNotMatch, match, ok, throws } from "node:assert/strict";
import { parseConfig } from "../../config/config.ts";
import { kvPlace } from "../../lib/kv_path.ts";
import { summarise } from "../../config/summary.ts";

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
    const found = [config.kvPath, kvPlace(config.kvPath), config.leadTargets.length];
    deepEqual(found, [kvPath, place, targets]);
  }
});

const NOT_DURABLE: readonly Record<string, string>[] = [
  { KV_PATH: "", DENO_KV_DEFAULT_PATH: "" },
  { DENO_KV_DEFAULT_PATH: "/data/kv.sqlite" },
  { ...PREFIX, DENO_KV_DEFAULT_PATH: "" },
  { KV_PATH: ".data/frontdoor.sqlite" },
  { KV_PATH: ":memory:" },
];

Deno.test("parseConfig() refuses storage that is not durable, beside other problems", () => {
  for (const database of NOT_DURABLE) {
    throws(
      () => parseConfig({ ...DEPLOY, DENO_TIMELINE: "preview/abc", PORT: "x", ...database }),
      /\n {2}PORT .*\n {2}KV_PATH .*(?:are|would be) gone with the isolate/,
    );
  }
});

function summaryOf(env: Record<string, string>, isDev = false): string {
  const config = parseConfig({ SITE_NAME: "Example", ...env });
  return summarise(config, { denoVersion: "2.9.6", isDev, isColoured: isDev });
}

function request(address: string, domain = "com"): string {
  return `\n  now try       in another terminal\ncurl ${address}/api/lead -H 'content-type: application/json' ` +
    `-d '{"email":"you@example.${domain}","company":"Example Ltd","locale":"en"}'`;
}

Deno.test("summarise() prints the settings, of a target its name and host, and no secret", () => {
  deepEqual(
    summaryOf({ SITE_URL: "https://www.example.com", LEAD_RETENTION: "12h" }),
    `Example on http://localhost:8000
  public as     https://www.example.com
  leads go to   nowhere: they are stored and logged (set LEAD_TARGETS)
  leads are in  .data/frontdoor.sqlite, kept 12h, not sealed: set LEAD_ENCRYPTION_KEYS
  each client   20 leads in 10m, 120 attempts in 1m
  runs on       Deno 2.9.6`,
  );
  match(summaryOf({ LEAD_TARGETS: "https://a.example" }), /unsigned/);
  const env = {
    LEAD_TARGETS: "https://zoe:pass-word@hooks.example:8443/T0/secret-path?token=abc#part",
    LEAD_WEBHOOK_SECRET: `whsec_${new Uint8Array(24).fill(7).toBase64()}`,
    LEAD_ENCRYPTION_KEYS: `id2026:${new Uint8Array(32).fill(8).toBase64()}`,
    KV_PATH: "https://zoe:pass-word@kv.example",
  };
  const text = summaryOf(env);
  match(text, /leads go to {3}hooks\.example:8443 \(signed\)\n/);
  match(text, /https:\/\/kv\.example, kept 90d, sealed\n/);
  doesNotMatch(text, /zoe|pass-word|secret-path|token|abc|part|whsec|BwcH|id2026|CAgI/);
});

/** HOST, SITE_URL, the address that is printed first, and whether the public one follows. */
const ADDRESSES: readonly (readonly [string, string, string, boolean])[] = [
  ["127.0.0.1", "", "http://localhost:8000", false],
  ["0.0.0.0", "", "http://localhost:8000", false],
  ["::", "http://localhost:8000", "http://localhost:8000", false],
  ["::1", "http://127.0.0.1:8000", "http://localhost:8000", true],
  ["192.0.2.7", "", "http://192.0.2.7:8000", true],
  ["2001:db8::7", "http://[::1]:8000", "http://[2001:db8::7]:8000", true],
];

Deno.test("the summary begins with the address for a browser and ends with a request to try", () => {
  for (const [HOST, SITE_URL, address, hasPublic] of ADDRESSES) {
    const text = summaryOf({ HOST, SITE_URL });
    ok(text.startsWith(`Example on ${address}\n`), text);
    deepEqual(text.includes("public as"), hasPublic, text);
    ok(text.endsWith(request(address)), text);
  }
  // Pasted, it must not reach anybody.
  const harmless = request("http://localhost:8000", "invalid");
  ok(summaryOf({ LEAD_TARGETS: "https://a.example" }).endsWith(harmless));
  const dev = summaryOf({}, true);
  const start =
    "\x1b[1mExample\x1b[0m on \x1b[36mhttp://localhost:8000\x1b[0m\n  \x1b[2mleads go to";
  ok(dev.startsWith(start), dev);
  match(dev, /edit.* {2}static\/: the browser reloads/);
  const deployed = summarise(parseConfig(DEPLOY), { denoVersion: "2.9.6", isDeployed: true });
  doesNotMatch(deployed, /curl/);
});
