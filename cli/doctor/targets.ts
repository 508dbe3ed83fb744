/**
 * @module Each target: a test event, sent the very way that leads go, or a connection and nothing
 * else. The event is a test lead (an address under `.invalid`): webhooks get it as `lead.test`, mails
 * and messages begin with the word.
 */

import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Clock } from "../../leads/clock.ts";
import { DELIVERY_TIMEOUT_MS } from "../../leads/delivery_worker.ts";
import { type Failure, socketFailure } from "../../leads/delivery/failure.ts";
import { createTargets } from "../../leads/delivery/targets.ts";
import type { LeadRecord } from "../../leads/lead.ts";
import { createLeadIds } from "../../leads/lead_id.ts";
import { type Address, addressOf } from "./address.ts";
import { type Check, type Environment, fail, type Finding, ok, timeLimit, warn } from "./check.ts";

const CONNECT_TIMEOUT_MS = 5_000;

/** Every target, all at once. */
export const targets: Check = {
  name: "targets",
  requires: ["LEAD_TARGETS", "LEAD_WEBHOOK_SECRET"],
  async run(environment) {
    const { config, variables } = environment;
    if (config.leadTargets.length > 0) {
      return await Promise.all(config.leadTargets.map((url) => examine(url, environment)));
    }
    if (variables["LEAD_TARGETS"]) {
      return [ok("targets", "none here: only the production timeline delivers leads")];
    }
    return [warn(
      "targets",
      "leads go nowhere: they are stored and logged",
      "Set LEAD_TARGETS to a webhook, a mailbox or a channel.",
    )];
  },
};

async function examine(
  url: URL,
  { config, send, clock }: Environment,
): Promise<Finding> {
  const options = { secrets: config.leadWebhookSecrets, now: clock.now };
  const [target] = await createTargets([url], options);
  const { id } = target!;
  if (!send) return await reach(id, { address: addressOf(url), clock });
  const { signal, clear } = timeLimit(DELIVERY_TIMEOUT_MS, clock);
  try {
    const { result } = await target!.deliver(testRecord(clock.now()), signal);
    return result === "ok"
      ? ok(id, "took a test event")
      : fail(id, `did not take a test event: ${result}`, fixFor(result));
  } finally {
    clear();
  }
}

function testRecord(now: number): LeadRecord {
  return {
    id: createLeadIds()(now),
    receivedAt: now,
    expiresAt: now,
    lead: {
      email: "doctor@frontdoor.invalid",
      company: "deno task doctor",
      message: "This is a test of the way that leads take. Nobody has written, nobody waits.",
      locale: "en",
    },
    deliveries: {},
    index: { same: "", email: "" },
  };
}

async function reach(
  id: string,
  { address, clock }: { readonly address: Address | undefined; readonly clock: Clock },
): Promise<Finding> {
  if (address === undefined) return warn(id, "not tried", "Run the doctor without --no-send.");
  const failure = await connectionFailure(address, clock);
  return failure === undefined
    ? ok(id, `accepts ${address.secure ? "TLS " : ""}connections; nothing was sent`)
    : fail(id, `cannot be connected to: ${failure}`, fixFor(failure));
}

function connectionFailure(
  { hostname, port, secure }: Address,
  clock: Clock,
): Promise<Failure | undefined> {
  return new Promise((resolve) => {
    const socket = secure
      ? connectTls({ host: hostname, port })
      : connect({ host: hostname, port });
    function end(failure?: Failure): void {
      cancel();
      socket.destroy();
      resolve(failure);
    }
    const cancel = clock.after(CONNECT_TIMEOUT_MS, () => end("timeout"));
    socket.once(secure ? "secureConnect" : "connect", () => end());
    socket.on("error", ({ code }: { code?: string }) => end(socketFailure(code)));
  });
}

/** What to do, by the word for what went wrong; the first that fits. */
const FIXES: readonly (readonly [RegExp, string])[] = [
  [/^refused$/, "Start the receiver, or correct host and port in LEAD_TARGETS."],
  [/^dns$/, "Correct the host name in LEAD_TARGETS: nobody knows it."],
  [
    /^tls$/,
    "Give the receiver a certificate that this machine trusts, for the name in LEAD_TARGETS.",
  ],
  [/^timeout$/, "See why the receiver does not answer in time; a firewall drops without a word."],
  [/^unreachable$/, "See that the receiver runs and speaks the protocol that LEAD_TARGETS names."],
  [/^auth$/, "Correct user and password in LEAD_TARGETS, and see that the server offers TLS."],
  [/^http_3/, "Name the final address in LEAD_TARGETS: redirects are not followed."],
  [
    /^http_40[13]$/,
    "See that LEAD_WEBHOOK_SECRET is the receiver's, and that the credentials in LEAD_TARGETS hold.",
  ],
  [/^http_(?:408|425|429)$/, "Try again later: the receiver asks for patience."],
  [/^http_(?:404|405|410)$/, "Correct the path in LEAD_TARGETS: nothing takes events there."],
  [
    /^http_4/,
    "Let the receiver answer 2xx to event types that it does not know, such as lead.test.",
  ],
  [/^http_/, "See what is wrong at the receiver: it is there, but does not take events now."],
  [/^smtp_4/, "Try again later: the mail server asks for patience."],
  [/^smtp_/, "See that the mail server takes mail from and to the addresses in LEAD_TARGETS."],
];

function fixFor(result: string): string {
  return FIXES.find(([pattern]) => pattern.test(result))?.[1] ?? "See the receiver's own log.";
}
