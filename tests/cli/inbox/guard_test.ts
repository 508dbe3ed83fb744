/** @module Which requests the inbox answers, and the policy of its pages. */

import { match, ok, strictEqual as equal } from "node:assert/strict";
import { delivered } from "../leads/fixture.ts";
import { HOST, type Init, KEYS, test } from "./fixture.ts";

const OWN = `http://${HOST}`;

/** What is sent beside the right cookie, and the status. */
const REQUESTS: readonly (readonly [title: string, Init, status: number])[] = [
  ["a link in the terminal", { headers: { "sec-fetch-site": "none" } }, 200],
  ["its own page", { headers: { "sec-fetch-site": "same-origin", origin: OWN } }, 200],
  ["a name that leads here (rebinding)", { headers: { host: "evil.example:4711" } }, 403],
  ["localhost", { headers: { host: "localhost:4711" } }, 403],
  ["another port in Host", { headers: { host: "127.0.0.1:4712" } }, 403],
  ["another site", { headers: { origin: "https://evil.example" } }, 403],
  ["a sandboxed page", { headers: { origin: "null" } }, 403],
  ["a link on another site", { headers: { "sec-fetch-site": "cross-site" } }, 403],
  ["a server on another port", { headers: { "sec-fetch-site": "same-site" } }, 403],
  ["a form without an origin", { method: "POST", headers: {} }, 403],
  ["no cookie", { headers: { cookie: "" } }, 403],
  ["a guessed cookie", { headers: { cookie: "inbox_4711=guess" } }, 403],
];

for (const [title, init, status] of REQUESTS) {
  test(`a request of ${title} is answered ${status}, and a refusal shows nothing`, async (inbox) => {
    const { id } = await inbox.put();
    for (const path of ["/", "/leads", `/leads/${id}`, "/export.csv", "/news", "/inbox.css"]) {
      const answer = await inbox.ask(path, init);
      equal(answer.status, init.method === "POST" ? 403 : status, path);
      equal(answer.headers.get("cache-control"), "no-store");
      const text = await answer.text();
      if (status === 403) match(text, /^[^<@]{20,90}\n$/, "no lead and no page");
    }
  });
}

test("the address with the key becomes a strict cookie; a key that a program got works once", async (inbox) => {
  const answer = await inbox.visit(KEYS.once);
  equal(answer.status, 303);
  equal(answer.headers.get("location"), "/");
  match(
    answer.headers.get("set-cookie")!,
    /^inbox_4711=[\w-]{36}; Path=\/; HttpOnly; SameSite=Strict$/,
  );
  equal((await inbox.visit(KEYS.once)).status, 403);
  equal((await inbox.visit(KEYS.printed)).status, 303);
  for (const key of ["", "guess", "printed-kez", "printed-key-and-more"]) {
    equal((await inbox.visit(key)).status, 403, key);
  }
});

test("pages have a policy without inline, and no script or style in them", async (inbox) => {
  const { id } = await inbox.put({ deliveries: { crm: delivered(1) } });
  for (const path of ["/", "/leads", `/leads/${id}`, `/leads/${id}/erase`]) {
    const answer = await inbox.ask(path);
    const policy = answer.headers.get("content-security-policy")!;
    match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
    ok(!policy.includes("unsafe") && !policy.includes("http"), policy);
    const text = await answer.text();
    ok(!/ style=| on\w+=|<style|<script>|https?:\/\/(?!127)/.test(text), path);
  }
  for (const path of ["/inbox.css", "/inbox.js", "/favicon.svg", "/display.woff2", "/text.woff2"]) {
    equal((await inbox.ask(path)).status, 200, path);
  }
});
