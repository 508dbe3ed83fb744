/** @module The client against the real service: operations, errors, and what is sent again. */

import {
  deepStrictEqual as deepEqual,
  match,
  ok,
  rejects,
  strictEqual as equal,
  throws,
} from "node:assert/strict";
import { ApiError, type Client, createClient } from "../../../site/client/client.ts";
import { brokenKv } from "../../support/broken_kv.ts";
import { withReceiver } from "../../support/receiver.ts";
import { withRunningService } from "../../support/service.ts";
import { LEAD, withApp, withServedApp } from "../../support/test_app.ts";

/** A client, and the status of each answer that it has got. */
function watchedClient(baseUrl: string, retries: number): { client: Client; statuses: number[] } {
  const statuses: number[] = [];
  const client = createClient({
    baseUrl,
    retries,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      statuses.push(response.status);
      return response;
    },
  });
  return { client, statuses };
}

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  let failure: unknown;
  await rejects(call, (error) => (failure = error, true));
  ok(failure instanceof ApiError, String(failure));
  return failure;
}

Deno.test("each operation of the document is a function, and gives the body of the answer", () =>
  withRunningService(async ({ url }) => {
    const client = createClient({ baseUrl: url });
    const document = await (await fetch(`${url}/openapi.json`)).json();
    const paths: Record<string, Record<string, { operationId: string }>> = document.paths;
    const ids = Object.values(paths).flatMap((path) =>
      Object.values(path).map((operation) => operation.operationId)
    );
    deepEqual(Object.keys(client).sort(), ids.sort());

    deepEqual(await client.getHealth(), await (await fetch(`${url}/api/health`)).json());
    deepEqual(await client.getSiteIndex(), await (await fetch(`${url}/api/site`)).json());
    deepEqual(await client.createLead(LEAD), { ok: true, delivered: false });
    deepEqual(await client.getOpenApiJson(), document);
    const yaml = await client.getOpenApiYaml();
    equal(yaml, await (await fetch(`${url}/api/openapi.yaml`)).text());
  }));

Deno.test("a lead arrives as it was given", () =>
  withReceiver((receiver) =>
    withRunningService(async ({ url }) => {
      const lead = { ...LEAD, message: "Grüße\n🙂", plan: "hosted" as const };
      deepEqual(await createClient({ baseUrl: url }).createLead(lead), {
        ok: true,
        delivered: true,
      });
      const { data } = JSON.parse(receiver.received[0]!.body);
      for (const [name, value] of Object.entries(lead)) equal(data[name], value, name);
    }, { LEAD_TARGETS: receiver.url })
  ));

Deno.test("an error has all that the answer says, and is not sent again where that is no use", () =>
  withRunningService(async ({ url }) => {
    const { client, statuses } = watchedClient(url, 2);
    const error = await failureOf(client.createLead({ ...LEAD, company: "x".repeat(121) }));
    equal(error.status, 400);
    equal(error.code, "invalid_lead");
    equal(error.message, "The body is not a valid LeadRequest.");
    match(error.hint, /details\.issues/);
    equal(error.docs, `${url}/developers`);
    deepEqual(error.details, {
      issues: [{
        path: "/company",
        rule: "maxLength",
        message: "Must have at most 120 characters.",
      }],
    });
    match(error.requestId ?? "", /^[\da-f-]{36}$/);
    equal(error.retryAfter, undefined);
    deepEqual(statuses, [400]);
  }));

Deno.test("a short wait is waited for, and the lead then taken", () =>
  withRunningService(async ({ url }) => {
    const { client, statuses } = watchedClient(url, 2);
    await client.createLead(LEAD);
    await client.createLead({ ...LEAD, company: "Another" });
    deepEqual(statuses, [200, 429, 200]);
  }, { LEAD_RATE_LIMIT: "1/3s" }));

Deno.test("who would have to wait for more than a minute is told at once for how long", () =>
  withRunningService(async ({ url }) => {
    const { client, statuses } = watchedClient(url, 2);
    await client.createLead(LEAD);
    const { code, status, retryAfter } = await failureOf(client.createLead(LEAD));
    deepEqual({ code, status }, { code: "rate_limited", status: 429 });
    ok(retryAfter !== undefined && retryAfter > 60 && retryAfter <= 300, String(retryAfter));
    deepEqual(statuses, [200, 429]);
  }, { LEAD_RATE_LIMIT: "1/5m" }));

Deno.test("with `retries: 0` nothing is sent again", () =>
  withRunningService(async ({ url }) => {
    const { client, statuses } = watchedClient(url, 0);
    await client.createLead(LEAD);
    const { retryAfter } = await failureOf(client.createLead(LEAD));
    ok(retryAfter !== undefined && retryAfter <= 30, String(retryAfter));
    deepEqual(statuses, [200, 429]);
  }, { LEAD_RATE_LIMIT: "1/30s" }));

Deno.test("a lead that is held nowhere is sent again, and then taken", async () => {
  let broken = true;
  await withApp(
    (app) =>
      withServedApp(app, async (url) => {
        const { client, statuses } = watchedClient(url, 1);
        const error = await failureOf(client.createLead(LEAD));
        equal(error.code, "lead_not_stored");
        deepEqual(statuses, [502, 502]);

        const lead = client.createLead(LEAD);
        while (statuses.length === 2) await new Promise((resolve) => setTimeout(resolve, 5));
        broken = false;
        deepEqual(await lead, { ok: true, delivered: false });
        deepEqual(statuses, [502, 502, 502, 200]);
      }),
    {
      wrapKv: (kv) => {
        const none = brokenKv();
        return {
          get: (key, options) => (broken ? none : kv).get(key, options),
          getMany: (keys, options) => (broken ? none : kv).getMany(keys, options),
          list: (selector, options) => (broken ? none : kv).list(selector, options),
          atomic: () => (broken ? none : kv).atomic(),
        };
      },
    },
  );
});

Deno.test("a lead whose answer was lost is sent again, and is still one lead", () =>
  withReceiver((receiver) =>
    withRunningService(async ({ url }) => {
      let lost = 0;
      const client = createClient({
        baseUrl: url,
        fetch: async (address, init) => {
          const response = await fetch(address, init);
          if (lost++ > 0) return response;
          await response.body?.cancel();
          throw new TypeError("connection closed before message completed");
        },
      });
      deepEqual(await client.createLead(LEAD), { ok: true, delivered: true });
      equal(lost, 2);
      equal(receiver.received.length, 1);
    }, { LEAD_TARGETS: receiver.url })
  ));

Deno.test("a base that is no URL is refused before anything is sent", () => {
  throws(() => createClient({ baseUrl: "www.example.com" }), TypeError);
});
