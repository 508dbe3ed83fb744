/** @module parseConfig(): defaults, valid values, and the problems of invalid ones. */

import {
  deepStrictEqual as deepEqual,
  match,
  ok,
  strictEqual as equal,
  throws,
} from "node:assert/strict";
import { type Config, ConfigError, parseConfig, VARIABLES } from "../../config/config.ts";
import { targetProblem } from "../../leads/delivery/targets.ts";
import brand from "../../static/site.json" with { type: "json" };
import { copyFolder } from "../support/checkout.ts";
import { withFolder } from "../support/service.ts";

const secretOf = (bytes: number) => `whsec_${new Uint8Array(bytes).toBase64()}`;
const [SECRET, LONGEST] = [secretOf(24), secretOf(64)];
const KEY = new Uint8Array(32).fill(8);
const BASE64 = KEY.toBase64();
const DAY_MS = 86_400_000;

const DEFAULTS: Config = {
  delivers: true,
  port: 8000,
  host: "127.0.0.1",
  siteUrl: "http://localhost:8000",
  localUrl: "http://localhost:8000",
  siteName: brand.name,
  serviceId: brand.serviceId,
  brand,
  operator: [],
  contactEmail: undefined,
  contentSignal: { search: true, aiInput: true, aiTrain: true },
  kvPath: ".data/frontdoor.sqlite",
  leadTargets: [],
  leadTargetConcurrency: 64,
  leadAlerts: [],
  leadDigest: undefined,
  leadTargetHeaders: [],
  leadWebhookSecrets: [],
  leadRateLimit: { count: 20, windowMs: 600_000 },
  leadAttemptLimit: { count: 120, windowMs: 60_000 },
  leadInlineTimeoutMs: 2_000,
  leadRetentionMs: 90 * DAY_MS,
  leadEncryptionKeys: [],
  trustedProxyHops: 0,
};

