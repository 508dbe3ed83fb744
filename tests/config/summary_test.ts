/** @module summarise(): the configuration without secrets. */

import { doesNotMatch, match, strictEqual as equal } from "node:assert/strict";
import { parseConfig } from "../../config/config.ts";
import { summarise } from "../../config/summary.ts";

const SECRET = `whsec_${new Uint8Array(24).fill(7).toBase64()}`;
const KEY = new Uint8Array(32).fill(8);

Deno.test("summarise() prints the settings", () => {
  equal(
    summarise(parseConfig({ SITE_URL: "https://www.example.com", LEAD_RETENTION: "12h" }), "2.9.6"),
    `Nordlotse on http://127.0.0.1:8000, public as https://www.example.com
  leads go to   nowhere: they are stored and logged (set LEAD_TARGETS)
  leads are in  .data/frontdoor.sqlite, kept 0.5 days, not sealed: set LEAD_ENCRYPTION_KEYS
  each client   20 leads in 600 s, 120 tries in 60 s
  runs on       Deno 2.9.6`,
  );
});

Deno.test("summarise() reports unsigned webhooks, and prints only the host of a target", () => {
  match(summarise(parseConfig({ LEAD_TARGETS: "https://a.example" }), "2.9.6"), /unsigned/);
  const text = summarise(
    parseConfig({
      LEAD_TARGETS: "https://ada:pass-word@hooks.example:8443/T0/secret-path?token=abc#part",
      LEAD_WEBHOOK_SECRET: SECRET,
      LEAD_ENCRYPTION_KEYS: `id2026:${KEY.toBase64()}`,
      KV_PATH: "https://ada:pass-word@kv.example",
    }),
    "2.9.6",
  );
  match(text, /leads go to {3}hooks\.example:8443 \(signed\)\n/);
  match(text, /https:\/\/kv\.example, kept 90 days, sealed\n/);
  doesNotMatch(text, /ada|pass-word|secret-path|token|abc|part|whsec|BwcH|id2026|CAgI/);
});
