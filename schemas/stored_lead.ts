/** @module The stored form of a lead, as far as the code relies on it: a bad disk can change any of it. */

import { z } from "zod";

/** What `Date` can represent. */
const time = z.number().min(-8.64e15).max(8.64e15);

/** If it is damaged, opening it finds out. */
const sealed = z.object({ key: z.string(), nonce: z.unknown(), data: z.unknown() });

/** Looser than LeadRequest, whose fields and rules may have been others when the lead was stored. */
const content = z.object({ email: z.string(), locale: z.string() }).catchall(z.string().optional());

const delivery = z.object({
  state: z.enum(["waiting", "delivered", "dead"]),
  due: time,
  leased: z.literal(true).optional(),
  attempts: z.array(z.object({ at: time, durationMs: time, result: z.string() })),
  omitted: time.optional(),
  earlier: time.optional(),
});

export const StoredLeadShape = z.object({
  id: z.string(),
  receivedAt: time,
  expiresAt: time,
  content: z.union([sealed, content]),
  choices: z.string().optional(),
  deliveries: z.record(z.string(), delivery),
  index: z.object({ same: z.string(), email: z.string() }),
});