Deno.test("name and identifier in static/site.json are the defaults, checked like the variables", () =>
  withFolder(async (folder) => {
    for (const room of ["config", "schemas", "lib"]) {
      await copyFolder(new URL(`../../${room}/`, import.meta.url), `${folder}/${room}`);
    }
    await Deno.mkdir(`${folder}/static`);
    await Deno.writeTextFile(
      `${folder}/static/site.json`,
      '{"name":5,"serviceId":"A B","languages":["EN"],"plans":5}',
    );
    const { parseConfig } = await import(`file://${folder}/config/config.ts`);
    throws(
      () => parseConfig({}),
      /\n {2}SITE_NAME \(set in (static\/site\.json)\) must .*\n {2}SERVICE_ID \(set in \1\) must .*\n {2}languages \(set in \1\) must .*\n {2}plans \(/,
    );
  }));

const GOOD: readonly (readonly [string, string, Partial<Config>])[] = [
  ["PORT", "1", { port: 1, siteUrl: "http://localhost:1", localUrl: "http://localhost:1" }],
  ["HOST", "0.0.0.0", { host: "0.0.0.0" }],
  ["SITE_URL", "https://www.example.com/", { siteUrl: "https://www.example.com" }],
  ["LOCAL_URL", "http://192.0.2.1:81", { localUrl: "http://192.0.2.1:81" }],
  ["SITE_NAME", "n".repeat(80), { siteName: "n".repeat(80) }],
  ["SERVICE_ID", "a-0".repeat(21), { serviceId: "a-0".repeat(21) }],
  ["OPERATOR", " A GmbH; Weg 1 ;; Hamburg;", { operator: ["A GmbH", "Weg 1", "Hamburg"] }],
  ["OPERATOR", ";x".repeat(20), { operator: Array(20).fill("x") }],
  ["OPERATOR", "x".repeat(200), { operator: ["x".repeat(200)] }],
  ["CONTACT_EMAIL", "hello@example.com", { contactEmail: "hello@example.com" }],
  ["CONTENT_SIGNAL", "ai-train=no,search=yes , ai-input=no", {
    contentSignal: { search: true, aiInput: false, aiTrain: false },
  }],
  ["KV_PATH", "http://127.0.0.1:4512", { kvPath: "http://127.0.0.1:4512" }],
  ["LEAD_TARGETS", " https://a.example/x  b_1=http://b.example ", {
    leadTargets: [
      { name: "a.example", url: new URL("https://a.example/x"), headers: {} },
      { name: "b_1", url: new URL("http://b.example"), headers: {} },
    ],
  }],
  ["LEAD_WEBHOOK_SECRET", `${SECRET} ${LONGEST}`, { leadWebhookSecrets: [SECRET, LONGEST] }],
  ["LEAD_RATE_LIMIT", "1000/1s", { leadRateLimit: { count: 1_000, windowMs: 1_000 } }],
  ["LEAD_ATTEMPT_LIMIT", "999999/366d", {
    leadAttemptLimit: { count: 999_999, windowMs: 366 * DAY_MS },
  }],
  ["LEAD_INLINE_TIMEOUT", "1ms", { leadInlineTimeoutMs: 1 }],
  ["LEAD_INLINE_TIMEOUT", "1m", { leadInlineTimeoutMs: 60_000 }],
  ["LEAD_ENCRYPTION_KEYS", `2026:${BASE64} old_1:${BASE64}`, {
    leadEncryptionKeys: [{ id: "2026", key: KEY }, { id: "old_1", key: KEY }],
  }],
  ["TRUSTED_PROXY_HOPS", "10", { trustedProxyHops: 10 }],
  ["LEAD_RETENTION", "1h", { leadRetentionMs: 3_600_000 }],
  ["LEAD_RETENTION", "3650d", { leadRetentionMs: 3650 * DAY_MS }],
];

const DURATION = "must be a whole number and a unit (ms, s, m, h, d), from";

/** A password cut at a #, one with a # that ends it in the URL, one that was $NAME. */
const PASSWORDS = [
  "smtps://ada:begin",
  "smtps://ada:12",
  "https://ada:be#gin@a.example/in",
  "smtp://ada:@a.example?from=a@a.example&to=b@b.example",
];

const ALLOWANCE = "must be a count from 1 to 999999 and a window, such as 20/10m";
const WINDOW = "must have a window of at least 1s, and 1ms for each count, and at most 366d";
const TEN = "must have at most 10 targets";
const OTHER_NAME = "entry 1 must have another name, as in crm=https://…";

const BAD: readonly (readonly [string, readonly string[], message?: string])[] = [
  ["PORT", ["0", "65536", "-1", "80.5", " 8001"], "must be a whole number from 1 to 65535"],
  ["SITE_URL", ["www.example.com", "ftp://www.example.com", "https://ada:pass@www.example.com"]],
  ["SITE_URL", ["path", "?q=1", "#x"].map((rest) => `https://www.example.com/${rest}`)],
  ["OPERATOR", [";x".repeat(21), "x".repeat(201)]],
  ["CONTACT_EMAIL", ["hello", "hello@", "Ada <ada@example.com>", "ada@example.com, b@example.com"]],
  ["CONTENT_SIGNAL", ["yes", "search=yes", "search=yes, ai-input=yes, ai-train=maybe"]],
  ["CONTENT_SIGNAL", ["search=yes, ai-input=yes, ai-train=no, more=yes"]],
  ["CONTENT_SIGNAL", ["search=yes, ai-input=no, ai-train=no, ai-input=yes"]],
  ["LOCAL_URL", ["localhost:8001", "/", "http://localhost:8001/x"]],
  ["SITE_NAME", ["q".repeat(81), "two\nlines", "\x1b[31mred", "a\ufffe"]],
  ["SERVICE_ID", ["With Blank", "UPPER", "under_score", "x".repeat(64), "ümlaut"]],
  ["LEAD_TARGETS", ["leads.example", "ftp://leads.example", "https://fine.example nonsense"]],
  ["LEAD_TARGETS", ["a=https://x.example/,b=https://y.example", "https://a.example;https://b.co"]],
  ["LEAD_TARGETS", ["https://fine.example ".repeat(2), "a=https://x.example a=https://y.example"]],
  ["LEAD_TARGETS", ["abcdefghijk".replace(/./g, "$&=https://$&.example ")], TEN],
  ["LEAD_TARGETS", ["constructor=https://a.example", "https://constructor/in"], OTHER_NAME],
  ["LEAD_TARGETS", ["https://__proto__"], OTHER_NAME],
  ["LEAD_TARGETS", PASSWORDS, "entry 1 must .* (in a password # is written %23, and \\$ %24)"],
  ["LEAD_WEBHOOK_SECRET", ["MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", secretOf(23), secretOf(65)]],
  ["LEAD_WEBHOOK_SECRET", [`${SECRET},${SECRET}`]],
  ["LEAD_RATE_LIMIT", ["20", "-5/7m", "21/10", "2.5/1m", "0/9m", "1000000/9m", "1/1w"], ALLOWANCE],
  // KV refuses such an expiry: every lead would be a 502.
  ["LEAD_ATTEMPT_LIMIT", ["1/999ms", "1001/1s", "1/367d"], WINDOW],
  // Beyond 2^31 ms a timer fires at once.
  ["LEAD_INLINE_TIMEOUT", ["s", "2", "2 s", "1.5s", "2S", "0s", "2m"], `${DURATION} 1ms to 1m`],
  // KV refuses such an expiry.
  ["LEAD_RETENTION", ["91", "1y", "0d", "59m", "3651d"], `${DURATION} 1h to 3650d`],
  ["LEAD_ENCRYPTION_KEYS", ["", ":", "a.b:", `${"i".repeat(33)}:`].map((id) => id + BASE64)],
  ["LEAD_ENCRYPTION_KEYS", [`one:${KEY.subarray(1).toBase64()}`, `1:${BASE64} 1:${BASE64}`]],
  ["TRUSTED_PROXY_HOPS", ["11", "-1", "one", "0.5"], "must be a whole number from 0 to 10"],
];

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    parseConfig(env, targetProblem);
  } catch (error) {
    ok(error instanceof ConfigError);
    return error.problems;
  }
  return [];
}

