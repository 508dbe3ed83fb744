/** @module The targets of LEAD_TARGETS. A new kind is one file here and one entry in `KINDS`. */

import type { TargetSetting } from "../../config/settings.ts";
import { slack } from "./slack.ts";
import { smtp } from "./smtp.ts";
import { credentialsOf, type Target, type TargetKind, type TargetOptions } from "./target.ts";
import { webhook } from "./webhook.ts";

const KINDS: readonly TargetKind[] = [webhook, slack, smtp];

function kindOf({ protocol }: URL): TargetKind | undefined {
  return KINDS.find(({ schemes }) => schemes.includes(protocol.slice(0, -1)));
}

/** The problem of a URL, as in {@link TargetKind.problem}; undefined if it can be a target. */
export function targetProblem(url: URL): string | undefined {
  const kind = kindOf(url);
  if (credentialsOf(url) === undefined) {
    return "must have user and password percent-encoded (% as %25)";
  }
  if (kind !== undefined) return kind.problem(url);
  const schemes = KINDS.flatMap((known) => known.schemes);
  return `must begin with ${schemes.slice(0, -1).join(", ")} or ${schemes.at(-1)}, and ://`;
}

/** Creates the targets of a configuration, whose URLs have no problem. */
export function createTargets(
  settings: readonly TargetSetting[],
  options: TargetOptions,
): Target[] {
  return settings.map((setting) => ({
    id: setting.name,
    ...kindOf(setting.url)!.create(setting, options),
  }));
}
