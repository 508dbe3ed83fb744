/** @module A real SMTP server on loopback, and the mails that it has taken, read by a real parser. */

import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A mail as it arrived. */
export interface ReceivedMail {
  readonly mail: Email;
  /** The bytes between DATA and the dot. */
  readonly raw: string;
  readonly from: string;
  readonly to: readonly string[];
  /** Whether it came over TLS. */
  readonly secure: boolean;
  readonly user: string | undefined;
  /** What the client has called itself. */
  readonly hello: string;
}

/** A running server. */
export interface SmtpReceiver {
  readonly port: number;
  readonly mails: ReceivedMail[];
}

/** An error that the server turns into this reply. */
export function reply(responseCode: number): Error {
  return Object.assign(new Error("secret words of the server"), { responseCode });
}

/** Runs a test with a server of its own; without options it takes everything, without TLS. */
export async function withSmtpReceiver(
  test: (receiver: SmtpReceiver) => Promise<void>,
  options: SMTPServerOptions = {},
): Promise<void> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.cert === undefined || options.secure ? ["STARTTLS"] : [],
    disableReverseLookup: true,
    closeTimeout: 100,
    onData(stream, session, done) {
      const chunks: Uint8Array[] = [];
      stream.on("data", (chunk: Uint8Array) => chunks.push(chunk));
      stream.on("end", async () => {
        const bytes = await new Blob(chunks as BlobPart[]).arrayBuffer();
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          mail: await PostalMime.parse(bytes),
          raw: new TextDecoder().decode(bytes),
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          secure: session.secure,
          user: session.user,
          hello: session.hostNameAppearsAs,
        });
        done();
      });
    },
    ...options,
  });
  // A client that goes away in the middle is what some tests are about.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await test({ port: (server.server.address() as AddressInfo).port, mails });
  } finally {
    await new Promise<void>((resolve) => server.close(resolve));
  }
}
