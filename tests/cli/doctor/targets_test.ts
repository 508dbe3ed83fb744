/** @module The doctor's test event at real receivers: good ones, and those that fail in every way. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { Webhook } from "standardwebhooks";
import { targets } from "../../../cli/doctor/targets.ts";
import { FakeClock } from "../../support/fake_clock.ts";
import {
  answering,
  late,
  nobody,
  raw,
  type Receiving,
  selfSigned,
} from "../../support/faulty_receivers.ts";
import { linesOf, patient } from "../../support/patient.ts";
import { withRawReceiver } from "../../support/raw_receiver.ts";
import { withReceiver } from "../../support/receiver.ts";
import { freePort } from "../../support/service.ts";
import { reply, withSmtpReceiver } from "../../support/smtp_receiver.ts";
import { until } from "../../support/until.ts";

const SECRET = `whsec_${btoa("a secret of twenty-seven by")}`;
const ADDRESSES = "from=site@example.com&to=sales@example.com";

Deno.test("a webhook gets one signed event, which says that it is a test", () =>
  withReceiver(async ({ url, received }) => {
    const variables = { LEAD_TARGETS: url, LEAD_WEBHOOK_SECRET: SECRET };
    const [line] = await linesOf(targets, patient(variables));
    match(line!, /^ok webhook:127\.0\.0\.1:\d+:[0-9a-f]{8}: took a test event$/);
    equal(received.length, 1);
    const { headers, body } = received[0]!;
    const event = new Webhook(SECRET).verify(body, headers) as Record<string, unknown>;
    equal(event["type"], "lead.test");
    const data = event["data"] as Record<string, string>;
    equal(headers["webhook-id"], data["id"]);
    match(data["email"]!, /\.invalid$/);
    match(data["message"]!, /^This is a test/);
  }));

Deno.test("a mailbox gets one mail, whose subject says that it is a test", () =>
  withSmtpReceiver(async ({ port, mails }) => {
    const variables = { LEAD_TARGETS: `smtp://127.0.0.1:${port}?${ADDRESSES}` };
    const [line] = await linesOf(targets, patient(variables));
    match(line!, /^ok smtp:127\.0\.0\.1:\d+:[0-9a-f]{8}: took a test event$/);
    equal(mails.length, 1);
    equal(mails[0]!.mail.subject, "Test, not a lead: from deno task doctor");
    match(mails[0]!.mail.text!, /This is a test of the way that leads take/);
  }));

Deno.test("a channel gets one message, which begins with the word", () =>
  withReceiver(async ({ url, received }) => {
    const [line] = await linesOf(targets, patient({ LEAD_TARGETS: `slack+${url}` }));
    match(line!, /^ok slack:.*: took a test event$/);
    equal(received.length, 1);
    match(JSON.parse(received[0]!.body).text, /^Test, not a lead: /);
  }));

/** A receiver, what is said of it, and what the advice is about. */
const FAULTY: readonly (readonly [string, Receiving, says: RegExp, fix: RegExp])[] = [
  ["refuses the signature", answering(401), /: http_401$/, /LEAD_WEBHOOK_SECRET/],
  ["has moved", answering(301, { location: "https://x.example/" }), /: http_301$/, /redirects/],
  ["is not there", answering(404), /: http_404$/, /path/],
  ["takes no type but leads", answering(400), /: http_400$/, /lead\.test/],
  ["asks for patience", answering(429), /: http_429$/, /Try again later/],
  ["is broken", answering(503), /: http_503$/, /at the receiver/],
  ["closes", raw(() => {}), /: unreachable$/, /speaks the protocol/],
  ["has no port", nobody(`http://127.0.0.1:${freePort()}`), /: refused$/, /Start the receiver/],
  ["has no name", nobody("http://no-such-host.invalid"), /: dns$/, /host name/],
  ["has no certificate", selfSigned, /: tls$/, /certificate/],
];

for (const [what, receiving, says, fix] of FAULTY) {
  Deno.test(`a webhook that ${what} fails, with what to mend`, () =>
    receiving(async ({ url }) => {
      const [finding] = await targets.run(patient({ LEAD_TARGETS: url }));
      equal(finding!.state, "fail");
      match(finding!.message, says);
      match(finding!.fix!, fix);
      ok(!JSON.stringify(finding).includes("secret-path"));
    }));
}

