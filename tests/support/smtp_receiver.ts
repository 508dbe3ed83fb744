/** @module An SMTP server on loopback that parses the mails it receives. */

import type { AddressInfo } from "node:net";
import PostalMime from "postal-mime";
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server";

/** A mail, with its envelope and the client's name in EHLO. */
type ReceivedMail = Awaited<ReturnType<typeof received>>;

export function reply(responseCode: number): Error {
  return Object.assign(new Error("secret words of the server"), { responseCode });
}

export async function withSmtpReceiver(
  test: (receiver: { port: number; mails: ReceivedMail[] }) => Promise<void>,
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
        mails.push(await received(chunks, session));
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

async function received(chunks: Uint8Array[], session: SMTPServerSession) {
  const bytes = await new Blob(chunks as BlobPart[]).arrayBuffer();
  const { envelope: { mailFrom, rcptTo }, secure, user } = session;
  return {
    mail: await PostalMime.parse(bytes),
    raw: new TextDecoder().decode(bytes),
    from: mailFrom === false ? "" : mailFrom.address,
    to: rcptTo.map(({ address }) => address),
    secure,
    user,
    hello: session.hostNameAppearsAs,
  };
}
