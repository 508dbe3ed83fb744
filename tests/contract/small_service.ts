/** @module A small correct service with a liveness probe, whose answers tests can override. */

import { parse } from "yaml";
import "../../contract/run/run.ts"; // with the tiers, declares every rule
import "../../contract/service/tiers.ts";
import { readDocument } from "../../contract/document/read.ts";
import type { Finding } from "../../contract/oracle/finding.ts";
import { Coverage } from "../../contract/run/coverage.ts";
import { type Clock, Pace } from "../../contract/run/pace.ts";
import type { RunPlan } from "../../contract/run/run.ts";
import { createSchemas } from "../../contract/document/schemas.ts";
import { createSession, type Session } from "../../contract/run/session.ts";

const FILE = new URL("small_service.yaml", import.meta.url);
const { document: DOCUMENT, profile: PROFILE } = parse(Deno.readTextFileSync(FILE));

export function documentOf(thing?: unknown): string {
  const { paths, components: { schemas }, ...head } = DOCUMENT;
  const components = { schemas: { ...schemas, Thing: thing ?? schemas.Thing } };
  return JSON.stringify({ ...head, paths, components });
}

interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  readonly text: string;
}

/** Answers instead of the service, unless it returns undefined. */
export type Override = (request: ReceivedRequest) => Response | undefined;

export interface Setting extends AsyncDisposable {
  readonly url: string;
  readonly session: Session;
  readonly findings: Finding[];
  readonly notes: string[];
  readonly requests: ReceivedRequest[];
}

export function setUp(options: {
  readonly override?: Override;
  readonly thing?: unknown;
  /** Another document, for an override that answers as it says. */
  readonly text?: string;
  readonly live?: boolean;
  /** For the waits of a live session. */
  readonly clock?: Clock;
  readonly corpus?: URL;
  readonly examples?: number;
  readonly timeoutMs?: number;
  readonly renew?: () => Promise<boolean>;
  /** Sent with every request. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** Whether the profile declares a limit for things. */
  readonly limited?: boolean;
  /** Members of things whose values the owner chooses. */
  readonly choices?: readonly string[];
} = {}): Setting {
  const text = options.text ?? documentOf(options.thing);
  const requests: ReceivedRequest[] = [];
  let broken: unknown;
  function onError(error: unknown): Response {
    broken = error;
    return new Response(null, { status: 500 });
  }
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {}, onError },
    async (request) => {
      const { method, headers, url } = request;
      const bytes = new Uint8Array(await request.arrayBuffer());
      const target = url.replace(/^http:\/\/[^/]*/, "http://x");
      const { pathname: path, searchParams: query } = new URL(target);
      const one = { method, path, query, headers, bytes, text: new TextDecoder().decode(bytes) };
      requests.push(one);
      const honest = () => path === "/openapi.json" ? new Response(text) : answerTo(one);
      return options.override?.(one) ?? honest();
    },
  );
  const url = `http://127.0.0.1:${server.addr.port}`;
  const findings: Finding[] = [];
  const { corpus, live = false, examples = 100 } = options;
  const document = readDocument(text);
  const limits = { operation: "addThing", accepted: "thing", attempts: "try", code: "limited" };
  const { choices = [], limited = false } = options;
  const profile = { ...PROFILE, choices, ...(limited ? { limits } : {}) };
  const notes: string[] = [];
  const session = createSession({
    base: url,
    tier: "cases",
    contract: { document, schemas: createSchemas(document), profile },
    cases: new URL("file:///nowhere/"),
    corpus,
    replayed: corpus,
    live,
    launcher: undefined,
    coverage: new Coverage(document, () => undefined),
    findings,
    exchanges: new Map(),
    seed: 42,
    examples,
    sending: {
      headers: options.headers ?? [],
      ...(options.renew === undefined ? {} : { renew: options.renew }),
      ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
      ...(options.clock === undefined ? {} : { pace: new Pace({ clock: options.clock }) }),
    },
    note: (_tier, text) => void notes.push(text),
    progress: () => {},
  });
  async function dispose(): Promise<void> {
    await server.shutdown();
    // An error of the override must fail the test.
    if (broken !== undefined) throw broken;
  }
  return { url, session, findings, notes, requests, [Symbol.asyncDispose]: dispose };
}

