/**
 * @module Nothing secret and nothing personal is printed, whatever goes wrong: the real service and
 * the operator's program with a mark in every value that must not be seen, and all that they print.
 */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { VARIABLES } from "../../config/config.ts";
import { runDeno } from "../support/command.ts";
import { answering } from "../support/faulty_receivers.ts";
import { withReceiver } from "../support/receiver.ts";
import { freePort, startService, withFolder } from "../support/service.ts";
import { reply, withSmtpReceiver } from "../support/smtp_receiver.ts";
import { LEAD } from "../support/test_app.ts";
import { until } from "../support/until.ts";
import { startPermissions, startWith } from "./bare_start.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** In every secret, and in everything that a person sends. */
const MARK = "zz81Mark";
const CLIENT = "203.0.113.77";

/** Base64 that has the mark in it, of so many bytes. */
function markedBase64(bytes: number): string {
  const head = Uint8Array.fromBase64(MARK);
  const whole = new Uint8Array(bytes).fill(7);
  whole.set(head);
  return whole.toBase64();
}

const SECRETS = {
  LEAD_WEBHOOK_SECRET: `whsec_${markedBase64(32)}`,
  LEAD_ENCRYPTION_KEYS: `one:${markedBase64(32)}`,
  DENO_KV_ACCESS_TOKEN: `token-${MARK}`,
};

const MARKED_LEAD = {
  ...LEAD,
  email: `${MARK}@example.com`,
  company: `Company ${MARK}`,
  message: `Message ${MARK}`,
};

/** What of all this stands in a text; letter case does not matter. */
function seenIn(text: string): string[] {
  return [MARK, CLIENT].filter((mark) => text.toLowerCase().includes(mark.toLowerCase()));
}

