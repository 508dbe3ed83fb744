/** @module How requests vary, how they are put for wrk, and how the command line is read. */

import assert, {
  deepStrictEqual as deepEqual,
  strictEqual as equal,
  throws,
} from "node:assert/strict";
import { CASES } from "./cases.ts";
import { luaOf } from "./lua.ts";
import { answerLength } from "./open_loop.ts";
import { parseOptions, PARTS, UsageError } from "./options.ts";
import { filled, isVaried } from "./placeholders.ts";
import { wireText } from "./raw_http.ts";

const POST = {
  method: "POST",
  path: "/api/lead",
  headers: { "x-forwarded-for": "CLIENT" },
  body: "lead-NNNNNNNNN: é\n",
};

Deno.test("no two requests are alike, in number and in client", () => {
  const sent = [0, 1, 255, 256, 65_536, 16_777_216, 999_999_999].map((n) => filled(POST, n));
  equal(new Set(sent.map(({ body }) => body)).size, sent.length);
  const clients = sent.map(({ headers }) => headers["x-forwarded-for"]);
  equal(new Set(clients).size, sent.length);
  equal(clients[4], "11.1.0.0");
  equal(sent[6]!.body, "lead-999999999: é\n");
});

Deno.test("with a number behind it, so many clients take turns", () => {
  const request = { ...POST, headers: { "x-forwarded-for": "CLIENT100" } };
  const clients = Array.from(
    { length: 300 },
    (_, n) => filled(request, n).headers["x-forwarded-for"],
  );
  equal(new Set(clients).size, 100);
});

Deno.test("the length of what goes over the wire is right for every number", () => {
  for (const n of [0, 999_999_999]) {
    const text = wireText(filled(POST, n), 80);
    equal(/content-length: (\d+)/.exec(text)?.[1], "19");
    equal(/content-length: (\d+)/.exec(wireText(POST, 80))?.[1], "19");
  }
});

Deno.test("a request in which nothing changes is left to wrk, others are filled in", () => {
  const order = { port: 80, connections: 1, firstNumber: 7 };
  const plain = { method: "GET", path: "/", headers: {}, body: undefined };
  assert(!isVaried(plain) && isVaried(POST));
  assert(!luaOf({ ...order, requests: [plain] }).includes("request = function"));
  assert(luaOf({ ...order, requests: [POST] }).includes("local turn, n = 0, 7\n"));
  assert(luaOf({ ...order, requests: [plain, plain] }).includes("request = function"));
  throws(() => luaOf({ ...order, requests: [] }), /no request/);
});

Deno.test("no text leaves its quotes in the script", () => {
  const evil = { method: "GET", path: '/"]]\\\n--', headers: {}, body: undefined };
  const script = luaOf({ port: 80, connections: 1, firstNumber: 0, requests: [evil] });
  assert(
    script.startsWith('wrk.method, wrk.path = "GET", "/\\034\\093\\093\\092\\010--"\n'),
    script,
  );
});

Deno.test("an answer has come when its head and as many bytes as it announces have", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const length = (text: string) => answerLength(bytes(text), 200);
  equal(length("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n"), 0);
  equal(length("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe"), 38 + 5);
  throws(() => length("HTTP/1.1 200 OK\r\n\r\n"), /without Content-Length/);
  throws(() => length("HTTP/1.1 429 Too Many Requests\r\n\r\n"), /: HTTP\/1.1 429 Too Many/);
});

Deno.test("every kind of answer has a name of its own, which no part has", () => {
  const names = [...CASES.map(({ name }) => name), ...PARTS];
  equal(new Set(names).size, names.length);
});

Deno.test("the command line chooses parts and single answers", () => {
  deepEqual(parseOptions([]).parts, PARTS);
  equal(parseOptions([]).cases.length, CASES.length);
  assert(!parseOptions(["--quick"]).parts.includes("growth"));
  deepEqual(parseOptions(["--quick", "--only", "growth"]).parts, ["growth"]);
  const { cases, parts } = parseOptions(["--only", "health,start, 405"]);
  deepEqual([cases, parts], [["health", "405"], ["answers", "start"]]);
  equal(parseOptions(["--only", "answers"]).cases.length, CASES.length);
});

Deno.test("numbers on the command line count over the usual ones", () => {
  const { rounds, sliceMs, requests } = parseOptions([
    "--quick",
    "--rounds",
    "9",
    "--seconds",
    "0.5",
  ]);
  deepEqual([rounds, sliceMs, requests], [9, 500, 200_000]);
});

for (
  const [args, message] of [
    [["--rounds", "0"], /--rounds/],
    [["--rounds", "1.5"], /--rounds takes a whole number/],
    [["--seconds", "0.1"], /--seconds takes a number of at least 0.3/],
    [["--starts", "many"], /--starts/],
    [["--only", "helath"], /--only knows .*health.* not helath/],
    [["--slow"], /--slow/],
  ] as const
) {
  Deno.test(`${args.join(" ")} is refused`, () => {
    throws(() => parseOptions(args), (error) => {
      assert(error instanceof UsageError);
      return message.test(error.message);
    });
  });
}
