/**
 * @module How a setting is written: durations, allowances, origins, lists, keys. Each schema takes
 * the text of a variable and says what is wrong with it without repeating it: some are secrets.
 */

import { z } from "zod";

/** Milliseconds by unit of a duration. */
export const UNIT_MS: Record<string, number> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const DURATION = "(\\d{1,9})(ms|s|m|h|d)";

function toMs(text: string): number {
  const [, count, unit] = new RegExp(`^${DURATION}$`).exec(text) ?? [];
  return Number(count) * UNIT_MS[unit!]!;
}

/** @param from the shortest and @param to the longest that is of use, written like the value */
export function duration(from: string, to: string): z.ZodType<number, string> {
  return z.string().regex(new RegExp(`^${DURATION}$`), {
    error: "must be a whole number and a unit (ms, s, m, h, d), such as 2s",
  }).transform(toMs).refine((ms) => ms >= toMs(from) && ms <= toMs(to), {
    error: `must be from ${from} to ${to}`,
  });
}

export const allowance = z.string().regex(new RegExp(`^[1-9]\\d{0,5}/${DURATION}$`), {
  error: "must be a count and a window, such as 20/10m",
}).transform((text) => {
  const [count = "", window = ""] = text.split("/");
  return { count: Number(count), windowMs: toMs(window) };
}).refine(
  ({ count, windowMs }) =>
    windowMs >= Math.max(UNIT_MS["s"]!, count) && windowMs <= 366 * UNIT_MS["d"]!,
  { error: "must have a window of at least 1s, and 1ms for each count, and at most 366d" },
);

export function integer(from: number, to: number): z.ZodType<number, string> {
  return z.string().regex(/^\d+$/, { error: "must be a whole number" }).transform(Number)
    .refine((n) => n >= from && n <= to, { error: `must be from ${from} to ${to}` });
}

export const origin = z.string().transform((text, context) => {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    context.addIssue({
      code: "custom",
      message: "must be an http or https URL with neither path nor query",
    });
    return z.NEVER;
  }
  return url.origin;
});

export const words = z.string().transform((text) =>
  text.split(/\s+/).filter((word) => word !== "")
);

/**
 * What keeps a URL from being a target, as the end of a sentence that does not repeat it; undefined
 * where nothing does. Given from outside, because `leads/delivery/` knows the kinds of targets.
 */
export type TargetFault = (url: URL) => string | undefined;

export function targets(faultOf: TargetFault): z.ZodType<URL[], string> {
  return words.transform((entries, context) =>
    entries.flatMap((text, index) => {
      const url = URL.parse(text);
      const fault = url === null ? "must be an absolute URL" : faultOf(url);
      if (fault === undefined) return [url!];
      context.addIssue({ code: "custom", message: `entry ${index + 1} ${fault}` });
      return [];
    })
  );
}

/** Standard Webhooks: `whsec_` and 24 to 64 bytes in base64. */
function isWebhookSecret(text: string): boolean {
  const length = text.startsWith("whsec_") ? bytesOf(text.slice("whsec_".length))?.length : 0;
  return length !== undefined && length >= 24 && length <= 64;
}

export const secrets = words.refine((entries) => entries.every(isWebhookSecret), {
  error: "each entry must be whsec_ and 24 to 64 bytes in base64",
});

/** `id:base64`, newest first; AES-256 takes 32 bytes. */
export const sealingKeys = words.transform((entries, context) =>
  entries.flatMap((entry, index) => {
    const [, id, base64] = /^([A-Za-z0-9_-]{1,32}):(.+)$/.exec(entry) ?? [];
    const key = id === undefined ? undefined : bytesOf(base64!);
    if (id !== undefined && key?.length === 32) return [{ id, key }];
    context.addIssue({
      code: "custom",
      message: `entry ${index + 1} must be id:base64 of 32 bytes`,
    });
    return [];
  })
).refine((keys) => new Set(keys.map(({ id }) => id)).size === keys.length, {
  error: "must not name two keys alike",
});

function bytesOf(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.fromBase64(base64);
  } catch {
    return undefined;
  }
}

/** Lines of text, separated by semicolons. */
export const lines = z.string().transform((text) =>
  text.split(";").map((line) => line.trim()).filter((line) => line !== "")
).refine((entries) => entries.length <= 20 && entries.every((line) => line.length <= 200), {
  error: "must have at most 20 lines, separated by ;, of at most 200 characters",
});

const SIGNALS = ["search", "ai-input", "ai-train"] as const;

/** `search=yes, ai-input=yes, ai-train=no`, in any order (contentsignals.org). */
export const contentSignal = z.string().transform((text, context) => {
  const signals = new Map(
    text.split(",").map((part) => {
      const [name = "", value = ""] = part.split("=").map((word) => word.trim());
      return [name, value];
    }),
  );
  const isSound = signals.size === SIGNALS.length &&
    SIGNALS.every((name) => /^(?:yes|no)$/.test(signals.get(name) ?? ""));
  if (!isSound) {
    context.addIssue({
      code: "custom",
      message: `must have each of ${SIGNALS.join(", ")} once, each with =yes or =no, by commas`,
    });
    return z.NEVER;
  }
  const says = (name: typeof SIGNALS[number]) => signals.get(name) === "yes";
  return { search: says("search"), aiInput: says("ai-input"), aiTrain: says("ai-train") };
});
