/** @module No secret and no personal data in the output of service and programs, whatever fails. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { runLeads } from "../support/start_task.ts";
import { startReceiver } from "../support/receiver.ts";
import { freePort, startService, withFolder, withRunningService } from "../support/service.ts";
import { reply, withSmtpReceiver } from "../support/smtp_receiver.ts";
import { LEAD } from "../support/test_app.ts";
import { until } from "../support/until.ts";

const MARK = "zz81Mark";
const CLIENT = "203.0.113.77";

/** 32 bytes whose base64 contains the mark. */
const KEY = new Uint8Array([...Uint8Array.fromBase64(MARK), ...new Uint8Array(26)]).toBase64();

const SECRETS = {
  LEAD_WEBHOOK_SECRET: `whsec_${KEY}`,
  LEAD_ENCRYPTION_KEYS: `one:${KEY}`,
  DENO_KV_ACCESS_TOKEN: `token-${MARK}`,
  TRUSTED_PROXY_HOPS: "1",
};

const MARKED_LEAD = JSON.stringify({
  ...LEAD,
  email: `${MARK}@example.com`,
  company: `Company ${MARK}`,
  message: `Message ${MARK}`,
});

function seenIn(text: string): string[] {
  return [MARK, CLIENT].filter((mark) => text.toLowerCase().includes(mark.toLowerCase()));
}

function post(url: string, { type, body }: { type: string; body: string }): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: {
      "content-type": type,
      "x-forwarded-for": CLIENT,
      "user-agent": MARK,
      authorization: `Bearer ${MARK}`,
      cookie: `session=${MARK}`,
      referer: `https://${MARK}.example/`,
    },
    body,
  });
}

const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";

const REQUESTS: readonly (readonly [path: string, type: string, body: string])[] = [
  ["/api/lead", JSON_TYPE, MARKED_LEAD],
  ["/api/lead", JSON_TYPE, MARKED_LEAD.replace("{", `{"plan":"${MARK}","${MARK}":"${MARK}",`)],
  ["/api/lead", JSON_TYPE, `{"email":"${MARK}`],
  ["/api/lead", `text/${MARK}`, MARK],
  ["/api/lead", JSON_TYPE, MARK.repeat(10_000)],
  [`/api/${MARK}`, "text/plain", MARK],
  [`/${MARK}`, "text/plain", MARK],
  ["/contact", FORM_TYPE, `email=${MARK}&${MARK}=${MARK}`],
  ["/contact", FORM_TYPE, `email=${MARK}%40example.com&company=${MARK}`],
];

Deno.test("a service whose targets all fail prints no secret, address or content of a lead", async () => {
  await using receiver = startReceiver(() =>
    new Response(`no, ${MARK}`, { status: 500, headers: { "x-why": MARK } })
  );
  await using gone = startReceiver(() => new Response(null, { status: 410 }));
  await withSmtpReceiver((smtp) => {
    const { host } = new URL(receiver.url);
    const from = "from=a@example.com&to=b@example.com";
    const targets = [
      `http://user-${MARK}:${MARK}@${host}/hook/${MARK}?token=${MARK}`,
      `slack+http://${new URL(gone.url).host}/services/T0/${MARK}`,
      `smtp://user-${MARK}:${MARK}@127.0.0.1:${smtp.port}?${from}`,
      `smtp://user-${MARK}:${MARK}@127.0.0.1:${freePort()}?${from}`,
      `tls=https://user-${MARK}:${MARK}@${host}/${MARK}`,
    ];
    return withRunningService(async (service) => {
      for (const [path, type, body] of REQUESTS) {
        const response = await post(service.url + path, { type, body });
        const answer = JSON.stringify([...response.headers]) + await response.text();
        // A form is shown again to its sender.
        if (path !== "/contact") deepEqual(seenIn(answer), [], `${path}: ${answer}`);
      }
      await until(
        "each target has failed twice",
        () => service.output().split('"event":"delivery.').length > 2 * targets.length,
      );
      equal(await service.end(), 0);
      const output = service.output();
      for (const result of ["http_500", "http_410", "auth", "refused", "tls"]) {
        ok(output.includes(`"result":"${result}"`), `no attempt ended with ${result}`);
      }
      deepEqual(seenIn(output), [], output);
    }, {
      ...SECRETS,
      LEAD_TARGETS: targets.join(" "),
      LEAD_TARGET_HEADERS: `tls:X-${MARK}=${MARK} ${host}:X-Key=${MARK}`,
    });
  }, { onAuth: (_auth, _session, done) => done(reply(535)) });
});

const KV_PROBLEMS: readonly (readonly [what: string, answer: (() => Response) | undefined])[] = [
  ["is down", undefined],
  ["refuses the token", () => new Response(`no, ${MARK}`, { status: 401 })],
  ["redirects", () => Response.redirect(`http://127.0.0.1:9/${MARK}`)],
];

for (const [what, answer] of KV_PROBLEMS) {
  Deno.test(`service and operator's program report a KV server that ${what} without its URL, token and answer`, () =>
    withFolder(async (folder) => {
      await using server = startReceiver(answer);
      const origin = answer === undefined ? `127.0.0.1:${freePort()}` : new URL(server.url).host;
      const KV_PATH = `http://user-${MARK}:${MARK}@${origin}/${MARK}?key=${MARK}`;
      const env = { ...SECRETS, KV_PATH };
      const service = await startService(folder, env);
      const sent = post(`${service.url}/api/lead`, { type: JSON_TYPE, body: MARKED_LEAD });
      const operator = runLeads(["list"], { folder, env });
      const response = await sent;
      equal(response.status, 502);
      deepEqual(seenIn(await response.text()), []);
      await service.end();
      match(service.output(), /"event":"kv.failed"/);

      const { code, out, err } = await operator;
      equal(code, 1);
      ok(err.startsWith(`Cannot open KV at http://${origin} (KV_PATH): `), err);
      deepEqual(seenIn(service.output() + out + err), [], service.output() + out + err);
    }));
}
