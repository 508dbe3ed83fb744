/** @module The time that a long field, query, path or body takes, beside one that costs little. */

import { ok } from "node:assert/strict";
import { RawClient } from "../../support/raw_client.ts";
import { withRunningService } from "../../support/service.ts";
import { warmUp } from "../../support/warm_up.ts";

const ROUNDS = 40;

/** Measured: 1.1 at most. */
const MOST_TIMES = 3;

const LENGTH = 60_000;

function filled(unit: string): string {
  return unit.repeat(LENGTH / unit.length);
}

function get(path: string, field: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: x\r\n${field}\r\n\r\n`;
}

function post(path: string, type: string, body: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/${type}\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`;
}

const form = (body: string) => post("/contact", "x-www-form-urlencoded", body);
const json = (value: unknown) => post("/api/lead", "json", JSON.stringify(value));

const UNKNOWN_FIELD = get("/contact", `X: ${filled("a")}`);
const LONG_NAME = form(filled("a"));
/** They have the same hash in V8, as the last 17 bits are 0. */
const digits = Array.from({ length: 4_000 }, (_, n) => String((n + 1) * 2 ** 17));
const asNames = (texts: readonly string[]) => Object.fromEntries(texts.map((text) => [text, 0]));
const letters = digits.map((text) => text.replace(/^./, "a"));
const names = Array.from({ length: 14_000 }, (_, n) => n.toString(36)).join("&");

const CASES: readonly (readonly [what: string, costly: string, usual: string])[] = [
  ["Accept-Encoding", get("/contact", `Accept-Encoding: ${filled("a,")}`), UNKNOWN_FIELD],
  ["Accept", get("/contact", `Accept: ${filled("text/markdown,")}`), UNKNOWN_FIELD],
  ["If-None-Match", get("/contact", `If-None-Match: ${filled("a,")}`), UNKNOWN_FIELD],
  ["a query of many names", get(`/contact?%&${filled("a&%&")}`, "X: y"), UNKNOWN_FIELD],
  ["a query that is not UTF-8", get(`/contact?plan=${filled("%FFa")}`, "X: y"), UNKNOWN_FIELD],
  ["a path that is not UTF-8", get(`/${filled("%FFa")}`, "X: y"), UNKNOWN_FIELD],
  ["a malformed path", get(`/api/${filled("%FF%zz")}`, "X: y"), UNKNOWN_FIELD],
  ["a query of a redirect", get(`/docs/?${filled("'")}`, "X: y"), UNKNOWN_FIELD],
  ["14,000 names in a form", form(names), LONG_NAME],
  ["texts of digits in JSON", json(digits), json(letters)],
  ["names of digits in JSON", json(asNames(digits)), json(asNames(letters))],
];

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1]!;
}

Deno.test("parsing a long field, query, path or body takes little of the time to receive it", () =>
  withRunningService(async ({ port }) => {
    await warmUp(port);
    const client = await RawClient.connect(port);
    async function msOf(request: string): Promise<number> {
      const began = performance.now();
      await client.ask(request);
      return performance.now() - began;
    }
    for (const [what, costly, usual] of CASES) {
      const times: [number, number][] = [];
      for (let n = 0; n < ROUNDS; n++) times.push([await msOf(costly), await msOf(usual)]);
      const ms = median(times.map(([costly]) => costly));
      const usualMs = median(times.map(([, usual]) => usual));
      ok(ms < MOST_TIMES * usualMs, `${what}: ${ms.toFixed(2)} ms, not ${usualMs.toFixed(2)} ms`);
    }
    client.close();
  }, { TRUSTED_PROXY_HOPS: "1", LEAD_ATTEMPT_LIMIT: "9999/1m" }));
