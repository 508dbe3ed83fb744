/** @module The curl command of a finding sends the same request as the harness. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { send } from "../../contract/client.ts";
import { type Call, curlOf } from "../../contract/exchange.ts";
import { run } from "../support/command.ts";
import { setUp } from "./small_service.ts";

function post(body: string | Uint8Array<ArrayBuffer>): Call {
  const headers = [["content-type", "application/json"]] as const;
  return { method: "POST", path: "/api/things", headers, body };
}

/** Requests with characters that a shell or curl treats specially. */
const CALLS: readonly Call[] = [
  { method: "GET", path: "/api/alive?x=a'b&y=%20" },
  { method: "HEAD", path: "/api/alive" },
  { method: "BREW", path: "/api/alive" },
  post(`{"name":"it's $HOME \\"x\\""}`),
  post("@/etc/hostname"),
  post("a\r\n%s %% \\n\n"),
  post("a\0b"),
  post(Uint8Array.of(0, 0xff, 0x25, 0x5c, 0x27, 0x0a, 0x2d)),
  { method: "POST", path: "/api/things", body: new TextEncoder().encode("{}") },
  { method: "GET", path: "/api/alive", headers: [["accept", ""]] },
];

Deno.test("curlOf() returns commands that send the same requests", async () => {
  await using setting = setUp();
  for (const call of CALLS) await send(setting.url, call);
  const lines = CALLS.map((call) =>
    `${curlOf({ base: setting.url, call })} --silent --max-time 5 || exit 1`
  );
  equal((await run(["bash", "-c", lines.join("\n")])).code, 0);
  const seen = setting.requests.map(({ method, path, bytes, headers }, index) => ({
    method,
    path,
    bytes,
    type: headers.get("content-type"),
    accept: CALLS[index % CALLS.length]!.headers?.[0]?.[0] === "accept" && headers.get("accept"),
  }));
  deepEqual(seen.slice(CALLS.length), seen.slice(0, CALLS.length), lines.join("\n"));
});
