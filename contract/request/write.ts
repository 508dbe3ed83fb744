/**
 * @module Writes a request: parameters by style and explode (OpenAPI 3.1 §4.8.12, RFC 6570), bodies by
 * media type (§4.8.14). Everything is percent-encoded, which services must decode: `allowReserved`
 * only permits less.
 */

import {
  isJsonType,
  isObject,
  type Json,
  type JsonObject,
  type Media,
  objectOf,
  type Operation,
  type Parameter,
} from "../document.ts";
import type { Call } from "../exchange.ts";

/** The values of a request by place and name, and its body. */
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

/** Separators of values in one text. */
const JOINED: Readonly<Record<string, string>> = { spaceDelimited: " ", pipeDelimited: "|" };

/**
 * The request; undefined if a value cannot be written, or services differ in how they read it: an
 * empty text or list, null, a dot segment, an item that contains its separator.
 */
export function callOf(
  { method, path, parameters }: Operation,
  { parts, media }: { readonly parts: Parts; readonly media?: Media | undefined },
): Call | undefined {
  const texts = parameters.flatMap((parameter) => {
    const { in: place, name } = parameter;
    const value = objectOf(parts[place as "query"])[name];
    return value === undefined ? [] : [{ place, name, text: written(parameter, value) }];
  });
  const isBare = parts.body === undefined || media === undefined;
  const body = isBare ? undefined : bodyOf(media, parts.body);
  const isLost = parts.body !== undefined && body === undefined;
  if (isLost || texts.some(({ text }) => text === undefined)) return undefined;
  const textsIn = (where: string) =>
    texts.filter(({ place }) => place === where).map(({ name, text }) => [name, text!] as const);
  const filled = textsIn("path").reduce(
    (filled, [name, text]) => filled.replaceAll(`{${name}}`, () => text),
    path,
  );
  const query = textsIn("query").map(([, text]) => text).join("&");
  const cookie = textsIn("cookie").map(([, text]) => text).join("; ");
  const headers: (readonly [string, string])[] = textsIn("header");
  if (body !== undefined) headers.unshift(["content-type", body.type]);
  if (cookie !== "") headers.push(["cookie", cookie]);
  const target = query === "" ? filled : `${filled}?${query}`;
  if (/[{}]/.test(filled)) return undefined;
  if ([target, ...headers.map(([, value]) => value)].some(({ length }) => length > LONGEST)) {
    return undefined;
  }
  return {
    method,
    path: target,
    ...(headers.length === 0 ? {} : { headers }),
    ...(body === undefined ? {} : { body: body.bytes }),
  };
}

