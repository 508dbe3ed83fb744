/**
 * @module A receiver to try things with: prints each lead whose signature verifies, port 9000. Without
 * a secret it says so once, and prints all.
 */

import { Webhook } from "standardwebhooks";

const secret = Deno.env.get("LEAD_WEBHOOK_SECRET");
// deno-lint-ignore no-console -- or whoever tries it takes any sender for the service
if (!secret) console.error("not verified: no LEAD_WEBHOOK_SECRET");

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
