/** @module The CPU time of a process, as Linux tells it. Where there is no `/proc` it is undefined. */

import { run } from "../support/command.ts";

/** Linux counts CPU time in hundredths of a second, for every program (USER_HZ). */
const TICK_MS = 10;

/** Milliseconds of CPU that a process has used, all threads together. */
export async function cpuMs(pid: number): Promise<number | undefined> {
  const stat = await read(`/proc/${pid}/stat`);
  // The second field, in parentheses, may hold anything; utime and stime are the 14th and the 15th.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields && (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** By `cat`, because Deno lets a program look into /proc only if it may do everything. */
async function read(path: string): Promise<string | undefined> {
  try {
    const { code, out } = await run(["cat", path]);
    return code === 0 ? out : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined; // no cat, no /proc
    throw error;
  }
}
