/** @module Many clients that send distinct leads as long as the service is up, and keep every answer. */

import { pause } from "../support/until.ts";

/** A status, or `lost` where the connection ended before one arrived. */
export type Answer = number | "lost";

/** One lead and what its sender was told, try by try. */
export interface Sent {
  readonly lead: { readonly email: string; readonly company: string; readonly message: string };
  readonly answers: readonly Answer[];
}

/** The clients. */
export interface Senders {
  readonly sent: readonly Sent[];
  /** Lets them send to a service. */
  resume(url: string): void;
  /** They send nothing new; what is under way goes on. */
  hold(): void;
  /** Sends what is to be sent again, then ends; resolves when all have ended. */
  finish(): Promise<void>;
  /** Called with each answer. */
  onAnswer: (answer: Answer) => void;
}

const CLIENTS = 16;
const LONGEST_PAUSE_MS = 120;
/** Of those that heard nothing, or 502, so many send the same lead again. */
const SENT_AGAIN = 0.5;

/** Starts the clients; they wait until they are let. */
export function startSenders(random: () => number): Senders {
  const sent: { lead: Sent["lead"]; answers: Answer[] }[] = [];
  let up = Promise.withResolvers<string>();
  let ended = false;

  async function send(entry: typeof sent[number], { url, n }: { url: string; n: number }) {
    let answer: Answer = "lost";
    try {
      const response = await fetch(`${url}/api/lead`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          // Distinct clients, so that no limit is met.
          "x-forwarded-for": `10.${n >> 16 & 255}.${n >> 8 & 255}.${n & 255}`,
        },
        body: JSON.stringify({ ...entry.lead, locale: "en" }),
      });
      answer = response.status; // told, even if the rest gets lost
      await response.body?.cancel();
    } catch {
      // Killed meanwhile.
    }
    entry.answers.push(answer);
    senders.onAnswer(answer);
    return answer;
  }

  async function client(): Promise<void> {
    let again: typeof sent[number] | undefined;
    while (true) {
      const url = await up.promise;
      if (ended && again === undefined) return;
      const n = sent.length;
      const entry = again ?? {
        lead: { email: `lead-${n}@example.com`, company: `Company ${n}`, message: `Message ${n}` },
        answers: [],
      };
      if (again === undefined) sent.push(entry);
      const answer = await send(entry, { url, n });
      again = answer !== 200 && random() < SENT_AGAIN ? entry : undefined;
      if (!ended) await pause(LONGEST_PAUSE_MS * random());
    }
  }

  const clients = Array.from({ length: CLIENTS }, client);
  const senders: Senders = {
    sent,
    resume: (url) => up.resolve(url),
    hold() {
      up = Promise.withResolvers();
    },
    async finish() {
      ended = true;
      await Promise.all(clients);
    },
    onAnswer: () => {},
  };
  return senders;
}
