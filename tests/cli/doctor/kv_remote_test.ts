/**
 * @module The doctor and a KV_PATH that is a URL behind which there is no KV: each case is told apart,
 * by the URL's origin alone. `tests/cluster/doctor.ts` has those with a real server.
 *
 * The one file here that sets the token, which Deno itself reads: the environment belongs to the
 * process, and test files share it.
 */

import { match, ok, strictEqual as equal } from "node:assert/strict";
import { doctor, findingsIn } from "../../support/patient.ts";
import { answers, withRawReceiver } from "../../support/raw_receiver.ts";
import { withReceiver } from "../../support/receiver.ts";
import { freePort } from "../../support/service.ts";

const TOKEN = "DENO_KV_ACCESS_TOKEN";
const WORD = "Sentinel";

/** A status, what is said of it, and what the advice is about. */
const CASES: readonly (readonly [number, says: RegExp, fix: RegExp])[] = [
  [401, /: the server refuses DENO_KV_ACCESS_TOKEN \(401\)$/, /DENO_KV_ACCESS_TOKEN/],
  [403, /: the server refuses DENO_KV_ACCESS_TOKEN \(403\)$/, /DENO_KV_ACCESS_TOKEN/],
  [404, /: the server answers 404$/, /KV_PATH/],
  [200, /: what answers is not a KV Connect server$/, /KV_PATH/],
];

async function examine(KV_PATH: string) {
  const report = await doctor(["--json"], { KV_PATH });
  const [kv] = findingsIn(report).filter(({ check }) => check === "kv");
  equal(kv!.state, "fail");
  ok(kv!.message.startsWith(`Cannot use KV at ${new URL(KV_PATH).origin}: `), kv!.message);
  ok(!(report.out + report.err).includes(WORD) && !report.out.includes(WORD.toLowerCase()));
  return kv!;
}

for (const [status, says, fix] of CASES) {
  Deno.test(`a server that answers ${status} is told as that, and its words are not`, () =>
    withToken(`${WORD}${WORD}`, () =>
      withReceiver(async ({ url }) => {
        const kv = await examine(`${url.replace("//", `//${WORD}:${WORD}@`)}/${WORD}`);
        match(kv.message, says);
        match(kv.fix!, fix);
      }, () => new Response(WORD, { status }))));
}

Deno.test("a server that speaks no HTTP/2, as a proxy may, is told as that", () =>
  withToken(`${WORD}${WORD}`, () =>
    withRawReceiver(async ({ port }) => {
      const kv = await examine(`http://127.0.0.1:${port}/${WORD}`);
      match(kv.message, /: what answers does not speak HTTP\/2$/);
      match(kv.fix!, /HTTP\/2/);
    }, answers(`HTTP/1.1 200 ${WORD}\r\ncontent-length: 8\r\n\r\n${WORD}`))));

Deno.test("a dead port, an unknown host and a missing token are told apart", async () => {
  const dead = `http://${WORD}:${WORD}@127.0.0.1:${freePort()}/${WORD}`;
  await withToken(`${WORD}${WORD}`, async () => {
    match((await examine(dead)).message, /: the connection is refused$/);
    match(
      (await examine(`http://no-such-host.invalid/${WORD}`)).message,
      /: its name cannot be resolved$/,
    );
  });
  await withToken(undefined, async () => {
    const kv = await examine(dead);
    match(kv.message, /: DENO_KV_ACCESS_TOKEN is not set$/);
    match(kv.fix!, /^Set DENO_KV_ACCESS_TOKEN/);
  });
});

async function withToken(token: string | undefined, test: () => Promise<void>): Promise<void> {
  const before = Deno.env.get(TOKEN);
  if (token === undefined) Deno.env.delete(TOKEN);
  else Deno.env.set(TOKEN, token);
  try {
    await test();
  } finally {
    if (before === undefined) Deno.env.delete(TOKEN);
    else Deno.env.set(TOKEN, before);
  }
}
