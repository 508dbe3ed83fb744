/**
 * @module A service of a few lines that keeps to its document, for tests of the harness to override:
 * it accepts things by POST and has a liveness probe.
 */

import { readDocument } from "../../contract/document.ts";
import type { Finding } from "../../contract/finding.ts";
import { createMatrix } from "../../contract/matrix.ts";
import type { Profile } from "../../contract/profile.ts";
import { createSchemas } from "../../contract/schema.ts";
import { createSession, type Session } from "../../contract/session.ts";

/** The schema of a thing, unless a test has one of its own. */
const THING = {
  type: "object",
  required: ["email", "name"],
  additionalProperties: false,
  properties: {
    email: { type: "string", format: "email" },
    name: { type: "string", maxLength: 5 },
    kind: { type: "string", enum: ["big", "small"] },
  },
};

const json = (schema: unknown) => ({ content: { "application/json": { schema } } });
const error = (description: string) => ({ description, ...json({ type: "object" }) });

/** The document of the service. */
export function documentOf(thing: unknown = THING): string {
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Things", version: "1" },
    paths: {
      "/api/alive": {
        get: { operationId: "alive", responses: { 200: { description: "x", ...json({}) } } },
      },
      "/api/things": {
        post: {
          operationId: "addThing",
          requestBody: { required: true, ...json({ $ref: "#/components/schemas/Thing" }) },
          responses: { 200: { description: "x", ...json({}) }, 400: error("wrong") },
        },
      },
    },
    components: { schemas: { Thing: thing, Fault: { type: "object" } } },
  });
}

const PROFILE: Profile = {
  document: "/openapi.json",
  errors: {
    under: "/api/",
    schema: "Fault",
    not_empty: [],
    code: "/code",
    codes: { "400": ["broken", "wrong"], "404": ["unknown"], "405": ["method"] },
    issues: "/issues",
    issue_at: "/path",
    unknown_path: "unknown",
  },
  bodies: { addThing: { email: "a{n}@example.invalid", name: "x" } },
  pages: [],
  faults: {},
};

/** A request as the service gets it. */
interface Got {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  readonly text: string;
}

/**
 * Answers in place of the service where it gives an answer.
 *
 * @param honest what the service would answer, on request to another body
 */
export type Override = (
  requests: Got,
  honest: (text?: string) => Response,
) => Response | undefined | Promise<Response>;

/** A running service and a session with it. */
export interface Setting extends AsyncDisposable {
  readonly url: string;
  readonly session: Session;
  readonly findings: Finding[];
  readonly requests: Got[];
}

const encoder = new TextEncoder();

/** Starts the service and a session. */
export function setUp(options: {
  readonly override?: Override;
  readonly thing?: unknown;
  readonly live?: boolean;
  readonly against?: string;
  readonly corpus?: URL;
  readonly examples?: number;
  /** Whether the profile says that adding things is limited. */
  readonly limited?: boolean;
} = {}): Setting {
  const text = documentOf(options.thing);
  const requests: Got[] = [];
  let broken: unknown;
  const server = Deno.serve(
    {
      hostname: "127.0.0.1",
      port: 0,
      onListen: () => {},
      onError(error) {
        broken = error;
        return new Response(null, { status: 500 });
      },
    },
    async (request) => {
      const bytes = new Uint8Array(await request.arrayBuffer());
      const { pathname } = new URL(request.url);
      const one: Got = {
        method: request.method,
        path: pathname,
        headers: new Headers(request.headers),
        bytes,
        text: new TextDecoder().decode(bytes),
      };
      requests.push(one);
      function honest(other?: string): Response {
        if (pathname === "/openapi.json") return new Response(text);
        return answerTo(other === undefined ? one : { ...one, bytes: encoder.encode(other) });
      }
      return await options.override?.(one, honest) ?? honest();
    },
  );
  const url = `http://127.0.0.1:${server.addr.port}`;
  const findings: Finding[] = [];
  const { against, corpus, live = false, examples = 100 } = options;
  const document = readDocument(text);
  const limits = { operation: "addThing", accepted: "thing", attempts: "try", code: "limited" };
  const profile = options.limited === true ? { ...PROFILE, limits } : PROFILE;
  const session = createSession({
    base: url,
    tier: "cases",
    contract: { document, schemas: createSchemas(document), profile },
    cases: new URL("file:///nowhere/"),
    against,
    corpus,
    live,
    launcher: undefined,
    matrix: createMatrix(document, () => undefined),
    findings,
    exchanges: new Map(),
    seed: 42,
    examples,
    progress: () => {},
  });
  async function dispose(): Promise<void> {
    await server.shutdown();
    // A test must not pass because what it spoils fell over.
    if (broken !== undefined) throw broken;
  }
  return { url, session, findings, requests, [Symbol.asyncDispose]: dispose };
}

/** Runs with an empty folder, such as a corpus is, which is removed afterwards. */
export async function withFolder(use: (folder: URL) => Promise<void>): Promise<void> {
  const path = await Deno.makeTempDir();
  try {
    await use(new URL(`file://${path}/`));
  } finally {
    await Deno.remove(path, { recursive: true });
  }
}

/** An answer in JSON. */
export function respond(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Response {
  return Response.json(body, { status, headers });
}

function answerTo(requests: Got): Response {
  const { method, path } = requests;
  const known = { "/api/alive": ["GET", "HEAD"], "/api/things": ["POST"] }[path];
  if (known === undefined) return respond(404, { code: "unknown" });
  if (!known.includes(method)) return respond(405, { code: "method" }, { allow: known.join(", ") });
  return path === "/api/alive" ? respond(200, {}) : thingFor(requests);
}

/** Decides by hand, not by a schema, as a service would. */
function thingFor({ headers, bytes }: Got): Response {
  if (headers.get("content-type")?.split(";", 1)[0]?.trim() !== "application/json") {
    return respond(400, { code: "broken" });
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return respond(400, { code: "broken" });
  }
  const issues = faultsIn(value).map((path) => ({ path }));
  return issues.length === 0 ? respond(200, {}) : respond(400, { code: "wrong", issues });
}

function faultsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [""];
  const { email, name, kind, ...rest } = value as Record<string, unknown>;
  return [
    ...(typeof email === "string" && /^[^@\s,]+@[^@\s.-][^@\s]*(?<!\.)$/.test(email) &&
        !email.includes("..")
      ? []
      : ["/email"]),
    ...(typeof name === "string" && [...name].length <= 5 ? [] : ["/name"]),
    ...(kind === undefined || kind === "big" || kind === "small" ? [] : ["/kind"]),
    ...(Object.keys(rest).length > 0 || Object.hasOwn(value, "__proto__") ? [""] : []),
  ];
}
