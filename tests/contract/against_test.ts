/** @module Differences between the answers of two services. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { differences } from "../../contract/against.ts";
import type { Answer, Call } from "../../contract/exchange.ts";
import { respond, setUp } from "./small_service.ts";

const ALIVE: Call = { method: "GET", path: "/api/alive" };

Deno.test("every request except conditional ones goes to both services", async () => {
  await using other = setUp({ override: () => respond(200, { more: true }) });
  await using one = setUp({ against: other.url });
  await using alone = setUp({ against: "http://127.0.0.1:9" });
  await one.session.send(ALIVE, { title: "alike" });
  await one.session.send({ ...ALIVE, headers: [["If-None-Match", '"a"']] }, { title: "own tag" });
  await alone.session.send(ALIVE, { title: "alone" });
  deepEqual(other.requests.length, 1);
  deepEqual([...one.findings, ...alone.findings].map(({ check, message }) => [check, message]), [
    ["differential", "the bodies differ"],
    ["differential", "status 200 here, no answer there"],
  ]);
});

function answerOf(text: string, headers: Record<string, string> = {}, status = 200): Answer {
  const body = new TextEncoder().encode(text);
  return { status, headers: new Headers(headers), body, text, ms: 1 };
}

Deno.test("differences() ignores origins, ids and dates, and nothing else", () => {
  const [one, other] = ["https://a.example", "http://127.0.0.1:8000"].map((origin) =>
    answerOf(`{"docs":"${origin}/docs"}`, {
      date: origin,
      "x-request-id": origin.slice(-1),
      link: `<${origin}/>; rel="canonical"`,
    })
  );
  deepEqual(differences(one!, other), []);
  const plain = answerOf("a", { vary: "Accept" });
  const rows: readonly (readonly [other: Answer, difference: string])[] = [
    [answerOf("a", {}, 404), "status 200 here, 404 there"],
    [answerOf("a"), "header vary only here"],
    [answerOf("a", { vary: "Origin" }), "header vary differs"],
    [answerOf("b", { vary: "Accept" }), "the bodies differ"],
  ];
  for (const [other, difference] of rows) deepEqual(differences(plain, other), [difference]);
});
