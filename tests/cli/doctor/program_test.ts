/** @module The doctor's command line, settings, misspelt variables, and that it prints no secret. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import type { Finding } from "../../../cli/doctor/finding.ts";
import { allFindings, doctor, findingsOf, type Variables } from "../../support/doctor.ts";
import { freePort } from "../../support/service.ts";

const SECRET = `whsec_${btoa("a secret of twenty-seven by")}`;

const HEALTHY = {
  SITE_URL: "https://site.invalid",
  LEAD_ENCRYPTION_KEYS: `a:${btoa("k".repeat(32))}`,
  LEAD_WEBHOOK_SECRET: SECRET,
  OPERATOR: "Example GmbH",
  CONTACT_EMAIL: "hello@example.com",
  TRUSTED_PROXY_HOPS: "1",
};

const WITHOUT_KV = { ...HEALTHY, KV_PATH: ".data/none" };

Deno.test("a failure is reported with its fix and exit code 1, as text and as JSON", async () => {
  const { code, out } = await doctor([], { ...HEALTHY, SITE_URL: "", KV_PATH: ":memory:" });
  equal(code, 1);
  match(out, /^FAIL {2}site_url: .*\. Set SITE_URL to .*\.$/m);
  match(out, /^ok {4}configuration: [^]*\nok {4}pages: .*\n\n\d ok, \d to look at, 2 failed\n$/);
  const invalid = await doctor([], { PORT: "x", LEAD_TARGETS: "gopher://x", LEAD_TARGET_URL: "x" });
  match(invalid.out, /^FAIL {2}configuration: PORT .*\nFAIL {2}configuration: LEAD_TARGETS /);
  match(invalid.out, /\nwarn {2}variables: LEAD_TARGET_URL is set/);
  for (const SITE_URL of ["", HEALTHY.SITE_URL]) {
    const asJson = await doctor(["--json"], { ...WITHOUT_KV, SITE_URL });
    const { ok, findings } = JSON.parse(asJson.out);
    const failed = findings.filter(({ state }: Finding) => state === "fail");
    deepEqual([asJson.code, asJson.err, ok], SITE_URL ? [0, "", true] : [1, "", false]);
    const members = ["check", "state", "message", "fix"];
    deepEqual(failed.map(Object.keys), SITE_URL ? [] : [members]);
  }
});

// `tests/process/tasks_test.ts` has an unknown option and --help.
Deno.test("an argument and an unknown platform get exit code 2, without any check", async () => {
  for (const word of ["now", "--for=cloud"]) {
    const { code, out, err } = await doctor([word], {});
    deepEqual([code, out], [2, ""]);
    match(err, /^error: /);
  }
});

const WEBHOOK = { LEAD_TARGETS: "https://127.0.0.1:2", LEAD_WEBHOOK_SECRET: SECRET };
const MAIL = { LEAD_TARGETS: "smtp://127.0.0.1:2?from=a@b.example&to=c@d.example" };

/** Changes to a healthy environment, and the finding; "" for none. */
const SETTINGS: readonly (readonly [Variables, finding: string])[] = [
  [{ SITE_URL: "" }, "fail site_url"],
  [{ SITE_URL: "https://127.0.0.1:8000" }, "fail site_url"],
  [{ SITE_URL: "http://www.example.com" }, "fail site_url"],
  [{ CONTACT_EMAIL: "" }, "warn operator"],
  [{ OPERATOR: "" }, "warn operator"],
  [{ OPERATOR: "", CONTACT_EMAIL: "" }, "warn operator"],
  [{ OPERATOR: "", SITE_URL: "https://www.example.com" }, "fail operator"],
  [WEBHOOK, ""],
  [{ ...WEBHOOK, LEAD_WEBHOOK_SECRET: "" }, "warn signature"],
  [{ ...MAIL, LEAD_WEBHOOK_SECRET: "" }, ""],
  [{ ...WEBHOOK, LEAD_TARGETS: "https://a.example https://user:@b.example" }, "warn credentials"],
  [{ ...WEBHOOK, LEAD_TARGETS: "https://token@a.example https://user:p@b.example" }, ""],
  [{ ...WEBHOOK, LEAD_TARGETS: "http://a.invalid" }, "warn encryption"],
  [{ ...WEBHOOK, LEAD_TARGETS: "http://127.0.0.1:2" }, ""],
  [{ LEAD_ENCRYPTION_KEYS: "" }, "warn sealing"],
  [{ TRUSTED_PROXY_HOPS: "0" }, "warn proxy"],
  [{ TRUSTED_PROXY_HOPS: "0", HOST: "0.0.0.0" }, ""],
];

