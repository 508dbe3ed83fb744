/** @module What came of a soak: figures, and each promise with the ways in which it was broken. */

import type { Ledger } from "../support/ledger.ts";
import type { HarnessRun } from "./harness.ts";
import type { Soaked } from "./services.ts";
import type { Settlement, Standing } from "./settlement.ts";
import type { Size } from "./sizes.ts";
import type { Target } from "./target.ts";
import type { Traffic } from "./traffic.ts";
import { FLAT, isFlat, MOST_FILES, thirds } from "./verdicts.ts";

/** Something that is promised, and each way in which it was broken. */
export interface Promised {
  readonly promise: string;
  readonly broken: readonly string[];
}

/** What a service held: medians of the thirds of the run, and the most at any time. */
export interface Growth {
  readonly service: string;
  readonly mib: readonly number[];
  readonly mostMib: number;
  readonly files: readonly number[];
  readonly mostFiles: number;
}

/** What came of a soak. */
export interface SoakReport {
  readonly minutes: number;
  readonly rounds: number;
  /** Answers by kind of request and status; status 0: none. */
  readonly answers: Traffic["answers"];
  /** Leads, by the best that their senders were told: `accepted`, … */
  readonly leads: Readonly<Record<"sent" | "accepted" | "lost" | "limited" | "unanswered", number>>;
  /** How deliveries stood when the traffic had ended. */
  readonly standing: Standing;
  readonly drainSeconds: number;
  /** Told lost and delivered after all, as the README says may happen. */
  readonly inTheGap: number;
  /** What the target answered in all, by status, and how often it took a lead that it had. */
  readonly target: { readonly answers: Target["answers"]; readonly again: number };
  readonly restarts: Readonly<Record<string, number>>;
  readonly harness: { readonly runs: number; readonly exchanges: number };
  readonly growth: readonly Growth[];
  readonly promises: readonly Promised[];
}

/** What a report is made from. */
export interface Seen {
  readonly minutes: number;
  readonly rounds: number;
  readonly services: readonly Pick<Soaked, "name" | "folder" | "steady" | "restarts" | "faults">[];
  readonly target: Pick<Target, "taken" | "answers" | "unsigned">;
  readonly traffic: Pick<Traffic, "answers" | "faults">;
  readonly ledger: Pick<Ledger, "answers">;
  readonly runs: readonly HarnessRun[];
  readonly settlement: Settlement;
  /** By working directory of the service. */
  readonly series: ReadonlyMap<string, readonly Size[]>;
}

/** Makes the report. */
export function summarise(seen: Seen): SoakReport {
  const { minutes, rounds, services, target, traffic, ledger, runs, settlement } = seen;
  const companies = target.taken.map(({ company }) => company);
  const count = (signal: "SIGTERM" | "SIGKILL") =>
    services.reduce((sum, { restarts }) => sum + restarts[signal], 0);
  return {
    minutes,
    rounds,
    answers: traffic.answers,
    leads: leadsOf(ledger),
    standing: settlement.standing,
    drainSeconds: settlement.drainSeconds,
    inTheGap: settlement.inTheGap,
    target: { answers: target.answers, again: companies.length - new Set(companies).size },
    restarts: { SIGTERM: count("SIGTERM"), SIGKILL: count("SIGKILL") },
    harness: {
      runs: runs.length,
      exchanges: runs.reduce((sum, { exchanges }) => sum + exchanges, 0),
    },
    growth: growthOf(seen),
    promises: promisesOf(seen),
  };
}

/** Whether every promise was kept. */
export function isKept({ promises }: SoakReport): boolean {
  return promises.every(({ broken }) => broken.length === 0);
}

function leadsOf({ answers }: Pick<Ledger, "answers">): SoakReport["leads"] {
  const told = [...Map.groupBy(answers, ({ company }) => company).values()]
    .map((all) => new Set(all.map(({ status }) => status)));
  const best = [200, 502, 429, 0].map((status, n, order) =>
    told.filter((all) => all.has(status) && !order.slice(0, n).some((other) => all.has(other)))
      .length
  );
  const [accepted = 0, lost = 0, limited = 0, unanswered = 0] = best;
  return { sent: told.length, accepted, lost, limited, unanswered };
}

function growthOf({ services, series }: Seen): Growth[] {
  return services.map(({ name, folder }) => {
    const sizes = series.get(folder) ?? [];
    const [mib, files] = [sizes.map((size) => size.mib), sizes.map((size) => size.files)];
    return {
      service: name,
      mib: thirds(mib),
      mostMib: Math.max(...mib),
      files: thirds(files),
      mostFiles: Math.max(...files),
    };
  });
}

function promisesOf({ services, target, traffic, runs, settlement, series }: Seen): Promised[] {
  const steady = services.filter((service) => service.steady);
  const memory = steady.filter(({ folder }) =>
    !isFlat((series.get(folder) ?? []).map(({ mib }) => mib))
  );
  const files = services.filter(({ folder }) =>
    (series.get(folder) ?? []).some((size) => size.files > MOST_FILES)
  );
  const { standing: { overdue } } = settlement;
  return [
    {
      promise: "Every answer is a documented one; 502 comes for a lead without KV alone",
      broken: [...traffic.faults].map(([what, { times, first }]) =>
        `${what} (${times} times, first at ${first.toISOString()})`
      ),
    },
    {
      promise: "What was answered 200 is delivered, under one id; what was answered 502 is nowhere",
      broken: settlement.broken,
    },
    {
      promise: "No lead waits longer than it has to",
      broken: overdue === 0 ? [] : [`${overdue} were overdue when the traffic ended`],
    },
    {
      promise: "The databases hold what their leads call for, and nothing else",
      broken: settlement.contradictions,
    },
    {
      promise: "Every try is signed",
      broken: target.unsigned === 0 ? [] : [`${target.unsigned} were not`],
    },
    {
      promise: "The harness finds nothing, whatever fails beside the service",
      broken: runs.length === 0 ? ["it did not run"] : runs.flatMap(({ findings }) => findings),
    },
    {
      promise: "SIGTERM ends a service in order, and no log tells what it must not",
      broken: services.flatMap(({ faults }) => faults),
    },
    {
      promise: `Memory is flat: the last third at most ${FLAT} of the second`,
      broken: memory.map(({ name }) => `${name} has grown`),
    },
    {
      promise: `Open files stay below ${MOST_FILES}`,
      broken: files.map(({ name }) => `${name} has had more`),
    },
  ];
}
