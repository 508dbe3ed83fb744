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
  ["http://secret.example:6000/", /^must have another port/],
  ["https://secret.example:22/", /^must have another port/],
  ["slack+https://secret.example:6667/", /^must have another port/],
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

/** Those above 1024 that the standard blocks, and two others; each is tested with the one below. */
const HIGH_PORTS = [1719, 1723, 2049, 3659, 4045, 4190, 5060, 6000, 6566, 6665, 6669, 6679, 10080]
  .concat(1720, 5061, 6666, 6667, 6668, 6697, 8080, 65535);

Deno.test("targetProblem() refuses the ports that fetch refuses, of webhooks and Slack", async () => {
  const high = HIGH_PORTS.flatMap((port) => [port - 1, port]);
  const ports = [...new Set([...Array(1024).keys(), ...high])];
  const blocked = await Promise.all(ports.map(async (port) => {
    const signal = AbortSignal.timeout(5_000);
    const answer = fetch(`http://127.0.0.255:${port}/`, { signal, redirect: "manual" });
    return await answer.then(
      ({ body }) => body?.cancel(),
      ({ message }) => / blocked$/.test(message),
    );
  }));
  equal(blocked.filter((is) => is === true).length, 83);
  for (const [at, port] of ports.entries()) {
    for (const kind of ["http", "https", "slack+http", "slack+https"]) {
      const problem = targetProblem(new URL(`${kind}://127.0.0.1:${port}`));
      equal(problem !== undefined, blocked[at] === true, `${kind} ${port}`);
    }
  }
});
