/**
 * @module A server that does nothing but read bodies as the service does, with a deadline short enough
 * to be met thousands of times in a test. A program of its own: what is measured is its memory.
 */

import { LEAD_BODY, readBounded } from "../../routes/http/bounded_body.ts";

const BOUNDS = { ...LEAD_BODY, deadlineMs: 100 };

Deno.serve(
  { hostname: "127.0.0.1", port: Number(Deno.args[0]), onListen() {} },
  async (request) => {
    const body = await readBounded(request, BOUNDS);
    return new Response(null, { status: body === "too_slow" ? 400 : 200 });
  },
);
