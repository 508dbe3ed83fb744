/** @module Leads that no target gets: there was none when they came, or theirs is gone. */

import type { Target } from "./delivery/target.ts";
import type { LeadStore } from "./ports.ts";

interface Stranded {
  /** Counted up to a bound. */
  readonly leads: number;
  /** Undefined: there was none. */
  readonly target?: string;
  readonly message: string;
  readonly fix: string;
}

/** Counts them. @param targets the configured ones; undefined if they are not known here */
export async function strandedLeads(
  store: Pick<LeadStore, "countStored" | "targetsWithWaitingLeads" | "backlog">,
  targets: readonly Pick<Target, "id">[] | undefined,
): Promise<Stranded[]> {
  const found: Stranded[] = [];
  function add(leads: number, [one, more]: string[], rest: Pick<Stranded, "fix" | "target">) {
    const message = leads === 1 ? `1 lead ${one}` : `${leads} leads ${more}`;
    if (leads > 0) found.push({ leads, message, ...rest });
  }
  const send = "deno task leads send";
  const stored = ["is stored and goes nowhere", "are stored and go nowhere"];
  add(await store.countStored(), stored, { fix: `${send} --stored` });
  for (const target of targets === undefined ? [] : await store.targetsWithWaitingLeads()) {
    if (targets?.some(({ id }) => id === target)) continue;
    const { depth } = await store.backlog(target);
    const object = `for ${target}, which is not in LEAD_TARGETS`;
    add(depth, [`waits ${object}`, `wait ${object}`], { target, fix: `${send} --from ${target}` });
  }
  return found;
}
