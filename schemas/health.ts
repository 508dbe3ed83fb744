/** @module The answer of the liveness probe (specification §2, Health). */

import { z } from "zod";

/** Who is up. */
export const Health = z.strictObject({
  ok: z.boolean(),
  name: z.string().meta({ description: "The site's name." }),
  service: z.string().meta({ description: "The service's identifier." }),
  status: z.string().meta({ description: "A status word." }),
}).meta({
  id: "Health",
  examples: [{ ok: true, name: "Example", service: "example-frontdoor", status: "healthy" }],
});

/** An answer of the probe that is valid. */
export type Health = z.infer<typeof Health>;
