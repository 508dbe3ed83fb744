/**
 * @module Values that the owner of a service chooses (`choices` in the profile), as the document lists
 * them: `{plan}` in a text is each value of the enum of the member `plan`, `{first plan}` the first,
 * `{other plan}` each but the first, `{upper plan}` each in capitals, unless that is a value too.
 */

import { arrayOf, type JsonObject, objectOf } from "../lib/json.ts";
import { type ApiDocument, jsonBodyOf, type Operation } from "../document/document.ts";
import type { Contract } from "../oracle/check.ts";

export function bodySchemaOf({ resolve }: ApiDocument, operation: Operation): JsonObject {
  return objectOf(resolve(jsonBodyOf(operation)?.schema ?? null));
}

/** The text with each of the values that it has a place for; empty if there are none. */
export function chosen(text: string, contract: Contract): string[] {
  const { document, profile: { choices } } = contract;
  const pattern = new RegExp(String.raw`\{(?:(first|other|upper) )?(${choices.join("|")})\}`);
  const [place, which, name] = choices.length > 0 && pattern.exec(text) || [];
  if (place === undefined) return [text];
  const all = document.operations.map((one) => objectOf(bodySchemaOf(document, one)["properties"]))
    .flatMap((members) => arrayOf(objectOf(members[name!])["enum"])).map(String);
  const values: Readonly<Record<string, readonly string[]>> = {
    first: all.slice(0, 1),
    other: all.slice(1),
    upper: all.map((value) => value.toUpperCase()).filter((value) => !all.includes(value)),
  };
  return (values[which ?? ""] ?? all)
    .flatMap((value) => chosen(text.replaceAll(place, () => value), contract));
}
