/**
 * @module Sends each target a test lead from an address under `.invalid`, or only connects to it. Webhooks
 * get the type `lead.test`; mails and messages start with "Test".
 */

import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { type Failure, socketFailure } from "../../leads/delivery/failure.ts";
import type { Target } from "../../leads/delivery/target.ts";
import { createTargets } from "../../leads/delivery/targets.ts";
import { DELIVERY_TIMEOUT_MS } from "../../leads/delivery_worker.ts";
import { TEST_LEADS } from "../../schemas/lead.ts";
import { createLeadIds } from "../../leads/lead_id.ts";
import { type Environment, fail, type Finding, ok, warn } from "./finding.ts";

const CONNECT_TIMEOUT_MS = 5_000;
const PORTS: Readonly<Record<string, number>> = { https: 443, http: 80, smtps: 465, smtp: 587 };

const CREDENTIALS = "the password in LEAD_TARGETS, LEAD_TARGET_HEADERS, or LEAD_WEBHOOK_SECRET";
const ESCAPES = "In a password write # as %23 and $ as %24.";

/** How to fix a failure; the first match applies. */
const FIXES: readonly (readonly [RegExp, string])[] = [
  [/^dns$/, `Correct the host name in LEAD_TARGETS. ${ESCAPES}`],
  [/^tls$/, "Give the receiver a certificate for its name that this machine trusts."],
  [/^http_3/, "Use the final address in LEAD_TARGETS: redirects are not followed."],
  [/^auth$|^http_40[13]$/, `Correct ${CREDENTIALS}. ${ESCAPES}`],
  [/^http_(?:404|405|410)$/, "Correct the path in LEAD_TARGETS."],
  [/^http_4(?!08|25|29)/, "Let the receiver answer 2xx to unknown event types like lead.test."],
  [/^(?:http|smtp)_/, "Check the receiver's log: it responds, but rejects the event."],
  [/./, "Check that the receiver runs, and correct its host and port in LEAD_TARGETS."],
];

export async function checkTargets({ config, variables, send }: Environment): Promise<Finding[]> {
  const { leadTargets: settings, leadWebhookSecrets: secrets } = config;
  if (settings.length === 0) {
    return variables["LEAD_TARGETS"]
      ? [ok("targets", "none: only the production timeline delivers leads")]
      : [warn("targets", "leads are only stored and logged", "Set LEAD_TARGETS.")];
  }
  const targets = await createTargets(settings, { secrets, now: Date.now });
  return await Promise.all(targets.map(async (target, index) => {
    const check = `target ${target.id}`;
    const result = send ? await sendTest(target) : await connectTo(settings[index]!.url);
    if (result !== "ok") {
      const state = send ? "did not accept a test event" : "cannot be reached";
      return fail(check, `${state}: ${result}`, FIXES.find(([word]) => word.test(result))![1]);
    }
    return ok(check, send ? "accepted a test event" : "accepts connections; nothing was sent");
  }));
}

async function sendTest(target: Target): Promise<string> {
  const now = Date.now();
  const { result } = await target.deliver({
    id: createLeadIds()(now),
    receivedAt: now,
    expiresAt: now,
    lead: {
      ...TEST_LEADS.minimal,
      email: "doctor@frontdoor.invalid",
      company: "deno task doctor",
      // With the time, because receivers ignore what they got before.
      message: `This is a test of lead delivery at ${new Date(now).toISOString()}. Do not reply.`,
      locale: "en",
    },
    deliveries: {},
    index: { same: "", email: "" },
  }, AbortSignal.timeout(DELIVERY_TIMEOUT_MS));
  return result;
}

function connectTo({ protocol, hostname, port }: URL): Promise<Failure | "ok"> {
  const scheme = protocol.slice(0, -1).replace(/^slack\+/, "");
  const address = {
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(port) || PORTS[scheme]!,
  };
  return new Promise((resolve) => {
    const isSecure = scheme.endsWith("s");
    const socket = isSecure ? connectTls(address) : connect(address);
    function end(result: Failure | "ok"): void {
      socket.destroy();
      resolve(result);
    }
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => end("timeout"));
    socket.once(isSecure ? "secureConnect" : "connect", () => end("ok"));
    socket.on("error", ({ code }: { code?: string }) => end(socketFailure(code)));
  });
}