Deno.test("a webhook that does not answer is given up after the time of a delivery", () =>
  late(async ({ url, calls, release }) => {
    const clock = new FakeClock();
    const lines = linesOf(targets, patient({ LEAD_TARGETS: url }, { clock }));
    await until("the event has arrived", () => calls() === 1);
    clock.advance(15_000);
    match((await lines)[0]!, /^fail .*: timeout$/);
    release!();
  }));

Deno.test("a mail server that refuses the password or the recipient fails", async () => {
  const refusing = [
    [{ onAuth: (_a: unknown, _s: unknown, done: (e: Error) => void) => done(reply(535)) }, "auth"],
    [
      { onRcptTo: (_a: unknown, _s: unknown, done: (e: Error) => void) => done(reply(550)) },
      "smtp_550",
    ],
  ] as const;
  for (const [options, result] of refusing) {
    await withSmtpReceiver(async ({ port, mails }) => {
      const url = `smtp://user:pass-word@127.0.0.1:${port}?${ADDRESSES}`;
      const [finding] = await targets.run(patient({ LEAD_TARGETS: url }));
      equal(finding!.state, "fail");
      ok(finding!.message.endsWith(`: ${result}`), finding!.message);
      ok(!JSON.stringify(finding).includes("pass-word"));
      equal(mails.length, 0);
    }, { authOptional: false, onAuth: (_a, _s, done) => done(null, { user: "user" }), ...options });
  }
});

Deno.test("each of several targets has its own finding", () =>
  withReceiver(async ({ url }) => {
    const dead = `http://127.0.0.1:${freePort()}/`;
    const lines = await linesOf(targets, patient({ LEAD_TARGETS: `${url} ${dead}` }));
    deepEqual(lines.map((line) => line.split(" ")[0]), ["ok", "fail"]);
  }));

Deno.test("with --no-send there is a connection and not a word", () =>
  withRawReceiver(async ({ port }) => {
    for (const scheme of ["http", "slack+http", "smtp"]) {
      const query = scheme === "smtp" ? `?${ADDRESSES}` : "";
      const url = `${scheme}://127.0.0.1:${port}/secret-path${query}`;
      const [line] = await linesOf(targets, patient({ LEAD_TARGETS: url }, { send: false }));
      match(line!, /^ok .*: accepts connections; nothing was sent$/);
    }
  }, async (connection) => {
    equal(await connection.read(new Uint8Array(1)), null);
  }));

Deno.test("with --no-send a dead port, an unknown host and a bad certificate fail", async () => {
  const dead = freePort();
  const cases = [
    [nobody(`http://127.0.0.1:${dead}`), "refused"],
    [nobody("https://no-such-host.invalid"), "dns"],
    [selfSigned, "tls"],
  ] as const;
  for (const [receiving, failure] of cases) {
    await receiving(async ({ url }) => {
      const [line] = await linesOf(targets, patient({ LEAD_TARGETS: url }, { send: false }));
      ok(line!.startsWith("fail ") && line!.endsWith(`: cannot be connected to: ${failure}`), line);
    });
  }
});

Deno.test("with --no-send a TLS server that says nothing is given up", () =>
  withRawReceiver(async ({ port }) => {
    const clock = new FakeClock();
    const url = `https://localhost:${port}/`;
    const lines = linesOf(targets, patient({ LEAD_TARGETS: url }, { send: false, clock }));
    await until("a deadline is set", () => clock.nextIn !== undefined);
    clock.advance(5_000);
    match((await lines)[0]!, /^fail .*: cannot be connected to: timeout$/);
  }));

Deno.test("no target is a warning; on a branch timeline it is as it should be", async () => {
  match((await linesOf(targets, patient()))[0]!, /^warn targets: leads go nowhere/);
  const branch = { LEAD_TARGETS: "https://a.example", DENO_TIMELINE: "git-branch/x" };
  match((await linesOf(targets, patient(branch)))[0]!, /^ok targets: .*production timeline/);
});
