/** @module What visitors send: each kind of request, how often, and which answers are right. */

import { pause } from "../crash/random.ts";
import type { Posts } from "./verdicts.ts";

/** An answer, its body read and dropped; status 0 where none came, or not all of it. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
}

/** One visit to one service. */
export interface Visit {
  /** A number that is used once. */
  readonly n: number;
  /** Paths that can be read. */
  readonly pages: readonly string[];
  readonly documents: readonly string[];
  /** The number of a lead that this service's store has taken. */
  readonly known: number | undefined;
  /** The service's origin, and the address that the visitor has for it. */
  readonly url: string;
  readonly client: string;
  ask(path: string, init?: RequestInit): Promise<Answered>;
  /** Posts the lead of a number, and enters in the ledger what is told. */
  lead(n: number, post: Post): Promise<Answered>;
}

/** A way to post a lead. */
export interface Post extends RequestInit {
  readonly path: string;
  /** The status that means yes. */
  readonly accepted: number;
}

/** A kind of request. */
export interface Kind {
  readonly name: string;
  /** How often, against the others. */
  readonly weight: number;
  /** 0: none, because the visitor has left. */
  readonly expected: readonly number[];
  readonly posts?: Posts;
  /** From this address each time, and not from one of its own. */
  readonly client?: string;
  send(visit: Visit): Promise<Answered>;
}

const JSON_TYPE = { "content-type": "application/json" };
const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded" };

/** Twice that is slower than any client should be, and within the 10 s that a body may take. */
const SLOW_MS = 2_000;

/** A visitor's patience, where it is short. */
const BRIEF_MS = 30;

/** The company that stands for a number in the ledger. */
export function companyOf(n: number): string {
  return `Visitor ${n}`;
}

function contentOf(n: number) {
  return {
    email: `person-${n}@example.com`,
    company: companyOf(n),
    message: "Guten Tag, we would like to see this on our own systems. ".repeat(1 + n % 30),
    plan: ["pro", "business", "enterprise", "hosted", "unspecified"][n % 5]!,
  };
}

function asJson(n: number) {
  const body = JSON.stringify({ ...contentOf(n), locale: n % 2 === 0 ? "en" : "de" });
  return { path: "/api/lead", accepted: 200, method: "POST", headers: JSON_TYPE, body } as const;
}

function asForm(n: number): Post {
  const path = n % 2 === 0 ? "/contact" : "/de/contact";
  const body = new URLSearchParams(contentOf(n)).toString();
  return { path, accepted: 303, method: "POST", headers: FORM_TYPE, body };
}

function slowly(n: number): Post {
  const { body, ...post } = asJson(n);
  return { ...post, body: streamOf([body.slice(0, 9), body.slice(9, 20), body.slice(20)]) };
}

/** A body in pieces with pauses in between. */
function streamOf(pieces: readonly string[]): ReadableStream<Uint8Array> {
  const left = pieces.map((piece) => new TextEncoder().encode(piece));
  return new ReadableStream({
    async pull(stream) {
      const piece = left.shift();
      if (piece === undefined) return stream.close();
      stream.enqueue(piece);
      await pause(SLOW_MS);
    },
  });
}

/**
 * A body that stops in the middle; whoever sends it leaves with the answer. Not by fetch, which would
 * keep the connection for ever, and so would the service.
 */
async function stalledLead({ url, client }: Visit): Promise<Answered> {
  const { host, hostname, port } = new URL(url);
  const head = [
    "POST /api/lead HTTP/1.1",
    `Host: ${host}`,
    `X-Forwarded-For: ${client}`,
    "Content-Type: application/json",
    "Content-Length: 80",
  ];
  const answer = new Uint8Array(4_096);
  try {
    using connection = await Deno.connect({ hostname, port: Number(port) });
    await connection.write(new TextEncoder().encode(`${head.join("\r\n")}\r\n\r\n{"email":`));
    const length = await connection.read(answer) ?? 0;
    const [, status] =
      /^HTTP\/1\.1 (\d{3})/.exec(new TextDecoder().decode(answer.slice(0, length))) ??
        [];
    return { status: Number(status ?? 0), headers: new Headers() };
  } catch {
    return { status: 0, headers: new Headers() };
  }
}

