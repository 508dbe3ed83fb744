/**
 * @module The service behind nginx and Caddy, set up as `deploy/` says: what reaches the service and
 * what comes back is what there would be without them.
 */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { brotliDecompressSync } from "node:zlib";
import { freePort, type Service, startService, withFolder } from "../support/service.ts";
import { LEAD } from "../support/test_app.ts";
import { until } from "../support/until.ts";
import { type RawAnswer, type RawRequest, withHttp2 } from "./support/http2.ts";
import { KINDS, originOn, type Proxy, withProxy } from "./support/proxy.ts";

interface Behind {
  readonly proxy: Proxy;
  readonly service: Service;
}

/** Runs a test with a service behind each kind of proxy. */
function behindEach(
  says: string,
  test: (behind: Behind) => Promise<void>,
  env: Record<string, string> = {},
): void {
  for (const kind of KINDS) {
    Deno.test(`behind ${kind.name} ${says}`, () =>
      withFolder(async (folder) => {
        const port = freePort();
        const service = await startService(folder, {
          SITE_URL: originOn(port),
          TRUSTED_PROXY_HOPS: "1",
          ...env,
        });
        try {
          await withProxy({ kind, port, service }, (proxy) => test({ proxy, service }));
        } finally {
          await service.end();
        }
      }));
  }
}

const JSON_TYPE = { "content-type": "application/json" };

function leadBody(n: number): string {
  return JSON.stringify({ ...LEAD, company: `Company ${n}` });
}

function codeOf({ body }: RawAnswer): unknown {
  return JSON.parse(new TextDecoder().decode(body)).error.code;
}

behindEach("a page comes over HTTP/2 and TLS, and plain HTTP leads there", async ({ proxy }) => {
  await withHttp2(proxy, async (send) => {
    const { status, headers } = await send({ path: "/" });
    equal(status, 200);
    match(headers["strict-transport-security"]!, /^max-age=\d{7,}/);
  });
  const plain = await fetch(`${proxy.plainOrigin}/docs?a=b`, { redirect: "manual" });
  await plain.body?.cancel();
  equal(plain.status, 308);
  // Caddy leaves out the port, taking it for 443 mapped to another.
  const { protocol, hostname, pathname, search } = new URL(plain.headers.get("location")!);
  equal(`${protocol}//${hostname}${pathname}${search}`, "https://localhost/docs?a=b");
});

/** What the service is asked with and without the proxy. */
const ASKED: readonly RawRequest[] = [
  { path: "/" },
  { path: "/", headers: { "accept-encoding": "br, gzip" } },
  { path: "/", headers: { "accept-encoding": "gzip" } },
  { path: "/de/", headers: { accept: "text/markdown", "accept-encoding": "br" } },
  { path: "/docs", method: "HEAD" },
  { path: "/no%2Fsuch//page", headers: { accept: "text/markdown" } },
  { path: "/no-such-page", headers: { "accept-encoding": "gzip" } },
  { path: "/openapi.json", headers: { "accept-encoding": "gzip" } },
  { path: "/api/openapi.yaml" },
  { path: "/llms.txt", headers: { "accept-encoding": "br" } },
  { path: "/api/health" },
  { path: "/api/health", headers: { "accept-encoding": "gzip" } },
  { path: "/api/site" },
  { path: "/api/none" },
  { path: "/api/health", method: "PUT", body: "{}" },
  { path: "/api/lead", method: "OPTIONS" },
  { path: "/api/lead", method: "POST", headers: JSON_TYPE, body: "{" },
  { path: "/api/lead", method: "POST", headers: JSON_TYPE, body: "x".repeat(65_537) },
];

/** Of a connection, a moment or one request, and not of the answer. */
const OF_THE_MOMENT = /^(?:date|server|via|alt-svc|x-request-id|ratelimit|connection)$/;

function lasting({ status, headers, body }: RawAnswer): unknown {
  const kept = Object.entries(headers).filter(([name]) => !OF_THE_MOMENT.test(name)).sort();
  return { status, headers: Object.fromEntries(kept), body: body.toHex() };
}

behindEach("every answer is the service's, to the byte", async ({ proxy, service }) => {
  await withHttp2(proxy, async (send) => {
    for (const request of ASKED) {
      const direct = await overHttp1(service.port, request);
      deepEqual(
        lasting(await send(request)),
        lasting(direct),
        JSON.stringify(request).slice(0, 99),
      );
    }
  });
});

behindEach("entity tags stay strong, and 304 and Vary with them", async ({ proxy }) => {
  await withHttp2(proxy, async (send) => {
    const plain = await send({ path: "/docs" });
    const tags = new Set([plain.headers["etag"]]);
    for (const coding of ["br", "gzip"]) {
      const headers = { "accept-encoding": coding };
      const coded = await send({ path: "/docs", headers });
      equal(coded.headers["content-encoding"], coding);
      equal(coded.headers["vary"], "Accept, Accept-Encoding");
      if (coding === "br") deepEqual(new Uint8Array(brotliDecompressSync(coded.body)), plain.body);
      const tag = coded.headers["etag"]!;
      match(tag, /^"/);
      tags.add(tag);
      const again = await send({ path: "/docs", headers: { ...headers, "if-none-match": tag } });
      equal(again.status, 304);
      equal(again.headers["vary"], "Accept, Accept-Encoding");
      equal(again.body.length, 0);
    }
    equal(tags.size, 3);
  });
});

behindEach("each client is counted by its own address, whatever it claims", async ({ proxy }) => {
  const honest = clientAt("127.0.0.1", proxy);
  const other = clientAt("127.0.0.2", proxy);
  try {
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++) {
      statuses.push(await postFrom(honest, { proxy, n, claims: `203.0.113.${n}` }));
    }
    deepEqual(statuses, [200, 200, 200, 429]);
    equal(await postFrom(other, { proxy, n: 5, claims: "127.0.0.1" }), 200);
  } finally {
    honest.close();
    other.close();
  }
}, { LEAD_RATE_LIMIT: "3/10m" });

