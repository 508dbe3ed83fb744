/** @module The service behind nginx and Caddy with the configurations of `deploy/`. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { connect } from "node:http2";
import { ask, type RawAnswer, type RawRequest } from "../../support/raw_http.ts";
import { freePort, type Service, startService, withFolder } from "../../support/service.ts";
import { LEAD } from "../../support/test_app.ts";
import { until } from "../../support/until.ts";
import { KINDS, type Proxy, withProxy } from "./proxy.ts";

const JSON_TYPE = { "content-type": "application/json" };
const LONG = { ...JSON_TYPE, "content-length": "5000000" };
/** Shorter than the service waits for a body. */
const ANSWERED_WITHIN_MS = 8_000;

for (const kind of KINDS) {
  Deno.test(`${kind.name} passes every answer on unchanged, and each client is counted`, () =>
    withFolder(async (folder) => {
      const port = freePort();
      const env = { SITE_URL: `https://localhost:${port}`, TRUSTED_PROXY_HOPS: "1" };
      const service = await startService(folder, { ...env, LEAD_RATE_LIMIT: "4/10m" });
      try {
        await withProxy({ kind, port, services: [service] }, async (proxy) => {
          await answersAreTheSame(proxy, service);
          await formKnowsItsOrigin(proxy);
          await clientsAreCounted(proxy);
          await bodiesAreStreamed(proxy);
          equal(await service.end(), 0);
          match(String(await post(proxy, { from: "127.0.0.77" })), /^50[23]$/);
          const written = await proxy.written();
          for (const address of ["127.0.0.77", "203.0.113."]) ok(!written.includes(address));
          const next = await startService(folder, { ...env, PORT: String(service.port) });
          const isAccepted = async () => await post(proxy, { from: "127.0.0.3" }) === 200;
          await until("leads are accepted again", isAccepted);
          await next.end();
        });
      } finally {
        await service.end();
      }
    }));
}

const ASKED: readonly RawRequest[] = [
  { path: "/", headers: { "accept-encoding": "br, gzip" } },
  { path: "/docs", headers: { "accept-encoding": "gzip" } },
  { path: "/de/", headers: { accept: "text/markdown" } },
  { path: "/docs", method: "HEAD" },
  { path: "/no%2Fsuch//page" },
  { path: "/api/health", headers: { "accept-encoding": "gzip" } },
  { path: "/api/health", method: "PUT", body: "{}" },
  { path: "/api/lead", method: "OPTIONS" },
  { path: "/api/lead", method: "POST", body: "x".repeat(5e6), headers: LONG },
];

/** Headers of a connection or one request. */
const VOLATILE =
  /^(?:date|server|via|alt-svc|x-request-id|ratelimit|connection|keep-alive|transfer-encoding)$/;

/** Compares answers over HTTP/2 byte by byte; plain HTTP redirects there. */
async function answersAreTheSame(proxy: Proxy, { port }: Service): Promise<void> {
  for (const request of ASKED) {
    const [direct, behind] = [await ask(port, request), await askHttp2(proxy, request)];
    deepEqual(lasting(behind), lasting(direct), JSON.stringify(request).slice(0, 99));
  }
  const plain = await fetch(`${proxy.plainOrigin}/docs?a=b`, { redirect: "manual" });
  await plain.body?.cancel();
  equal(plain.status, 308);
  match(plain.headers.get("location")!, /^https:\/\/localhost(?::\d+)?\/docs\?a=b$/);
}

function lasting({ status, headers, body }: RawAnswer): unknown {
  const kept = Object.entries(headers).filter(([name]) => !VOLATILE.test(name));
  return { status, headers: Object.fromEntries(kept.sort()), body: body.toHex() };
}

async function formKnowsItsOrigin(proxy: Proxy): Promise<void> {
  const { email, company } = LEAD;
  const body = new URLSearchParams({ email, company }).toString();
  const statuses: number[] = [];
  for (const origin of ["https://elsewhere.example", proxy.origin]) {
    const headers = { "content-type": "application/x-www-form-urlencoded", origin };
    const request = { method: "POST", path: "/contact", headers, body };
    statuses.push((await askHttp2(proxy, request)).status);
  }
  deepEqual(statuses, [403, 303]);
}

/** By its own address, not a forged one; the form was the first of four leads. */
async function clientsAreCounted(proxy: Proxy): Promise<void> {
  const statuses: number[] = [];
  for (let n = 0; n < 4; n++) statuses.push(await post(proxy, { claims: `203.0.113.${n}` }));
  deepEqual(statuses, [200, 200, 200, 429]);
  equal(await post(proxy, { from: "127.0.0.2", claims: "127.0.0.1" }), 200);
}

/** An endless body is refused as soon as it is too large. */
async function bodiesAreStreamed({ origin, authority }: Proxy): Promise<void> {
  using client = Deno.createHttpClient({ caCerts: [authority], localAddress: "127.0.0.4" });
  const body = new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(70_000)) });
  const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
  const init = { method: "POST", headers: JSON_TYPE, body, client, signal };
  const answer = await fetch(`${origin}/api/lead`, init);
  equal((await answer.json()).error.code, "body_too_large");
}

let posted = 0;

async function post(
  { origin, authority }: Proxy,
  { from = "127.0.0.1", claims = "" }: { readonly from?: string; readonly claims?: string },
): Promise<number> {
  using client = Deno.createHttpClient({ caCerts: [authority], localAddress: from });
  const headers = { ...JSON_TYPE, "x-forwarded-for": claims };
  const body = JSON.stringify({ ...LEAD, company: `Company ${posted++}` });
  const response = await fetch(`${origin}/api/lead`, { method: "POST", headers, body, client });
  await response.body?.cancel();
  return response.status;
}

async function askHttp2({ origin, authority }: Proxy, request: RawRequest): Promise<RawAnswer> {
  const { method = "GET", path, headers, body } = request;
  const session = connect(origin, { ca: authority, ALPNProtocols: ["h2"] });
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const stream = session.request({ ":method": method, ":path": path, ...headers });
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  stream.on("data", (chunk) => chunks.push(chunk));
  stream.on("response", ({ ":status": status, ...rest }) =>
    stream.on("end", async () => {
      const fields = Object.entries(rest).map(([name, value]) => [name, String(value)]);
      const bytes = await new Blob(chunks).bytes();
      resolve({ status: status!, headers: Object.fromEntries(fields), body: bytes });
    }));
  for (const one of [session, stream]) one.on("error", reject);
  stream.end(body);
  return await promise.finally(() => session.destroy());
}
