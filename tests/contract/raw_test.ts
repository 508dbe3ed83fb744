/**
 * @module The raw tier: its rows are read and sent as written, and servers that err are found out.
 */

import assert, { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { messageOf } from "../../contract/raw/message.ts";
import { platformOf } from "../../contract/raw/platform.ts";
import { needsPlatform, parseRawFile, type RawFile } from "../../contract/raw/rows.ts";
import { talk } from "../../contract/raw/talk.ts";
import { matches, rowFaults } from "../../contract/raw/verdict.ts";
import { openWire } from "../../contract/raw/wire.ts";
import { runFile } from "../../contract/tiers/raw.ts";
import { setUp } from "./small_service.ts";

const FILLING = { host: "here.invalid", lead: '{"a":1}' };

/** A file of one row. */
function fileOf(row: string): RawFile {
  return parseRawFile(`
about: a test
probe: /ok
operation: none
requests: { get: { line: GET /ok, head: ["X-Base: 1"] } }
cases: { some: [{ title: the row, ${row} }] }
`);
}

function sent(row: string): string {
  const { requests, cases } = fileOf(row);
  const { bytes } = messageOf(cases["some"]![0]!, { requests, filling: FILLING });
  return String.fromCharCode(...bytes);
}

Deno.test("a row becomes the bytes that it says", () => {
  equal(sent("use: get, want: 200"), "GET /ok HTTP/1.1\r\nHost: here.invalid\r\nX-Base: 1\r\n\r\n");
  equal(sent("line: GET / HTTP/1.0, host: null, want: 200"), "GET / HTTP/1.0\r\n\r\n");
  equal(
    sent('line: POST /, host: x, head: ["Content-Length: <size>"], body: <lead>, want: 200'),
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\n\r\n{"a":1}',
  );
  equal(sent(String.raw`bytes: "\xff\0<ab*2>", want: closed`), "\xff\0abab");
  equal(
    sent("lines: [GET /a, HEAD /b], host: null, want: '200, 200'"),
    "GET /a HTTP/1.1\r\n\r\nHEAD /b HTTP/1.1\r\n\r\n",
  );
  equal(
    sent(String.raw`bytes: "<X-#: 1\r\n*3><hex>;<script>", want: 200`),
    "X-0: 1\r\nX-1: 1\r\nX-2: 1\r\n7;<script>",
  );
});

Deno.test("a file that makes no sense is refused, with what is wrong", () => {
  const rows: readonly (readonly [row: string, fault: RegExp])[] = [
    ["use: get", /want/],
    ["use: got, want: 200", /there is no request got/],
    ["want: 200", /has to have one of/],
    ["use: get, bytes: x, want: 200", /has to have one of/],
    ["use: get, want: 2000", /is not what can come back/],
    ["use: get, want: 'closed, 200'", /is not what can come back/],
    ["use: get, want: 200, next: soon", /is not what can come back/],
    ["use: get, want: 200, colour: red", /colour/],
  ];
  for (const [row, fault] of rows) assert.throws(() => fileOf(row), fault, row);
});

Deno.test("the rows of the service are read; what a standard asks otherwise is told at length", async () => {
  const url = new URL("../../contract/cases/raw.yaml", import.meta.url);
  const { cases } = parseRawFile(await Deno.readTextFile(url));
  const rows = Object.values(cases).flat();
  assert(rows.length >= 250);
  assert(rows.filter((row) => !needsPlatform(row)).length >= 90, "too few for other platforms");
  const deviating = rows.filter(({ deviates }) => deviates !== undefined);
  assert(deviating.every(({ deviates }) => /^RFC \d{4} §[\d.]+: /.test(deviates!)));
});

/** A server that sends what it is told once it has got something, and looks no further. */
async function against(script: readonly string[], row: string): Promise<string[]> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const serving = (async () => {
    const connection = await listener.accept();
    listener.close();
    const buffer = new Uint8Array(65_536);
    try {
      for (const text of script) {
        if (text !== "close" && await connection.read(buffer) === null) break;
        if (text === "close") break;
        await connection.write(Uint8Array.from(text, (one) => one.charCodeAt(0)));
      }
      if (!script.includes("close")) { while (await connection.read(buffer) !== null); }
    } catch { /* closed by the other side */ }
    connection.close();
  })();
  const { requests, cases } = fileOf(row);
  const [one] = cases["some"]!;
  const heard = await talk(one!, {
    message: messageOf(one!, { requests, filling: FILLING }),
    place: {
      base: `http://127.0.0.1:${listener.addr.port}`,
      host: "x",
      probe: "/ok",
      matches: (way, answers) => matches(way, answers, "/code"),
    },
  });
  await serving;
  return rowFaults(one!, heard, "/code");
}

const DATE = "date: Sat, 21 Nov 2026 06:00:00 GMT\r\n";
const OK = `HTTP/1.1 200 OK\r\n${DATE}content-type: text/plain\r\ncontent-length: 2\r\n\r\nok`;
const WRONG = `HTTP/1.1 400 Bad Request\r\n${DATE}content-type: application/json\r\n` +
  `content-length: 14\r\n\r\n{"code":"odd"}`;
const REFUSED = `HTTP/1.1 400 Bad Request\r\n${DATE}content-length: 0\r\n\r\n`;

Deno.test("a server that does as the row says is found without fault", async () => {
  deepEqual(await against([OK, OK], "use: get, want: 200 text/plain"), []);
  deepEqual(await against([WRONG, OK], "use: get, want: 400 odd"), []);
  deepEqual(await against([REFUSED, "close"], "use: get, want: '400, closed', by: platform"), []);
  deepEqual(
    await against(["close"], "use: get, want: '400 odd, closed | closed', by: platform"),
    [],
  );
  deepEqual(await against([WRONG], "use: get, want: '400 odd, open'"), []);
  deepEqual(await against([WRONG, REFUSED], "use: get, want: 400, next: 400"), []);
  deepEqual(
    await against(["HTTP/1.1 100 Continue\r\n\r\n", OK, OK], "use: get, then: x, want: '100, 200'"),
    [],
  );
});

