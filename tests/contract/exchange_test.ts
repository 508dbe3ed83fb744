/** @module The `curl` line of a finding: run by bash, it sends what the harness has sent. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { send } from "../../contract/client.ts";
import { type Call, curlOf } from "../../contract/exchange.ts";
import { run } from "../support/command.ts";
import { setUp } from "./small_service.ts";

const JSON_TYPE = ["content-type", "application/json"] as const;

const CALLS: readonly (readonly [what: string, call: Call])[] = [
  ["a GET with a query", { method: "GET", path: "/api/alive?x=a'b&y=%20" }],
  ["a HEAD, without waiting for a body", { method: "HEAD", path: "/api/alive" }],
  ["a method of nobody's", { method: "BREW", path: "/api/alive" }],
  ["JSON with quotes", post(`{"name":"it's $HOME \\"x\\""}`)],
  ["a body that begins with @, which is no file", post("@/etc/hostname")],
  ["a text with line ends and a percent sign", post("a\r\n%s %% \\n\n")],
  ["a text with a NUL", post("a\0b")],
  ["bytes that are no text", post(Uint8Array.of(0, 0xff, 0x25, 0x5c, 0x27, 0x0a, 0x2d))],
  ["bytes without a media type", {
    method: "POST",
    path: "/api/things",
    body: new TextEncoder().encode("{}"),
  }],
  ["an empty field", { method: "GET", path: "/api/alive", headers: [["accept", ""]] }],
];

function post(body: string | Uint8Array<ArrayBuffer>): Call {
  return { method: "POST", path: "/api/things", headers: [JSON_TYPE], body };
}

for (const [what, call] of CALLS) {
  Deno.test(`the curl line sends the same again: ${what}`, async () => {
    await using setting = setUp();
    await send(setting.url, call);
    const line = curlOf({ base: setting.url, call });
    const { code } = await run(["bash", "-c", `${line} --silent --max-time 5`]);
    equal(code, 0, line);
    const [sent, again] = setting.got.map(({ method, path, bytes, headers }) => ({
      method,
      path,
      bytes,
      type: headers.get("content-type"),
      accept: call.headers?.some(([name]) => name === "accept") ? headers.get("accept") : "any",
    }));
    deepEqual(again, sent, line);
  });
}
