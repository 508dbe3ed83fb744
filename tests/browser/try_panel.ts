/** @module The panel of the docs that sends requests, against the real service. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import type { Page } from "playwright-core";
import { LOCALES } from "../../schemas/site_data.ts";
import { pathsIn } from "../../site/urls.ts";
import { until } from "../support/until.ts";
import { takePicture, test, withSite } from "./support/browser.ts";
import { axeProblems, shapeProblems } from "./support/inspect.ts";
import { hasFocus, tabTo } from "./support/keyboard.ts";

const POST = ["content-type", "ratelimit", "ratelimit-policy", "x-request-id"];

/** The requests on offer, in this order, with status, headers and a member of the body. */
const REQUESTS = [
  ["valid", "200 OK", [POST[0], "lead-test", ...POST.slice(1)], '"delivered": false'],
  ["locale", "400 Bad Request", POST, '"path": "/locale"'],
  ["missing", "400 Bad Request", POST, '"path": "/company"'],
  ["json", "400 Bad Request", POST, '"code": "invalid_json"'],
  ["type", "400 Bad Request", POST, '"code": "unsupported_media_type"'],
  ["/api/health", "200 OK", ["content-type"], '"ok": true'],
  ["/api/site", "200 OK", ["content-type"], '"resources": {'],
  ["/openapi.json", "200 OK", ["content-type"], '"openapi": "3.1'],
  ["/api/openapi.yaml", "200 OK", ["content-type"], "openapi: 3.1"],
] as const;

const LOOKS: Readonly<Record<string, object>> = {
  en: { colorScheme: "light", viewport: { width: 1440, height: 900 } },
  de: { colorScheme: "dark", viewport: { width: 390, height: 844 } },
};

for (const locale of LOCALES) {
  const path = pathsIn(locale).docs;

  test(`${path}: every request is sent by keyboard; its response is announced`, async ({ receiver, visit }) => {
    const { page, problems } = await visit(path, LOOKS[locale]);
    const choice = page.locator(".try [name=request]");
    await tabTo(page, ".try [name=company]");
    await page.keyboard.type("Ünï <b>");
    await choice.focus();
    for (const [request, status, headers, member] of REQUESTS) {
      equal(await choice.inputValue(), request);
      await tabTo(page, ".try [type=submit]");
      await page.keyboard.press("Enter");
      match(await resultOf(page), RegExp(`^${status} · \\d+ ms$`));
      ok(await hasFocus(page, ".try [type=submit]"));
      const response = await page.locator(".try pre").innerText();
      const fields = await page.locator(".try pre > span").innerText();
      deepEqual([...fields.matchAll(/^([a-z-]+): /gm)].map(([, name]) => name), headers);
      ok(response.includes(member), response);
      await choice.focus();
      await page.keyboard.press("ArrowDown");
    }
    deepEqual(problems, Array(4).fill("400: POST /api/lead"));
    await takePicture(page, `${locale}-try`);
    deepEqual([...await shapeProblems(page, locale), ...await axeProblems(page)], []);
    equal(receiver.received.length, 0);
  });
}

test("the panel shows the body that it sends, and sends the one that was edited", async (site) => {
  const { page } = await site.visit("/docs");
  const body = page.locator(".try [name=body]");
  await page.locator(".try [name=message]").fill('"quoted"');
  await page.locator(".try [name=plan]").selectOption("pro");
  const lead = { email: "ada@example.invalid", company: "Example Ltd", locale: "en" };
  deepEqual(JSON.parse(await body.inputValue()), { ...lead, plan: "pro", message: '"quoted"' });
  await body.fill(JSON.stringify({ ...lead, tenant: 1 }));
  equal((await send(page)).status(), 400);
  const response = page.locator(".try pre");
  ok((await response.innerText()).includes('"rule": "additionalProperties"'));
  const edited = JSON.stringify({ ...lead, tenant: 1 });
  const request = page.locator(".try [name=request]");
  await request.selectOption("/api/health");
  equal(await response.isVisible(), false, "the response to another request");
  await page.reload();
  equal(await request.inputValue(), "/api/health");
  await request.selectOption("valid");
  equal(await body.inputValue(), edited, "what was edited is kept");
  await page.locator(".try [name=company]").fill("Ada & Co");
  deepEqual(JSON.parse(await body.inputValue()), { ...lead, company: "Ada & Co", tenant: 1 });
  await page.getByRole("button", { name: "Reset" }).click();
  await until(
    "the example is back",
    async () =>
      JSON.stringify(JSON.parse(await body.inputValue() || "null")) === JSON.stringify(lead),
  );
});

