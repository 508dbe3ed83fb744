/** @module Unexpected errors: the answer, the page for visitors and the log. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { appWithoutLeads } from "../support/app_without_leads.ts";
import { LEAD, startApp } from "../support/test_app.ts";
import { pagesOf, pageText } from "../site/fixture.ts";

const SECRET = "zzSecretzz";

const BUGS: readonly (readonly [string, () => Error, reason: string])[] = [
  ["an error whose message looks like a stack", () => new Error(`a\n    at ${SECRET}`), "Error"],
  [
    "an error with a cause",
    () => new TypeError("a", { cause: new Error(SECRET) }),
    "TypeError (Error)",
  ],
  ["an error without a stack", () => Object.assign(new Error(SECRET), { stack: "" }), "Error"],
];

for (const [what, thrown, reason] of BUGS) {
  Deno.test(`${what} is 500 internal_error, logged with its request id and no message`, async () => {
    await using t = await startApp();
    const { leads, lines, postLead } = t;
    leads.intake.submit = () => Promise.reject(thrown());
    const response = await postLead({ ...LEAD, message: SECRET });
    equal(response.status, 500);
    equal(response.headers.get("content-type"), "application/json");
    const requestId = response.headers.get("x-request-id") ?? "";
    match(requestId, /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
    const { error } = await response.json();
    equal(error.code, "internal_error");
    const [{ at, ...line } = { at: undefined }, ...others] = lines;
    deepEqual(line, { level: "error", event: "request.failed", requestId, reason });
    deepEqual(others, []);
    if (!what.includes("without")) match(String(at), /^at .*failure_test\.ts:\d+:\d+\)?$/);
    ok(!JSON.stringify([error, ...response.headers, lines]).includes(SECRET));
  });
}

const log: { event: string; requestId: unknown; problem: unknown }[] = [];
const failing = () => Promise.reject(new Error("a secret"));
const pages = pagesOf({
  "en/index.md": pageText("# Home {{nope}}\n"),
  "en/contact.md": pageText("# Contact\n"),
  "de/contact.md": pageText("# Kontakt\n"),
  "de/404.md": pageText("# Nichts\n"),
});
const deps = {
  leads: failing,
  log: {
    info() {},
    error: (event: string, { requestId, problem }: Record<string, unknown> = {}) =>
      void log.push({ event, requestId, problem }),
    count() {},
  },
};
const { request } = await appWithoutLeads({ ...deps, pages: { ...pages, read: failing } });

for (
  const [method, path, locale, accept = "text/html"] of [
    ["GET", "/contact", "en"],
    ["GET", "/de/contact", "de"],
    ["POST", "/contact", "en"],
    ["POST", "/de/contact", "de"],
    ["GET", "/de/nope", "de"],
    ["GET", "/", undefined, "text/markdown"],
    ["POST", "/api/lead", undefined],
    ["GET", "/llms.txt", undefined],
    ["GET", "/api/site", undefined],
  ] as const
) {
  Deno.test(`${method} ${path} that fails is ${locale ?? "JSON"} for Accept: ${accept}`, async () => {
    const response = await request(path, { method, headers: { accept } });
    equal(response.status, 500);
    if (locale === undefined) {
      equal((await response.json()).error.code, "internal_error");
      return;
    }
    equal(response.headers.get("content-type"), "text/html; charset=utf-8");
    equal(response.headers.get("content-language"), locale);
    equal(response.headers.get("cache-control"), "no-store");
    match(response.headers.get("content-security-policy") ?? "", /^default-src 'none'; /);
    const id = response.headers.get("x-request-id")!;
    const html = await response.text();
    ok(html.startsWith(`<!doctype html>\n<html lang="${locale}">`) && html.includes(id));
    ok(!/secret|nope|static|PageError/.test(html));
    deepEqual([log.at(-1)?.event, log.at(-1)?.requestId], ["request.failed", id]);
  });
}

Deno.test("a page that cannot be read takes no other down; the log has its file, line and problem", async () => {
  const { request } = await appWithoutLeads({ ...deps, pages });
  equal((await request("/")).status, 500);
  match(await (await request("/contact")).text(), /<h1[^>]*>Contact/);
  match(String(log.at(-1)?.problem), /^Cannot read static\/pages\/en\/index\.md:\d+: .*`nope`/);
  await (await request("/api/lead", { method: "POST" })).body?.cancel();
  equal(log.at(-1)?.problem, undefined);
});