Deno.test("settings unsuitable for a deployed service are reported", async () => {
  for (const [changes, finding] of SETTINGS) {
    const found = await findingsOf("", { ...WITHOUT_KV, ...changes });
    const short = found.filter(({ check }) => !/^(?:kv|target)/.test(check))
      .map(({ state, check }) => `${state} ${check}`);
    deepEqual(short, [finding || "ok settings"], JSON.stringify(changes));
  }
});

/** What Deno Deploy cannot or does not use, and the findings besides the two reminders. */
const ON_DEPLOY: readonly (readonly [Variables, ...findings: string[]])[] = [
  [{}],
  [{ TRUSTED_PROXY_HOPS: "1" }, "warn proxy"],
  [{ HOST: "0.0.0.0" }, "warn listen"],
  [{ PORT: "8000", SITE_URL: "" }, "fail site_url", "warn listen"],
  [{ OTEL_DENO: "true", DENO_KV_ACCESS_TOKEN: "x" }, "warn variables", "warn variables"],
  [{ DENO_DEPLOY_TOKEN: "x", DENO_DEPLOYMENT: "x", HOME: "x" }, "warn variables"],
];

Deno.test("--for deploy reports what Deno Deploy refuses or ignores, and reminds of secrets and the database", async () => {
  const words = ["--for", "deploy"];
  for (const [changes, ...findings] of ON_DEPLOY) {
    const variables = { ...HEALTHY, TRUSTED_PROXY_HOPS: "0", ...changes };
    const found = (await allFindings(variables, words))
      .filter(({ check }) => !/^(?:configuration|pages|sample|texts|legal|targets)$/.test(check));
    const short = found.map(({ state, check }) => `${state} ${check}`);
    deepEqual(short.toSorted(), ["warn kv", "warn secrets", ...findings].toSorted());
  }
  const plain = { ...WITHOUT_KV, TRUSTED_PROXY_HOPS: "0", OTEL_DENO: "true", HOST: "0.0.0.0" };
  deepEqual((await findingsOf("variables", plain)).length, 0, "by default for a server");
  for (const KV_PATH of [".data/frontdoor.sqlite", ":memory:"]) {
    const [problem] = await allFindings({ ...HEALTHY, KV_PATH }, words);
    equal(problem!.check, "configuration");
    match(problem!.message, /^KV_PATH must be empty or a KV Connect URL on Deno Deploy/);
  }
  const KV_PATH = `http://127.0.0.1:${freePort()}`;
  const kv = (await allFindings({ ...HEALTHY, KV_PATH }, words)).find(({ check }) =>
    check === "kv"
  );
  match(kv!.message, /^Cannot use KV at http:/, "a KV Connect URL is checked from here");
});

const MISSPELT: readonly (readonly [names: string, variable: string, state: "fail" | "warn"])[] = [
  ["LEAD_TARGET LEADS_TARGETS LEADS_TARGET LEADTARGETS LEAD_TAGRETS", "LEAD_TARGETS", "fail"],
  ["LEAD_TARGETS_HEADERS LEAD_TARGET_HEADER LEAD_HEADERS", "LEAD_TARGET_HEADERS", "fail"],
  ["LEAD_WEBHOOK_SECRETS LEAD_SECRET LEAD_SECRET_WEBHOOK", "LEAD_WEBHOOK_SECRET", "fail"],
  ["LEAD_ENCRYPTION_KEY LEAD_ENCRPTION_KEYS", "LEAD_ENCRYPTION_KEYS", "fail"],
  ["LEAD_LIMIT", "LEAD_RATE_LIMIT or LEAD_ATTEMPT_LIMIT", "fail"],
  ["SITE_ULR SITE_URLS", "SITE_URL", "fail"],
  ["TRUSTED_PROXY_HOP TRUSTED_HOPS", "TRUSTED_PROXY_HOPS", "fail"],
  ["LAED_TARGETS LEAD_TARGTE TARGETS_LEAD Lead_Targets LEAT_TARGETZ", "LEAD_TARGETS", "warn"],
  ["TRUST_PROXY_HOPS TRUSTET_PROXI_HOPS", "TRUSTED_PROXY_HOPS", "warn"],
  ["KV_PATHS KV_PAHT", "KV_PATH", "warn"],
  ["CONTACT_MAIL EMAIL_CONTACT", "CONTACT_EMAIL", "warn"],
  ["SITES_URL SITE_URI URL_SITE", "SITE_URL", "warn"],
  ["OPERATER OPERATORS OPRATOR OPERATOER Operator", "OPERATOR", "warn"],
];