/** Whether a text can be in its place. */
const FITS: Readonly<Record<string, RegExp>> = {
  header: /^[!-~](?:[ -~]*[!-~])?$/,
  // Characters that a cookie has without quotes (RFC 6265 §4.1.1).
  cookie: /^[!#-+\--:<-[\]-~]+$/,
};

function written(parameter: Parameter, value: Json): string | undefined {
  const { in: place, name, media, explode } = parameter;
  if (media !== undefined && !isJsonType(media)) return undefined;
  const json = media === undefined ? undefined : JSON.stringify(value);
  if (place === "query") {
    if (json === undefined) return expanded(parameter, value);
    return `${encodeURIComponent(name)}=${encodeURIComponent(json)}`;
  }
  if (place === "path") {
    const text = String(value);
    if (/^(?:\.|%2e){1,2}$/i.test(text) || /[/\\\p{Cc}]/u.test(text)) return undefined;
    return json === undefined ? expanded(parameter, value) : encodeURIComponent(json);
  }
  const rule = { name, style: "simple", explode };
  const text = json ?? (place === "header" ? expanded(rule, value, String) : textOf(value));
  if (text === undefined || !FITS[place]!.test(text)) return undefined;
  return place === "cookie" ? `${name}=${text}` : text;
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
    return text === undefined ? undefined : prefix + label + encode(text);
  }
  const isList = Array.isArray(value);
  const entries = Object.entries(value).map(([key, item]) => [key, textOf(item) ?? ""] as const);
  if (entries.length === 0 || entries.some(([, text]) => text === "")) return undefined;
  if (style === "deepObject") {
    if (isList || entries.some(([key]) => /[[\]]|^$/.test(key))) return undefined;
    return entries.map(([key, text]) => `${encode(`${name}[${key}]`)}=${encode(text)}`).join("&");
  }
  // Only `name=a&name=b` tells a separator from the same character in an item.
  const joint = JOINED[style] ?? (explode ? between : ",");
  const isSafe = (text: string) => !/[,;=&]/.test(text) && !text.includes(joint);
  const isRepeated = joint === between && isNamed;
  const keys = isList ? [] : entries.map(([key]) => key);
  const texts = [...keys, ...(isRepeated ? [] : entries.map(([, text]) => text))];
  if (!texts.every((text) => text !== "" && text.isWellFormed() && isSafe(text))) return undefined;
  const pairs = entries.map(([key, text]) => [encode(key), encode(text)] as const);
  const items = !explode || joint !== between
    ? pairs.flatMap(([key, text]) => isList ? [text] : [key, text])
    : pairs.map(([key, text]) => isList ? (isNamed ? label : "") + text : `${key}=${text}`);
  const start = joint === between && explode ? prefix : prefix + label;
  return start + items.join(JOINED[style] === undefined ? joint : encode(joint));
}

/** Undefined for what has no text that every service reads alike. */
export function textOf(value: Json): string | undefined {
  if (value === null || typeof value === "object" || value === "") return undefined;
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value).toString();
  return String(value).isWellFormed() ? String(value) : undefined;
}

interface Body {
  readonly type: string;
  readonly bytes: string;
}

function bodyOf(media: Media, value: Json): Body | undefined {
  const { type } = media;
  if (isJsonType(type)) return { type, bytes: JSON.stringify(value) };
  if (isLines(type)) {
    const lines = Array.isArray(value) ? value : [value];
    return { type, bytes: lines.map((line) => `${JSON.stringify(line)}\n`).join("") };
  }
  if (type === FORM) return formOf(media, value);
  if (type === MULTIPART) return multipartOf(media, value);
  return typeof value === "string" && value.isWellFormed() ? { type, bytes: value } : undefined;
}

const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";

function isLines(type: string): boolean {
  return /\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines)$/.test(type);
}

/** Whether bodies of a media type can be written: not XML, and no range. */
export function isWritable({ type }: Media): boolean {
  return isJsonType(type) || isLines(type) || /^text\/(?!xml)[\w.-]+$/.test(type) ||
    [FORM, MULTIPART, "application/octet-stream"].includes(type);
}

/** A form: lists are repeated, objects are JSON, unless `encoding` says otherwise (§4.8.15.1). */
function formOf({ type, encoding }: Media, value: Json): Body | undefined {
  const pairs = Object.entries(objectOf(value)).map(([name, member]) => {
    const { style = "form", explode = style === "form" } = objectOf(encoding[name]);
    const rule = { name, style: String(style), explode: explode === true };
    return expanded(rule, isObject(member) && style === "form" ? JSON.stringify(member) : member);
  });
  return pairs.includes(undefined) ? undefined : { type, bytes: pairs.join("&") };
}

const BOUNDARY = "frontdoor-contract-7f3a";

/** Parts in the order of the members; files have a name and their own media type (§4.8.14.4). */
function multipartOf({ type, schema, encoding }: Media, value: Json): Body | undefined {
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
  const bytes = `${parts.join("")}--${BOUNDARY}--\r\n`;
  return { type: `${type}; boundary=${BOUNDARY}`, bytes };
}

function isBinary({ format, contentMediaType, contentEncoding }: JsonObject): boolean {
  return format === "binary" || contentMediaType !== undefined && contentEncoding === undefined;
}
