/**
 * @module No secret in what the doctor prints. Each variable holds a word that stands nowhere else,
 * and every check is made to fail in turn.
 */

import { ok, strictEqual as equal } from "node:assert/strict";
import { VARIABLES } from "../../../config/config.ts";
import { doctor } from "../../support/patient.ts";
import { answering } from "../../support/faulty_receivers.ts";
import { freePort, withFolder } from "../../support/service.ts";
import { reply, withSmtpReceiver } from "../../support/smtp_receiver.ts";

const WORD = "Sentinel";
/** The word as it would come out of any encoding that a message could hold it in. */
const TRACES = [WORD, WORD.toLowerCase(), btoa(WORD).slice(0, 9), encodeURIComponent(`${WORD}%`)];

const SECRET = `whsec_${btoa(`${WORD}${WORD}${WORD}${WORD}`)}`;
const KEYS = `id:${btoa(`${WORD}${WORD}${WORD}${WORD}`)}`;

function silentAbout(text: string, when: string): void {
  for (const trace of TRACES) ok(!text.includes(trace), `${when} tells ${trace}: ${text}`);
}

/** @param ways the command lines to run: smtp-server keeps a timer for who connects and says nothing */
async function reports(
  variables: Record<string, string>,
  ways: readonly string[][] = [[], ["--json"], ["--no-send"]],
): Promise<string> {
  let all = "";
  for (const words of ways) {
    const { out, err } = await doctor(words, variables, { watched: true, colours: true });
    all += out + err;
  }
  return all;
}

for (const name of VARIABLES) {
  // A file's name and an address of the site are no secrets; these have cases of their own.
  if (name === "KV_PATH" || name === "HOST" || name.startsWith("DENO_")) continue;
  Deno.test(`${name} that cannot be used is not repeated`, async () => {
    const value = name === "SITE_NAME" ? WORD.repeat(20) : `${WORD}@ %%% ${WORD}`;
    silentAbout(await reports({ KV_PATH: ":memory:", [name]: value }), name);
  });
}

Deno.test("secrets that can be used are not told where all is well", () =>
  withSmtpReceiver(({ port }) =>
    answering(204)(({ url }) =>
      withFolder(async (folder) => {
        const mail =
          `smtp://${WORD}:${WORD}@127.0.0.1:${port}?from=${WORD}@a.example&to=${WORD}@b.example`;
        const text = await reports({
          KV_PATH: `${folder}/kv.sqlite`,
          LEAD_TARGETS: `${
            url.replace("//", `//${WORD}:${WORD}@`)
          }/${WORD}?${WORD}#${WORD} ${mail}`,
          LEAD_WEBHOOK_SECRET: SECRET,
          LEAD_ENCRYPTION_KEYS: KEYS,
          OPERATOR: WORD,
          CONTACT_EMAIL: `${WORD}@example.com`,
        }, [[], ["--json"]]);
        equal(text.split("took a test event").length, 5, text);
        silentAbout(text, "a good run");
      })
    ), {
    authOptional: true,
    onAuth: (_auth, _session, done) => done(null, { user: "x" }),
    disabledCommands: ["STARTTLS"],
  }));

for (const status of [302, 400, 401, 404, 500]) {
  Deno.test(`a target's URL is not told when it answers ${status}`, () =>
    answering(status, { location: `https://x.example/${WORD}` })(async ({ url }) => {
      const LEAD_TARGETS = `${url.replace("//", `//${WORD}:${WORD}@`)}/${WORD}?${WORD}`;
      const text = await reports({
        KV_PATH: ":memory:",
        LEAD_TARGETS,
        LEAD_WEBHOOK_SECRET: SECRET,
      });
      ok(text.includes(`http_${status}`), text);
      silentAbout(text, `${status}`);
    }));
}

const DEAD = [
  `http://${WORD}:${WORD}@127.0.0.1:PORT/${WORD}`,
  `slack+http://127.0.0.1:PORT/${WORD}`,
  `smtp://${WORD}:${WORD}@127.0.0.1:PORT?from=${WORD}@a.example&to=${WORD}@b.example`,
];

for (const dead of DEAD) {
  Deno.test(`a dead target is told by its host: ${dead.split(":")[0]}`, async () => {
    const LEAD_TARGETS = dead.replace("PORT", String(freePort()));
    const text = await reports({ KV_PATH: ":memory:", LEAD_TARGETS });
    ok(text.includes("refused"), text);
    silentAbout(text, dead);
  });
}

Deno.test("what a mail server says of a password is not told", () =>
  withSmtpReceiver(async ({ port }) => {
    const LEAD_TARGETS = DEAD[2]!.replace("PORT", String(port));
    const text = await reports({ KV_PATH: ":memory:", LEAD_TARGETS }, [[], ["--json"]]);
    ok(text.includes("auth"), text);
    silentAbout(text, "auth");
    ok(!text.includes("secret words of the server"));
  }, { onAuth: (_auth, _session, done) => done(reply(535)) }));
