/** @module The path of a request, and which Host is one. */

import { strictEqual as equal } from "node:assert/strict";
import { isGoodHost, pathOf } from "../../../routes/http/request_path.ts";
import { ApiError } from "../../../schemas/api_error.ts";
import { mustBe } from "../../support/must_be.ts";
import { withApp } from "../../support/test_app.ts";

const ORIGIN = "https://www.example.com";

for (
  const [target, path] of [
    ["/", "/"],
    ["/de/docs", "/de/docs"],
    ["/docs?/pricing", "/docs"],
    ["/docs#/pricing", "/docs"],
    ["/docs?a=%2F", "/docs"],
    ["//docs", "//docs"],
    ["/a/../docs", "/a/../docs"],
    ["/%64ocs", "/docs"],
    ["/d%C3%BC", "/dü"],
    ["/api%2Fhealth", "/api%2Fhealth"],
    ["/docs%3Fa", "/docs%3Fa"],
    ["/docs%", "/docs%"],
    ["/%ff", "/%ff"],
    ["/docs%00", "/docs\0"],
  ] as const
) {
  Deno.test(`the path of ${target} is ${JSON.stringify(path)}`, () => {
    equal(pathOf(ORIGIN + target), path);
  });
}

for (
  const host of [
    ...["example.com", "EXAMPLE.com", "a_b.example", "localhost:8000", "127.0.0.1", "[::1]:80"],
    ...["example.com:", "xn--bcher-kva.example", ""],
  ]
) {
  Deno.test(`${JSON.stringify(host)} can be a Host`, () => equal(isGoodHost(host), true));
}

for (
  const host of [
    ...["a b", "a/b", "x/api/no-such", "x?y", "x#y", "a@b", "a\\b", "a:b", "a:1:2", "[::1", "::1"],
    ...['x"', "<x>", "\u00ff\u00fe", "a,b\t"],
  ]
) {
  Deno.test(`${JSON.stringify(host)} is no Host, also after a good one`, () => {
    equal(isGoodHost("example.com"), true);
    equal(isGoodHost(host), false);
  });
}

Deno.test("an absolute target of another scheme has its path like any", () => {
  equal(pathOf("gopher://x/docs?a"), "/docs");
});

Deno.test("a request without Host is not refused: HTTP/1.0 and HTTP/2 have none", () => {
  equal(isGoodHost(null), true);
});

Deno.test("a Host that is none is answered 400, whatever is asked for", () =>
  withApp(async ({ request }) => {
    for (const path of ["/", "/api/health", "/api/lead", "/nope"]) {
      const response = await request(path, { headers: { host: "x/api/no-such" } });
      equal(response.status, 400);
      equal(mustBe(ApiError, await response.json()).error.code, "bad_host");
    }
  }));
