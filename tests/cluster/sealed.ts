/**
 * @module A sealed database on denokv and a service without its key: the start is refused as soon as the
 * server answers. A server that is down refuses nothing: it may come back.
 *
 * Run by `deno task test:cluster`; the name ends without `_test` because `deno task test` must not
 * need denokv.
 */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { withDenokv } from "../support/denokv.ts";
import { postLead } from "../support/post_lead.ts";
import { freePort, runToItsEnd, startService, withFolder } from "../support/service.ts";

const KEY = `first:${new Uint8Array(32).fill(1).toBase64()}`;

Deno.test("without the key the service ends with exit code 2 and says which", () =>
  withDenokv(({ url, env }) =>
    withFolder(async (folder) => {
      const kv = { ...env, KV_PATH: url };
      const service = await startService(folder, { ...kv, LEAD_ENCRYPTION_KEYS: KEY });
      deepEqual(await (await postLead(service.url)).json(), { ok: true, delivered: false });
      equal(await service.end(), 0);

      const { code, output } = await runToItsEnd(folder, { ...kv, PORT: String(freePort()) });
      match(output, /Cannot use KV at http:.*: Cannot open what is sealed: .* has no first\n/);
      equal(code, 2);
    })
  ));

Deno.test("while its server is down the service starts all the same", () =>
  withFolder(async (folder) => {
    const env = {
      KV_PATH: `http://127.0.0.1:${freePort()}`,
      DENO_KV_ACCESS_TOKEN: "a-token-of-the-tests",
      LEAD_ENCRYPTION_KEYS: KEY,
    };
    const service = await startService(folder, env);
    const response = await postLead(service.url);
    equal(response.status, 502);
    await response.body?.cancel();
    equal(await service.end(), 0);
    match(service.output(), /"event":"kv.failed","reason":"the connection is refused"/);
  }));