/** Bodies that are no LeadRequest, each in another way. */
const INVALID: readonly RequestInit[] = [
  { headers: JSON_TYPE, body: "" },
  { headers: JSON_TYPE, body: "{" },
  { headers: { "content-type": "text/plain" }, body: asJson(0).body },
  { headers: JSON_TYPE, body: JSON.stringify(contentOf(0)) }, // without locale
  { headers: JSON_TYPE, body: asJson(0).body.replace("@", " at ") },
  { headers: JSON_TYPE, body: asJson(0).body.replace("{", '{"website":"https://example.com",') },
  { headers: JSON_TYPE, body: `"${"x".repeat(70_000)}"` },
];

/** A page as somebody asks for it: path and headers. */
function someView({ pages }: Visit): [string, RequestInit] {
  const accept = oneOf(["text/html,*/*;q=0.8", "text/markdown"]);
  const coding = oneOf(["br", "gzip", "identity"]);
  return [oneOf(pages), { headers: { accept, "accept-encoding": coding } }];
}

async function seenBefore(visit: Visit): Promise<Answered> {
  const [path, { headers }] = someView(visit);
  const first = await visit.ask(path, { headers: headers! });
  const tag = first.headers.get("etag");
  if (tag === null) return first;
  return await visit.ask(path, { headers: { ...headers, "if-none-match": tag } });
}

function oneOf<T>(values: readonly T[]): T {
  return values[Math.floor(values.length * Math.random())]!;
}

export const KINDS: readonly Kind[] = [
  {
    name: "page",
    weight: 22,
    expected: [200],
    send: (visit) => visit.ask(...someView(visit)),
  },
  { name: "page seen before", weight: 6, expected: [304], send: seenBefore },
  {
    name: "document",
    weight: 16,
    expected: [200],
    send: ({ ask, documents }) => ask(oneOf(documents)),
  },
  {
    name: "unknown path",
    weight: 5,
    expected: [404],
    send: ({ n, ask }) => ask(oneOf(["/api/none-", "/none-", "/de/none-"]) + n),
  },
  {
    name: "wrong method",
    weight: 5,
    expected: [405],
    send: ({ ask, documents }) => ask(oneOf(documents), { method: "DELETE" }),
  },
  {
    name: "invalid lead",
    weight: 8,
    expected: [400],
    posts: "other",
    send: ({ ask }) => ask("/api/lead", { method: "POST", ...oneOf(INVALID) }),
  },
  {
    name: "invalid form",
    weight: 2,
    expected: [400],
    posts: "other",
    send: ({ ask }) => ask("/contact", { method: "POST", headers: FORM_TYPE, body: "email=no" }),
  },
  {
    name: ".invalid lead",
    weight: 3,
    expected: [200],
    posts: "other",
    send({ n, ask }) {
      const { path, ...post } = asJson(n);
      return ask(path, { ...post, body: post.body.replace("example.com", "example.invalid") });
    },
  },
  {
    name: "lead",
    weight: 12,
    expected: [200],
    posts: "lead",
    send: ({ n, lead }) => lead(n, asJson(n)),
  },
  {
    name: "lead sent again",
    weight: 3,
    expected: [200],
    posts: "lead",
    send: ({ n, known = n, lead }) => lead(known, asJson(known)),
  },
  {
    name: "form",
    weight: 4,
    expected: [303],
    posts: "lead",
    send: ({ n, lead }) => lead(n, asForm(n)),
  },
  {
    name: "lead of a busy client",
    weight: 10,
    expected: [200, 429],
    posts: "lead",
    client: "2001:db8:ffff::1",
    send: ({ n, lead }) => lead(n, asJson(n)),
  },
  {
    name: "lead given up",
    weight: 3,
    expected: [0, 200],
    posts: "lead",
    send({ n, lead }) {
      const signal = AbortSignal.timeout(Math.round(BRIEF_MS * Math.random()));
      return lead(n, { ...asJson(n), signal });
    },
  },
  {
    name: "slow lead",
    weight: 0.5,
    expected: [200],
    posts: "lead",
    send: ({ n, lead }) => lead(n, slowly(n)),
  },
  {
    name: "endless lead",
    weight: 0.5,
    expected: [400],
    posts: "other",
    send: stalledLead,
  },
];
