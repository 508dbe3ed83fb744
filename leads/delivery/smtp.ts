/**
 * @module Delivery by mail: SMTP (RFC 5321) by nodemailer, `smtps:` with TLS from the start (RFC 8314),
 * `smtp:` with STARTTLS (RFC 3207) where the server offers it. Certificates are always verified.
 *
 * `smtp://user:password@host:port?from=ADDRESS&to=ADDRESS,ADDRESS`; without a port 587 and 465. A
 * password travels encrypted or not at all, except to this machine itself. With several recipients a
 * mail counts as delivered when the server has taken it for one: another try would reach them twice.
 *
 * Needs `--allow-net` alone. The connection is opened here because nodemailer's own way would ask
 * for the machine's network interfaces and put its own name server queries in place of the system's.
 */

import type { Socket } from "node:net";
import { lazy } from "../../schemas/lazy.ts";
import { isEmail } from "../../schemas/values.ts";
import type { DeliveryOutcome } from "../retry.ts";
import { socketFailure } from "./failure.ts";
import { type Correspondents, domainOf, mailOf } from "./mail.ts";
import { credentialsOf, targetId, type TargetKind } from "./target.ts";

interface Settings extends Correspondents {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | undefined;
}

/** What nodemailer's errors hold beside their text, which may quote the server. */
interface MailError {
  readonly code?: unknown;
  /** The system's code, where nodemailer has put its own in `code`. */
  readonly originalCode?: unknown;
  readonly responseCode?: unknown;
  readonly command?: unknown;
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "::1"]);

/** Answers to these are about the mail; to any other, about the connection. */
const ABOUT_THE_MAIL: readonly unknown[] = ["MAIL FROM", "RCPT TO", "DATA"];

/**
 * RFC 4954: the password is missing, wrong or not to be sent like this; RFC 5321: a command out of
 * turn. The operator can mend these, and a lead must not die of them.
 */
const NOT_LOGGED_IN = new Set([530, 534, 535, 538]);
const OUT_OF_TURN = 503;

/** `smtp://…` and `smtps://…`. */
export const smtp: TargetKind = {
  schemes: ["smtps", "smtp"],
  fault(url) {
    const settings = settingsOf(url);
    return typeof settings === "string" ? settings : undefined;
  },
  async create(url) {
    const settings = settingsOf(url);
    if (typeof settings === "string") throw new Error(`Cannot send mail: the URL ${settings}`);
    return {
      id: await targetId("smtp", url),
      async deliver(record, signal) {
        try {
          const mail = mailOf(record, settings);
          const transport = await transportFor(settings, signal);
          await transport.sendMail({ ...mail, signal });
          return { result: "ok" };
        } catch (error) {
          return outcomeOf(error as MailError, signal);
        }
      },
    };
  },
};

/** What the URL says, or what is wrong with it. */
function settingsOf(url: URL): Settings | string {
  if (url.hostname === "") return "must name a host";
  const credentials = credentialsOf(url);
  if (credentials === undefined) return "must have user and password percent-encoded (% as %25)";
  const { user, password } = credentials;
  if ((user === "") !== (password === "")) {
    return "must have both a user and a password, or neither";
  }
  // What is no plain address cannot slip into a header or a command either.
  const { from, to, ...others } = parametersOf(url);
  if (Object.keys(others).length > 0) return "must have no other parameters than from and to";
  if (from === undefined || !isEmail(from)) return "must have from=ADDRESS, a plain one";
  const recipients = to?.split(",") ?? [];
  if (recipients.length === 0 || !recipients.every((address) => isEmail(address))) {
    return "must have to=ADDRESS, a plain one, or several with commas between";
  }
  const secure = url.protocol === "smtps:";
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    auth: user === "" ? undefined : { user, pass: password },
    from,
    to: recipients,
  };
}

/** Parameters by name; one that is repeated is one with commas. */
function parametersOf({ searchParams }: URL): Record<string, string> {
  return Object.fromEntries(
    [...searchParams.keys()].map((name) => {
      const value = searchParams.getAll(name).join(",").trim().replace(/\s*,\s*/g, ",");
      // As in mailto (RFC 6068) a plus is a plus: no address that is taken here holds a blank.
      return [name, value.replaceAll(" ", "+")];
    }),
  );
}

const nodemailer = lazy(() => import("nodemailer"));

async function transportFor({ host, port, secure, auth, from }: Settings, signal: AbortSignal) {
  const { createTransport } = await nodemailer();
  return createTransport({
    host,
    port,
    secure,
    ...(auth === undefined ? {} : { auth }),
    requireTLS: !secure && auth !== undefined && !LOOPBACK.has(host),
    name: domainOf(from),
    // An abort ends the connection at once instead of waiting for the server to end it too.
    socketCloseTimeout: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket(
      _options: unknown,
      done: (error: Error | null, socket?: { connection: Socket }) => void,
    ) {
      open({ host, port }, signal).then(
        (connection) => done(null, { connection }),
        (error) => done(error),
      );
    },
  });
}

async function open(
  address: { readonly host: string; readonly port: number },
  signal: AbortSignal,
): Promise<Socket> {
  const { connect } = await import("node:net");
  const { once } = (await import("node:events")).default;
  signal.throwIfAborted();
  const socket = connect(address);
  try {
    await once(socket, "connect", { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function outcomeOf(
  { code, originalCode, responseCode, command }: MailError,
  signal: AbortSignal,
): DeliveryOutcome {
  if (signal.aborted) return { result: "timeout" };
  const status = Number(responseCode);
  if (code === "EAUTH" || NOT_LOGGED_IN.has(status)) return { result: "auth" };
  // A server without STARTTLS refuses it by number; what is not a mail server may send any number.
  if (code === "ETLS" || !(status >= 400 && status <= 599)) {
    return { result: socketFailure(originalCode ?? code) };
  }
  return {
    result: `smtp_${status}`,
    permanent: status >= 500 && status !== OUT_OF_TURN && ABOUT_THE_MAIL.includes(command),
  };
}
