/** @module An SMTP server on loopback that parses the mails it receives. */

import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export interface ReceivedMail {
  readonly mail: Email;
  readonly raw: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly secure: boolean;
  readonly user: string | undefined;
  /** The client's name in EHLO. */
  readonly hello: string;
}

export interface SmtpReceiver {
  readonly port: number;
  readonly mails: ReceivedMail[];
}

export function reply(responseCode: number): Error {
  return Object.assign(new Error("secret words of the server"), { responseCode });
}

/** By default the server accepts every mail, without TLS. */
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
  // Some clients disconnect in the middle.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await test({ port: (server.server.address() as AddressInfo).port, mails });
  } finally {
    await new Promise<void>((resolve) => server.close(resolve));
  }
}
