/** @module Middleware that finds the client behind a lead, for the API and the contact form. */

import type { Config } from "../config/config.ts";
import type { Leads } from "../leads/leads.ts";
import type { AppMiddleware } from "./env.ts";
import { clientAddress } from "./http/client_address.ts";

/** What a lead needs of the pipeline; loaded with the first lead. */
export type LoadLeads = () => Promise<Pick<Leads, "intake" | "log">>;

/** Sets the intake, its log and the sender that the request is counted for. */
export function identifySender(
  leads: LoadLeads,
  { trustedProxyHops: trustedHops }: Pick<Config, "trustedProxyHops">,
): AppMiddleware {
  return async (c, next) => {
    const { intake, log } = await leads();
    const { remoteAddr } = c.env;
    const remote = "hostname" in remoteAddr ? remoteAddr.hostname : "local";
    const forwarded = c.req.header("x-forwarded-for") ?? null;
    c.set("intake", intake);
    c.set("log", log);
    c.set("sender", intake.sender(clientAddress(remote, { forwarded, trustedHops })));
    await next();
  };
}