behindEach(
  "without TRUSTED_PROXY_HOPS all clients are one: it has to be set",
  async ({ proxy }) => {
    const clients = ["127.0.0.1", "127.0.0.2"].map((address) => clientAt(address, proxy));
    const statuses: number[] = [];
    for (const [n, client] of clients.entries()) {
      statuses.push(await postFrom(client, { proxy, n, claims: `203.0.113.${n}` }));
      client.close();
    }
    deepEqual(statuses, [200, 429]);
  },
  { LEAD_RATE_LIMIT: "1/10m", TRUSTED_PROXY_HOPS: "0" },
);

behindEach(
  "the contact form knows its origin, and no other name is passed on",
  async ({ proxy }) => {
    const { origin } = proxy;
    const { email, company } = LEAD;
    const body = new URLSearchParams({ email, company, plan: "", message: "", website: "" })
      .toString();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    await withHttp2(proxy, async (send) => {
      const post = (from: string) =>
        send({ method: "POST", path: "/contact", headers: { ...headers, origin: from }, body });
      equal((await post("https://elsewhere.example")).status, 403);
      equal((await post(origin)).status, 303);
      const stranger = await send({
        path: "/api/health",
        headers: { ":authority": "elsewhere.example" },
      }).catch(() => undefined);
      equal(stranger?.body.length ?? 0, 0);
    });
  },
);

behindEach("a body over 64 KiB or too slow is refused by the service", async ({ proxy }) => {
  await withHttp2(proxy, async (send) => {
    const large = { method: "POST", path: "/api/lead", headers: JSON_TYPE, body: "x".repeat(5e6) };
    equal(codeOf(await send(large)), "body_too_large");
  });
  const client = Deno.createHttpClient({ caCerts: [proxy.authority] });
  const stalled = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"email":')),
  });
  const began = Date.now();
  const answer = await fetch(`${proxy.origin}/api/lead`, {
    method: "POST",
    headers: JSON_TYPE,
    body: stalled,
    client,
  });
  equal((await answer.json()).error.code, "body_too_slow");
  ok(Date.now() - began < 15_000);
  client.close();
});

behindEach("nothing that the proxy writes holds an address", async ({ proxy, service }) => {
  const client = clientAt("127.0.0.77", proxy);
  const claims = "203.0.113.99";
  equal(await postFrom(client, { proxy, n: 1, claims }), 200);
  await service.end();
  equal(await postFrom(client, { proxy, n: 2, claims }), 502);
  client.close();
  const written = await proxy.written();
  for (const address of ["127.0.0.77", claims]) ok(!written.includes(address), written);
});

behindEach("leads are taken again as soon as the service is back", async ({ proxy, service }) => {
  const client = clientAt("127.0.0.1", proxy);
  for (let n = 0; n < 8; n++) equal(await postFrom(client, { proxy, n, claims: "" }), 200);
  await service.end();
  await withFolder(async (folder) => {
    const next = await startService(folder, {
      PORT: String(service.port),
      SITE_URL: proxy.origin,
      TRUSTED_PROXY_HOPS: "1",
    });
    await until("the proxy answers", async () => {
      const response = await fetch(`${proxy.origin}/api/health`, { client });
      await response.body?.cancel();
      return response.status === 200;
    });
    for (let n = 0; n < 8; n++) equal(await postFrom(client, { proxy, n, claims: "" }), 200);
    client.close();
    equal(await next.end(), 0);
  });
});

function clientAt(localAddress: string, { authority }: Proxy): Deno.HttpClient {
  return Deno.createHttpClient({ caCerts: [authority], localAddress });
}

async function postFrom(
  client: Deno.HttpClient,
  { proxy, n, claims }: { readonly proxy: Proxy; readonly n: number; readonly claims: string },
): Promise<number> {
  const response = await fetch(`${proxy.origin}/api/lead`, {
    method: "POST",
    headers: { ...JSON_TYPE, "x-forwarded-for": claims },
    body: leadBody(n),
    client,
  });
  await response.body?.cancel();
  return response.status;
}

/** The same request straight to the service, its answer as it is on the wire. */
async function overHttp1(port: number, request: RawRequest): Promise<RawAnswer> {
  const { request: open } = await import("node:http");
  const { method = "GET", path, headers, body } = request;
  return await new Promise((resolve, reject) => {
    const outgoing = open({ host: "127.0.0.1", port, path, method, headers: { ...headers } });
    outgoing.on("response", async (answer) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of answer) chunks.push(chunk);
      const fields = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
      const bytes = new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
      resolve({ status: answer.statusCode!, headers: Object.fromEntries(fields), body: bytes });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
