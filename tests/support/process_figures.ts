/** @module Memory, file descriptors and processor time of a process, from `/proc` (Linux only). */

import { run } from "./command.ts";

export interface ProcessFigures {
  /** Resident memory, in MiB. */
  readonly memory: number;
  readonly descriptors: number;
}

/** A shell, because Deno reads `/proc` only with all permissions. */
const SCRIPT = `awk '/^VmRSS:/ { print $2 }' "/proc/$0/status" && ls "/proc/$0/fd" | wc -l`;

export async function figuresOf(pid: number): Promise<ProcessFigures> {
  const { out } = await run(["sh", "-c", SCRIPT, String(pid)]);
  const [kib, descriptors] = out.trim().split(/\s+/).map(Number);
  if (!kib || !descriptors) throw new Error(`Cannot read the figures of process ${pid}`);
  return { memory: kib / 1024, descriptors };
}

/** What all its threads have taken as user and as system, in steps of 10 ms: 0 at first. */
export async function processorMs(pid: number): Promise<number> {
  const args = ["{ print ($14 + $15) * 10 }", `/proc/${pid}/stat`];
  const { code, out, err } = await run(["awk", ...args]);
  if (code !== 0) throw new Error(`Cannot read the processor time of process ${pid}: ${err}`);
  return Number(out);
}
