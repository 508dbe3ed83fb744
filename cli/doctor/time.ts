/**
 * @module This machine's clock against the servers that it works with: the `Date` (RFC 9110, section
 * 6.6.1) of targets, KV and the site. Asks no other server. Receivers refuse signatures that are five
 * minutes off (Standard Webhooks); limits and leases of several machines are times too.
 */

import type { Clock } from "../../leads/clock.ts";
import { addressOf, connectUrl, isLoopback } from "./address.ts";
import { type Check, type Environment, fail, ok, timeLimit, warn } from "./check.ts";

const PATIENCE_MS = 5_000;
const REFUSED_MS = 5 * 60_000;

/** Well above the second in which Date counts, and the time that an answer takes. */
const NOTEWORTHY_MS = 10_000;

const FIX = "Let NTP set the clock of this machine (timedatectl set-ntp true).";

/** Compares; where several answer, the middle one counts: the others may be wrong themselves. */
export const time: Check = {
  name: "clock",
  requires: ["LEAD_TARGETS", "KV_PATH", "SITE_URL"],
  async run(environment) {
    const answers = await Promise.all(
      origins(environment).map((origin) => aheadOf(origin, environment.clock)),
    );
    const known = answers.filter((ms) => ms !== undefined).sort((a, b) => a - b);
    const ahead = known[Math.floor(known.length / 2)];
    if (ahead === undefined) {
      return [warn("clock", "not compared: no server here tells the time", FIX)];
    }
    const seconds = Math.round(Math.abs(ahead) / 1000);
    const message = `${seconds} s ${ahead < 0 ? "behind" : "ahead of"} the servers it works with`;
    if (seconds * 1000 >= REFUSED_MS) return [fail("clock", message, FIX)];
    if (seconds * 1000 > NOTEWORTHY_MS) return [warn("clock", message, FIX)];
    return [ok("clock", `agrees with ${known.length} of the servers it works with`)];
  },
};

/** Where HTTP is spoken. The paths are left out: nothing is to happen there. */
function origins({ config }: Environment): string[] {
  const { leadTargets, kvPath, siteUrl } = config;
  const urls = [...leadTargets, ...connectUrl(kvPath)];
  const servers = urls.flatMap((url) => {
    const address = /^(?:.+\+)?https?:$/.test(url.protocol) ? addressOf(url) : undefined;
    return address === undefined ? [] : [`http${address.secure ? "s" : ""}://${address.host}/`];
  });
  const site = isLoopback(new URL(siteUrl).hostname) ? [] : [`${siteUrl}/`];
  return [...new Set([...servers, ...site])];
}

/** Milliseconds that this clock is ahead; undefined if no server tells the time. */
async function aheadOf(origin: string, clock: Clock): Promise<number | undefined> {
  const { signal, clear } = timeLimit(PATIENCE_MS, clock);
  try {
    const began = clock.now();
    const response = await fetch(origin, {
      method: "HEAD",
      redirect: "manual",
      headers: { "user-agent": "frontdoor" },
      signal,
    });
    await response.body?.cancel();
    const date = Date.parse(response.headers.get("date") ?? "");
    return Number.isNaN(date) ? undefined : (began + clock.now()) / 2 - date;
  } catch {
    return undefined;
  } finally {
    clear();
  }
}
