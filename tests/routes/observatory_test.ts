/**
 * @module Hardening, by the rules of the Mozilla HTTP Observatory and beyond them: every answer of
 * any kind gets the best grade, and every document keeps to its own policy.
 */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { elementsOf } from "../support/html.ts";
import { knownPaths } from "../support/known_paths.ts";
import { judge, policyOf } from "../support/observatory.ts";
import { LEAD, SITE_URL, type TestApp, withApp } from "../support/test_app.ts";

const BEST = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=63072000",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
};

/** What a weaker header costs, so that the judge is known to judge. */
const WEAKER: readonly (readonly [header: string, value: string | undefined, score: number])[] = [
  ["content-security-policy", undefined, 55],
  ["content-security-policy", "default-src 'none'", 80],
  ["content-security-policy", "default-src 'self'; frame-ancestors 'none'", 125],
  ["content-security-policy", "script-src 'self'; frame-ancestors 'none'", 80],
  [
    "content-security-policy",
    "default-src 'none'; script-src 'unsafe-inline'; frame-ancestors 'self'",
    80,
  ],
  ["content-security-policy", "default-src 'none'; script-src *; frame-ancestors 'none'", 80],
  ["content-security-policy", "default-src 'none'; img-src http:; frame-ancestors 'none'", 110],
  [
    "content-security-policy",
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    120,
  ],
  ["content-security-policy", "default-src 'none'; frame-ancestors *", 80],
  ["referrer-policy", "unsafe-url", 120],
  ["strict-transport-security", undefined, 80],
  ["strict-transport-security", "max-age=3600", 120],
  ["x-content-type-options", undefined, 125],
  ["cross-origin-resource-policy", "cross-origin", 120],
  ["set-cookie", "a=b", 60],
  ["access-control-allow-credentials", "true", 50],
];

Deno.test("the judge gives 130 to the best headers, and less for each that is weaker", () => {
  deepEqual(judge(new Headers(BEST), { origin: SITE_URL }), {
    score: 130,
    grade: "A+",
    modifiers: {
      "content-security-policy": 10,
      cookies: 0,
      "cross-origin-resource-sharing": 0,
      "referrer-policy": 5,
      "strict-transport-security": 0,
      "subresource-integrity": 0,
      "x-content-type-options": 0,
      "x-frame-options": 5,
      "cross-origin-resource-policy": 10,
    },
  });
  for (const [header, value, score] of WEAKER) {
    const headers = new Headers(BEST);
    if (value === undefined) headers.delete(header);
    else headers.set(header, value);
    equal(judge(headers, { origin: SITE_URL }).score, score, `${header}: ${value}`);
  }
  const html = '<script src="http://a.example/a.js"></script>';
  equal(judge(new Headers(BEST), { origin: SITE_URL, html }).score, 50);
});

/** Every URL that answers GET with 200, in the representations that it has. */
async function everyUrl({ request }: TestApp): Promise<[path: string, accept: string][]> {
  const sitemap = await (await request("/sitemap.xml")).text();
  const pages = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)]
    .map(([, url]) => new URL(url!).pathname);
  ok(pages.length >= 10);
  const fixed = (await knownPaths()).filter((path) => path !== "/api/lead");
  return [
    ...pages.flatMap((path): [string, string][] => [[path, "*/*"], [path, "text/markdown"]]),
    ...["/index.md", "/docs.md", "/de/docs.md", ...fixed].map(
      (path): [string, string] => [path, "*/*"],
    ),
  ];
}

async function assertBestGrade(response: Response, what: string): Promise<void> {
  const isHtml = response.headers.get("content-type")?.startsWith("text/html") ?? false;
  const body = await response.text();
  const { score, grade, modifiers } = judge(response.headers, {
    origin: SITE_URL,
    ...isHtml ? { html: body } : {},
  });
  const told = `${what}: ${JSON.stringify(modifiers)}`;
  equal(grade, "A+", told);
  // Documents get every bonus; what any origin may read goes without that of CORP.
  ok(score >= (isHtml ? 130 : 120), told);
  assertStrictPolicy(response, { what, isHtml });
}

function assertStrictPolicy(
  { headers }: Response,
  { what, isHtml }: { readonly what: string; readonly isHtml: boolean },
): void {
  const field = headers.get("content-security-policy") ?? "";
  const policy = policyOf(field);
  deepEqual(policy.get("default-src"), ["'none'"], what);
  deepEqual(policy.get("frame-ancestors"), ["'none'"], what);
  equal(policy.size, field.split(";").length, `${what}: a directive twice or empty`);
  for (const [name, sources] of policy) {
    if (name === "default-src" || name === "frame-ancestors") continue;
    for (const source of sources) {
      ok(/^'(?:self|none)'$/.test(source), `${what}: ${name} ${source}`);
    }
  }
  if (!isHtml) return;
  // Neither falls back to default-src.
  deepEqual(policy.get("base-uri"), ["'none'"], what);
  deepEqual(policy.get("form-action"), ["'self'"], what);
  equal(headers.get("cross-origin-opener-policy"), "same-origin", what);
  equal(headers.get("cross-origin-resource-policy"), "same-origin", what);
  ok(headers.get("permissions-policy")?.includes("camera=()"), what);
}

