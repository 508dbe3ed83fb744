/** @module Which URLs are targets, and the problems of others. */

import { match, strictEqual as equal } from "node:assert/strict";
import { targetProblem } from "../../../leads/delivery/targets.ts";

const GOOD = [
  "https://hooks.example/leads",
  "http://127.0.0.1:9000/",
  "https://ada:secret@hooks.example",
  "slack+https://hooks.slack.com/services/T0/B0/secret",
  "slack+http://mattermost.example:8065/hooks/secret",
  "smtp://mail.example?from=a@example.com&to=b@example.com",
  "https://hooks.example:443/",
  "slack+https://hooks.slack.com:443/services",
  "smtp://mail.example:25?from=a@example.com&to=b@example.com",
  "smtp://[::1]:2525?from=a@example.com&to=b@example.com,c@example.com",
  "smtps://ada:p%40ss@mail.example:465?from=a@example.com&to=b@example.com&to=c@example.com",
  "smtp://mail.example?from=leads+web@example.com&to=sales%2Bleads@example.com,%20b@example.com",
  "smtp://ada%40example.com:secret@mail.example:587/?to=b@example.com&from=a@example.com",
];

const BAD: readonly (readonly [url: string, problem: RegExp])[] = [
  ["ftp://secret.example", /^must begin with https, http, slack\+https, .* or smtp, and :\/\/$/],
  ["mailto:secret@example.com", /^must begin with/],
  ["file:///etc/secret", /^must begin with/],
  ["http+unix://%2Fsecret.sock/", /^must begin with/],
  ["slack+file:///etc/secret", /^must begin with/],
  ["https://ada:%zz@secret.example", /^must have user and password percent-encoded/],
  ["slack+https:secret", /^must name a host/],
  ["slack+https:/secret", /^must name a host/],
  ["slack+https://%zz/secret", /^must name a host/],
  ["slack+https://ada:%zz@secret.example/", /^must have user and password percent-encoded/],
  ["smtp:secret", /^must name a host/],
  ["smtp:///?from=a@example.com&to=b@example.com", /^must name a host/],
  ["smtp://secret.example?to=b@example.com", /^must have from=/],
  ["smtp://secret.example?from=a@example.com", /^must have to=/],
  ["smtp://secret.example?from=a@example.com&to=", /^must have to=/],
  ["smtp://secret.example?from=a@example.com&to=b@example.com,", /^must have to=/],
  ["smtp://secret.example?from=nobody&to=b@example.com", /^must have from=/],
  ["smtp://secret.example?from=A%20<a@example.com>&to=b@example.com", /^must have from=/],
  ["smtp://secret.example?from=a@x.example&from=c@x.example&to=b@x.example", /^must have from=/],
  [
    "smtp://secret.example?from=a@x.example%0D%0ABcc:x@x.example&to=b@x.example",
    /^must have from=/,
  ],
  ["smtp://secret.example?from=a@example.com&to=b@exämple.com", /^must have to=/],
  ["smtp://secret.example?from=a@x.example&to=b@x.example&cc=c@x.example", /^must have no other/],
  ["smtp://ada@secret.example?from=a@example.com&to=b@example.com", /^must have both/],
  ["smtp://:word@secret.example?from=a@example.com&to=b@example.com", /^must have both/],
  ["smtp://ada:%zz@secret.example?from=a@example.com&to=b@example.com", /percent-encoded/],
];

Deno.test("targetProblem() accepts every kind of target", () => {
  for (const url of GOOD) equal(targetProblem(new URL(url)), undefined, url);
});

Deno.test("targetProblem() names the problem without quoting the URL", () => {
  for (const [url, problem] of BAD) {
    const message = targetProblem(new URL(url)) ?? "";
    match(message, problem, url);
    equal(/secret|ada|word|nobody/.test(message.replaceAll("password", "")), false, url);
  }
});
