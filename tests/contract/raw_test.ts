/**
 * @module The raw tier: rows are sent as written, answers parsed as strictly as RFC 9112, and deviations
 * found.
 */

import assert, {
  deepStrictEqual as deepEqual,
  match,
  strictEqual as equal,
} from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readAnswers } from "../../contract/tiers/raw/answers.ts";
import { messageOf, RawFile, type RawRow, rowsOf } from "../../contract/tiers/raw/rows.ts";
import { rowProblems } from "../../contract/tiers/raw/outcome.ts";
import { rawTier } from "../../contract/tiers/raw/tier.ts";
import { isOnDeno, sendRow } from "../../contract/tiers/raw/wire.ts";
import { type Behaviour, withRawReceiver } from "../support/raw_receiver.ts";
import type { Session } from "../../contract/run/session.ts";
import { parseYaml } from "../../contract/lib/yaml_file.ts";
import { setUp } from "./small_service.ts";

const NAMES = { usual: "200", unknown: "404" };
const WORDS = { host: "here.invalid", body: '{"a":1}', probe: "/ok" };

function rowOf(row: string): RawRow {
  const requests = '{ get: { line: GET /ok, head: ["X-Base: 1"] } }';
  const cases = `{ some: [{ title: the row, ${row} }] }`;
  const text = `{ about: a, probe: /ok, operation: none, requests: ${requests}, cases: ${cases} }`;
  return rowsOf(parseYaml(text, { name: "raw.yaml", schema: RawFile }), NAMES)[0]!;
}

function sent(row: string): string {
  const { parts: [bytes] } = messageOf(rowOf(row), WORDS);
  return String.fromCharCode(...bytes!);
}

