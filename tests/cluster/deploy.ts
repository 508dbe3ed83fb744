/**
 * @module The service as Deno Deploy starts it, with an assigned database over the network: leads are
 * kept there, and a branch timeline delivers none of them.
 *
 * Run by `deno task test:cluster`; the name ends without `_test` because `deno task test` must not
 * need denokv.
 */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { type Denokv, withDenokv } from "../support/denokv.ts";
import { postLead } from "../support/post_lead.ts";
import { withReceiver } from "../support/receiver.ts";
import { startService, withFolder } from "../support/service.ts";

async function post(url: string): Promise<unknown> {
  return await (await postLead(url)).json();
}

async function leadsIn({ url }: Denokv): Promise<number> {
  const kv = await Deno.openKv(url);
  const leads = await Array.fromAsync(kv.list({ prefix: ["frontdoor1", "lead"] }));
  kv.close();
  return leads.length;
}

/** How a platform may tell Deno where the database is. */
const ASSIGNED: readonly ((denokv: Denokv) => Record<string, string>)[] = [
  ({ url }) => ({ DENO_KV_DEFAULT_PATH: url }),
  ({ url }) => ({ DENO_KV_PATH_PREFIX: url, DENO_KV_DEFAULT_PATH: "/" }),
];

for (const [n, assigned] of ASSIGNED.entries()) {
  Deno.test(`leads are kept in the assigned database, ${n === 0 ? "by its URL" : "by a prefix"}`, () =>
    withDenokv((denokv) =>
      withReceiver((receiver) =>
        withFolder(async (folder) => {
          const platform = { DENO_DEPLOY: "true", ...denokv.env, ...assigned(denokv) };
          const env = { ...platform, LEAD_TARGETS: receiver.url };
          const branch = await startService(folder, { ...env, DENO_TIMELINE: "git-branch/x" });
          deepEqual(await post(branch.url), { ok: true, delivered: false });
          equal(await branch.end(), 0);
          equal(await leadsIn(denokv), 1);
          equal(receiver.received.length, 0);

          const production = await startService(folder, { ...env, DENO_TIMELINE: "production" });
          deepEqual(await post(production.url), { ok: true, delivered: false }, "the same lead");
          equal(await production.end(), 0);
          equal(receiver.received.length, 0, "one that a branch has taken stays undelivered");
          deepEqual(await Array.fromAsync(Deno.readDir(folder)), [], "no file was made");
        })
      )
    ));
}