function post(
  url: string,
  { path = "/api/lead", type = "application/json", body }: {
    readonly path?: string;
    readonly type?: string;
    readonly body: string;
  },
): Promise<Response> {
  return fetch(url + path, {
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

/** Requests of every outcome, each with the mark in all that a client may say. */
const REQUESTS: readonly (readonly [path: string, type: string, body: string])[] = [
  ["/api/lead", "application/json", JSON.stringify(MARKED_LEAD)],
  ["/api/lead", "application/json", JSON.stringify({ ...MARKED_LEAD, plan: MARK, [MARK]: MARK })],
  ["/api/lead", "application/json", `{"email":"${MARK}`],
  ["/api/lead", `text/${MARK}`, MARK],
  ["/api/lead", "application/json", MARK.repeat(10_000)],
  [`/api/${MARK}`, "text/plain", MARK],
  [`/${MARK}`, "text/plain", MARK],
  ["/contact", "application/x-www-form-urlencoded", `email=${MARK}&${MARK}=${MARK}`],
  ["/contact", "application/x-www-form-urlencoded", `email=${MARK}%40example.com&company=${MARK}`],
];

Deno.test("with every target failing, the service prints no secret, no address and nothing that was sent", () =>
  withReceiver(
    (receiver) =>
      withSmtpReceiver((smtp) =>
        answering(410)(({ url: gone }) =>
          withFolder(async (folder) => {
            const { host } = new URL(receiver.url);
            const from = "from=a@example.com&to=b@example.com";
            const targets = [
              `http://user-${MARK}:${MARK}@${host}/hook/${MARK}?token=${MARK}`,
              `slack+http://${new URL(gone).host}/services/T0/${MARK}`,
              `smtp://user-${MARK}:${MARK}@127.0.0.1:${smtp.port}?${from}`,
              `smtp://user-${MARK}:${MARK}@127.0.0.1:${freePort()}?${from}`,
              `https://user-${MARK}:${MARK}@${host}/${MARK}`,
            ];
            const service = await startService(folder, {
              ...SECRETS,
              LEAD_TARGETS: targets.join(" "),
              TRUSTED_PROXY_HOPS: "1",
            });
            for (const [path, type, body] of REQUESTS) {
              const response = await post(service.url, { path, type, body });
              const told = JSON.stringify([...response.headers]) + await response.text();
              // A form comes back as it was written: to whoever wrote it, and to nobody else.
              if (path !== "/contact") deepEqual(seenIn(told), [], `${path}: ${told}`);
            }
            await until("each target has failed", () => {
              const lines = service.output().split("\n").filter((line) =>
                line.includes("delivery.")
              );
              return lines.length >= 2 * targets.length;
            });
            equal(await service.end(), 0);
            const output = service.output();
            for (const result of ["http_500", "http_410", "auth", "refused", "tls"]) {
              ok(output.includes(`"result":"${result}"`), `no try ended with ${result}`);
            }
            deepEqual(seenIn(output), [], output);
          })
        ), { onAuth: (_auth, _session, done) => done(reply(535)) }),
    () => new Response(`no, ${MARK}`, { status: 500, headers: { "x-why": MARK } }),
  ));

/** Public, or the operator's own name for a place: told where the start fails. */
const TOLD = ["HOST", "SITE_NAME", "OPERATOR", "KV_PATH"];
/** The platform's own words, in which nothing can be wrong. */
const GIVEN = /^DENO_/;

/** What else a value may be that is wrong, and is a secret nevertheless. */
const NEARLY_RIGHT: readonly (readonly [name: string, value: string])[] = [
  ["LEAD_TARGETS", `ftp://${MARK}:${MARK}@files.example/`],
  ["LEAD_TARGETS", `https://good.example smtp://${MARK}:${MARK}@mail.example`],
  ["LEAD_TARGETS", `https://user:${MARK}%zz@hooks.example/`],
  ["LEAD_WEBHOOK_SECRET", `whsec_${MARK}`],
  ["LEAD_WEBHOOK_SECRET", `${SECRETS.LEAD_WEBHOOK_SECRET} ${MARK}`],
  ["LEAD_ENCRYPTION_KEYS", `one:${MARK}`],
  ["LEAD_ENCRYPTION_KEYS", `${SECRETS.LEAD_ENCRYPTION_KEYS} ${SECRETS.LEAD_ENCRYPTION_KEYS}`],
  ["SITE_URL", `https://user:${MARK}@www.example.com/`],
  ["CONTACT_EMAIL", `${MARK}@`],
];

Deno.test("a variable that cannot be used is named at the start, and its value is not repeated", () =>
  withFolder(async (folder) => {
    const permissions = await startPermissions();
    const plain = VARIABLES.filter((name) => !TOLD.includes(name) && !GIVEN.test(name))
      .map((name) => [name, MARK]);
    for (const [name = "", value = ""] of [...plain, ...NEARLY_RIGHT]) {
      const start = await startWith(permissions, { folder, env: { [name]: value } });
      const { code, output } = await start.end();
      equal(start.answers, false, `${name} is taken`);
      equal(code, 2, `${name}: ${output}`);
      ok(output.includes(name), `${name}: ${output}`);
      deepEqual(seenIn(output), [], `${name}: ${output}`);
    }
  }));

/** How a KV server may fail: an answer to every request, or none where nobody listens. */
const KV_FAULTS: readonly (readonly [what: string, answer: (() => Response) | undefined])[] = [
  ["that is not there", undefined],
  ["that fails", () => new Response(`no, ${MARK}`, { status: 500 })],
  ["that refuses the token", () => new Response(`no, ${MARK}`, { status: 401 })],
  ["that is none", () => new Response(`hello, ${MARK}`)],
  ["that sends elsewhere", () => Response.redirect(`http://127.0.0.1:9/${MARK}`)],
];

for (const [what, answer] of KV_FAULTS) {
  Deno.test(`with a KV server ${what}, service and operator are told so without URL, token and answer`, async () => {
    const server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      answer ?? (() => new Response()),
    );
    const { port } = server.addr;
    if (answer === undefined) await server.shutdown();
    const env = {
      ...SECRETS,
      KV_PATH: `http://user-${MARK}:${MARK}@127.0.0.1:${port}/${MARK}?key=${MARK}`,
      TRUSTED_PROXY_HOPS: "1",
    };
    await withFolder(async (folder) => {
      const service = await startService(folder, env);
      const response = await post(service.url, { body: JSON.stringify(MARKED_LEAD) });
      equal(response.status, 502);
      deepEqual(seenIn(await response.text()), []);
      await service.end();
      match(service.output(), /"event":"kv.failed"/);
      deepEqual(seenIn(service.output()), [], service.output());

      const { code, output } = await operator(folder, env);
      equal(code, 1);
      match(
        output,
        new RegExp(`^Cannot open KV at http://127\\.0\\.0\\.1:${port} \\(KV_PATH\\): \\w`),
      );
      deepEqual(seenIn(output), [], output);
    });
    if (answer !== undefined) await server.shutdown();
  });
}

/** Lists the leads, with the permissions of the task. */
async function operator(folder: string, env: Record<string, string>) {
  const { tasks } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
  const words = String(tasks.leads.command).split(" ").slice(1, -1);
  const args = [...words, `${ROOT}cli/leads.ts`, "list"];
  const { code, out, err } = await runDeno(args, { cwd: folder, env });
  return { code, output: out + err };
}