test("the panel copies its request as a curl command that sends the same", async ({ service, visit }) => {
  const { page } = await visit("/docs", { permissions: ["clipboard-read", "clipboard-write"] });
  await page.locator(".try [name=message]").fill("It's <b>");
  const copy = page.getByRole("button", { name: "Copy as curl" });
  await copy.click();
  equal(await resultOf(page), "Copied.");
  const body = await page.locator(".try [name=body]").inputValue();
  const command = `curl ${service.url}/api/lead \\\n  -H 'Content-Type: application/json' \\\n` +
    `  -d '${body.replace("'", "'\\''")}'`;
  equal(await page.evaluate("navigator.clipboard.readText()"), command);
  await page.evaluate("navigator.clipboard.writeText = () => Promise.reject()");
  await copy.click();
  match(await resultOf(page), /^Not copied/);
  equal(await page.evaluate("getSelection().toString().trim()"), command);
});

test("the panel refuses to send an address that is not under .invalid", async (site) => {
  const { page } = await site.visit("/docs");
  const posts = postsOf(page);
  const body = page.locator(".try [name=body]");
  ok(await page.locator(".try [name=email][readonly]").isVisible());
  await body.fill((await body.inputValue()).replace(".invalid", ".com"));
  await page.locator(".try [type=submit]").click();
  match(await resultOf(page), /^Not sent\b.*\.invalid/);
  for (const body of ["[]", "null", '"email"']) {
    await page.locator(".try [name=body]").fill(body);
    await page.locator(".try [type=submit]").click();
    match(await resultOf(page), /must be a JSON object/);
  }
  deepEqual(posts, []);
  equal(site.receiver.received.length, 0);
});

Deno.test("a client over the limit sees how long to wait in the panel", () =>
  withSite(async (site) => {
    const { page } = await site.visit("/docs");
    equal((await send(page)).status(), 200);
    equal((await send(page)).status(), 429);
    match(await resultOf(page), /^429 Too Many Requests · \d+ ms · Wait (?:600|59\d) seconds\.$/);
    match(await page.locator(".try pre").innerText(), /^retry-after: \d+$/m);
  }, { env: { LEAD_RATE_LIMIT: "1/10m" } }));

test("the panel reports a network that is down, and a response that does not come", async (site) => {
  const { page } = await site.visit("/docs");
  await page.context().setOffline(true);
  await page.locator(".try [type=submit]").click();
  match(await resultOf(page), /network is down/);
  ok(await hasFocus(page, ".try [type=submit]"));
  await page.context().setOffline(false);

  await page.route("**/api/lead", () => {});
  await page.evaluate(`
      const { timeout } = AbortSignal;
      AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms / 100)`);
  const posts = postsOf(page);
  await page.locator(".try [type=submit]").dblclick();
  await page.locator(".try[aria-busy=true]").waitFor();
  match(await resultOf(page), /within 30 seconds/);
  equal(posts.length, 1);
  await page.unroute("**/api/lead");
  equal((await send(page)).status(), 200);
});

/** The posts from now on. */
function postsOf(page: Page): readonly string[] {
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") posts.push(request.url());
  });
  return posts;
}

/** Sends the request and waits for the response to be shown. */
async function send(page: Page) {
  const answer = page.waitForResponse((response) => response.request().method() === "POST");
  await page.locator(".try [type=submit]").click();
  const response = await answer;
  await resultOf(page);
  return response;
}

/** Waits for the announcement of the result. */
async function resultOf(page: Page): Promise<string> {
  const result = page.locator(".try:not([aria-busy=true]) [role=status]:not(:empty)");
  await result.waitFor();
  return await result.innerText();
}
