/**
 * @module The intake of a thread that has no store: it hands each valid lead to the first thread's.
 *
 * So all leads of a process meet in one place, as they do with a single thread: one client's wait for
 * each other, copies get the same answer, the lead limit is exact also without KV, and a SQLite file
 * has one writer, which is all that it can take.
 */

import { Attempts } from "./attempts.ts";
import { Clients } from "./clients.ts";
import { type Clock, systemClock } from "./clock.ts";
import { Gate } from "./gate.ts";
import type { Outcome } from "./intake.ts";
import type { Leads, LeadSettings } from "./leads.ts";
import { errorName, type Log } from "./log.ts";
import { withMetrics } from "./metrics.ts";
import type { LeadRequest } from "../schemas/lead.ts";

/** One lead on its way to the first thread. */
interface Handed {
  readonly nth: number;
  readonly lead: LeadRequest;
  readonly address: string;
  readonly requestId: string;
}

/** What became of it, and the arrival time of the client's lead limit; or which error it met. */
type Reply =
  & { readonly nth: number }
  & ({ readonly outcome: Outcome; readonly arrival: number } | { readonly error: string });

/** The settings that matter in a thread without a store. */
export type RemoteSettings = Pick<LeadSettings, "leadRateLimit" | "leadAttemptLimit">;

/**
 * @param options.line leads to {@link serveIntake} in the first thread
 * @param options.attempts memory that all threads count in
 */
export function createRemoteLeads(
  settings: RemoteSettings,
  { line, attempts, log, clock = systemClock }: {
    readonly line: MessagePort;
    readonly attempts: SharedArrayBuffer;
    readonly log: Log;
    readonly clock?: Clock;
  },
): Pick<Leads, "intake" | "log"> {
  const gate = new Gate({
    clients: new Clients(),
    attempts: new Attempts(settings.leadAttemptLimit, attempts),
    clock,
    leadLimit: settings.leadRateLimit,
    attemptLimit: settings.leadAttemptLimit,
  });
  const waiting = new Map<number, (reply: Reply) => void>();
  let handed = 0;
  line.onmessage = ({ data }: MessageEvent<Reply>) => {
    waiting.get(data.nth)?.(data);
    waiting.delete(data.nth);
  };

  const submit: Leads["intake"]["submit"] = async (lead, { client, requestId }) => {
    const nth = handed++;
    const answered = new Promise<Reply>((resolve) => waiting.set(nth, resolve));
    line.postMessage({ nth, lead, address: client.address, requestId } satisfies Handed);
    const reply = await answered;
    if ("error" in reply) throw new Error(`Cannot take a lead: ${reply.error}`);
    client.leads = reply.arrival;
    return reply.outcome;
  };
  const intake = {
    client: gate.client.bind(gate),
    attempt: gate.attempt.bind(gate),
    limits: gate.limits.bind(gate),
    submit,
  };
  return { intake, log: withMetrics(log) };
}

/** Takes what another thread hands over. Call it once for each. */
export function serveIntake(
  line: MessagePort,
  leads: () => Promise<Pick<Leads, "intake">>,
): void {
  line.onmessage = async ({ data }: MessageEvent<Handed>) => {
    line.postMessage(await reply(data, leads));
  };
}

async function reply(
  { nth, lead, address, requestId }: Handed,
  leads: () => Promise<Pick<Leads, "intake">>,
): Promise<Reply> {
  try {
    const { intake } = await leads();
    const client = intake.client(address);
    const outcome = await intake.submit(lead, { client, requestId });
    return { nth, outcome, arrival: client.leads };
  } catch (error) {
    return { nth, error: errorName(error) };
  }
}
