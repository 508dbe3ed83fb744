/** @module Receivers that fail, each in its own way. */

import { makeCertificate } from "./certificate.ts";
import { type Behaviour, withRawReceiver } from "./raw_receiver.ts";
import { type Answer, withReceiver } from "./receiver.ts";

export interface FaultyReceiver {
  readonly url: string;
  /** The number of requests, or of connections of a {@link raw} receiver. */
  calls(): number;
}

type Test = (receiver: FaultyReceiver) => Promise<void>;

export type Receiving = (test: Test) => Promise<void>;

/** Must never be printed. */
const SECRET_PATH = "/secret-path";

function http(answer: Answer): Receiving {
  return (test) =>
    withReceiver(
      ({ url, received }) => test({ url: url + SECRET_PATH, calls: () => received.length }),
      answer,
    );
}

export function answering(status: number, headers: Record<string, string> = {}): Receiving {
  return http(() => new Response(null, { status, headers }));
}

/** 16 MiB of zeros in brotli: the first such block, and each further one. */
const [FIRST_ZEROS, MORE_ZEROS] = [
  "cbffff3f002400e2b14072effff8ffff078004401c1680eefd9f01",
  "fcffff034002200e0b40f7fe8fffff7f004800c46101e8deff19",
] as const;

/** A response body of 8 KB that inflates to 5 GB, for 20 s. */
export function inflating(status: number): Receiving {
  const body = Uint8Array.fromHex(`${FIRST_ZEROS}${MORE_ZEROS.repeat(300)}03`);
  return http(() => new Response(body, { status, headers: { "content-encoding": "br" } }));
}

/** Not a proper HTTP server; silent by default. */
export function raw(behaviour?: Behaviour, scheme = "http"): Receiving {
  return (test) =>
    withRawReceiver((server) => {
      const url = `${scheme}://127.0.0.1:${server.port}${SECRET_PATH}`;
      return test({ url, calls: () => server.opened });
    }, behaviour);
}

export function nobody(url: string): Receiving {
  return (test) => test({ url: url + SECRET_PATH, calls: () => 0 });
}

export async function selfSigned(test: Test): Promise<void> {
  const { cert, key } = makeCertificate();
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, cert, key, onListen() {} },
    () => new Response(),
  );
  await test({ url: `https://localhost:${server.addr.port}${SECRET_PATH}`, calls: () => 0 });
}
