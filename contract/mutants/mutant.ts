/**
 * @module A mutant: a small fault put in front of a running service, or into its settings, so that
 * the harness can be shown to notice. Only what goes over the wire is changed: the service itself
 * is not looked into.
 */

/** A request on its way to the service. */
export interface Passing {
  readonly method: string;
  /** With its query. */
  readonly target: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What the mutant has put there itself: one for each instance of the service. */
  readonly memory: Map<string, number>;
}

/** An answer on its way back; a mutant returns another one. */
export interface Reply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What follows an answer that must not have a body. */
  readonly surplus?: string;
  /** Comes so much later, in milliseconds. */
  readonly late?: number;
  /** The connection is closed after so many bytes, without a word. */
  readonly cut?: number;
}

/** Makes another answer of an answer. */
export type Spoil = (reply: Reply, passing: Passing) => Reply;

/** What a mutant changes of a request; a header that is undefined is taken away. */
export interface Change {
  readonly method?: string;
  readonly target?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** What is done to what passes; with none of it, nothing is. */
export interface Spoiling {
  /** Changes the answer. */
  readonly reply?: Spoil;
  /** Changes the request, so that the service judges something else than was sent. */
  readonly request?: (passing: Passing) => Change;
  /** Sends this after an answer, as a service that counts too much would. */
  readonly also?: (reply: Reply, passing: Passing) => string | undefined;
  /** For how long a request that is not whole is kept from the service, in milliseconds. */
  readonly patience?: number;
}

/** What is done to a service. */
export interface Seeded extends Spoiling {
  /** Changes the settings of every instance that is started. */
  readonly env?: (given: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
}

/** A seeded fault. */
export interface Mutant extends Seeded {
  readonly name: string;
  /** One sentence: what is wrong with this service. */
  readonly fault: string;
  /** The room of the specification or of HTTP that it breaks. */
  readonly breaks: Area;
  /** The one that has to notice. */
  readonly by?: Slow;
  /** The rule that has to find it, for one fault at least of each rule. */
  readonly check?: string;
}

/** What a fault is a fault of. */
type Area =
  | "document"
  | "acceptance"
  | "rejection"
  | "errors"
  | "headers"
  | "methods"
  | "negotiation"
  | "limits"
  | "promise"
  | "privacy";

/**
 * What takes long: tiers, and completeness, which takes all of them. Where nothing is said, what is
 * quick has to notice.
 */
export type Slow = "raw" | "limits" | "faults" | "matrix";

/** The path of the operation that takes leads. */
export const LEAD = "/api/lead";

/** The members that a lead may have. */
export const MEMBERS: readonly string[] = [
  "email",
  "company",
  "message",
  "plan",
  "locale",
  "website",
];

/** JSON of any shape: a mutant reads and bends it without a look at a schema. */
// deno-lint-ignore no-explicit-any -- see above
export type AnyJson = any;

/** The JSON of a body; undefined where it is none. */
export function jsonOf({ body }: Pick<Passing | Reply, "body">): AnyJson {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** How many code points a text has; -1: it is none. */
export function characters(text: unknown): number {
  return typeof text === "string" ? [...text].length : -1;
}

/** Whether it goes to the operation that takes leads. */
export function isLead({ method, path }: Passing): boolean {
  return method === "POST" && path === LEAD;
}

/** Whether it goes to the API, and not to a page. */
export function isApi({ path }: Passing): boolean {
  return path.startsWith("/api/");
}

/** Whether its sender would take HTML. */
export function isHtmlAccepted({ headers }: Passing): boolean {
  return /text\/html/.test(headers["accept"] ?? "");
}

/** Spoils answers with this status. */
export function when(status: number, spoil: Spoil): Spoil {
  return (reply, passing) => reply.status === status ? spoil(reply, passing) : reply;
}

/** Spoils answers to requests for this path. */
export function on(path: string, spoil: Spoil): Spoil {
  return (reply, passing) => passing.path === path ? spoil(reply, passing) : reply;
}

/** Spoils answers of the operation that takes leads. */
export function onLead(spoil: Spoil): Spoil {
  return (reply, passing) => isLead(passing) ? spoil(reply, passing) : reply;
}

/** Spoils answers to a lead whose body is as `fits` says. */
export function forLead(fits: (body: AnyJson, passing: Passing) => boolean, spoil: Spoil): Spoil {
  return onLead((reply, passing) => {
    const body = jsonOf(passing);
    const isSpoilt = typeof body === "object" && body !== null && fits(body, passing);
    return isSpoilt ? spoil(reply, passing) : reply;
  });
}

/** A lead that is as `fits` says is taken, though it should be refused. */
export function takenIf(fits: (passing: Passing) => boolean): Spoil {
  return onLead(when(400, (reply, passing) => fits(passing) ? accepted(reply) : reply));
}

/** Makes the status another one. */
export function becomes(status: number): Spoil {
  return (reply) => ({ ...reply, status });
}

/** Takes a header away. */
export function without(name: string): Spoil {
  return (reply) => withHeaders(reply, { [name]: undefined });
}

/** The answer that a service gives to what it should have taken. */
export function refused(member: string, rule: string): Spoil {
  return (reply) => ({
    ...reply,
    status: 400,
    body: JSON.stringify({
      error: {
        code: "invalid_lead",
        message: "The body is not a valid LeadRequest.",
        hint: "Correct what details.issues names.",
        docs: "http://service.invalid/developers",
        details: { issues: [{ path: `/${member}`, rule, message: "It is wrong." }] },
      },
    }),
  });
}

/** The answer that a service gives to what it should have refused. */
export function accepted(reply: Reply): Reply {
  return { ...reply, status: 200, body: '{"ok":true,"delivered":false}' };
}

/** The answer with other headers; undefined takes one away. */
export function withHeaders(
  reply: Reply,
  changes: Readonly<Record<string, string | undefined>>,
): Reply {
  const headers = Object.entries({ ...reply.headers, ...changes })
    .filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...reply, headers: Object.fromEntries(headers) };
}

/** The answer as a page of HTML. */
export function asPage(reply: Reply): Reply {
  return withHeaders({ ...reply, body: "<h1>Error</h1>" }, { "content-type": "text/html" });
}

/** The answer with another JSON body, where it has one. */
export function withJson(reply: Reply, change: (value: AnyJson) => unknown): Reply {
  const value = jsonOf(reply);
  return value === undefined ? reply : { ...reply, body: JSON.stringify(change(value)) };
}

/** The members of the error, changed, where the answer is one. */
export function withError(
  reply: Reply,
  change: (error: AnyJson) => Record<string, unknown>,
): Reply {
  const error = jsonOf(reply)?.error;
  return error === undefined ? reply : { ...reply, body: JSON.stringify({ error: change(error) }) };
}
