/**
 * @module A mutant: a small fault put in front of a running service, or into its settings, so that the
 * harness can be shown to notice. Only what goes over the wire is changed: the service itself is not
 * looked into.
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

/**
 * What takes long: tiers, and completeness, which takes all of them. Where nothing is said, what is
 * quick has to notice.
 */
export type Slow = "raw" | "limits" | "faults" | "matrix";

/** A seeded fault. */
export interface Mutant {
  readonly name: string;
  /** One sentence: what is wrong with this service. */
  readonly fault: string;
  /** The room of the specification or of HTTP that it breaks. */
  readonly breaks: Area;
  /** The one that has to notice. */
  readonly by?: Slow;
  /** The rule that has to find it, for one fault at least of each rule. */
  readonly check?: string;
  /** Changes the answer. */
  readonly reply?: Spoil;
  /** Changes the request, so that the service judges something else than was sent. */
  readonly request?: (passing: Passing) => Change;
  /** Sends this after an answer, as a service that counts too much would. */
  readonly also?: (reply: Reply, passing: Passing) => string | undefined;
  /** For how long a request that is not whole is kept from the service, in milliseconds. */
  readonly patience?: number;
  /** Changes the settings of every instance that is started. */
  readonly env?: (given: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
}

/** What a mutant changes of a request; a header that is undefined is taken away. */
export interface Change {
  readonly method?: string;
  readonly target?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** What a fault is a fault of. */
export type Area =
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

/** The answer with other headers; undefined takes one away. */
export function withHeaders(
  reply: Reply,
  changes: Readonly<Record<string, string | undefined>>,
): Reply {
  const headers = Object.entries({ ...reply.headers, ...changes })
    .filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...reply, headers: Object.fromEntries(headers) };
}

/** The answer with another JSON body, where it has one. */
export function withJson(
  reply: Reply,
  // deno-lint-ignore no-explicit-any -- a body of any shape is bent
  change: (value: any) => unknown,
): Reply {
  try {
    return { ...reply, body: JSON.stringify(change(JSON.parse(reply.body))) };
  } catch {
    return reply;
  }
}

/** The members of the error, changed, where the answer is one. */
export function withError(
  reply: Reply,
  // deno-lint-ignore no-explicit-any -- a body of any shape is bent
  change: (error: any) => Record<string, unknown>,
): Reply {
  return withJson(reply, (body) => "error" in body ? { error: change(body.error) } : body);
}

/** The JSON body of a request; undefined where it is none. */
// deno-lint-ignore no-explicit-any -- a body of any shape is read
export function jsonOf(passing: Passing): any {
  try {
    return JSON.parse(passing.body);
  } catch {
    return undefined;
  }
}

/** Changes answers to a lead whose body is as `when` says. */
export function forLead(
  // deno-lint-ignore no-explicit-any -- a body of any shape is read
  when: (body: any, passing: Passing) => boolean,
  change: (reply: Reply) => Reply,
): Spoil {
  return (reply, passing) => {
    if (passing.method !== "POST" || passing.path !== LEAD) return reply;
    const body = jsonOf(passing);
    return typeof body === "object" && body !== null && when(body, passing) ? change(reply) : reply;
  };
}

/** The path of the operation that takes leads. */
export const LEAD = "/api/lead";

/** The answer that a service gives to what it should have taken. */
export function refused(member: string, rule: string): (reply: Reply) => Reply {
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

/** Changes answers to the operation that takes leads. */
export function onLead(change: (reply: Reply) => Reply): Spoil {
  return (reply, { path, method }) => path === LEAD && method === "POST" ? change(reply) : reply;
}

/** Changes answers by which something is taken. */
export function whenOk(change: (reply: Reply) => Reply): (reply: Reply) => Reply {
  return (reply) => reply.status === 200 ? change(reply) : reply;
}

/** Changes answers by which a body is refused. */
export function whenRefused(change: (reply: Reply) => Reply): (reply: Reply) => Reply {
  return (reply) => reply.status === 400 ? change(reply) : reply;
}

/** How many code points a text has; -1: it is none. */
export function characters(text: unknown): number {
  return typeof text === "string" ? [...text].length : -1;
}
