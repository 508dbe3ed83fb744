/** @module Which Host names a host, and what becomes of a request whose Host does not. */

import { strictEqual as equal } from "node:assert/strict";
import { ApiError } from "../../../schemas/api_error.ts";
import { mustBe } from "../../support/must_be.ts";
import { type TestApp, withApp } from "../../support/test_app.ts";

/** What a request with this Host is answered, by the app behind the check. */
async function statusFor({ request }: TestApp, host: string): Promise<number> {
  const response = await request("/api/health", { headers: { host } });
  await response.body?.cancel();
  return response.status;
}

Deno.test("a Host that names a host is admitted", () =>
  withApp(async (app) => {
    for (
      const host of [
        ...["example.com", "EXAMPLE.com", "a_b.example", "localhost:8000", "127.0.0.1"],
        ...["[::1]:80", "example.com:", "xn--bcher-kva.example", ""],
      ]
    ) equal(await statusFor(app, host), 200, JSON.stringify(host));
  }));

Deno.test("a Host that names none is refused, also after one that does", () =>
  withApp(async (app) => {
    for (
      const host of [
        ...["a b", "a/b", "x/api/no-such", "x?y", "x#y", "a@b", "a\\b", "a:b", "a:1:2", "[::1"],
        ...["::1", 'x"', "<x>", "\u00ff\u00fe", "a,b\tc"],
      ]
    ) {
      equal(await statusFor(app, "example.com"), 200);
      equal(await statusFor(app, host), 400, JSON.stringify(host));
    }
  }));

Deno.test("a request without Host is not refused: HTTP/1.0 and HTTP/2 have none", () =>
  withApp(async ({ request }) => {
    equal(new Request("https://www.example.com/").headers.get("host"), null);
    equal((await request("/api/health")).status, 200);
  }));

Deno.test("a Host that names none is answered 400 bad_host, whatever is asked for", () =>
  withApp(async ({ request }) => {
    for (const path of ["/", "/api/health", "/api/lead", "/nope"]) {
      const response = await request(path, { headers: { host: "x/api/no-such" } });
      equal(response.status, 400);
      equal(mustBe(ApiError, await response.json()).error.code, "bad_host");
    }
  }));
