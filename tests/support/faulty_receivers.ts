/** @module Receivers that fail, each in its own way, for the time of a test. */

import { makeCertificate } from "./certificate.ts";
import { type Behaviour, withRawReceiver } from "./raw_receiver.ts";
import { withReceiver } from "./receiver.ts";

/** A receiver as a test has it. */
export interface FaultyReceiver {
  readonly url: string;
  /** How many requests it has had, or connections where it takes no requests. */
  calls(): number;
}

type Test = (receiver: FaultyReceiver) => Promise<void>;

/** Runs a test with a receiver of its own. */
export type Receiving = (test: Test) => Promise<void>;

/** Answers with this status and these fields. */
export function answering(status: number, headers: Record<string, string> = {}): Receiving {
  return (test) =>
    withReceiver(
      ({ url, received }) => test({ url: secretPath(url), calls: () => received.length }),
      () => new Response(null, { status, headers }),
    );
}

/** A body that begins and never ends. */
export function endless(status: number): Receiving {
  const body = () => new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(1024)) });
  return (test) =>
    withReceiver(
      ({ url, received }) => test({ url: secretPath(url), calls: () => received.length }),
      () => new Response(body(), { status }),
    );
}

/** Speaks no HTTP, or too little of it; says nothing by default. */
export function raw(behaviour?: Behaviour, scheme = "http"): Receiving {
  return (test) =>
    withRawReceiver(
      (server) => {
        const url = secretPath(`${scheme}://127.0.0.1:${server.port}`);
        return test({ url, calls: () => server.opened });
      },
      behaviour,
    );
}

/** There is none. */
export function nobody(url: string): Receiving {
  return (test) => test({ url: secretPath(url), calls: () => 0 });
}

/** An https server whose certificate nobody vouches for. */
export async function selfSigned(test: Test): Promise<void> {
  const { cert, key } = makeCertificate();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, cert, key, onListen() {} },
    () => new Response(),
  );
  try {
    const url = secretPath(`https://localhost:${server.addr.port}`);
    await test({ url, calls: () => 0 });
  } finally {
    await server.shutdown();
  }
}

/** What must not be told to anybody. */
function secretPath(url: string): string {
  return `${url}/secret-path`;
}
