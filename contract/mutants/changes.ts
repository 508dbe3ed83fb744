/** @module The parts of mutants: conditions on requests and answers, and changes to them. */

import type { Change, Fault, Mutation, ProxiedRequest, Reply } from "./mutant.ts";

/** The path of the operation that accepts leads. */
export const LEAD = "/api/lead";

/** The members that a lead may have. */
const MEMBERS: readonly string[] = ["email", "company", "message", "plan", "locale", "website"];

/** JSON of any shape. */
// deno-lint-ignore no-explicit-any -- mutants read and edit it without a schema
export type AnyJson = any;

/** Parses a body; undefined if it is not JSON. */
export function jsonOf({ body }: Pick<ProxiedRequest | Reply, "body">): AnyJson {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The number of code points; -1 if the value is not a string. */
export function characters(text: unknown): number {
  return typeof text === "string" ? [...text].length : -1;
}

export function matches(text: unknown, expression: RegExp): boolean {
  return typeof text === "string" && expression.test(text);
}

/** The first member of a body that is not a member of leads. */
export function unknownMember(request: ProxiedRequest): string | undefined {
  return Object.keys(Object(jsonOf(request))).find((name) => !MEMBERS.includes(name));
}

export function isLead({ method, path }: ProxiedRequest): boolean {
  return method === "POST" && path === LEAD;
}

export function isApi({ path }: ProxiedRequest): boolean {
  return path.startsWith("/api/");
}

export function isPage(request: ProxiedRequest): boolean {
  return !isApi(request) && !/\.\w+$/.test(request.path);
}

export function isHtmlAccepted({ headers }: ProxiedRequest): boolean {
  return matches(headers["accept"], /text\/html/);
}

/** Changes responses to the requests that `fits` selects. */
export function given(
  fits: (request: ProxiedRequest, reply: Reply) => unknown,
  mutation: Mutation,
): Mutation {
  return (reply, request) => fits(request, reply) ? mutation(reply, request) : reply;
}

/** Changes responses with this status. */
export function when(status: number, mutation: Mutation): Mutation {
  return given((_request, reply) => reply.status === status, mutation);
}

/** Changes responses to requests for this path. */
export function on(path: string, mutation: Mutation): Mutation {
  return given((request) => request.path === path, mutation);
}

/** Changes responses to requests with this method. */
export function to(method: string, mutation: Mutation): Mutation {
  return given((request) => request.method === method, mutation);
}

/** Changes responses of the operation that accepts leads. */
export function onLead(mutation: Mutation): Mutation {
  return given(isLead, mutation);
}

type Fits = (lead: AnyJson, request: ProxiedRequest) => boolean;

/** Changes responses to leads that `fits` selects. */
export function forLead(fits: Fits, mutation: Mutation): Mutation {
  return onLead(given((request) => {
    const lead = jsonOf(request);
    return typeof lead === "object" && lead !== null && fits(lead, request);
  }, mutation));
}

/** Accepts leads that the service refuses. */
export function accepts(fits: Fits): Mutation {
  return forLead(fits, when(400, accepted));
}

/** Accepts requests that the service refuses, whether or not their bodies are JSON. */
export function acceptsBody(fits: (request: ProxiedRequest) => boolean): Mutation {
  return onLead(when(400, given(fits, accepted)));
}

/** Refuses leads that the service accepts, because of this member. */
export function refuses(member: string, fits: Fits): Mutation {
  return forLead(fits, when(200, refused(member)));
}

/** The response of a service that refuses a lead because of this member. */
export function refused(member: string): Mutation {
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

export function becomes(status: number): Mutation {
  return (reply) => ({ ...reply, status });
}

/** Edits the body as text. */
export function body(edit: (text: string) => string): Mutation {
  return (reply) => ({ ...reply, body: edit(reply.body) });
}

/** Edits the body as JSON, in place, if it is JSON. */
export function json(edit: (value: AnyJson, request: ProxiedRequest) => unknown): Mutation {
  return (reply, request) => {
    const value = jsonOf(reply);
    if (value === undefined) return reply;
    edit(value, request);
    return { ...reply, body: JSON.stringify(value) };
  };
}

/** Edits the error in the body, in place, if there is one. */
export function error(edit: (error: AnyJson, request: ProxiedRequest) => unknown): Mutation {
  return given(
    (_request, reply) => jsonOf(reply)?.error !== undefined,
    json((value, request) => edit(value.error, request)),
  );
}

/** Sets a header, or edits it if it is present. */
export function header(name: string, value: string | ((value: string) => string)): Mutation {
  return (reply) => {
    const old = reply.headers[name];
    if (typeof value === "string") return withHeaders(reply, { [name]: value });
    return old === undefined ? reply : withHeaders(reply, { [name]: value(old) });
  };
}

export function without(name: string): Mutation {
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
export function requests(fits: (request: ProxiedRequest) => unknown, change: Change): Fault {
  return { request: (request) => fits(request) ? change : {} };
}

/** Changes a header of requests that have it; undefined removes it. */
export function requestHeader(
  name: string,
  edit: (value: string) => string | undefined,
): Fault {
  return {
    request: ({ headers: { [name]: value } }) => {
      const edited = value === undefined ? value : edit(value);
      return edited === value ? {} : { headers: { [name]: edited } };
    },
  };
}
