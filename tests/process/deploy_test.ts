/** @module The service with what Deno Deploy sets: which start is refused, and what a branch does. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { postLead } from "../support/post_lead.ts";
import { withReceiver } from "../support/receiver.ts";
import { runToItsEnd, startService, withFolder, withRunningService } from "../support/service.ts";
import { LEAD } from "../support/test_app.ts";

/** What a lead of a company is answered. */
async function answerTo(url: string, company: string): Promise<unknown> {
  const response = await postLead(url, { ...LEAD, company });
  return [response.status, await response.json()];
}

Deno.test("a start on Deno Deploy without a KV database is refused, and says how to get one", () =>
  withFolder(async (folder) => {
    const { code, output } = await runToItsEnd(folder, { DENO_DEPLOY: "true" });
    equal(code, 2);
    match(output, /no KV database is assigned to the application: leads would be gone/);
    match(output, /deno deploy database assign/);
    equal(output.split("\n").length, 3, "a heading, the fault, and nothing else");
  }));

Deno.test("a start on Deno Deploy with a file or memory is refused", () =>
  withFolder(async (folder) => {
    for (const KV_PATH of [".data/frontdoor.sqlite", ":memory:"]) {
      const { code, output } = await runToItsEnd(folder, { DENO_DEPLOY: "true", KV_PATH });
      equal(code, 2);
      match(output, /KV_PATH must be empty or a KV Connect URL on Deno Deploy/);
    }
    deepEqual(await Array.fromAsync(Deno.readDir(folder)), [], "no database was made");
  }));

Deno.test("on Deno Deploy pages are served while the assigned database is out of reach", () =>
  withRunningService(async (service) => {
    ok((await (await fetch(`${service.url}/`)).text()).includes("<html"));
    equal(await service.end(), 0);
  }, {
    DENO_DEPLOY: "true",
    DENO_KV_DEFAULT_PATH: "http://127.0.0.1:9",
    DENO_KV_ACCESS_TOKEN: "a-token-of-the-tests",
  }));

Deno.test("on Deno Deploy the log goes through `console`, from which the platform collects it", () =>
  withRunningService(async (service) => {
    await service.end();
    // Only what goes through `console` is exported as a log record.
    match(service.output(), /^LOG .*server\.stopping/m);
  }, {
    DENO_DEPLOY: "true",
    DENO_KV_DEFAULT_PATH: "http://127.0.0.1:9",
    OTEL_DENO: "true",
    OTEL_EXPORTER_OTLP_PROTOCOL: "console",
  }));

Deno.test("a branch timeline delivers nothing, also of what another timeline has left to deliver", () =>
  withReceiver(
    (receiver) =>
      withFolder(async (folder) => {
        const env = { LEAD_TARGETS: receiver.url };
        const production = await startService(folder, { ...env, DENO_TIMELINE: "production" });
        deepEqual(await answerTo(production.url, "A"), [200, { ok: true, delivered: false }]);
        equal(await production.end(), 0);
        const tried = receiver.received.length;
        ok(tried > 0);

        const branch = await startService(folder, { ...env, DENO_TIMELINE: "git-branch/x" });
        deepEqual(await answerTo(branch.url, "B"), [200, { ok: true, delivered: false }]);
        // Longer than the first retry of what the production timeline has left.
        await new Promise((resolve) => setTimeout(resolve, 7_000));
        equal(await branch.end(), 0);
        match(branch.output(), /leads go to {3}nowhere/);
        equal(receiver.received.length, tried);
      }),
    () => new Response(null, { status: 503 }),
  ));
