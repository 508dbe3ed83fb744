/**
 * @module The services under soak: on a SQLite file and on denokv, and of each kind one that stays up
 * for the whole time and one that is restarted. Those on denokv are two machines on one KV.
 */

import { freePort, type Service, startService } from "../support/service.ts";
import type { Door } from "../support/ledger.ts";
import { logFaults, type Span, type Troubles } from "./verdicts.ts";

/** How a service is ended: in order, or by surprise. */
export type Signal = "SIGTERM" | "SIGKILL";

/** A service under soak. */
export interface Soaked extends Door, Troubles {
  readonly name: string;
  /** Where its leads are: services with the same store share them. */
  readonly store: string;
  /** Its working directory. */
  readonly folder: string;
  /** Of the process as it is; undefined while it is away. */
  pid(): number | undefined;
  /** It is never restarted. */
  readonly steady: boolean;
  readonly withoutKv: Span[];
  readonly restarts: Record<Signal, number>;
  /** What was wrong with its ends and its logs. */
  readonly faults: string[];
  /** All that its lives have printed. */
  readonly printed: string[];
  /** Ends it and starts it anew on the same port. */
  restart(signal: Signal): Promise<void>;
  /** Ends it for good; has no effect on one that has ended. */
  end(signal?: Signal): Promise<void>;
}

/** What the services have in common. */
export interface Surroundings {
  readonly folder: string;
  /** Variables of all. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables of those on denokv. */
  readonly denokv: Readonly<Record<string, string>>;
  /** When a service that is still there is killed. */
  readonly withinMs: number;
}

/** Where a service that is not told otherwise keeps its database, from its folder. */
export const DATABASE = ".data/frontdoor.sqlite";

/** A connection that broke off may be noticed only when it is used next. */
const AFTER_RESTART_MS = 1_000;

const SERVICES = [
  { name: "file", store: "file", steady: true },
  { name: "file, restarted", store: "file-restarted", steady: false },
  { name: "denokv", store: "denokv", steady: true },
  { name: "denokv, restarted", store: "denokv", steady: false },
] as const;

/** Runs `work` with all services, and leaves none behind. */
export async function withServices(
  { folder, env, denokv, withinMs }: Surroundings,
  work: (services: readonly Soaked[]) => Promise<void>,
): Promise<void> {
  const started: Soaked[] = [];
  try {
    for (const [n, service] of SERVICES.entries()) {
      const own = `${folder}/${n}`;
      await Deno.mkdir(own);
      const places = service.store === "denokv" ? denokv : {};
      const port = String(freePort());
      const all = { PORT: port, ...env, ...places };
      started.push(await start(service, { folder: own, env: all, withinMs }));
    }
    await work(started);
  } finally {
    await Promise.all(started.map((service) => service.end("SIGKILL")));
  }
}

async function start(
  what: typeof SERVICES[number],
  { folder, env, withinMs }: {
    readonly folder: string;
    readonly env: Record<string, string>;
    readonly withinMs: number;
  },
): Promise<Soaked> {
  let life: Service | undefined = await startService(folder, env, { withinMs });
  const { url } = life;
  const down: Span[] = [];
  const faults: string[] = [];
  const printed: string[] = [];
  const restarts = { SIGTERM: 0, SIGKILL: 0 };

  async function end(signal: Signal): Promise<void> {
    if (life === undefined) return;
    const { end, output } = life;
    life = undefined;
    const code = await end(signal);
    if (signal === "SIGTERM" && code !== 0) faults.push(`${what.name} ended with ${code}`);
    printed.push(output());
    faults.push(...logFaults(output()).map((fault) => `${what.name} logged ${fault}`));
  }

  return {
    ...what,
    folder,
    url,
    pid: () => life?.pid,
    targeted: true,
    down,
    withoutKv: [],
    restarts,
    faults,
    printed,
    async restart(signal) {
      const from = Date.now();
      down.push({ from, to: Infinity });
      await end(signal);
      life = await startService(folder, env, { withinMs });
      down.splice(-1, 1, { from, to: Date.now() + AFTER_RESTART_MS });
      restarts[signal]++;
    },
    end: (signal = "SIGTERM") => end(signal),
  };
}
