/** @module One operation in the operations tier: its requests, and its findings. */

import type { Operation } from "../document/document.ts";
import { at as valueAt, type Json, namesOf, objectOf, pointer } from "../lib/json.ts";
import type { Call, Exchange } from "../lib/exchange.ts";
import { isSuccess } from "../oracle/check.ts";
import { callFor, type OperationInput } from "../request/operation_input.ts";
import type { Parts } from "../request/write.ts";
import type { Session } from "../run/session.ts";
import type { Edge } from "../values/edges.ts";
import { CannotGenerate } from "../values/options.ts";
import { attempt, smallestOf } from "../values/values.ts";
import { declareRules, type RuleName } from "../lib/rules.ts";

export const TRIAL_RULES = declareRules({
  valid_accepted: "breach: a request that fits the document is accepted",
  broken_refused: "breach: a request that breaks the document by one change is refused",
  undocumented_rule: "advice: schemas tell every rule: a request that fits is accepted",
  coerced: "advice: a value of another type is refused, not converted (JSON Schema §6.1.1)",
  format_refused: "advice: a value that breaks its format is refused (JSON Schema §7.2.1)",
  media_refused: "advice: a body of an undocumented media type gets 415 (RFC 9110 §15.5.16)",
});

export class Trial {
  base: Parts;
  accepted?: Exchange;
  refused?: Exchange;
  /** Refusals of whole requests that fit the document. */
  doubts: (readonly [says: string, exchange: Exchange])[] = [];
  edges: readonly Edge[] = [];
  /** Calls that were refused, as JSON. */
  readonly tried = new Set<string>();
  /** Whether it accepts a request once, and then only others: names are taken. */
  isOnce = false;
  readonly operation: Operation;

  constructor(readonly session: Session, readonly input: OperationInput) {
    this.base = input.smallest;
    this.operation = input.operation;
  }

  async send(parts: Parts, title: string): Promise<Exchange | undefined> {
    const call = this.callOf(parts);
    return call && await this.session.send(call, { title });
  }

  /** Whether it still accepts such a request; a name may be taken, an order may be paid. */
  async accepts(parts: Parts = this.another()): Promise<boolean> {
    return isAccepted(await this.send(parts, `${this.operation.id}, as accepted before`));
  }

  /** The request that is accepted again: with other texts, if names are taken. */
  another(): Parts {
    return this.isOnce ? this.withOtherTexts() : this.base;
  }

  /** Undefined if services differ in how they read it. */
  callOf(parts: Parts): Call | undefined {
    return callFor(this.input, parts);
  }

  /** The smallest request with every optional part and member; undefined if it cannot be made. */
  withAll(): Parts | undefined {
    const { schema, options } = this.input;
    const whole = Object.entries(objectOf(schema["properties"])).map(([place, part]) => {
      const rules = objectOf(options.document.resolve(part));
      const required = Object.keys(objectOf(rules["properties"]));
      return [place, required.length === 0 ? part : { allOf: [part, { required }] }] as const;
    });
    const properties = Object.fromEntries(whole);
    const required = Object.keys(properties);
    const made = attempt(() => smallestOf({ ...schema, properties, required }, options));
    return made instanceof CannotGenerate ? undefined : made as Parts;
  }

  /** The request with other texts in its body, where the schema permits them. */
  withOtherTexts(base: Parts = this.base): Parts {
    const { media, options } = this.input;
    let parts = base;
    for (const [name, value] of Object.entries(objectOf(parts.body))) {
      if (typeof value !== "string") continue;
      const text = this.session.unique().toString(36);
      parts = [6, 4, 3].map((size) => `c${text.slice(-size)}`)
        .map((other) => replaced(parts, `/body${pointer(name)}`, other))
        .find(({ body }) => options.isValid(media?.schema ?? {}, body ?? null)) ?? parts;
    }
    return parts;
  }

  /** One finding for each place and keyword. */
  report(exchange: Exchange, { says, ...rule }: Rule & { readonly says: string }): void {
    const { operation, operation: { id: where }, session } = this;
    const { causes } = session.pool;
    const cause = causeOf(operation, rule);
    if (causes.has(cause)) return;
    causes.add(cause);
    if (/^(?:undocumented_rule|valid_accepted)$/.test(rule.check)) {
      causes.add(causeOfDoubt(operation));
    }
    const message = `${says}, and the answer is ${exchange.answer.status}`;
    session.report(rule.check, message, { where, exchange });
  }
}

interface Rule extends Pick<Edge, "at" | "keyword"> {
  readonly check: RuleName;
}

/** What makes a finding the same. A service that converts types does so everywhere. */
export function causeOf({ id }: Operation, { at, keyword, check }: Rule): string {
  // Whatever member a closed object takes.
  const place = keyword === "additionalProperties" ? at.replace(/\/[^/]*$/, "") : at;
  return check === "coerced" ? check : [id, place, check, keyword].join(" ");
}

/** That an operation has refused a part that fits the document, which may be in other requests. */
export function causeOfDoubt({ id }: Operation): string {
  return `${id} refused`;
}

/** That an operation has accepted nothing, which explains whatever it refuses. */
export function causeOfRefusal({ id }: Operation): string {
  return `${id} accepts nothing`;
}

/** Whether a request was accepted; a redirect proves nothing. */
export function isAccepted(exchange: Exchange | undefined): exchange is Exchange {
  return exchange !== undefined && (isSuccess(exchange) || exchange.answer.status === 304);
}

/** Whether a status refuses what was sent; others have other reasons, such as 404, 405 and 429. */
export function isRefused({ answer: { status } }: Exchange): boolean {
  return [400, 413, 414, 415, 422].includes(status);
}

/** Whether it is about a part of the request; outside of a body every value is a text. */
export function isOfPart({ at, keyword, limit }: Pick<Edge, "at" | "keyword" | "limit">): boolean {
  const isText = keyword === "type" && [limit].flat().includes("string");
  return at.startsWith("/body") || (/^\/\w+\//.test(at) && !isText);
}

/** What an edge says, without the place of its parameter. */
export function saysOf({ says }: Pick<Edge, "says">): string {
  return says.replace(/^(?:path|query|header|cookie|body)\.(?=\w)/, "");
}

/** The request with another value at a place, or without the place. */
export function replaced(base: Parts, at: string, value: Json | undefined): Parts {
  function put(old: unknown, [name, ...rest]: readonly string[]): unknown {
    if (name === undefined) return value;
    if (Array.isArray(old)) return old.with(Number(name), put(old[Number(name)], rest));
    const members = objectOf(old as Json);
    return { ...members, [name]: put(valueAt(members, pointer(name)), rest) };
  }
  return JSON.parse(JSON.stringify(put(base, namesOf(at))));
}
