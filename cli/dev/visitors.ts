/**
 * @module Which requests development answers. A website can give this machine a name of its own (DNS
 * rebinding), or send requests from its pages, to read drafts in the developer's browser.
 */

import type { Config } from "../../config/config.ts";

/** HOST for clients on other machines, which use this one's addresses. */
const EVERY_ADDRESS = ["0.0.0.0", "[::]"];

/** The host of a URL that is an address, and so cannot be the name of a website. */
const ADDRESS = /^(?:\d+\.\d+\.\d+\.\d+|\[.*\])$/;

/**
 * Why a request is not answered; undefined if it is. Its Host, and the Origin of the page that sent it,
 * must name this machine. Ports do not count: containers and editors forward others.
 */
export function refusalOf(
  { url, headers }: Pick<Request, "url" | "headers">,
  { host, port, siteUrl, localUrl }: Pick<Config, "host" | "port" | "siteUrl" | "localUrl">,
): string | undefined {
  const own = host.includes(":") ? `[${host}]` : host;
  const names = new Set([
    ...["localhost", "127.0.0.1", "[::1]"],
    ...[`http://${own}`, siteUrl, localUrl].map(nameOf),
  ]);
  function isOwn(name: string): boolean {
    return names.has(name) || name.endsWith(".localhost") ||
      (EVERY_ADDRESS.includes(own) && ADDRESS.test(name));
  }
  const field = headers.get("host");
  const asked = nameOf(field === null ? url : `http://${field}`);
  const origin = headers.get("origin");
  const from = origin === null ? "localhost" : nameOf(origin);
  if (isOwn(asked) && isOwn(from)) return undefined;
  const other = isOwn(asked)
    ? `a page of ${from || "no host"}`
    : `the host ${asked || "of no name"}`;
  return `deno task dev does not answer ${other}, so that no other website can read drafts.
It answers ${[...names].join(", ")} and names that end in .localhost; with HOST=0.0.0.0 also this
machine's addresses. To add a name, start it with LOCAL_URL=http://NAME:${port}
`;
}

/** The host of a URL in its normal form, without port; empty if there is none. */
function nameOf(url: string): string {
  return URL.parse(url)?.hostname ?? "";
}
