/** @module What a person sees when a page or the contact form fails: a page in their language. */

import { match, ok, strictEqual as equal } from "node:assert/strict";
import { contactPaths, LOCALES } from "../../site/page_path.ts";
import { appWithoutLeads } from "../support/app_without_leads.ts";
import { pagesOf, pageText } from "../site/fixture.ts";

/** An app one of whose page sources cannot be used, and that cannot take leads. */
async function failingApp() {
  const lines: string[] = [];
  const faults: unknown[] = [];
  const { request } = await appWithoutLeads({
    leads: () => Promise.reject(new Error("a secret")),
    pages: pagesOf({
      "en/index.md": pageText("# Home {{nope}}\n"),
      "en/contact.md": pageText("# Contact\n"),
      "de/contact.md": pageText("# Kontakt\n"),
    }),
    log: {
      info() {},
      error(event, fields) {
        lines.push(event, String(fields?.["requestId"]));
        faults.push(fields?.["fault"]);
      },
      count() {},
    },
  });
  return { lines, faults, request };
}

for (const locale of LOCALES) {
  const { form } = contactPaths(locale);
  for (const method of ["GET", "POST"]) {
    Deno.test(`${method} ${form} that fails is a page in the language of ${form}, with its number`, async () => {
      const { lines, request } = await failingApp();
      const response = await request(form, { method });
      equal(response.status, 500);
      equal(response.headers.get("content-type"), "text/html; charset=utf-8");
      equal(response.headers.get("content-language"), locale);
      equal(response.headers.get("cache-control"), "no-store");
      match(response.headers.get("content-security-policy") ?? "", /^default-src 'none'; /);
      const id = response.headers.get("x-request-id")!;
      const html = await response.text();
      ok(html.startsWith(`<!doctype html>\n<html lang="${locale}">`) && html.includes(id));
      ok(!/secret|nope|static|PageFault/.test(html));
      equal(lines.join(), `request.failed,${id}`);
    });
  }
}

Deno.test("the log names the file, line and fault of a page, and no other error's words", async () => {
  const { faults, request } = await failingApp();
  await request("/");
  await request("/api/lead", { method: "POST" });
  equal(faults.length, 2);
  match(String(faults[0]), /^Cannot read static\/pages\/en\/index\.md:\d+: .*`nope`/);
  equal(faults[1], undefined);
});

for (
  const [path, accept] of [["/", "text/markdown"], ["/api/lead", "text/html"], [
    "/llms.txt",
    "text/html",
  ]]
) {
  Deno.test(`${path} that fails for one who accepts ${accept} is the error as JSON`, async () => {
    const init = { method: path === "/api/lead" ? "POST" : "GET", headers: { accept: accept! } };
    const response = await (await failingApp()).request(path!, init);
    equal(response.status, 500);
    equal((await response.json()).error.code, "internal_error");
  });
}
