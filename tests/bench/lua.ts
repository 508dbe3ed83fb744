/** @module The requests of a slice of load as a script for wrk. Pure. */

import { isVaried, type LoadOrder } from "./placeholders.ts";
import { type RawRequest, wireText } from "./raw_http.ts";

/**
 * A script that sends the requests by turns and prints what it has counted as JSON behind `counted`.
 * A single request in which nothing changes is left to wrk, which sends it fastest.
 */
export function luaOf({ requests, firstNumber, port }: LoadOrder): string {
  const [first, ...more] = requests;
  if (first === undefined) throw new Error("Cannot load: no request");
  const changing = more.length > 0 || isVaried(first);
  return `${changing ? byTurns(requests, { firstNumber, port }) : always(first)}
done = function(summary)
  local e = summary.errors
  io.write(string.format(
    'counted {"micros":%d,"requests":%d,"bytes":%d,"refused":%d,"failed":%d}\\n',
    summary.duration, summary.requests, summary.bytes, e.status,
    e.connect + e.read + e.write + e.timeout))
end
`;
}

function always({ method, path, headers, body }: RawRequest): string {
  const fields = Object.entries(headers).map(([name, value]) =>
    `wrk.headers[${quoted(name)}] = ${quoted(value)}`
  );
  return [
    `wrk.method, wrk.path = ${quoted(method)}, ${quoted(path)}`,
    ...fields,
    ...(body === undefined ? [] : [`wrk.body = ${quoted(body)}`]),
  ].join("\n");
}

function byTurns(
  requests: readonly RawRequest[],
  { firstNumber, port }: { readonly firstNumber: number; readonly port: number },
): string {
  return `local texts = { ${requests.map((one) => quoted(wireText(one, port))).join(", ")} }
local turn, n = 0, ${firstNumber}
local function address(n)
  return string.format("%d.%d.%d.%d", 11 + math.floor(n / 16777216) % 200,
    math.floor(n / 65536) % 256, math.floor(n / 256) % 256, n % 256)
end
request = function()
  turn, n = turn % #texts + 1, n + 1
  local text = string.gsub(texts[turn], "NNNNNNNNN", string.format("%09d", n))
  return (string.gsub(text, "CLIENT(%d*)", function(turns)
    return address(turns == "" and n or n % tonumber(turns))
  end))
end`;
}

/** A Lua string literal; every byte that is not plain is written by its number. */
function quoted(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const plain = /[A-Za-z0-9 :;.,/{}()*=_-]/;
  return `"${
    Array.from(bytes, (byte) => {
      const char = String.fromCharCode(byte);
      return plain.test(char) ? char : `\\${String(byte).padStart(3, "0")}`;
    }).join("")
  }"`;
}
