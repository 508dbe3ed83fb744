/** @module What the doctor says of settings that are valid by themselves. */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { Check, State } from "../../../cli/doctor/check.ts";
import { sealing } from "../../../cli/doctor/sealing.ts";
import { imprint, proxy, signature, siteUrl } from "../../../cli/doctor/settings.ts";
import { patient } from "../../support/patient.ts";

const SITE = { SITE_URL: "https://www.example.com" };
const SECRET = `whsec_${btoa("a secret of twenty-seven by")}`;
const DEPLOY = { DENO_DEPLOY: "true", KV_PATH: "https://kv.example" };

const CASES: readonly (readonly [Check, Record<string, string>, State | "nothing"])[] = [
  [siteUrl, SITE, "ok"],
  [siteUrl, {}, "fail"],
  [siteUrl, { SITE_URL: "" }, "fail"],
  [siteUrl, { SITE_URL: "https://localhost" }, "fail"],
  [siteUrl, { SITE_URL: "https://127.0.0.1:8000" }, "fail"],
  [siteUrl, { SITE_URL: "https://[::1]" }, "fail"],
  [siteUrl, { SITE_URL: "http://www.example.com" }, "fail"],
  [imprint, { OPERATOR: "Example GmbH", CONTACT_EMAIL: "hello@example.com" }, "ok"],
  [imprint, { OPERATOR: "Example GmbH" }, "warn"],
  [imprint, { CONTACT_EMAIL: "hello@example.com" }, "warn"],
  [imprint, {}, "warn"],
  [signature, {}, "nothing"],
  [signature, { LEAD_TARGETS: "smtp://h?from=a@b.example&to=c@d.example" }, "nothing"],
  [signature, { LEAD_TARGETS: "https://a.example" }, "warn"],
  [signature, { LEAD_TARGETS: "https://a.example", LEAD_WEBHOOK_SECRET: SECRET }, "ok"],
  [signature, { LEAD_TARGETS: "http://a.example", LEAD_WEBHOOK_SECRET: SECRET }, "warn"],
  [signature, { LEAD_TARGETS: "http://127.0.0.1:1", LEAD_WEBHOOK_SECRET: SECRET }, "ok"],
  [sealing, { KV_PATH: ":memory:" }, "warn"],
  [sealing, { KV_PATH: ":memory:", LEAD_ENCRYPTION_KEYS: `a:${btoa("k".repeat(32))}` }, "ok"],
  [proxy, {}, "ok"],
  [proxy, SITE, "warn"],
  [proxy, { ...SITE, TRUSTED_PROXY_HOPS: "1" }, "ok"],
  [proxy, { ...SITE, HOST: "0.0.0.0" }, "ok"],
  [proxy, { ...SITE, ...DEPLOY }, "ok"],
  [proxy, { ...SITE, ...DEPLOY, TRUSTED_PROXY_HOPS: "1" }, "warn"],
];

for (const [check, variables, state] of CASES) {
  Deno.test(`${check.name} with ${JSON.stringify(variables)}: ${state}`, async () => {
    const findings = await check.run(patient(variables));
    deepEqual(findings.map((one) => one.state), state === "nothing" ? [] : [state]);
    for (const { fix, message } of findings) {
      equal(fix === undefined, state === "ok", "what is not right can be mended");
      if (fix !== undefined) match(fix, /^[A-Z][^\n]*\.$/);
      match(message, /^[^\n]*[^.\n]$/);
    }
  });
}
