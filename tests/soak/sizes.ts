/** @module How much memory and how many files the services hold, time and again. */

import { figuresOf } from "../support/process_figures.ts";

/** One look at one process. */
export interface Size {
  /** Resident memory (VmRSS), in MiB. */
  readonly mib: number;
  /** Open file descriptors. */
  readonly files: number;
}

/** Looks at processes again and again. */
export interface Watch {
  /** All looks so far, by working directory. */
  readonly series: ReadonlyMap<string, readonly Size[]>;
  stop(): void;
}

const EVERY_MS = 10_000;

/** A process that may be replaced by another, and be away in between. */
interface Watched {
  readonly folder: string;
  pid(): number | undefined;
}

/** Begins to look, now and every ten seconds; `onLook` is called after each time. */
export function watchSizes(processes: readonly Watched[], onLook: () => void): Watch {
  const series = new Map<string, Size[]>(processes.map(({ folder }) => [folder, []]));
  async function look(): Promise<void> {
    await Promise.all(processes.map(async ({ folder, pid }) => {
      const id = pid();
      // One that has just ended is missing.
      const figures = id === undefined ? undefined : await figuresOf(id).catch(() => undefined);
      if (figures === undefined) return;
      series.get(folder)?.push({ mib: figures.memory, files: figures.descriptors });
    }));
    onLook();
  }
  void look();
  const timer = setInterval(look, EVERY_MS);
  return { series, stop: () => clearInterval(timer) };
}
