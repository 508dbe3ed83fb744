/**
 * @module The part of JSON Schema 2020-12 in which this API's shapes are written, and what it means in
 * TypeScript. The schemas go into the OpenAPI document as they are.
 */

/** What a schema says for people. */
interface Annotations {
  readonly description?: string;
  readonly examples?: readonly unknown[];
}

/** A text; lengths are in code points. */
export interface StringSchema extends Annotations {
  readonly type: "string";
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly format?: "email" | "uri";
}

interface BooleanSchema extends Annotations {
  readonly type: "boolean";
}

/** An object with these properties, or one with any names. */
interface ObjectSchema extends Annotations {
  readonly type: "object";
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: StringSchema;
  readonly additionalProperties: Schema | false;
}

/** A shape; without `type`, any value. */
export type Schema =
  | StringSchema
  | BooleanSchema
  | ObjectSchema
  | (Annotations & { readonly type?: undefined });

/** The values that a schema describes. */
export type TypeOf<S> = S extends { enum: readonly (infer Value)[] } ? Value
  : S extends { type: "string" } ? string
  : S extends { type: "boolean" } ? boolean
  : S extends { properties: infer P } ? Members<P, RequiredOf<S>>
  : S extends { additionalProperties: infer Member } ? Record<string, TypeOf<Member>>
  : unknown;

type RequiredOf<S> = S extends { required: readonly (infer Name)[] } ? Name : never;

type Members<P, Required> =
  & { -readonly [Name in keyof P as Name extends Required ? Name : never]: TypeOf<P[Name]> }
  & { -readonly [Name in keyof P as Name extends Required ? never : Name]?: TypeOf<P[Name]> };
