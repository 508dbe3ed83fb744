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
import { Gate, type GateDeps, type Sender } from "./gate.ts";
import type { Intake, Outcome } from "./intake.ts";
import type { Leads, LeadSettings } from "./leads.ts";
import { errorName, type Log } from "./log.ts";
import { loadMetrics } from "./telemetry.ts";
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

/** An intake that knows its clients and their limits, and has their leads taken elsewhere. */
class RemoteIntake extends Gate implements Pick<Intake, "submit"> {
  readonly #line: MessagePort;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #handed = 0;

  constructor(line: MessagePort, deps: GateDeps) {
    super(deps);
    this.#line = line;
    line.onmessage = ({ data }: MessageEvent<Reply>) => {
      this.#waiting.get(data.nth)?.(data);
      this.#waiting.delete(data.nth);
    };
  }

  /** As {@link Intake.submit}. @throws {Error} where the first thread met one; names its class alone */
  async submit(
    lead: LeadRequest,
    { sender, requestId }: { readonly sender: Sender; readonly requestId: string },
  ): Promise<Outcome> {
    if (this.isOut(sender)) return { kind: "limited" };
    const nth = this.#handed++;
    const answered = new Promise<Reply>((resolve) => this.#waiting.set(nth, resolve));
    this.#line.postMessage({ nth, lead, address: sender.address, requestId } satisfies Handed);
    const reply = await answered;
    if ("error" in reply) throw new Error(`Cannot take a lead: ${reply.error}`);
    this.clientOf(sender).leads = reply.arrival;
    return reply.outcome;
  }
}

/** The settings that matter in a thread without a store. */
export type RemoteSettings = Pick<LeadSettings, "leadRateLimit" | "leadAttemptLimit">;

/**
 * The leads of a thread without a store.
 *
 * @param options.line leads to {@link serveIntake} in the first thread
 * @param options.attempts memory that all threads count in
 */
export async function createRemoteLeads(
  settings: RemoteSettings,
  { line, attempts, log, clock = systemClock }: {
    readonly line: MessagePort;
    readonly attempts: SharedArrayBuffer;
    readonly log: Log;
    readonly clock?: Clock;
  },
): Promise<Pick<Leads, "intake" | "log">> {
  const metrics = await loadMetrics();
  const intake = new RemoteIntake(line, {
    clients: new Clients(),
    attempts: new Attempts(settings.leadAttemptLimit, attempts),
    clock,
    leadLimit: settings.leadRateLimit,
    attemptLimit: settings.leadAttemptLimit,
  });
  return { intake, log: metrics?.withMetrics(log) ?? log };
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
    const sender = intake.sender(address);
    const outcome = await intake.submit(lead, { sender, requestId });
    return { nth, outcome, arrival: intake.leadArrival(sender) };
  } catch (error) {
    return { nth, error: errorName(error) };
  }
}
