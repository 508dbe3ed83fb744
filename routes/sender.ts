/** @module Middleware that finds the client behind a lead, for the API and the contact form. */

import type { Config } from "../config/config.ts";
import type { Leads } from "../leads/leads.ts";
import type { AppMiddleware } from "./env.ts";
import { requestAddress } from "./http/client_address.ts";

/** What a lead needs of the pipeline; loaded with the first lead. */
export type LoadLeads = () => Promise<Pick<Leads, "intake" | "log">>;

/**
 * Finds the sender that a request is counted by: the socket's address, or with trusted proxies that of
 * X-Forwarded-For. Loads the intake with the first lead.
 */
export function identifySender(
  { leads, config: { trustedProxyHops: trustedHops } }: {
    readonly leads: LoadLeads;
    readonly config: Pick<Config, "trustedProxyHops">;
  },
): AppMiddleware {
  return async (c, next) => {
    const { intake, log } = await leads();
    const { remoteAddr } = c.env;
    c.set("intake", intake);
    c.set("log", log);
    c.set("sender", intake.sender(requestAddress(c.req.raw, { remoteAddr, trustedHops })));
    await next();
  };
}