Deno.test("parseConfig() reads each variable into its setting only; empty ones have defaults", () => {
  const empty = Object.fromEntries(VARIABLES.map((name) => [name, ""]));
  deepEqual(parseConfig({ ...empty, LEAD: "x", port: "1" }), DEFAULTS);
  for (const [name, value, settings] of GOOD) {
    deepEqual(parseConfig({ [name]: value }), { ...DEFAULTS, ...settings }, `${name}=${value}`);
  }
});

Deno.test("parseConfig() refuses an invalid value in one line that states bounds and not the value", () => {
  for (const [name, values, message = "\\S.*"] of BAD) {
    for (const value of values) {
      const problems = problemsOf({ [name]: value });
      equal(problems.length, 1, `${name}=${value}`);
      match(problems[0]!, new RegExp(`^${name} ${message.replaceAll(/[()]/g, "\\$&")}$`));
      for (const word of value.split(/\s+/)) {
        if (word.length > 3) ok(!problems[0]?.includes(word), `${name} repeats ${word}`);
      }
    }
  }
});

const HTTP_ONLY = "must begin with the name of a target that is a URL of http or https";
const OWN = "must not set Authorization: its target's URL has a user or a password";
const FORM = "must be TARGET:Header=value, in ASCII, the value percent-encoded (a space as %20)";

const HEADERS: readonly (readonly [entries: string, problem?: string])[] = [
  ["crm:Authorization=Bearer%20zz81 chat:authorization=zz81=:a=b b.example:8443:x_!=%25zz81"],
  ["crmm:X-Key=zz81", HTTP_ONLY],
  ["mail:X-Key=zz81", HTTP_ONLY],
  ["basic:Authorization=z", OWN],
  ["crm:A=1 chat:A=2 crm:a=zz81", "must not set the header of an earlier entry again"],
  ...["Host", "Content-Length", "Webhook-Signature", "Transfer-Encoding", "Expect"]
    .map((name) => [`crm:${name}=zz81`, "must not set a header of the delivery itself"] as const),
  ...["zz81", "crm:zz81", "crm:=zz81", "crm:X-Key=", "crm=zz81", "crm:zz(81)=x", ":X-Key=zz81"]
    .map((entry) => [entry, FORM] as const),
  ...["%", "%zz81", "%C3%28", "zz81%0D%0Ax:y", "z%0A", "z%0D", "z%00", "z%7F", "z%C3%A4", "zä"]
    .concat("%20z", "z%20", "%20", "z%E2%80%A8").map((value) =>
      [`crm:X-Key=${value}`, FORM] as const
    ),
];

Deno.test("parseConfig() gives each target its header fields, and refuses others without their values", () => {
  const LEAD_TARGETS =
    "crm=https://a.example chat=slack+https://c.example basic=https://u:p@d.example " +
    "https://b.example:8443 mail=smtp://e.example?from=a@example.com&to=b@example.com";
  for (const [entries, problem] of HEADERS) {
    const env = { LEAD_TARGETS, LEAD_TARGET_HEADERS: entries };
    const last = `LEAD_TARGET_HEADERS entry ${entries.split(" ").length}`;
    deepEqual(problemsOf(env), problem === undefined ? [] : [`${last} ${problem}`], entries);
  }
  const { leadTargets } = parseConfig({ LEAD_TARGETS, LEAD_TARGET_HEADERS: HEADERS[0]![0] });
  deepEqual(leadTargets.map(({ name, headers }) => [name, headers]), [
    ["crm", { authorization: "Bearer zz81" }],
    ["chat", { authorization: "zz81=:a=b" }],
    ["basic", {}],
    ["b.example:8443", { "x_!": "%zz81" }],
    ["mail", {}],
  ]);
});

Deno.test("parseConfig() reports every problem at once, each on its own line", () => {
  const problems = problemsOf({ PORT: "x", SITE_URL: "x", LEAD_TARGET: "x" });
  deepEqual(problems.map((problem) => problem.split(" ")[0]), ["PORT", "SITE_URL", "LEAD_TARGET"]);
  match(
    new ConfigError(problems).message,
    /^Cannot use the configuration:\n {2}PORT .*\n {2}SITE_U/,
  );
});
