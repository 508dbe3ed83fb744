/**
 * @module Which requests the inbox answers: only those of the browser that has opened the printed address.
 *
 * Any website can send requests to this machine, also under a name of its own (DNS rebinding), and
 * servers on other ports are the same site, so that SameSite alone is not enough.
 */

import { timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "@hono/hono";
import { getCookie, setCookie } from "@hono/hono/cookie";
import { pageSecurityHeaders } from "../../routes/http/security_headers.ts";

export interface Keys {
  /** In the printed address; it may be opened again. */
  readonly printed: string;
  /** In the address that a program gets to open it, which others on this machine may see: works once. */
  readonly once: string;
}

/** @param host name and port of the inbox, as in the field Host */
export function createGuard(host: string, { printed, once }: Keys): MiddlewareHandler {
  const origin = `http://${host}`;
  const session = crypto.randomUUID();
  /** Cookies do not know ports. */
  const cookie = `inbox_${host.replace(/.*:/, "")}`;
  const keys = new Set([printed, once]);
  const headers = {
    ...pageSecurityHeaders(origin),
    "cache-control": "no-store",
    "referrer-policy": "same-origin", // without one, browsers hide the Origin of a form
  };

  function refusalOf({ method, headers }: Request): string | undefined {
    const [from, site] = [headers.get("origin"), headers.get("sec-fetch-site")];
    if (headers.get("host") !== host) return `This address is not ${origin}.`;
    if (![null, origin].includes(from) || ![null, "same-origin", "none"].includes(site)) {
      return "Another site has sent this request.";
    }
    // A browser says where a form comes from.
    if (method === "POST" && from === null) return "This request does not say where it comes from.";
    return undefined;
  }

  return async (c, next) => {
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    const refusal = refusalOf(c.req.raw);
    if (refusal !== undefined) return c.text(`${refusal}\n`, 403);
    const key = c.req.path === "/" ? c.req.query("key") : undefined;
    if (key !== undefined) {
      const known = [...keys].find((one) => isSame(one, key));
      if (known === undefined) return c.text("This address is not valid, or no longer.\n", 403);
      if (known === once) keys.delete(once);
      setCookie(c, cookie, session, { httpOnly: true, sameSite: "Strict", path: "/" });
      return c.redirect("/", 303);
    }
    if (isSame(getCookie(c, cookie) ?? "", session)) return await next();
    return c.text("Open the address that `deno task inbox` has printed.\n", 403);
  };
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => new TextEncoder().encode(text));
  return a!.length === b!.length && timingSafeEqual(a!, b!);
}