export async function sendAlive(session: Session): Promise<void> {
  await session.send({ method: "GET", path: "/api/alive" }, { title: "alive" });
}

/** A run of two tiers, which knows nothing of the service: the test, then {@link sendAlive}. */
export function planOf(url: string, test: (session: Session) => Promise<void>): RunPlan {
  const tier = { name: "one", tries: "", live: true, run: test };
  const effort = { live: false, complete: false, seed: 42, examples: 1, waivers: [] };
  const place = { cases: undefined, corpus: undefined, launcher: undefined };
  return { url, ...effort, ...place, tiers: [tier, { ...tier, name: "next", run: sendAlive }] };
}

async function withFolder(use: (folder: URL) => Promise<void>): Promise<void> {
  const path = await Deno.makeTempDir();
  await use(new URL(`file://${path}/`)).finally(() => Deno.remove(path, { recursive: true }));
}

/** Registers a test with a folder of its own. */
export function test(title: string, run: (folder: URL) => Promise<void>): void {
  Deno.test(title, () => withFolder(run));
}

export function respond(status: number, body: unknown, headers: HeadersInit = {}): Response {
  return Response.json(body, { status, headers });
}

function answerTo(request: ReceivedRequest): Response {
  const { method, path } = request;
  const get = ["GET", "HEAD"];
  const known = { "/api/alive": get, "/api/list": get, "/api/things": ["POST"] }[path];
  if (known === undefined) return respond(404, { code: "unknown" });
  if (!known.includes(method)) return respond(405, { code: "method" }, { allow: known.join(", ") });
  if (path === "/api/things") return thingFor(request);
  const isRight = path === "/api/alive" || isRightQuery(request.query);
  return isRight ? respond(200, {}) : respond(400, { code: "wrong" });
}

function isRightQuery(query: URLSearchParams): boolean {
  const [limit, kind] = [query.get("limit"), query.get("kind")];
  return limit !== null && /^[1-9]\d?$/.test(limit) && Number(limit) <= 50 &&
    (kind === null || kind === "big" || kind === "small");
}

/** Validates without a schema, independently of the harness. */
function thingFor({ headers, bytes }: ReceivedRequest): Response {
  if (headers.get("content-type")?.split(";", 1)[0]?.trim() !== "application/json") {
    return respond(400, { code: "broken" });
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const issues = findingsIn(JSON.parse(text)).map((path) => ({ path }));
    return issues.length === 0 ? respond(200, {}) : respond(400, { code: "wrong", issues });
  } catch {
    return respond(400, { code: "broken" });
  }
}

function findingsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [""];
  const { email, name, kind, sizes = [], price = 1, ...rest } = value as Record<string, unknown>;
  const isSize = (size: unknown) => Number.isInteger(size) && Number(size) >= 0;
  return [
    ...(typeof email === "string" && /^[^@\s,]+@[^@\s.-][^@\s]*(?<!\.)$/.test(email) &&
        !email.includes("..")
      ? []
      : ["/email"]),
    ...(typeof name === "string" && [...name].length <= 5 ? [] : ["/name"]),
    ...(kind === undefined || kind === "big" || kind === "small" ? [] : ["/kind"]),
    ...(Array.isArray(sizes) && sizes.length <= 2 && sizes.every(isSize) ? [] : ["/sizes"]),
    ...(typeof price === "number" && price > 0 && price <= 1.5 ? [] : ["/price"]),
    ...(Object.keys(rest).length > 0 || Object.hasOwn(value, "__proto__") ? [""] : []),
  ];
}