Deno.test("messageOf() builds the bytes that a row describes", () => {
  const post = 'line: POST /, host: x, head: ["Content-Length: <size>"], body: <body>, want: 200';
  equal(sent(post), 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\n\r\n{"a":1}');
  equal(sent(String.raw`bytes: "\xff\0<ab*2>", want: closed`), "\xff\0abab");
  const pipelined = "GET /a HTTP/1.1\r\n\r\nHEAD /b HTTP/1.1\r\n\r\n";
  equal(sent("lines: [GET /a, HEAD /b], host: null, want: '200, 200'"), pipelined);
  const counted = String.raw`bytes: "<X-#: 1\r\n*3><hex>;<script>", want: 200`;
  equal(sent(counted), "X-0: 1\r\nX-1: 1\r\nX-2: 1\r\n7;<script>");
});

Deno.test("RawFile names the issue of an invalid row", () => {
  const rows: readonly (readonly [row: string, fault: RegExp])[] = [
    ["use: get", /want/],
    ["use: got, want: 200", /there is no request got/],
    ["want: 200", /needs one of/],
    ["use: get, bytes: x, want: 200", /needs one of/],
    ["use: get, want: 2000", /is not a valid outcome/],
    ["use: get, want: 'closed, 200'", /is not a valid outcome/],
    ["use: get, want: 200, colour: red", /colour/],
    ["use: get, want: 200, rfc: RFC 9112 §2", /needs `rfc` and `so`/],
  ];
  for (const [row, fault] of rows) assert.throws(() => rowOf(row), fault, row);
});

function playing(script: readonly string[]): Behaviour {
  return async (connection) => {
    const buffer = new Uint8Array(65_536);
    for (const text of script) {
      if (text === "close" || await connection.read(buffer) === null) return;
      await connection.write(Uint8Array.from(text, (one) => one.charCodeAt(0)));
    }
    while (await connection.read(buffer) !== null);
  };
}

async function against(script: readonly string[], row: string): Promise<string[]> {
  const one = rowOf(row);
  let faults: string[] = [];
  await withRawReceiver(async ({ port }) => {
    const base = `http://127.0.0.1:${port}`;
    const place = { base, words: WORDS, ms: 1, code: "/code" };
    const received = await sendRow(one, { message: messageOf(one, WORDS), place });
    faults = rowProblems(one, received).map(({ message }) => message);
  }, playing(script));
  return faults;
}

const DATE = "date: Sat, 21 Nov 2026 06:00:00 GMT\r\n";
const OK = `HTTP/1.1 200 OK\r\n${DATE}content-type: text/plain\r\ncontent-length: 2\r\n\r\nok`;
const TWICE = "200 text/plain, then 200 text/plain";
const WRONG = `HTTP/1.1 400 Bad Request\r\n${DATE}content-type: application/json\r\n` +
  `content-length: 14\r\n\r\n{"code":"odd"}`;
const REFUSED = `HTTP/1.1 400 Bad Request\r\n${DATE}content-length: 0\r\n\r\n`;

const ROWS: readonly (readonly [script: readonly string[], row: string, fault?: string])[] = [
  [[OK, OK], "want: 200 text/plain"],
  [[WRONG, OK], "want: 400 odd"],
  [[REFUSED, "close"], "want: '400, closed', by: platform"],
  [["close"], "want: '400 odd, closed | closed', by: platform"],
  [[WRONG], "want: '400 odd, open'"],
  [[WRONG, REFUSED], "want: 400, next: 400"],
  [["HTTP/1.1 100 Continue\r\n\r\n", OK, OK], "then: x, want: '100, 200'"],
  [[WRONG], "want: 200", "got 400 odd instead of 200"],
  [[WRONG], "want: 400 even", "got 400 odd instead of 400 even"],
  [[OK], "want: 200 text/html", "got 200 text/plain instead of 200 text/html"],
  [
    [OK, "close"],
    "want: '200, open'",
    "got 200 text/plain, then a closed connection instead of 200, then an open connection",
  ],
  [["close"], "want: 200", "got a closed connection instead of 200"],
  [[OK, "close"], "want: 200", "got 200 text/plain, then a closed connection instead of 200"],
  // Bytes left on the connection answer the next request.
  [[OK, WRONG], "want: 200", "a request after it got 400 odd instead of 200"],
  [[OK + WRONG], "want: 200", "got 200 text/plain, then 400 odd instead of 200"],
  [[OK, OK + OK], "want: 200 text/plain", `a request after it got ${TWICE} instead of 200`],
  [[REFUSED, OK], "want: 400", "the platform answered, not the service"],
  [[WRONG, OK], "want: 400, by: platform", "the service answered, not the platform"],
  [[OK.replace(DATE, ""), OK], "want: 200", "an answer has no Date"],
  [[OK, OK], "want: 200, gives: { allow: GET }", "allow is missing instead of GET"],
  [[OK, OK], "want: 200, seconds: [2, 3]", "answered before 2 s"],
  [[OK.replace("text/plain", "text/zz81"), OK], "want: 200", "an answer repeats the request"],
  [[OK.replace("content-type", "content type")], "want: 200", "a header is malformed (no answer)"],
];

Deno.test("rowProblems() names every deviation of a server from a row", async () => {
  await Promise.all(ROWS.map(async ([script, row, fault]) => {
    deepEqual(await against(script, `use: get, ${row}`), fault === undefined ? [] : [fault], row);
  }));
  const surplus = [OK.replace("\nok", "\nok\r\n")];
  const fault = "the status line is malformed (200 text/plain)";
  deepEqual(await against(surplus, "line: HEAD /, want: 200"), [fault]);
});

/** Sends the rows for any service. */
async function findingsAt(base: string) {
  await using service = setUp();
  const notes: string[] = [];
  const session: Session = {
    ...service.session.at(base),
    note: (text) => void notes.push(text),
    permits: ({ method }) => method === "POST" ? "it changes data" : undefined,
  };
  await rawTier.run(session);
  return { findings: service.findings, notes: notes.join("\n") };
}

Deno.test("a sound server gets advice only, below its base path, and only permitted requests", async () => {
  const targets: string[] = [];
  const server = createServer(({ method, url = "" }, response) => {
    targets.push(method === "POST" ? method : url.slice(0, 20));
    response.writeHead(url.split("?", 1)[0] === "/v1/api/alive" ? 200 : 404).end("{}");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const { findings } = await findingsAt(base);
  deepEqual(findings.map(({ check, where }) => `${check}: ${where}`), [
    "raw_advice: two Hosts",
    "raw_advice: the same Host twice",
    "raw_advice: a Host with a space",
    "raw_advice: a Host with a path",
    "raw_advice: an unknown transfer coding",
    "raw_advice: the transfer coding identity",
    "raw_advice: an absolute target",
  ]);
  deepEqual(targets.filter((target) => !/^(?:\/v1\/|http:|\*$)/.test(target)), []);
  // Otherwise rows about Deno would be skipped silently.
  equal(await isOnDeno({ base }), false);
  await using deno = setUp();
  equal(await isOnDeno({ base: deno.url }), true);
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

/** Takes every empty line for the end of a request, whatever its framing. */
function sloppy(fieldsFor: (head: string) => string): Behaviour {
  return async (connection) => {
    let text = "";
    const buffer = new Uint8Array(65_536);
    for (let n = await connection.read(buffer); n !== null; n = await connection.read(buffer)) {
      text += Buffer.from(buffer.subarray(0, n)).toString("latin1");
      const heads = text.split("\r\n\r\n");
      text = heads.pop()!;
      for (const head of heads) {
        const status = head.includes("/api/alive") ? "200 OK" : "404 Not Found";
        const answer = `HTTP/1.1 ${status}\r\n${fieldsFor(head)}Content-Length: 2\r\n\r\n`;
        await connection.write(Buffer.from(head.startsWith("HEAD") ? answer : `${answer}{}`));
      }
    }
  };
}

Deno.test("a row for any service keeps a server waiting for about a second", async () => {
  const row = rowOf(
    "use: get, want: '4xx | closed', rfc: RFC 9112 §2.2, so: servers and proxies read it differently",
  );
  await withRawReceiver(async ({ port }) => {
    const place = { base: `http://127.0.0.1:${port}`, words: WORDS, ms: 5, code: undefined };
    const { ms, ending } = await sendRow(row, { message: messageOf(row, WORDS), place });
    deepEqual([ending, ms > 900 && ms < 3_000], ["good", true], `${ms} ms`);
  }, playing([]));
});

Deno.test("a server that answers requests hidden in bodies breaks rules", async () => {
  const other = (head: string) => /^Host:/m.test(head) ? "" : "Server: edge\r\n";
  await withRawReceiver(async ({ port }) => {
    const { findings, notes } = await findingsAt(`http://127.0.0.1:${port}`);
    const lines = findings.map(({ check, where, message }) => `${check}, ${where}: ${message}`);
    // Statuses alone: what another server calls its bodies tells nothing.
    const wanted = [
      /^raw, GET with a body: a request.*: got 200, 404 instead of 4xx or 200 \(RFC 9112 §9\.3\)$/,
      /^raw, Content-Length in hexadecimal: .*: got 200, 404 instead of 400, closed \(/,
      /^raw, Connection: close: .*: got 200 instead of 200, closed \(RFC 9112 §9\.6\)$/,
      /^raw_advice, a header without a colon: .*: got 200 instead of 4xx \(/,
    ];
    deepEqual(wanted.filter((line) => !lines.some((one) => line.test(one))), []);
    const found = findings.find(({ where }) => where === "GET with a body");
    match(found?.exchange?.line ?? "", /^"GET \/api\/alive HTTP\/1\.1\\r\\n.*"$/);
    // Answers of another server than the probe's are not judged.
    match(notes, /^not judged, because another server answered: no Host$/m);
  }, sloppy(other));
});

Deno.test("no row for any service is sent if a proxy answers", async () => {
  await withRawReceiver(async ({ port }) => {
    const { findings, notes } = await findingsAt(`http://127.0.0.1:${port}`);
    deepEqual(findings, []);
    match(notes, /^\d+ rows for any service not sent: a proxy answers.*\(Via: 1\.1 edge\)$/m);
  }, sloppy(() => "Via: 1.1 edge\r\n"));
});

const read = (text: string, { methods = ["GET"], ended = false } = {}) =>
  readAnswers({
    bytes: Uint8Array.from(text, (one) => one.charCodeAt(0)),
    ended,
  }, methods);
const bodies = (text: string, options = {}) =>
  read(text, options).answers.map(({ body }) => new TextDecoder().decode(body));

const LINE = "HTTP/1.1 200 OK\r\n";
const HEAD = `${LINE}content-length: 2\r\n\r\n`;
const CHUNKED = `${LINE}transfer-encoding: chunked\r\n\r\n`;

Deno.test("readAnswers() joins chunks, which this service never sends, and trims fields", () => {
  const chunked =
    `${LINE}Transfer-Encoding: chunked\r\n\r\n1;x=y\r\na\r\n2\r\nbc\r\n0\r\nX: y\r\n\r\n`;
  deepEqual(bodies(chunked + `${HEAD}hi`), ["abc", "hi"]);
  const { answers: [answer] } = read("HTTP/1.0 404 \r\nX:  a  b \r\ncontent-length: 0\r\n\r\n");
  deepEqual(answer?.fields, [["X", "a  b"], ["content-length", "0"]]);
});

Deno.test("readAnswers() waits for an incomplete answer until the connection ends", () => {
  const incomplete = [
    "HTTP/1.1 200 OK",
    `${LINE}content-length: 3\r\n`,
    `${LINE}content-length: 3\r\n\r\nhi`,
    `${CHUNKED}2\r\nhi\r\n`,
  ];
  for (const text of incomplete) {
    deepEqual(read(text), { answers: [], problem: undefined });
    equal(read(text, { ended: true }).problem, "the answer is incomplete", text);
  }
  deepEqual(bodies(`${LINE}\r\nto the end`), []);
  deepEqual(bodies(`${LINE}\r\nto the end`, { ended: true }), ["to the end"]);
});

Deno.test("readAnswers() names each kind of malformed answer", () => {
  const rows: readonly (readonly [text: string, fault: string])[] = [
    ["HTTP/1.1 20 OK\r\n\r\n", "the status line is malformed"],
    ["HTTP/2 200 OK\r\n\r\n", "the status line is malformed"],
    ["hello\r\n\r\n", "the status line is malformed"],
    ["HTTP/1.1 200 OK\ncontent-length: 0\n\n", "a line ends with a bare LF"],
    [`${LINE}a : b\r\n\r\n`, "a header is malformed"],
    [`${LINE}a: b\r\n c\r\n\r\n`, "a header is malformed"],
    [`${LINE}ab\r\n\r\n`, "a header is malformed"],
    [`${LINE}a: b\0c\r\n\r\n`, "CR or NUL within a line"],
    [`${LINE}content-length: 1\r\nContent-Length: 1\r\n\r\nx`, "Content-Length is repeated"],
    [`${LINE}content-length: +1\r\n\r\nx`, "Content-Length is not a number"],
    [
      `${LINE}content-length: 1\r\n${CHUNKED.slice(LINE.length)}`,
      "Content-Length beside Transfer-Encoding",
    ],
    [`${LINE}transfer-encoding: gzip\r\n\r\n`, "an unknown coding"],
    [`${CHUNKED}x\r\n`, "a chunk's size is malformed"],
    [`${CHUNKED}1\r\nabc\r\n`, "a chunk is longer than its size"],
  ];
  for (const [text, fault] of rows) equal(read(text).problem, fault, text);
  equal(read(`${HEAD}hi\r\n`, { methods: ["HEAD"] }).problem, "the status line is malformed");
});
