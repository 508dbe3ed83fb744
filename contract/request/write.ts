/**
 * @module Writes a request: parameters by style (OpenAPI 3.1 §4.8.12, RFC 6570), bodies by media
 * type (§4.8.14), all percent-encoded: `allowReserved` only permits less.
 */

import { isJsonType, type Media, type Operation, type Parameter } from "../document/document.ts";
import { isObject, type Json, type JsonObject, objectOf } from "../lib/json.ts";
import type { Call } from "../lib/exchange.ts";

export type Parts =
  & Partial<Readonly<Record<"path" | "query" | "header" | "cookie", JsonObject>>>
  & {
    readonly body?: Json;
  };

/** RFC 9110 §4.1 asks servers for 8,000 octets of URI. */
const LONGEST = 4_000;

/** Prefix, separator of exploded values, and whether the name is written (RFC 6570 §3.2). */
const STYLES: Readonly<Record<string, readonly [string, string, boolean]>> = {
  simple: ["", ",", false],
  label: [".", ".", false],
  matrix: [";", ";", true],
  form: ["", "&", true],
};

const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: " ", pipeDelimited: "|" };

/** Undefined if services differ in how they read a value, such as null or an empty text. */
export function callOf(
  { method, path: template, parameters }: Operation,
  { parts, media }: { readonly parts: Parts; readonly media?: Media | undefined },
): Call | undefined {
  const texts = { query: [] as string[], cookie: [] as string[] };
  const headers: [string, string][] = [];
  let path = template;
  for (const parameter of parameters) {
    const { in: place, name } = parameter;
    const value = objectOf(parts[place as "query"])[name];
    if (value === undefined) continue;
    const text = written(parameter, value);
    if (text === undefined) return undefined;
    if (place === "path") path = path.replaceAll(`{${name}}`, () => text);
    else if (place === "header") headers.push([name, text]);
    else texts[place as "query" | "cookie"].push(text);
  }
  const body = media && parts.body !== undefined ? writerOf(media)?.(parts.body) : undefined;
  if (/[{}]/.test(path) || (parts.body !== undefined && body === undefined)) return undefined;
  if (texts.query.length > 0) path += `?${texts.query.join("&")}`;
  if (texts.cookie.length > 0) headers.push(["cookie", texts.cookie.join("; ")]);
  const boundary = media?.type === MULTIPART ? `; boundary=${BOUNDARY}` : "";
  if (body !== undefined) headers.unshift(["content-type", media!.type + boundary]);
  if ([path, ...headers.map(([, text]) => text)].some(({ length }) => length > LONGEST)) {
    return undefined;
  }
  const sent = body === undefined ? {} : { body };
  return { method, path, ...(headers.length === 0 ? {} : { headers }), ...sent };
}

/** Whether a text, before it is encoded, can be in its place. */
const FITS: Readonly<Record<string, RegExp>> = {
  path: /^(?!(?:\.|%2e){1,2}$)[^/\\\p{Cc}]*$/iu,
  header: /^[!-~](?:[ -~]*[!-~])?$/,
  // Characters that a cookie has without quotes (RFC 6265 §4.1.1).
  cookie: /^[!#-+\--:<-[\]-~]+$/,
};

function written(parameter: Parameter, value: Json): string | undefined {
  const { in: place, media } = parameter;
  if (media !== undefined && !isJsonType(media)) return undefined;
  const given = media === undefined ? value : JSON.stringify(value);
  if (place === "cookie" && typeof given === "object") return undefined;
  const plain = expanded(parameter, given, String);
  if (plain === undefined || FITS[place]?.test(plain) === false) return undefined;
  return place === "path" || place === "query" ? expanded(parameter, given) : plain;
}

/** A value in a style; undefined if it cannot be read back. */
function expanded(
  { name, style, explode }: Pick<Parameter, "name" | "style" | "explode">,
  value: Json,
  encode: (text: string) => string = encodeURIComponent,
): string | undefined {
  const [prefix, between, isNamed] = STYLES[style] ?? STYLES["form"]!;
  const label = isNamed ? `${encode(name)}=` : "";
  if (typeof value !== "object" || value === null) {
    const text = textOf(value);
    return text && prefix + label + encode(text);
  }
  const isList = Array.isArray(value);
  const entries = Object.entries(value).map(([key, item]) => [key, textOf(item) ?? ""] as const);
  if (entries.length === 0 || entries.some(([, text]) => text === "")) return undefined;
  if (style === "deepObject") {
    if (isList || entries.some(([key]) => /[[\]]|^$/.test(key))) return undefined;
    return entries.map(([key, text]) => `${encode(`${name}[${key}]`)}=${encode(text)}`).join("&");
  }
  const isExploded = explode && DELIMITERS[style] === undefined;
  const joint = isExploded ? between : DELIMITERS[style] ?? ",";
  // Only `name=a&name=b` tells a separator from the same character in an item.
  const mixed = entries.flatMap(([key, text]) => [
    ...(isList ? [] : [key]),
    ...(isExploded && isNamed ? [] : [text]),
  ]);
  const isSafe = (text: string) => !/[,;=&]|^$/.test(text) && !text.includes(joint);
  if (!mixed.every((text) => text.isWellFormed() && isSafe(text))) return undefined;
  const items = entries.flatMap(([key, text]) => {
    const [own, item] = [encode(key), encode(text)];
    if (isExploded) return isList ? label + item : `${own}=${item}`;
    return isList ? item : [own, item];
  });
  const separator = DELIMITERS[style] === undefined ? joint : encode(joint);
  return prefix + (isExploded ? "" : label) + items.join(separator);
}

/** Undefined for what has no text that every service reads alike. */
export function textOf(value: Json): string | undefined {
  if (value === null || typeof value === "object" || value === "") return undefined;
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value).toString();
  return String(value).isWellFormed() ? String(value) : undefined;
}

