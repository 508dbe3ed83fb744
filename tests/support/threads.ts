/** @module What Linux knows of a process's threads and sockets, without asking the process. */

import { run } from "./command.ts";

/** How many sockets listen at a port of 127.0.0.1. */
export async function listeners(port: number): Promise<number> {
  const address = `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const LISTENING = "0A";
  return (await linesOf("cat /proc/net/tcp"))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local === address && state === LISTENING).length;
}

/** Milliseconds of processor time so far: of the process's own thread and of all that it started. */
export async function cpuTimes(pid: number): Promise<{ main: number; worker: number }> {
  const times = { main: 0, worker: 0 };
  const ask = `cd /proc/${pid}/task; for t in *; do echo $t $(cat $t/schedstat $t/comm); done`;
  for (const line of await linesOf(ask)) {
    const [id, nanoseconds, , , name] = line.split(" ");
    if (id === String(pid)) times.main += Number(nanoseconds) / 1e6;
    else if (name?.startsWith("worker-")) times.worker += Number(nanoseconds) / 1e6;
  }
  return times;
}

/** By a shell: Deno itself reads below /proc only where everything is allowed. */
async function linesOf(command: string): Promise<string[]> {
  const { code, out } = await run(["sh", "-c", command]);
  if (code !== 0) throw new Error(`Cannot run ${command}`);
  return out.split("\n");
}
