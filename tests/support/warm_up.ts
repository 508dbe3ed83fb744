/** @module Ordinary traffic before memory is measured, so that one-time allocations do not count. */

import { leadRequest, RawClient } from "./raw_client.ts";
import { LEAD } from "./test_app.ts";

const CONNECTIONS = 8;
const REQUESTS_EACH = 1_000;

export async function warmUp(port: number): Promise<void> {
  await Promise.all(Array.from({ length: CONNECTIONS }, async (_, connection) => {
    const client = await RawClient.connect(port);
    for (let n = 0; n < REQUESTS_EACH; n++) await client.ask(requestOf(connection, n));
    client.close();
  }));
}

function requestOf(connection: number, n: number): string {
  const company = `Warm-up ${connection}, ${n}`;
  const address = `192.0.${connection}.${n % 256}`;
  switch (n % 4) {
    case 0:
      return leadRequest(JSON.stringify({ ...LEAD, email: "warm@up.invalid", company }), address);
    case 1:
      return leadRequest(JSON.stringify({ company }), address);
    case 2:
      return "GET /docs HTTP/1.1\r\nHost: x\r\n\r\n";
    default:
      return "GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n";
  }
}
