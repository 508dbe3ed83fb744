/** @module The answer of the liveness probe (specification §2, Health). */

import type { Schema, TypeOf } from "./schema.ts";

/** Who is up. */
export const Health = {
  type: "object",
  properties: {
    ok: { type: "boolean" },
    name: { type: "string", description: "The site's name." },
    service: { type: "string", description: "The service's identifier." },
    status: { type: "string", description: "A status word." },
  },
  required: ["ok", "name", "service", "status"],
  additionalProperties: false,
  examples: [{ ok: true, name: "Example", service: "example-frontdoor", status: "healthy" }],
} as const satisfies Schema;

/** An answer of the probe that is valid. */
export type Health = TypeOf<typeof Health>;
