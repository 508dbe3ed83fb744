/** @module A receiver to try things with: prints each lead whose signature verifies, port 9000. */

import { Webhook } from "standardwebhooks";

const secret = Deno.env.get("LEAD_WEBHOOK_SECRET");

Deno.serve({ hostname: "127.0.0.1", port: 9000 }, async (request) => {
  const body = await request.text();
  try {
    if (secret) new Webhook(secret).verify(body, Object.fromEntries(request.headers));
  } catch {
    return new Response("Cannot verify the signature", { status: 401 });
  }
  // deno-lint-ignore no-console -- printing is what it is for
  console.log(body);
  return new Response(null, { status: 204 });
});