Deno.test("a server that does otherwise is found out, each time for what it does", async () => {
  const rows: readonly (readonly [script: readonly string[], row: string, fault: string])[] = [
    [[WRONG], "use: get, want: 200", "got 400 odd instead of 200"],
    [[WRONG], "use: get, want: 400 even", "got 400 odd instead of 400 even"],
    [[OK], "use: get, want: 200 text/html", "got 200 text/plain instead of 200 text/html"],
    [
      [OK, "close"],
      "use: get, want: '200, open'",
      "got 200 text/plain, closed instead of 200, open",
    ],
    [["close"], "use: get, want: 200", "got closed instead of 200"],
    [[OK, "close"], "use: get, want: 200", "got 200 text/plain, closed instead of 200"],
    // Junk that lies on the connection answers in place of the next request.
    [[OK, WRONG], "use: get, want: 200", "a request after it got 400 odd instead of 200"],
    [[OK + WRONG], "use: get, want: 200", "got 200 text/plain, 400 odd instead of 200"],
    [
      [OK, `${OK}${OK}`],
      "use: get, want: 200",
      "a request after it got 200 text/plain, 200 text/plain instead of 200",
    ],
    [[REFUSED, OK], "use: get, want: 400", "the platform has answered, not the service"],
    [
      [WRONG, OK],
      "use: get, want: 400, by: platform",
      "the service has answered, not the platform",
    ],
    [[OK.replace(DATE, ""), OK], "use: get, want: 200", "an answer has no Date"],
    [[OK, OK], "use: get, want: 200, gives: { allow: GET }", "allow is missing instead of GET"],
    [[OK, OK], "use: get, want: 200, seconds: [2, 3]", "answered before 2 s"],
    [
      [OK.replace("text/plain", "text/zz81"), OK],
      "use: get, want: 200",
      "what was sent comes back",
    ],
    [
      [OK.replace("\nok", "\nok\r\n")],
      "line: HEAD /, want: 200",
      "the status line is malformed (200 text/plain)",
    ],
    [
      [OK.replace("content-type", "content type")],
      "use: get, want: 200",
      "a header is malformed (nothing)",
    ],
  ];
  await Promise.all(rows.map(async ([script, row, fault]) => {
    deepEqual(await against(script, row), [fault], `${row}: ${fault}`);
  }));
});

Deno.test("who waits on a connection is told, however many do", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const wire = await openWire(`http://127.0.0.1:${listener.addr.port}`);
  const connection = await listener.accept();
  const began = performance.now();
  const waiting = [1, 2].map((count) => wire.until(() => wire.bytes().length >= count, 5_000));
  await connection.write(new Uint8Array(2));
  deepEqual(await Promise.all(waiting), [true, true]);
  assert(performance.now() - began < 2_000);
  equal(await wire.until(() => false, 50), false);
  connection.close();
  equal(await wire.until(() => wire.ended(), 5_000), true);
  await wire.close();
  listener.close();
});

// Were it not known, no row about it would be sent, and nobody would notice.
Deno.test("Deno is known by its own answers, and another server is not taken for it", async () => {
  const deno = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => new Response());
  equal(await platformOf({ base: `http://127.0.0.1:${deno.addr.port}` }), "deno");
  await deno.shutdown();
  const node = createServer((_request, response) => void response.end());
  await new Promise<void>((done) => node.listen(0, "127.0.0.1", done));
  const { port } = node.address() as AddressInfo;
  equal(await platformOf({ base: `http://127.0.0.1:${port}` }), undefined);
  node.closeAllConnections();
  await new Promise((done) => node.close(done));
});

Deno.test("the tier judges what it hears, reports it by category and tells how much it sent", async () => {
  await using setting = setUp({
    spoil: ({ method }) => method === "TRACE" ? new Response("TRACE", { status: 200 }) : undefined,
  });
  const notes: string[] = [];
  const session = {
    ...setting.session,
    note: (_tier: string, text: string) => void notes.push(text),
  };
  await runFile(
    session,
    parseRawFile(`
about: a test
probe: /api/alive
operation: addThing
requests: { thing: { line: POST /api/things, head: ["Content-Type: application/json"] } }
cases:
  methods:
    - { title: TRACE, line: TRACE /api/alive, want: 405 method }
    - { title: an invented one, line: FOO /api/alive, want: 405 method, gives: { allow: "GET, HEAD" } }
  bodies:
    - { title: a thing, use: thing, head: ["Content-Length: <size>"], body: <lead>, want: 200 }
    - { title: bad chunks, use: thing, head: ["Transfer-Encoding: chunked"], body: "zz\\r\\n", want: "400, closed | closed", by: platform }
    - { title: a bad line, line: G(T /, want: "400, closed", by: platform, deviates: "RFC 9112 §3: nothing, it is a test" }
`),
  );
  const found = setting.findings.map(({ check, where, message }) =>
    `${check} ${where}: ${message}`
  );
  assert(
    found.includes("raw methods: TRACE: got 200 text/plain instead of 405 method"),
    found.join("\n"),
  );
  assert(found.some((one) => one.startsWith("status_documented TRACE /api/alive")));
  equal(found.filter((one) => !one.includes("TRACE")).join("\n"), "");
  deepEqual(notes, [
    "5 rows, 2 of them answered by deno itself",
    "1 rows are as they are, not as a standard asks",
  ]);
  assert(setting.got.some(({ method }) => method === "FOO"));
});