/** Usual names in shells, in CI, in containers, in Kubernetes and on Deno Deploy. */
const USUAL =
  "HOME HOSTNAME HOSTS HOST_NAME PORTS PORT_NUMBER SITE SITES SITE_ID SITE_PORT SITE_SERVICE_HOST " +
  "BASE_URL LOCAL_IP LOCALE SERVICE_URL DEVICE_ID CONTENT_TYPE KV_URL KV_REST_API_URL " +
  "KV_SERVICE_HOST KV_PORT OPERATION OPERATOR_PORT OPERATOR_SERVICE_HOST TERM POST PATH " +
  "DENO_DIR DENO_KV_ACCESS_TOKEN DENO_DEPLOYMENT_ID DENO_TIMELINES LEAD " +
  "LEADS LEADER_URL LEAD_SERVICE_HOST LEAD_PORT LEADS_PORT_80_TCP LEADS_DB_SERVICE_HOST LOG_STREAM";

Deno.test("misspelt variables are named with the variable that is meant, usual ones are not", async () => {
  for (const [names, variable, state] of MISSPELT) {
    const set = Object.fromEntries(names.split(" ").map((name) => [name, "set"]));
    const variables = { ...WITHOUT_KV, ...set };
    const found = await (state === "fail" ? allFindings(variables) : findingsOf("", variables));
    equal(found.some(({ check }) => check === "variables"), state === "warn", names);
    for (const name of names.split(" ")) {
      const bad = found.filter(({ message }) => message.startsWith(`${name} is`));
      deepEqual(bad.map((one) => one.state), [state], name);
      match(`${bad[0]!.message}. ${bad[0]!.fix}`, new RegExp(`\\b${variable}\\b`), name);
    }
  }
  const usual = Object.fromEntries(USUAL.split(" ").map((name) => [name, "set"]));
  const found = await findingsOf("variables", { ...WITHOUT_KV, ...usual, LEAD_WEBHOOK_URL: "set" });
  const message = "LEAD_WEBHOOK_URL is set, and no such variable exists";
  deepEqual(found.map((one) => one.message), [message]);
});

// `tests/config/config_test.ts` has invalid ones.
Deno.test("no valid secret is printed", async () => {
  const word = "Sentinel";
  const host = `127.0.0.1:${freePort()}`;
  const valid = {
    LEAD_WEBHOOK_SECRET: `whsec_${btoa(word.repeat(4))}`,
    LEAD_ENCRYPTION_KEYS: `id:${btoa(word.repeat(4))}`,
    LEAD_TARGETS: `a=smtp://${word}:${word}@${host}?from=${word}@a.example&to=${word}@b.example ` +
      `b=slack+http://${host}/${word} c=http://${word}:${word}@${host}/${word}`,
    LEAD_TARGET_HEADERS: `b:X-Key=${word}`,
  };
  for (const words of [[], ["--json"]]) {
    const { out, err } = await doctor(words, { KV_PATH: ".data/none", ...valid });
    for (const trace of [word, word.toLowerCase(), btoa(word).slice(0, 9)]) {
      ok(!(out + err).includes(trace), `${trace} in ${out}${err}`);
    }
    equal(out.match(/did not accept a test event: refused/g)!.length, 3, out);
  }
});
