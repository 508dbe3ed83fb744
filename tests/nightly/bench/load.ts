/** @module Load by wrk over 32 connections. */

import { start } from "../../support/command.ts";
import { processorMs } from "../../support/process_figures.ts";
import type { RawRequest } from "../../support/raw_http.ts";
import { until } from "../../support/until.ts";
import type { Server } from "./servers.ts";

export interface Load {
  readonly requests: number;
  readonly perSecond: number;
  /** Bytes of an answer, with its head. */
  readonly bytes: number;
  readonly refused: number;
  /** Of the server. */
  readonly processorMs: number;
}

/** A slice that takes so much longer is repeated, as is one without answers. */
const LATE_MS = 1_000;
const MOST_AGAIN = 5;
/** More than a slice sends, so that no two slices send the same lead. */
const NUMBERS_A_SLICE = 2_000_000;
let slices = 0;

/** Fills in a request's placeholders; the script for wrk does the same. */
export function filled(request: RawRequest, n: number): RawRequest {
  const d = String(n).padStart(9, "0");
  const client = `2001:${d.slice(0, 3)}:${d.slice(3, 6)}:${d.slice(6)}::1`;
  const text = JSON.stringify(request);
  return JSON.parse(text.replaceAll("NNNNNNNNN", d).replaceAll("CLIENT", client));
}

/** wrk runs whole seconds, so SIGINT ends it earlier. If that arrives before wrk sleeps, it repeats. */
export async function load(
  server: Server,
  { ms, requests, again = MOST_AGAIN }: {
    readonly ms: number;
    readonly requests: readonly RawRequest[];
    readonly again?: number;
  },
): Promise<Load> {
  const script = await Deno.makeTempFile({ prefix: "bench-", suffix: ".lua" });
  try {
    await Deno.writeTextFile(script, scriptOf(requests, server.port));
    const spent = await processorMs(server.pid);
    const args = ["-t1", "-c32", `-d${Math.ceil(ms / 1_000) + 2}s`, "-s", script];
    const wrk = start(["wrk", ...args, `http://127.0.0.1:${server.port}`]);
    await until("wrk sends", () => wrk.hasEnded() || wrk.output().startsWith("started"));
    const interrupt = setTimeout(() => wrk.signal("SIGINT"), ms);
    await wrk.finished;
    clearTimeout(interrupt);
    const counted = /^counted (\{.*\})$/m.exec(wrk.output())?.[1] ?? "{}";
    const { micros, requests: sent, bytes, refused, failed } = JSON.parse(counted);
    if (failed !== 0 || again === 0) throw new Error(`Cannot measure: ${wrk.output()}`);
    if (sent === 0 || micros > (ms + LATE_MS) * 1_000) {
      return await load(server, { ms, requests, again: again - 1 });
    }
    return {
      requests: sent,
      perSecond: sent / micros * 1e6,
      bytes: bytes / sent,
      refused,
      processorMs: await processorMs(server.pid) - spent,
    };
  } finally {
    await Deno.remove(script);
  }
}

/** A JSON string is a Lua string, since all requests are ASCII. */
function scriptOf(requests: readonly RawRequest[], port: number): string {
  const texts = requests.map((request) => JSON.stringify(wireText(request, port)));
  const first = ++slices * NUMBERS_A_SLICE % 1_000_000_000;
  return `local texts, turn, n = { ${texts.join(", ")} }, 0, ${first}
request = function()
  if turn == 0 then io.write("started\\n") io.flush() end
  turn, n = turn % #texts + 1, n + 1
  local text = texts[turn]
  if not text:find("NNNNNNNNN", 1, true) and not text:find("CLIENT", 1, true) then return text end
  local d = string.format("%09d", n)
  local client = "2001:" .. d:sub(1, 3) .. ":" .. d:sub(4, 6) .. ":" .. d:sub(7) .. "::1"
  return (text:gsub("NNNNNNNNN", d):gsub("CLIENT", client))
end
done = function(summary)
  local e = summary.errors
  io.write(string.format(
    'counted {"micros":%d,"requests":%d,"bytes":%d,"refused":%d,"failed":%d}\\n',
    summary.duration, summary.requests, summary.bytes, e.status,
    e.connect + e.read + e.write + e.timeout))
end
`;
}

function wireText({ method = "GET", path, headers = {}, body }: RawRequest, port: number): string {
  const length = body === undefined ? {} : { "content-length": String(body.length) };
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers, ...length });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `${method} ${path} HTTP/1.1\r\n${head}\r\n${body ?? ""}`;
}
