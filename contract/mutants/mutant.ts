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

/** The mutants of one area, by name. */
export type Faults = Readonly<
  Record<string, readonly [fault: string, seeded: Spoil | Seeded, check?: string]>
>;

/** Reads a table of mutants; a function changes the response. */
export function mutantsOf(shared: Pick<Mutant, "breaks" | "by">, faults: Faults): Mutant[] {
  return Object.entries(faults).map(([name, [fault, seeded, check]]) => ({
    name,
    fault,
    ...shared,
    ...(typeof seeded === "function" ? { reply: seeded } : seeded),
    ...(check === undefined ? {} : { check }),
  }));
}

/** The path of the operation that accepts leads. */
export const LEAD = "/api/lead";

/** The members that a lead may have. */
const MEMBERS: readonly string[] = ["email", "company", "message", "plan", "locale", "website"];

/** JSON of any shape: a mutant reads and edits it without a schema. */
// deno-lint-ignore no-explicit-any -- see above
export type AnyJson = any;

/** The JSON of a body; undefined if it is not JSON. */
export function jsonOf({ body }: Pick<Passing | Reply, "body">): AnyJson {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** How many code points a text has; -1 for a value that is not text. */
export function characters(text: unknown): number {
  return typeof text === "string" ? [...text].length : -1;
}

/** Whether a value is text that an expression matches. */
export function matches(text: unknown, expression: RegExp): boolean {
  return typeof text === "string" && expression.test(text);
}

/** The first member of a request's body that a lead does not have. */
export function unknownMember(passing: Passing): string | undefined {
  return Object.keys(Object(jsonOf(passing))).find((name) => !MEMBERS.includes(name));
}

/** Whether a request goes to the operation that accepts leads. */
export function isLead({ method, path }: Passing): boolean {
  return method === "POST" && path === LEAD;
}

/** Whether a request goes to the API. */
export function isApi({ path }: Passing): boolean {
  return path.startsWith("/api/");
}

/** Whether a request goes to a page. */
export function isPage(passing: Passing): boolean {
  return !isApi(passing) && !/\.\w+$/.test(passing.path);
}

/** Whether a request accepts HTML. */
export function isHtmlAccepted({ headers }: Passing): boolean {
  return matches(headers["accept"], /text\/html/);
}

/** Changes responses to the requests that `fits` selects. */
export function given(fits: (passing: Passing, reply: Reply) => unknown, spoil: Spoil): Spoil {
  return (reply, passing) => fits(passing, reply) ? spoil(reply, passing) : reply;
}

/** Changes responses with this status. */
export function when(status: number, spoil: Spoil): Spoil {
  return given((_passing, reply) => reply.status === status, spoil);
}

/** Changes responses to requests for this path. */
export function on(path: string, spoil: Spoil): Spoil {
  return given((passing) => passing.path === path, spoil);
}

/** Changes responses to requests with this method. */
export function to(method: string, spoil: Spoil): Spoil {
  return given((passing) => passing.method === method, spoil);
}

/** Changes responses of the operation that accepts leads. */
export function onLead(spoil: Spoil): Spoil {
  return given(isLead, spoil);
}

type Fits = (lead: AnyJson, passing: Passing) => boolean;

/** Changes responses to leads that `fits` selects. */
export function forLead(fits: Fits, spoil: Spoil): Spoil {
  return onLead(given((passing) => {
    const lead = jsonOf(passing);
    return typeof lead === "object" && lead !== null && fits(lead, passing);
  }, spoil));
}

/** Accepts leads that the service refuses. */
export function accepts(fits: Fits): Spoil {
  return forLead(fits, when(400, accepted));
}

/** Accepts requests that the service refuses, whether or not their bodies are JSON. */
export function acceptsBody(fits: (passing: Passing) => boolean): Spoil {
  return onLead(when(400, given(fits, accepted)));
}

/** Refuses leads that the service accepts, because of this member. */
export function refuses(member: string, fits: Fits): Spoil {
  return forLead(fits, when(200, refused(member)));
}

/** The response of a service that refuses a lead because of this member. */
export function refused(member: string): Spoil {
  const error = {
    code: "invalid_lead",
    message: "The body is not a valid LeadRequest.",
    hint: "Correct what details.issues names.",
    docs: "http://service.invalid/developers",
    details: { issues: [{ path: `/${member}`, rule: "format", message: "It is wrong." }] },
  };
  return (reply) => ({ ...reply, status: 400, body: JSON.stringify({ error }) });
}

/** The response of a service that accepts a lead. */
export function accepted(reply: Reply): Reply {
  return { ...reply, status: 200, body: '{"ok":true,"delivered":false}' };
}

/** Replaces the status. */
export function becomes(status: number): Spoil {
  return (reply) => ({ ...reply, status });
}

/** Edits the body as text. */
export function body(edit: (text: string) => string): Spoil {
  return (reply) => ({ ...reply, body: edit(reply.body) });
}

/** Edits the body as JSON, in place, if it is JSON. */
export function json(edit: (value: AnyJson, passing: Passing) => unknown): Spoil {
  return (reply, passing) => {
    const value = jsonOf(reply);
    if (value === undefined) return reply;
    edit(value, passing);
    return { ...reply, body: JSON.stringify(value) };
  };
}

/** Edits the error in the body, in place, if there is one. */
export function error(edit: (error: AnyJson, passing: Passing) => unknown): Spoil {
  return given(
    (_passing, reply) => jsonOf(reply)?.error !== undefined,
    json((value, passing) => edit(value.error, passing)),
  );
}

/** Sets a header; a function gets its value and is called only if there is one. */
export function header(name: string, value: string | ((value: string) => string)): Spoil {
  return (reply) => {
    const old = reply.headers[name];
    if (typeof value === "string") return withHeaders(reply, { [name]: value });
    return old === undefined ? reply : withHeaders(reply, { [name]: value(old) });
  };
}

/** Removes a header. */
export function without(name: string): Spoil {
  return (reply) => withHeaders(reply, { [name]: undefined });
}

/** The response with other headers; undefined removes one. */
export function withHeaders(
  reply: Reply,
  changes: Readonly<Record<string, string | undefined>>,
): Reply {
  const headers = Object.entries({ ...reply.headers, ...changes })
    .filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...reply, headers: Object.fromEntries(headers) };
}

/** The response as a page of HTML. */
export function asPage(reply: Reply): Reply {
  return withHeaders({ ...reply, body: "<h1>Error</h1>" }, { "content-type": "text/html" });
}

/** Changes requests that `fits` selects. */
export function requests(fits: (passing: Passing) => unknown, change: Change): Seeded {
  return { request: (passing) => fits(passing) ? change : {} };
}

/** Changes a header of requests that have it; undefined removes it. */
export function requestHeader(
  name: string,
  edit: (value: string) => string | undefined,
): Seeded {
  return {
    request: ({ headers: { [name]: value } }) => {
      const edited = value === undefined ? value : edit(value);
      return edited === value ? {} : { headers: { [name]: edited } };
    },
  };
}
