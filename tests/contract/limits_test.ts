/** @module The limits tier: an honest service passes, and each way to get limits wrong is found. */

import assert, { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { readInstances } from "../../contract/instances.ts";
import { BURST, holdsBurst } from "../../contract/limits/burst.ts";
import type { Limited } from "../../contract/limits/client.ts";
import { type AddressRow, CLIENTS, holdsClients } from "../../contract/limits/clients.ts";
import { FieldError, limitsOf, parseMembers } from "../../contract/limits/fields.ts";
import { holdsSequence, SEQUENCE } from "../../contract/limits/sequence.ts";
import { assertFound, foundIn, type Knobs } from "./limited_service.ts";

const lasting = ({ accepted, attempts, seconds }: Record<keyof typeof SEQUENCE, number>) => ({
  accepted: { count: accepted, seconds },
  attempts: { count: attempts, seconds },
});

Deno.test("structured fields are read strictly", () => {
  deepEqual(
    parseMembers('"a";q=1;w=60,  "b\\"c";q=2').map(({ name, parameters }) => [name, ...parameters]),
    [
      ["a", ["q", 1], ["w", 60]],
      ['b\\"c', ["q", 2]],
    ],
  );
  const wrong = [
    "",
    "a;q=1",
    '"a";q=1,',
    '"a";q=1 "b";q=1',
    '"a";q=1.5',
    '"a";q=-1',
    '"a";Q=1',
    '"a";q="1"',
    '"a" ;q=1',
    '"a";q=1;q=2',
    '"a";q=1, "a";q=1',
    "limit=20, remaining=1",
    '"a\n";q=1',
  ];
  for (const field of wrong) assert.throws(() => parseMembers(field), FieldError, field);
});

Deno.test("both fields belong together and make sense", () => {
  const of = (policy: string, state: string) =>
    limitsOf(new Headers({ "ratelimit-policy": policy, ratelimit: state }));
  deepEqual([...of('"a";q=5;w=60', '"a";r=4;t=12')], [
    ["a", { quota: 5, window: 60, remaining: 4, reset: 12 }],
  ]);
  const rows: readonly (readonly [policy: string, state: string, fault: RegExp])[] = [
    ['"a";q=5', '"a";r=4;t=1', /RateLimit-Policy lacks w/],
    ['"a";q=5;w=60', '"a";r=4', /RateLimit lacks t/],
    ['"a";q=5;w=60', '"b";r=4;t=1', /other names/],
    ['"a";q=5;w=60', '"a";r=6;t=1', /more than there is/],
    ['"a";q=5;w=60', '"a";r=0;t=61', /longer than its window/],
    ['"a";q=0;w=60', '"a";r=0;t=1', /allows nothing/],
    ['"a";q=5;w=60', "4", /RateLimit is no list/],
  ];
  for (const [policy, state, fault] of rows) assert.throws(() => of(policy, state), fault);
  assert.throws(() => limitsOf(new Headers()), /RateLimit-Policy is missing/);
});

Deno.test("an honest service passes one request after the other; what counts wrongly is found", async () => {
  const look = holdsSequence;
  deepEqual(await foundIn(lasting(SEQUENCE), { look }), []);
  const swap = (from: RegExp, to: string): Knobs => ({
    headers: (headers) => headers.set("ratelimit", headers.get("ratelimit")!.replace(from, to)),
  });
  const rows: readonly (readonly [knobs: Knobs, words: string])[] = [
    [{ more: 1 }, "a valid body beyond the allowance: got 200 instead of 429"],
    [{ wrongCounts: true }, "a wrong body is a try and no lead: thing leaves 4 instead of 5"],
    [{ allCount: true }, "a valid body within the allowance: try leaves"],
    [{ allLimited: true }, "limit_scope: GET /alive is limited, when no try is left"],
    [{ readsFirst: true }, "limit_unread: beyond the tries a body that stalls is waited for"],
    [swap(/"thing";r=4/, '"thing";r=3'), "thing leaves 3 instead of 4"],
    [swap(/(r=4;t=)\d+/, "$10"), "thing does not say when one more is left"],
    [swap(/(r=4;t=)\d+/, "$13600"), "thing does not say when one more is left"],
    [{ headers: (headers) => headers.delete("ratelimit") }, "RateLimit is missing, on 200"],
    [{
      headers: (headers) =>
        headers.set("ratelimit-policy", headers.get("ratelimit-policy")!.replace("q=5", "q=6")),
    }, "thing has another policy than is set"],
    [{
      headers: (headers, status) => {
        if (status === 429) headers.set("retry-after", "1");
      },
    }, "limit_retry_after: Retry-After is not what RateLimit says"],
    [{
      headers: (headers, status) => {
        const state = headers.get("ratelimit")!.replaceAll("r=0", "r=1");
        if (status === 429) headers.set("ratelimit", state);
      },
    }, "RateLimit on a refusal says that something is left"],
  ];
  await Promise.all(rows.map(async ([knobs, words]) => {
    assertFound(await foundIn(lasting(SEQUENCE), { look, knobs }), words);
  }));
});

Deno.test("concurrent requests are counted exactly, refusals change nothing, and forged addresses are ignored", async () => {
  const forged = ["X-Forwarded-For: 198.51.100.1", "Forwarded: for=198.51.100.2", "X-Real-IP: ::1"];
  const look = (limited: Limited) => holdsBurst(limited, { forged });
  deepEqual(await foundIn(lasting(BURST), { look }), []);
  const rows: readonly (readonly [knobs: Knobs, words: string])[] = [
    [{ more: 1 }, "50 at once got 21 × 200 and 29 × 429 instead of 20 × 200 and 30 × 429"],
    [{ more: -1 }, "50 at once got 19 × 200 and 31 × 429 instead of 20 × 200 and 30 × 429"],
    [{ extends: true }, "limit_refusals: refusals extend the wait"],
    [{ believes: "forwarded" }, "limit_clients: a forged Forwarded makes another client"],
  ];
  for (const [knobs, words] of rows) {
    assertFound(await foundIn(lasting(BURST), { look, knobs }), words);
  }
});

Deno.test("behind a proxy each client has its own allowance, and only each client", async () => {
  const rows: readonly AddressRow[] = [
    { client: "192.0.2.1", same: ["198.51.100.1, 192.0.2.1"], other: ["192.0.2.2"] },
  ];
  const setting = { ...lasting(CLIENTS), proxied: true };
  const look = (limited: Limited) => holdsClients(limited, rows);
  deepEqual(await foundIn(setting, { look }), []);
  assertFound(
    await foundIn(setting, { look, knobs: { leftmost: true } }),
    "198.51.100.1, 192.0.2.1 is taken for another than 192.0.2.1",
  );
  assertFound(await foundIn(lasting(CLIENTS), { look }), "192.0.2.2 is taken for 192.0.2.1");
});

Deno.test("the service's own settings are read, and what is wrong in such a file is named", async () => {
  const cases = new URL("../../contract/cases/", import.meta.url);
  const instances = await readInstances(cases);
  assert(instances !== undefined && instances.forged.length >= 40);
  equal(await readInstances(new URL("file:///nowhere/")), undefined);
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/instances.yaml`, "settings: {}\nforged: [x]\n");
  await assert.rejects(
    readInstances(new URL(`file://${folder}/`)),
    /instances.yaml:1: accepted: [^]*instances.yaml:2: 0: is not a header/,
  );
  await Deno.remove(folder, { recursive: true });
});
