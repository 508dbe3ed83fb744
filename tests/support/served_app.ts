/** @module The app of a test on a port, for what has to reach it by URL. */

import type { TestApp } from "./test_app.ts";

/** Runs a test with the URL at which an app is served. Hints and links keep the app's own SITE_URL. */
export async function withServedApp(
  { request }: Pick<TestApp, "request">,
  test: (url: string) => Promise<void>,
): Promise<void> {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async ({ url, method, headers, body }) => {
      const { pathname, search } = new URL(url);
      const sent = body === null ? null : await new Response(body).bytes();
      return await request(`${pathname}${search}`, { method, headers, body: sent });
    },
  );
  try {
    await test(`http://127.0.0.1:${server.addr.port}`);
  } finally {
    await server.shutdown();
  }
}
