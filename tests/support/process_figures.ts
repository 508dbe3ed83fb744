/** @module Memory and file descriptors of a process, from `/proc` (Linux only). */

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
