/** @module Which route each request target finds, as the server hands it over: not normalised. */

import { strictEqual as equal } from "node:assert/strict";
import { appWithoutLeads } from "../support/app_without_leads.ts";
import { connectionFrom } from "../support/send.ts";
import { SITE_URL } from "../site/fixture.ts";

const { app } = await appWithoutLeads();

/** Sends a URL as Deno writes it from Host and target; `new Request` would rewrite it. */
async function get(url: string): Promise<Response> {
  const request = new Request(SITE_URL);
  Object.defineProperty(request, "url", { value: url });
  return await app.fetch(request, connectionFrom());
}

/** Each URL and the status of its answer; 200 is that of /docs. */
for (
  const [url, status] of [
    [`${SITE_URL}/docs`, 200],
    [`${SITE_URL}/docs?/pricing`, 200],
    [`${SITE_URL}/docs#/pricing`, 200],
    [`${SITE_URL}/docs?a=%2F`, 200],
    [`${SITE_URL}/%64ocs`, 200],
    [`${SITE_URL}/%64ocs?a=%2F`, 200],
    ["gopher://x/docs?a", 200],
    [`${SITE_URL}/docs/`, 308],
    [`${SITE_URL}//docs`, 404],
    [`${SITE_URL}/docs//`, 404],
    [`${SITE_URL}/a/../docs`, 404],
    [`${SITE_URL}/./docs`, 404],
    [`${SITE_URL}/de%2Fdocs`, 404],
    [`${SITE_URL}/docs%2Fx`, 404],
    [`${SITE_URL}/docs%3Fa`, 404],
    [`${SITE_URL}/docs%`, 404],
    [`${SITE_URL}/docs%00`, 404],
    [`${SITE_URL}/%2564ocs`, 404],
    [`${SITE_URL}/%ff`, 404],
    [`${SITE_URL}/d%C3%BC`, 404],
  ] as const
) {
  Deno.test(`${url} is answered ${status}`, async () => {
    const response = await get(url);
    equal(response.status, status);
    if (status === 200) equal(response.headers.get("content-location"), "/docs");
    await response.body?.cancel();
  });
}

Deno.test("a target without path is the home page's", async () => {
  const response = await get("http://example.com?q");
  equal(response.status, 200);
  equal(response.headers.get("content-location"), "/");
  await response.body?.cancel();
});