Deno.test("every answer with 200 gets A+, and so does the 304 and the HEAD of it", () =>
  withApp(async (app) => {
    const urls = await everyUrl(app);
    ok(urls.length >= 40, String(urls.length));
    for (const [path, accept] of urls) {
      const what = `${path} (${accept})`;
      const response = await app.request(path, { headers: { accept } });
      equal(response.status, 200, what);
      const etag = response.headers.get("etag");
      await assertBestGrade(response, what);
      const head = await app.request(path, { method: "HEAD", headers: { accept } });
      await assertBestGrade(head, `HEAD ${what}`);
      if (etag === null) continue;
      const again = await app.request(path, { headers: { accept, "if-none-match": etag } });
      equal(again.status, 304, what);
      await assertBestGrade(again, `304 ${what}`);
    }
  }));

function sent(type: string, body: string, headers: Record<string, string> = {}): RequestInit {
  return { method: "POST", headers: { "content-type": type, ...headers }, body };
}

const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";
const FORM = new URLSearchParams({ email: LEAD.email, company: LEAD.company }).toString();

/** Everything else that a request can be answered with. */
const OTHERS: readonly (readonly [status: number, path: string, init?: RequestInit])[] = [
  [404, "/nope"],
  [404, "/de/nope"],
  [404, "/nope", { headers: { accept: "text/markdown" } }],
  [404, "/nope.md"],
  [404, "/assets/nope.css"],
  [404, "/api/nope"],
  [405, "/docs", { method: "POST" }],
  [405, "/assets/site.css", { method: "DELETE" }],
  [405, "/llms.txt", { method: "PUT" }],
  [405, "/api/health", { method: "POST" }],
  [405, "/api/lead"],
  [204, "/docs", { method: "OPTIONS" }],
  [204, "/contact", { method: "OPTIONS" }],
  [204, "/api/lead", { method: "OPTIONS" }],
  [204, "/assets/site.css", { method: "OPTIONS" }],
  [308, "/docs/"],
  [308, "/de/"],
  [200, "/api/lead", sent(JSON_TYPE, JSON.stringify(LEAD))],
  [400, "/api/lead", sent(JSON_TYPE, "{")],
  [400, "/api/lead", sent("text/plain", "x")],
  [303, "/contact", sent(FORM_TYPE, FORM)],
  [400, "/de/contact", sent(FORM_TYPE, "")],
  [403, "/contact", sent(FORM_TYPE, FORM, { "sec-fetch-site": "cross-site" })],
];

for (const [status, path, init] of OTHERS) {
  const what = `${init?.method ?? "GET"} ${path}`;
  Deno.test(`the ${status} to ${what} gets A+ (${JSON.stringify(init?.headers ?? {})})`, () =>
    withApp(async ({ request }) => {
      const response = await request(path, init);
      equal(response.status, status);
      await assertBestGrade(response, what);
    }));
}

Deno.test("the 429 of the API and of the form get A+", () =>
  withApp(async ({ request, postLead }) => {
    await (await postLead(LEAD)).body?.cancel();
    const refused = await postLead({ ...LEAD, email: "grace@example.com" });
    equal(refused.status, 429);
    await assertBestGrade(refused, "429 /api/lead");
    const form = await request("/contact", sent(FORM_TYPE, FORM));
    equal(form.status, 429);
    await assertBestGrade(form, "429 /contact");
  }, { env: { LEAD_RATE_LIMIT: "1/10m" } }));

Deno.test("HSTS is only sent where the site is on https", () =>
  withApp(async ({ request }) => {
    for (const path of ["/", "/api/health", "/assets/site.css", "/nope"]) {
      const response = await request(path);
      equal(response.headers.get("strict-transport-security"), null, path);
      await response.body?.cancel();
    }
  }, { env: { SITE_URL: "http://localhost:8000" } }));

Deno.test("every page keeps to its policy: nothing inline, nothing from elsewhere", () =>
  withApp(async (app) => {
    const pages = (await everyUrl(app)).filter(([, accept]) => accept === "*/*");
    let documents = 0;
    for (const [path] of [...pages, ["/nope"], ["/contact/sent"]] as const) {
      const response = await app.request(path!);
      const isHtml = response.headers.get("content-type")?.startsWith("text/html");
      const body = await response.text();
      if (!isHtml) continue;
      documents++;
      for (const { name, attributes, text } of elementsOf(body)) {
        const what = `${path}: <${name} ${JSON.stringify(attributes)}>`;
        ok(!["style", "iframe", "object", "embed", "base", "frame"].includes(name), what);
        for (const attribute of Object.keys(attributes)) {
          ok(attribute !== "style" && !attribute.startsWith("on"), what);
        }
        if (name === "script" && attributes["src"] === undefined) {
          // Data is not run, and not blocked either.
          ok(/^application\/(?:ld\+)?json$/.test(attributes["type"] ?? ""), what);
          JSON.parse(text);
        }
        const loads = name === "link" && /stylesheet|icon|manifest|preload/.test(attributes["rel"]!)
          ? attributes["href"]
          : attributes["src"];
        if (loads !== undefined) equal(new URL(loads, SITE_URL).origin, SITE_URL, what);
        if (name === "form") equal(new URL(attributes["action"]!, SITE_URL).origin, SITE_URL, what);
      }
    }
    ok(documents >= 12, String(documents));
  }));
