/**
 * @module Delivery by mail: SMTP (RFC 5321) by nodemailer, `smtps:` with TLS from the start (RFC 8314),
 * `smtp:` with STARTTLS (RFC 3207) if the server offers it. Certificates are always verified.
 *
 * `smtp://user:password@host:port?from=ADDRESS&to=ADDRESS,ADDRESS`; the default ports are 587 and 465. A
 * password is never sent unencrypted, except to this machine. A mail is delivered if the server accepts
 * it for one recipient: a retry would reach that one twice.
 *
 * The socket is opened here because nodemailer would need the permission for network interfaces and
 * resolve names by its own DNS queries.
 */

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { SendMailOptions } from "nodemailer";
import { lazy } from "../../lib/lazy.ts";
import { isEmail } from "../../schemas/email.ts";
import type { DeliveryOutcome } from "../retry.ts";
import { socketFailure } from "./failure.ts";
import { AUTOMATIC, mailOf } from "./mail.ts";
import { credentialsOf, type TargetKind } from "./target.ts";

interface Settings {
  /** Sender and recipients as plain addresses. */
  readonly from: string;
  readonly to: readonly string[];
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | undefined;
}

/** An error of nodemailer. Its text may quote the server; `originalCode` is the system's code. */
type MailError = Partial<Record<"code" | "originalCode" | "responseCode" | "command", unknown>>;

const LOOPBACK = new Set(["localhost", "127.0.0.1", "::1"]);

/** Replies to these commands concern the mail, others the connection. */
const ABOUT_THE_MAIL: readonly unknown[] = ["MAIL FROM", "RCPT TO", "DATA"];

/** Authentication failures (RFC 4954) and a bad sequence of commands: retried, for operators fix them. */
const AUTH_FAILURES = new Set([530, 534, 535, 538]);
const BAD_SEQUENCE = 503;

export const smtp: TargetKind = {
  schemes: ["smtps", "smtp"],
  problem(url) {
    const settings = settingsOf(url);
    return typeof settings === "string" ? settings : undefined;
  },
  create({ url }) {
    const settings = settingsOf(url) as Settings; // the URL has no problem
    async function send(mail: SendMailOptions, signal: AbortSignal): Promise<DeliveryOutcome> {
      try {
        const transport = await transportFor(settings, signal);
        const { from, to } = settings;
        const envelope = { from, to: [...to] };
        await transport.sendMail({ ...mail, ...envelope, envelope, signal });
        return { result: "ok" };
      } catch (error) {
        return outcomeOf(error as MailError, signal);
      }
    }
    return {
      deliver: (record, signal) => send(mailOf(record, domainOf(settings.from)), signal),
      notify: ({ subject, text }, signal) => send({ subject, text, headers: AUTOMATIC }, signal),
    };
  },
};

/** The settings of the URL, or its problem. */
function settingsOf(url: URL): Settings | string {
  if (url.hostname === "") return "must name a host";
  const { user, password } = credentialsOf(url)!;
  if ((user === "") !== (password === "")) {
    return "must have both a user and a password, or neither";
  }
  // Only plain addresses, so that nothing else gets into a header or a command.
  const { from, to, ...others } = parametersOf(url);
  if (Object.keys(others).length > 0) return "must have no other parameters than from and to";
  if (from === undefined || !isEmail(from)) return "must have from=ADDRESS, a plain one";
  const recipients = to?.split(",") ?? [""];
  if (!recipients.every((address) => isEmail(address))) {
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

/** Parameters by name; the values of repeated ones are joined with commas. */
function parametersOf({ searchParams }: URL): Record<string, string> {
  return Object.fromEntries([...searchParams.keys()].map((name) => {
    const value = searchParams.getAll(name).join(",").trim().replace(/\s*,\s*/g, ",");
    return [name, value.replaceAll(" ", "+")]; // as in mailto (RFC 6068), a plus is a plus
  }));
}

const nodemailer = lazy(() => import("nodemailer")); // 22 ms

async function transportFor(settings: Settings, signal: AbortSignal) {
  const { host, port, secure, auth, from } = settings;
  const { createTransport } = await nodemailer();
  return createTransport({
    host,
    port,
    secure,
    ...(auth === undefined ? {} : { auth }),
    requireTLS: !secure && auth !== undefined && !LOOPBACK.has(host),
    name: domainOf(from),
    // An abort closes the connection without waiting for the server.
    socketCloseTimeout: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket(_options: unknown, done: (error: Error | null, socket?: object) => void) {
      open(settings, signal).then((connection) => done(null, { connection }), done);
    },
  });
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}

async function open({ host, port }: Settings, signal: AbortSignal): Promise<Socket> {
  signal.throwIfAborted();
  const socket = connect({ host, port });
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
  if (code === "EAUTH" || AUTH_FAILURES.has(status)) return { result: "auth" };
  // A server without STARTTLS replies with a status; something else may send any number.
  if (code === "ETLS" || !(status >= 400 && status <= 599)) {
    return { result: socketFailure(originalCode ?? code) };
  }
  return {
    result: `smtp_${status}`,
    permanent: status >= 500 && status !== BAD_SEQUENCE && ABOUT_THE_MAIL.includes(command),
  };
}
