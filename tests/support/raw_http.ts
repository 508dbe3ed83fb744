/** @module HTTP/1.1 requests with raw responses: `fetch` would decode the body and add headers. */

import { request as open } from "node:http";

export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export function ask(port: number, request: RawRequest): Promise<RawAnswer> {
  const { method = "GET", path, headers, body } = request;
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const outgoing = open({ host: "127.0.0.1", port, path, method, headers: { ...headers } });
  outgoing.on("response", (answer) => {
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    answer.on("data", (chunk) => chunks.push(chunk));
    answer.on("error", reject);
    answer.on("end", async () => {
      const fields = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
      const bytes = await new Blob(chunks).bytes();
      resolve({ status: answer.statusCode!, headers: Object.fromEntries(fields), body: bytes });
    });
  });
  outgoing.on("error", reject);
  outgoing.end(body);
  return promise;
}
