/**
 * @module One HTTP/1.1 request on a connection of its own, and the answer exactly as it was sent:
 * `fetch` would decode the body and add request headers.
 */

/** What is asked. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case, in the order in which they were sent. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array<ArrayBuffer>;
}

/** @throws {Error} if nobody listens or what comes is not HTTP/1.1 */
export async function ask(port: number, request: RawRequest): Promise<RawAnswer> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const headers = { connection: "close", ...request.headers };
  const writer = connection.writable.getWriter();
  await writer.write(new TextEncoder().encode(wireText({ ...request, headers }, port)));
  writer.releaseLock();
  return parse(await new Response(connection.readable).bytes());
}

/** A request as it goes over the wire. */
export function wireText({ method, path, headers, body }: RawRequest, port: number): string {
  const all = {
    host: `127.0.0.1:${port}`,
    ...headers,
    ...(body === undefined
      ? {}
      : { "content-length": String(new TextEncoder().encode(body).byteLength) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `${method} ${path} HTTP/1.1\r\n${lines}\r\n${body ?? ""}`;
}

function parse(bytes: Uint8Array<ArrayBuffer>): RawAnswer {
  const text = new TextDecoder("latin1").decode(bytes);
  const end = text.indexOf("\r\n\r\n");
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const status = /^HTTP\/1\.1 (\d{3})/.exec(first)?.[1];
  if (end < 0 || status === undefined) {
    throw new Error("Cannot read the answer: it is not HTTP/1.1");
  }
  const headers = lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  if (headers.some(([name]) => name === "transfer-encoding")) {
    throw new Error("Cannot repeat the answer: it is sent in chunks");
  }
  return { status: Number(status), headers, body: bytes.slice(end + 4) };
}