const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";
const BOUNDARY = "frontdoor-contract-7f3a";

/** How bodies of a media type are written; undefined for those that cannot be: XML, ranges. */
export function writerOf(media: Media): ((value: Json) => string | undefined) | undefined {
  const { type } = media;
  if (isJsonType(type)) return JSON.stringify;
  if (/\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines)$/.test(type)) {
    return (value) => [value].flat().map((line) => `${JSON.stringify(line)}\n`).join("");
  }
  if (type === FORM) return (value) => formOf(media, value);
  if (type === MULTIPART) return (value) => multipartOf(media, value);
  const isText = /^text\/(?!xml)[\w.-]+$|^application\/octet-stream$/.test(type);
  const written = (value: Json) =>
    typeof value === "string" && value.isWellFormed() ? value : undefined;
  return isText ? written : undefined;
}

/** A form: lists are repeated, objects are JSON, unless `encoding` says otherwise (§4.8.15.1). */
function formOf({ encoding }: Media, value: Json): string | undefined {
  const pairs = Object.entries(objectOf(value)).map(([name, member]) => {
    const { style = "form", explode = style === "form" } = objectOf(encoding[name]);
    const rule = { name, style: String(style), explode: explode === true };
    return expanded(rule, isObject(member) && style === "form" ? JSON.stringify(member) : member);
  });
  return pairs.includes(undefined) ? undefined : pairs.join("&");
}

/** Parts in the order of the members; files have a name and their own media type (§4.8.14.4). */
function multipartOf({ schema, encoding }: Media, value: Json): string | undefined {
  const rules = objectOf(objectOf(schema ?? {})["properties"]);
  const parts: string[] = [];
  for (const [name, member] of Object.entries(objectOf(value))) {
    const rule = objectOf(rules[name]);
    const isFile = isBinary(rule) || isBinary(objectOf(rule["items"]));
    const items = [member].flat();
    if (items.length === 0 || /["\\\p{Cc}]/u.test(name)) return undefined;
    for (const item of items) {
      const json = isObject(item) ? JSON.stringify(item) : undefined;
      const text = json ?? (isFile && item === "" ? "" : textOf(item));
      if (text === undefined || text.includes(BOUNDARY)) return undefined;
      const usual = isFile ? "application/octet-stream" : json && "application/json";
      const kind = objectOf(encoding[name])["contentType"] ?? usual;
      const file = isFile ? `; filename="${name}.bin"` : "";
      const typed = kind === undefined ? "" : `content-type: ${String(kind).split(",", 1)[0]}\r\n`;
      const head = `content-disposition: form-data; name="${name}"${file}\r\n${typed}`;
      parts.push(`--${BOUNDARY}\r\n${head}\r\n${text}\r\n`);
    }
  }
  return `${parts.join("")}--${BOUNDARY}--\r\n`;
}

function isBinary({ format, contentMediaType, contentEncoding }: JsonObject): boolean {
  return format === "binary" || contentMediaType !== undefined && contentEncoding === undefined;
}
