/** @module The service as a process: how it starts, what it says when it cannot, how it stops. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { postLead } from "../support/post_lead.ts";
import { withReceiver } from "../support/receiver.ts";
import {
  freePort,
  runToItsEnd,
  startService,
  withFolder,
  withRunningService,
} from "../support/service.ts";
import { LEAD } from "../support/test_app.ts";

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.test(`the service starts without configuration and ends in order on ${signal}`, () =>
    withRunningService(async (service) => {
      deepEqual(await (await postLead(service.url)).json(), { ok: true, delivered: false });
      ok((await Deno.stat(`${service.folder}/.data/frontdoor.sqlite`)).isFile);
      equal(await service.end(signal), 0);
      match(service.output(), new RegExp(`on http://127\\.0\\.0\\.1:${service.port}`));
      match(service.output(), /leads go to {3}nowhere/);
    }));
}

Deno.test("a request in flight is answered before the service stops, within 5 seconds", () =>
  withReceiver(
    (receiver) =>
      withRunningService(async (service) => {
        const answer = postLead(service.url);
        await receiver.arrived(1);
        const began = Date.now();
        const ended = service.end("SIGTERM");
        deepEqual(await (await answer).json(), { ok: true, delivered: true });
        equal(await ended, 0);
        ok(Date.now() - began < 5_000);
      }, { LEAD_TARGETS: receiver.url }),
    async () => {
      await new Promise((resolve) => setTimeout(resolve, 700));
      return new Response();
    },
  ));

Deno.test("every fault of the configuration is named at once, with exit code 2", () =>
  withFolder(async (folder) => {
    const { code, output } = await runToItsEnd(folder, {
      PORT: "80000",
      LEAD_RATE_LIMIT: "many",
      LEAD_TARGETS: "gopher://secret.example/",
    });
    equal(code, 2);
    for (const name of ["PORT", "LEAD_RATE_LIMIT", "LEAD_TARGETS"]) match(output, new RegExp(name));
    equal(output.includes("secret.example"), false);
    equal(output.includes("    at "), false, "no stack");
  }));

Deno.test("`--help` says how to start, and any other argument is refused with exit code 2", () =>
  withFolder(async (folder) => {
    const help = await runToItsEnd(folder, {}, { args: ["--help"] });
    deepEqual([help.code, /^Usage: deno task start$/m.test(help.output)], [0, true]);
    const { code, output } = await runToItsEnd(folder, {}, { args: ["--workers", "2"] });
    equal(code, 2);
    match(output, /^Cannot understand --workers 2: start takes no arguments\n\nUsage: /);
  }));

Deno.test("a port in use is told in one line, with exit code 1", () =>
  withFolder(async (folder) => {
    const port = freePort();
    const listener = Deno.listen({ hostname: "127.0.0.1", port });
    const { code, output } = await runToItsEnd(folder, { PORT: String(port) });
    listener.close();
    equal(code, 1);
    match(output, new RegExp(`^Cannot listen on 127\\.0\\.0\\.1:${port} \\(HOST, PORT\\): `));
  }));

Deno.test("two processes on one KV share the limit to the unit", () =>
  withFolder(async (folder) => {
    const env = { LEAD_RATE_LIMIT: "10/10m", LEAD_ATTEMPT_LIMIT: "1000/1m" };
    const services = [await startService(folder, env), await startService(folder, env)];
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const response = await postLead(services[n % 2]!.url, { ...LEAD, company: `Company ${n}` });
        await response.body?.cancel();
        return response.status;
      }),
    );
    equal(answers.filter((status) => status === 200).length, 10);
    equal(answers.filter((status) => status === 429).length, 50);
    for (const service of services) equal(await service.end(), 0);
  }));

Deno.test("a lead whose body is on its way when the service stops is told to be sent again", () =>
  withFolder(async (folder) => {
    const service = await startService(folder);
    const text = JSON.stringify(LEAD);
    const rest = Promise.withResolvers<void>();
    const pieces = [text.slice(0, 9), text.slice(9)];
    const body = new ReadableStream<Uint8Array>({
      async pull(stream) {
        const piece = pieces.shift();
        if (piece === undefined) return stream.close();
        if (pieces.length === 0) await rest.promise;
        stream.enqueue(new TextEncoder().encode(piece));
      },
    });
    const headers = { "content-type": "application/json" };
    const answer = fetch(`${service.url}/api/lead`, { method: "POST", headers, body });
    await new Promise((resolve) => setTimeout(resolve, 300));
    const ended = service.end("SIGTERM");
    const response = await answer;
    equal(response.status, 502);
    equal((await response.json()).error.code, "lead_not_stored");
    rest.resolve();
    equal(await ended, 0);
  }));
