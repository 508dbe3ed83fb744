/**
 * @module What a process of this machine takes up: memory and file descriptors, as Linux tells it in
 * `/proc`. Other systems have no such place: tests that need the figures are for Linux.
 */

import { run } from "./command.ts";

/** Figures of a process. */
export interface ProcessFigures {
  /** Resident memory, in MiB. */
  readonly memory: number;
  /** Open file descriptors. */
  readonly descriptors: number;
}

/** By a shell, because Deno lets only a program with all permissions read there. */
const SCRIPT = `awk '/^VmRSS:/ { print $2 }' "/proc/$0/status" && ls "/proc/$0/fd" | wc -l`;

/** @throws where there is no `/proc`, or no such process */
export async function figuresOf(pid: number): Promise<ProcessFigures> {
  const { out } = await run(["sh", "-c", SCRIPT, String(pid)]);
  const [kib, descriptors] = out.trim().split(/\s+/).map(Number);
  if (!kib || !descriptors) throw new Error(`Cannot tell the figures of process ${pid}`);
  return { memory: kib / 1024, descriptors };
}
