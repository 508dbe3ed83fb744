/** @module Long fields, queries and paths: beyond the bounds they count as absent. `tests/nightly/` has their cost. */

import { match, strictEqual as equal } from "node:assert/strict";
import { connect } from "node:http2";
import { leadRequest, type RawAnswer, RawClient } from "../support/raw_client.ts";
import { withRunningService } from "../support/service.ts";

type Ask = (text: string) => Promise<RawAnswer>;

const KIB_2 = "x".repeat(2048);
/** 32 members, each with a comma in front. */
const MEMBERS = ",x".repeat(32);

/** In an hour, of each client. */
const ATTEMPTS = 2;

/** Ways to make a list too long. */
const EXCESS: readonly (readonly [what: string, lengthen: (list: string) => string])[] = [
  ["2 KiB more", (list) => `${list}, ${KIB_2}`],
  ["33 members", (list) => list + MEMBERS],
  ["33 members, the first one last", (list) => MEMBERS.slice(1) + `,${list}`],
  ["33 lines", (list) => list + "\r\nNAME: x".repeat(32)],
];

function get(path: string, name: string, field: string): string {
  const lines = field.replaceAll("NAME", name);
  return `GET ${path} HTTP/1.1\r\nHost: x\r\n${name}: ${lines}\r\n\r\n`;
}

async function testLists(ask: Ask): Promise<void> {
  const etag = /etag: (\S+)/i.exec((await ask(get("/docs", "Accept", "*/*"))).head)![1]!;
  for (
    const [name, list, known] of [
      ["Accept", "text/markdown", /\r\ncontent-type: text\/markdown/i],
      ["Accept-Encoding", "gzip", /\r\ncontent-encoding: gzip/i],
      ["If-None-Match", etag, / 304 /],
    ] as const
  ) {
    const most = list + MEMBERS.slice(2);
    for (const within of [list, most]) match((await ask(get("/docs", name, within))).head, known);
    for (const [what, lengthen] of EXCESS) {
      const { status, head } = await ask(get("/docs", name, lengthen(list)));
      equal(status, 200, `${name}, ${what}`);
      equal(known.test(head), false, `${name}, ${what}`);
    }
  }
}

async function testOthers(ask: Ask): Promise<void> {
  const typed = (type: string) => leadRequest("{}", "192.0.2.9").replace("application/json", type);
  match((await ask(typed("application/json; a=b"))).body, /"invalid_lead"/);
  match((await ask(typed(`application/json; a=${KIB_2}`))).body, /"unsupported_media_type"/);

  const selected = /<option value="pro" selected>/;
  const contact = async (query: string) =>
    (await ask(get(`/contact?${query}`, "Accept", "*/*"))).body;
  match(await contact("utm_source=x&pl%61n=pr%6F&plan=hosted"), selected);
  equal(selected.test(await contact(`plan=pro&a=${KIB_2}`)), false);
  const redirected = async (query: string) =>
    /location: (.*)/i.exec((await ask(get(`/docs/?${query}`, "Accept", "*/*"))).head)?.[1];
  equal(await redirected("a=b"), "/docs?a=b");
  equal(await redirected(`a=${KIB_2}`), "/docs");

  const long = "/%FFa".repeat(12_000);
  for (
    const [path, type] of [
      ["/%61pi", "application/json"],
      ["/%61ssets", "text/html"],
      ["/d%65", "text/html"],
    ] as const
  ) {
    const { status, head } = await ask(get(path + long, "Accept", "*/*"));
    equal(status, 404);
    match(head, new RegExp(`content-type: ${type}`, "i"));
    if (path === "/d%65") match(head, /content-language: de/i);
  }
}

/** A client can neither escape its limit nor use up that of others behind the same proxy. */
async function testForwarded(ask: Ask): Promise<void> {
  const statusOf = async (forwarded: string) => (await ask(leadRequest("{}", forwarded))).status;
  for (let n = 0; n < ATTEMPTS; n++) equal(await statusOf("198.51.100.1"), 400);
  for (const filler of [KIB_2, `203.0.113.1, ${KIB_2}`, "1,".repeat(20_000), KIB_2.repeat(20)]) {
    equal(await statusOf(`${filler}, 198.51.100.1`), 429, "counted for its own address");
  }
  equal(await statusOf("1,".repeat(20_000) + "198.51.100.2"), 400, "another client");
}

/** Over HTTP/2, Deno keeps each value as long as the connection, and searches all for each answer. */
async function testRequestIds(ask: Ask): Promise<void> {
  const idOf = async (path: string) => {
    const { head } = await ask(leadRequest("{}", "198.51.100.3").replace("/api/lead", path));
    return /x-request-id: (\S+)/i.exec(head)![1];
  };
  const paths = ["/api/lead", "/contact", "/api/lead", "/contact", "/de/contact", "/api/lead"];
  const ids = [];
  for (const path of paths) ids.push(await idOf(path));
  equal(new Set(ids).size, ATTEMPTS + 1);
}

/** The status of a form post over HTTP/2, which has `:authority` in place of Host. */
function postForm(port: number, authority: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const session = connect(`http://127.0.0.1:${port}`);
  const request = session.request({
    ":method": "POST",
    ":path": "/contact",
    ":authority": authority,
    "content-type": "application/x-www-form-urlencoded",
    origin: "http://x",
  });
  request.on("response", (headers) => resolve(Number(headers[":status"])));
  for (const one of [session, request]) one.on("error", reject);
  request.on("end", () => session.close()).resume().end("email=x");
  return promise;
}

Deno.test("long fields", (t) =>
  withRunningService(async ({ port }) => {
    async function ask(text: string): Promise<RawAnswer> {
      const client = await RawClient.connect(port);
      return await client.ask(text).finally(() => client.close());
    }
    await t.step("a list of more than 1 KiB or 32 members counts as absent", () => testLists(ask));
    await t.step("so do a long Content-Type and query; a long path is decoded", () =>
      testOthers(ask));
    await t.step("the end of a long X-Forwarded-For still names the client", () =>
      testForwarded(ask));
    await t.step("answers to a client over the attempt limit have one X-Request-Id", () =>
      testRequestIds(ask));
    await t.step("an authority that is no URL is another site", async () => {
      equal(await postForm(port, "x"), 400);
      equal(await postForm(port, "x:99999"), 403);
    });
  }, { TRUSTED_PROXY_HOPS: "1", LEAD_ATTEMPT_LIMIT: `${ATTEMPTS}/1h` }));
