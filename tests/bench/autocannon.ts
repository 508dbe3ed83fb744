/**
 * @module Load by autocannon, where there is no wrk: takes a `LoadOrder` as JSON on standard input,
 * sends for `ms`, and prints what it has counted, as the script in `lua.ts` does.
 */

import autocannon from "autocannon";
import { filled, isVaried, type LoadOrder } from "./placeholders.ts";

const { port, requests, connections, firstNumber, ms }: LoadOrder & { ms: number } =
  await new Response(
    Deno.stdin.readable,
  ).json();
let n = firstNumber;
const began = performance.now();
autocannon({
  url: `http://127.0.0.1:${port}`,
  connections,
  duration: ms / 1_000,
  requests: requests.map((request) => ({
    ...request,
    ...(isVaried(request)
      ? { setupRequest: (sent: object) => ({ ...sent, ...filled(request, n++) }) }
      : {}),
  })),
}, (error: Error | null, result: Record<string, never>) => {
  if (error !== null) throw error;
  const found = result as unknown as {
    errors: number;
    timeouts: number;
    requests: { total: number };
    throughput: { total: number };
    "4xx": number;
    "5xx": number;
  };
  // deno-lint-ignore no-console -- what its parent reads
  console.log(`counted ${
    JSON.stringify({
      micros: Math.round((performance.now() - began) * 1_000),
      requests: found.requests.total,
      bytes: found.throughput.total,
      refused: found["4xx"] + found["5xx"],
      failed: found.errors + found.timeouts,
    })
  }`);
  Deno.exit(0);
});
