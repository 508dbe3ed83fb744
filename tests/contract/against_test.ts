/** @module Two services that should be alike: how they are asked, and what counts as a difference. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { differences } from "../../contract/against.ts";
import type { Answer, Call } from "../../contract/exchange.ts";
import { say, setUp, type Spoil } from "./small_service.ts";

const ALIVE: Call = { method: "GET", path: "/api/alive" };
const PURPOSE = { tier: "http", title: "whether it is alive" };

/** What a session finds that compares a service with another, from one request. */
async function foundBetween(
  { call, here, there }: { readonly call: Call; readonly here?: Spoil; readonly there?: Spoil },
): Promise<{ readonly status: number; readonly messages: string[]; readonly asked: number }> {
  await using other = setUp(there === undefined ? {} : { spoil: there });
  await using one = setUp({ against: other.url, ...(here === undefined ? {} : { spoil: here }) });
  const { answer: { status } } = await one.session.send(call, PURPOSE);
  const messages = one.findings.filter(({ check }) => check === "differential")
    .map(({ message }) => message);
  return { status, messages, asked: other.got.length };
}

Deno.test("every request goes to both services, and a difference is a finding", async () => {
  deepEqual(await foundBetween({ call: ALIVE }), { status: 200, messages: [], asked: 1 });
  const there: Spoil = () => say(200, { more: true });
  deepEqual((await foundBetween({ call: ALIVE, there })).messages, ["the bodies differ"]);
});

Deno.test("a condition is sent to its own service alone, since the entity tag is that one's", async () => {
  const call: Call = { ...ALIVE, headers: [["If-None-Match", '"a"']] };
  equal((await foundBetween({ call })).asked, 0);
});

Deno.test("both services are asked at the same time: neither answers before both have been", async () => {
  const both = Promise.withResolvers<void>();
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), 5_000);
  let asked = 0;
  async function together(): Promise<Response> {
    if (++asked === 2) both.resolve();
    const isTogether = await Promise.race([both.promise.then(() => true), late.promise]);
    return say(isTogether ? 200 : 500, {});
  }
  const { status, messages } = await foundBetween({
    call: ALIVE,
    here: together,
    there: together,
  });
  clearTimeout(timer);
  deepEqual([status, messages], [200, []]);
});

Deno.test("no answer of the other service is a difference, not a fault of this one", async () => {
  await using setting = setUp({ against: "http://127.0.0.1:9" });
  await setting.session.send(ALIVE, PURPOSE);
  deepEqual(setting.findings.map(({ check, message }) => [check, message]), [
    ["differential", "status 200 here, no answer there"],
  ]);
});

function answerOf(text: string, { status = 200, headers = {} } = {}): Answer {
  const body = new TextEncoder().encode(text);
  return { status, headers: new Headers(headers), body, text, ms: 1 };
}

Deno.test("answers that differ only in origins, ids and dates are alike", () => {
  const one = answerOf('{"docs":"https://a.example/docs"}', {
    headers: { date: "a", "x-request-id": "1", link: '<https://a.example/>; rel="canonical"' },
  });
  const other = answerOf('{"docs":"http://127.0.0.1:8000/docs"}', {
    headers: { date: "b", "x-request-id": "2", link: '<http://127.0.0.1:8000/>; rel="canonical"' },
  });
  deepEqual(differences(one, other), []);
});

Deno.test("another status, a header more, another value, another body are told", () => {
  const one = answerOf("a", { headers: { vary: "Accept" } });
  deepEqual(differences(one, answerOf("a", { status: 404 })), [
    "status 200 here, 404 there",
  ]);
  deepEqual(differences(one, answerOf("a")), ["header vary only here"]);
  deepEqual(differences(one, answerOf("a", { headers: { vary: "Origin" } })), [
    "header vary differs",
  ]);
  deepEqual(differences(one, answerOf("b", { headers: { vary: "Accept" } })), [
    "the bodies differ",
  ]);
});
