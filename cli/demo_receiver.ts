/** @module A demo receiver on port 9000: prints each lead whose signature verifies. */

import { Webhook } from "standardwebhooks";

const secret = Deno.env.get("LEAD_WEBHOOK_SECRET");
// deno-lint-ignore no-console -- any sender is accepted
if (!secret) console.error("not verified: no LEAD_WEBHOOK_SECRET");

Deno.serve({ hostname: "127.0.0.1", port: 9000 }, async (request) => {
  const body = await request.text();
  try {
    if (secret) new Webhook(secret).verify(body, Object.fromEntries(request.headers));
  } catch {
    return new Response("Cannot verify the signature", { status: 401 });
  }
  // deno-lint-ignore no-console -- its purpose
  console.log(body);
  return new Response(null, { status: 204 });
});
