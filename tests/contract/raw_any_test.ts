/** @module The rows for any service: against a sound server, a sloppy one, and one behind a proxy. */

import { deepStrictEqual as deepEqual, match, ok } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { messageOf, replayOf } from "../../contract/raw/message.ts";
import { parseRawFile } from "../../contract/raw/rows.ts";
import { rawTier } from "../../contract/tiers/raw.ts";
import { run } from "../support/command.ts";
import { type Behaviour, withRawReceiver } from "../support/raw_receiver.ts";
import { setUp } from "./small_service.ts";

async function findingsAt(base: string) {
  await using service = setUp();
  const notes: string[] = [];
  const session = { ...service.session.at(base), note: (text: string) => void notes.push(text) };
  await rawTier.run(session);
  return { findings: service.findings, notes };
}

/** Takes every empty line for the end of a request, whatever its framing. */
function sloppy(fieldsFor: (head: string) => string): Behaviour {
  return async (connection) => {
    let text = "";
    const buffer = new Uint8Array(65_536);
    for (let n = await connection.read(buffer); n !== null; n = await connection.read(buffer)) {
      text += Buffer.from(buffer.subarray(0, n)).toString("latin1");
      for (let end = text.indexOf("\r\n\r\n"); end >= 0; end = text.indexOf("\r\n\r\n")) {
        const head = text.slice(0, end);
        const status = head.includes("/api/alive") ? "200 OK" : "404 Not Found";
        const answer = `HTTP/1.1 ${status}\r\n${fieldsFor(head)}Content-Length: 2\r\n\r\n`;
        await connection.write(Buffer.from(head.startsWith("HEAD") ? answer : `${answer}{}`));
        text = text.slice(end + 4);
      }
    }
  };
}

Deno.test("a sound server below a base path gets advice only, and no request above it", async () => {
  const targets: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    targets.push(url.slice(0, 20));
    response.writeHead(url.split("?", 1)[0] === "/v1/api/alive" ? 200 : 404).end("{}");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { findings } = await findingsAt(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
  );
  deepEqual(findings.map(({ check, where }) => `${check}: ${where}`).sort(), [
    "raw_advice: a Host with a path",
    "raw_advice: a Host with a space",
    "raw_advice: an absolute target",
    "raw_advice: an unknown transfer coding",
    "raw_advice: the same Host twice",
    "raw_advice: the transfer coding identity",
    "raw_advice: two Hosts",
  ]);
  deepEqual(targets.filter((target) => !/^(?:\/v1\/|http:|\*$)/.test(target)), []);
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

Deno.test("a server that answers requests hidden in bodies breaks rules", async () => {
  const another = (head: string) => /^Host:/m.test(head) ? "" : "Server: edge\r\n";
  await withRawReceiver(async ({ port }) => {
    const { findings, notes } = await findingsAt(`http://127.0.0.1:${port}`);
    const messagesOf = (rule: string) =>
      findings.filter(({ check }) => check === rule)
        .map(({ where, message }) => `${where}: ${message}`).join("\n");
    const breaches = [
      /^GET with a body: got 200, then 404 instead of 4xx or 200 \(RFC 9112 §9\.3\): a request/m,
      /^Content-Length in hexadecimal: got 200, then 404 instead of 400, then a closed connection \(/m,
      /^the transfer coding identity: got 200, then 404 instead of 400, then a closed /m,
      /^Connection: close: got 200 instead of 200, then a closed connection \(/m,
      /^a space before the colon: got 200 instead of 400 \(RFC 9112 §5\.1\): /m,
    ];
    for (const breach of breaches) match(messagesOf("raw"), breach);
    match(messagesOf("raw_advice"), /^a header without a colon: got 200 instead of 4xx \(/m);
    const [found] = findings.filter(({ where }) => where === "GET with a body");
    const line = `printf 'GET /api/alive [^']*' \\| nc -w 3 127\\.0\\.0\\.1 ${port}`;
    match(found?.replayLine ?? "", new RegExp(`^${line}$`));
    // Answers of another server than the probe's are not held against the service.
    match(notes.join("\n"), /^not held against the service, because another server .*: no Host$/m);
  }, sloppy(another));
});

Deno.test("no row for any service is sent if a proxy answers", async () => {
  await withRawReceiver(async ({ port }) => {
    const { findings, notes } = await findingsAt(`http://127.0.0.1:${port}`);
    deepEqual(findings, []);
    match(notes.join("\n"), /^\d+ rows for any service not sent: a proxy .*\(Via: 1\.1 edge\)$/m);
  }, sloppy(() => "Via: 1.1 edge\r\n"));
});

Deno.test("replayOf() prints exactly the bytes of a row", async () => {
  const file = new URL("../../contract/raw/generic.yaml", import.meta.url);
  const { cases, requests } = parseRawFile(await Deno.readTextFile(file));
  const words = {
    host: "a:80",
    body: "-'%d'\\",
    probe: "/x",
    unknown: "/y",
    base: "",
    origin: "http://a",
  };
  const messages = Object.values(cases).flat().map((row) => messageOf(row, { requests, words }));
  const script = messages.map((message) => message.script).join("; ");
  const { out } = await run(["bash", "-c", `{ ${script}; } | base64 -w 0`]);
  const bytes = Buffer.concat(messages.map((message) => message.bytes));
  ok(Buffer.from(out, "base64").equals(bytes));
  const https = replayOf({ half_close: undefined }, {
    base: "https://a/b",
    script: "printf 'a'; printf 'b'",
  });
  deepEqual(
    https,
    "{ printf 'a'; printf 'b'; } | openssl s_client -quiet -servername a -connect a:443",
  );
});
