/**
 * @module Leads that were told lost and delivered after all, in the way that the README names: the
 * machine that told so could not reach KV for longer than its lease, and another one could. Pure.
 */

import { LEASE_MS } from "../../leads/outbox.ts";

/** A lead that the target has taken. */
export interface Taken {
  readonly id: string;
  readonly company: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** A line of a service's log about a lead. */
interface Line {
  readonly by: string;
  readonly lead: string;
  readonly event: string;
  readonly delivered?: boolean;
}

/** The companies of such leads, from what the services have logged and the target has taken. */
export function companiesInTheGap(
  services: readonly { readonly name: string; readonly printed: readonly string[] }[],
  taken: readonly Taken[],
): Set<string> {
  const lines = services.flatMap(linesOf);
  const tellers = Map.groupBy(
    lines.filter(({ event, delivered }) => event === "lead.not_stored" && delivered === false),
    ({ lead }) => lead,
  );
  const deliverers = Map.groupBy(
    lines.filter(({ event }) => event === "delivery.acknowledged"),
    ({ lead }) => lead,
  );
  function isInTheGap({ id, at }: Taken): boolean {
    const [tellersOf, deliverersOf] = [tellers.get(id), deliverers.get(id)];
    if (tellersOf === undefined || deliverersOf === undefined) return false;
    const byOther = tellersOf.every((teller) => deliverersOf.every(({ by }) => by !== teller.by));
    return byOther && at >= receivedAt(id) + LEASE_MS;
  }
  return new Set(taken.filter(isInTheGap).map(({ company }) => company));
}

function linesOf(
  { name, printed }: { readonly name: string; readonly printed: readonly string[] },
): Line[] {
  return printed.flatMap((text) => text.split("\n"))
    .filter((line) => line.startsWith("{") && line.includes('"lead":'))
    .map((line) => ({ by: name, ...JSON.parse(line) }));
}

/** UUIDv7 begins with its time (RFC 9562 §5.7). */
function receivedAt(id: string): number {
  return parseInt(id.replaceAll("-", "").slice(0, 12), 16);
}
