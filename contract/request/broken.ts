/** @module Whether a request breaks the document however its texts are read: `1` may be true. */

import { isJsonType } from "../document/document.ts";
import { arrayOf, isObject, type Json, type JsonObject, objectOf } from "../lib/json.ts";
import type { ValueOptions } from "../values/options.ts";
import { alternativesOf } from "../values/schema_rules.ts";
import type { OperationInput } from "./operation_input.ts";
import { type Parts, textOf } from "./write.ts";

export function isBroken({ operation, media, options }: OperationInput, parts: Parts): boolean {
  const isWrong = operation.parameters.some(({ in: place, name, required, schema }) => {
    const value = objectOf(parts[place as "query"])[name];
    return value === undefined ? required : !mayBeValid(value, { schema, options });
  });
  if (isWrong || media === undefined) return isWrong;
  const { body } = parts;
  if (body === undefined) return operation.bodyRequired;
  const schema = media.schema ?? {};
  if (isJsonType(media.type) || !isObject(body)) return !options.isValid(schema, body);
  return hasWrongMember(body, { schema, options });
}

interface Reading {
  readonly schema: Json;
  readonly options: ValueOptions;
}

/** Whether a member of an object that is sent as texts is missing, or wrong as every service reads it. */
function hasWrongMember(value: JsonObject, { schema, options }: Reading): boolean {
  const all = alternativesOf(schema, options).filter(({ type }) => type === "object");
  // What is no object is read as other parameters, or not at all.
  return all.length > 0 &&
    all.every(({ required, properties }) =>
      arrayOf(required).some((name) => !Object.hasOwn(value, String(name))) ||
      Object.entries(objectOf(properties)).some(([name, rules]) =>
        Object.hasOwn(value, name) && !mayBeValid(value[name]!, { schema: rules, options })
      )
    );
}

/** Whether a service may read a value, sent as text, as one that matches the schema. */
function mayBeValid(value: Json, { schema, options }: Reading): boolean {
  const isFine = (read: Json) => options.isValid(schema, read);
  // A form has objects as text.
  if (isObject(value)) {
    return !hasWrongMember(value, { schema, options }) || isFine(JSON.stringify(value));
  }
  if (isFine(value)) return true;
  const items = alternativesOf(schema, options).find((one) => one["items"] !== undefined)
    ?.["items"];
  const best = (item: Json) => {
    const read = readings(item);
    return read.find((one) => options.isValid(items ?? true, one)) ?? read[0]!;
  };
  const list = Array.isArray(value) ? value : [value];
  // Some take the first or the last of several values.
  return [list.map(best), ...list.flatMap(readings), list.map(textOf).join()].some(isFine);
}

const WORDS: readonly (readonly [Json, RegExp])[] = [
  [true, /^(?:true|t|yes|y|on|1)$/i],
  [false, /^(?:false|f|no|n|off|0)$/i],
  [null, /^(?:null|none|nil|undefined)$/i],
];

function readings(value: Json): Json[] {
  const text = textOf(value)?.trim();
  if (text === undefined) return [value];
  const number = Number(text.replaceAll("_", ""));
  return [
    ...(typeof value === "string" ? [value] : [value, text]),
    ...(text === "" || Number.isNaN(number) ? [] : [number]),
    ...WORDS.filter(([, pattern]) => pattern.test(text)).map(([read]) => read),
  ];
}
