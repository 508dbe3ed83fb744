/** @module The answer of the liveness probe (specification §2, Health). */

import { z } from "zod";

/** The service that is up. */
export const Health = z.strictObject({
  ok: z.boolean(),
  name: z.string().meta({ description: "The site's name." }),
  service: z.string().meta({ description: "The service's identifier." }),
  status: z.string().meta({ description: "A status word." }),
}).meta({
  examples: [{ ok: true, name: "Example", service: "example-frontdoor", status: "healthy" }],
});

/** A valid answer of the probe. */
export type Health = z.infer<typeof Health>;
