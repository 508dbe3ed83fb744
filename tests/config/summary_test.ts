/** @module What the service says at its start: what is set, and no secret. */

import { doesNotMatch, match } from "node:assert/strict";
import { parseConfig } from "../../config/config.ts";
import { summarise } from "../../config/summary.ts";

const SECRET = `whsec_${new Uint8Array(24).fill(7).toBase64()}`;

const KEY = new Uint8Array(32).fill(8);

Deno.test("summarise() tells what is set", () => {
  const text = summarise(parseConfig({ SITE_URL: "https://www.example.com" }), "2.9.6");
  match(text, /^Nordlotse on http:\/\/127\.0\.0\.1:8000, public as https:\/\/www\.example\.com\n/);
  match(text, /leads go to {3}nowhere/);
  match(text, /\.data\/frontdoor\.sqlite, kept 90 days/);
  match(text, /each client {3}20 leads in 600 s, 120 tries in 60 s/);
  match(text, /Deno 2\.9\.6/);
});

Deno.test("summarise() holds of a target its host alone, and no secret", () => {
  const text = summarise(
    parseConfig({
      LEAD_TARGETS: "https://ada:pass-word@hooks.example:8443/T0/secret-path?token=abc#part",
      LEAD_WEBHOOK_SECRET: SECRET,
      LEAD_ENCRYPTION_KEYS: `id2026:${KEY.toBase64()}`,
    }),
    "2.9.6",
  );
  match(text, /leads go to {3}hooks\.example:8443 \(signed\)\n/);
  doesNotMatch(text, /ada|pass-word|secret-path|token|abc|part|whsec|BwcH|id2026|CAgI/);
});

Deno.test("summarise() says where webhooks are not signed", () => {
  match(summarise(parseConfig({ LEAD_TARGETS: "https://a.example" }), "2.9.6"), /unsigned/);
});

Deno.test("summarise() holds no credentials of a KV Connect URL", () => {
  const text = summarise(parseConfig({ KV_PATH: "https://ada:pass-word@kv.example" }), "2.9.6");
  doesNotMatch(text, /ada|pass-word/);
});
