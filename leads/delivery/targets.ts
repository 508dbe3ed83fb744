/** @module The targets of LEAD_TARGETS. A new kind of target is one file here and one line in `KINDS`. */

import { slack } from "./slack.ts";
import { smtp } from "./smtp.ts";
import type { Target, TargetKind, TargetOptions } from "./target.ts";
import { webhook } from "./webhook.ts";

const KINDS: readonly TargetKind[] = [webhook, slack, smtp];

function kindOf({ protocol }: URL): TargetKind | undefined {
  return KINDS.find(({ schemes }) => schemes.includes(protocol.slice(0, -1)));
}

/**
 * What keeps a URL from being a target, as the end of a sentence ("must …"); undefined where nothing
 * does. Says nothing of the URL itself, which may hold a secret.
 */
export function targetFault(url: URL): string | undefined {
  const kind = kindOf(url);
  if (kind !== undefined) return kind.fault(url);
  const schemes = KINDS.flatMap((known) => known.schemes);
  return `must begin with ${schemes.slice(0, -1).join(", ")} or ${schemes.at(-1)}, and ://`;
}

/**
 * The targets of some URLs. URLs that differ in their credentials alone are one target.
 *
 * @throws {Error} for a URL with a fault; the start refuses it earlier
 */
export async function createTargets(
  urls: readonly URL[],
  options: TargetOptions,
): Promise<Target[]> {
  const targets = await Promise.all(urls.map((url) => {
    const fault = targetFault(url);
    if (fault !== undefined) throw new Error(`Cannot deliver to a target: its URL ${fault}`);
    return kindOf(url)!.create(url, options);
  }));
  return [...new Map(targets.map((target) => [target.id, target])).values()];
}
