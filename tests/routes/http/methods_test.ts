/** @module allowedMethods() and preflight(). */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { Hono } from "@hono/hono";
import { allowedMethods, preflight } from "../../../routes/http/methods.ts";

const app = new Hono().get("/both", (c) => c.text("")).post("/both", (c) => c.text(""))
  .post("/post", (c) => c.text("")).get("/open", (c) => c.text(""));
const allowed = allowedMethods(app.routes);
const OPEN = { "access-control-allow-origin": "*" };
app.options("*", preflight(allowed, { headersOf: (path) => path === "/open" ? OPEN : {} }));

Deno.test("allowedMethods() adds HEAD to GET, and OPTIONS to every path", () => {
  deepEqual([...allowed], [
    ["/both", "GET, HEAD, POST, OPTIONS"],
    ["/post", "POST, OPTIONS"],
    ["/open", "GET, HEAD, OPTIONS"],
  ]);
});

Deno.test("preflight() answers 204 with Allow, and with CORS headers if any origin may read", async () => {
  const open = await app.request("/open", { method: "OPTIONS" });
  equal(open.status, 204);
  equal(open.body, null);
  deepEqual(Object.fromEntries(open.headers), {
    ...OPEN,
    "access-control-allow-headers": "content-type, authorization",
    "access-control-allow-methods": "GET, HEAD, OPTIONS",
    "access-control-max-age": "7200",
    "allow": "GET, HEAD, OPTIONS",
  });
  const { headers } = await app.request("/both", { method: "OPTIONS" });
  deepEqual([...headers], [["allow", "GET, HEAD, POST, OPTIONS"]]);
  equal((await app.request("/nope", { method: "OPTIONS" })).status, 404);
});
