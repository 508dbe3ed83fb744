/**
 * @module Every setting of the service: its variable, its default and what is wrong with it.
 *
 * `parseConfig` is pure; `main.ts` alone reads the environment. A value is never repeated in a
 * message, because some of them are secrets.
 */

import { z } from "zod";
import {
  allowance,
  contentSignal,
  duration,
  integer,
  lines,
  origin,
  sealingKeys,
  secrets,
  type TargetFault,
  targets,
  UNIT_MS,
} from "./config_values.ts";

export type { TargetFault } from "./config_values.ts";

/** An empty variable counts as absent: that is what `NAME= command` means to most people. */
function optional<T extends z.ZodType<unknown, string>>(schema: T, fallback: string) {
  return z.preprocess((value) => value === undefined || value === "" ? fallback : value, schema);
}

const Environment = z.object({
  PORT: optional(integer(0, 65_535), "8000"),
  HOST: optional(z.string(), "127.0.0.1"),
  SITE_URL: optional(origin, "http://localhost"),
  LOCAL_URL: optional(origin, "http://localhost"),
  SITE_NAME: optional(
    z.string().max(80, { error: "must have at most 80 characters" }),
    "Nordlotse",
  ),
  SERVICE_ID: optional(
    z.string().regex(/^[a-z0-9-]{1,63}$/, {
      error: "must be 1 to 63 lower-case letters, digits and hyphens",
    }),
    "nordlotse-frontdoor",
  ),
  OPERATOR: optional(lines, ""),
  CONTACT_EMAIL: z.preprocess(
    (value) => value || undefined,
    z.email({ pattern: z.regexes.html5Email, error: "must be an email address" }).optional(),
  ),
  CONTENT_SIGNAL: optional(contentSignal, "search=yes, ai-input=yes, ai-train=yes"),
  KV_PATH: optional(z.string(), ".data/frontdoor.sqlite"),
  LEAD_TARGETS: optional(targets(() => undefined), ""),
  LEAD_WEBHOOK_SECRET: optional(secrets, ""),
  LEAD_RATE_LIMIT: optional(allowance, "20/10m"),
  LEAD_ATTEMPT_LIMIT: optional(allowance, "120/1m"),
  LEAD_INLINE_TIMEOUT: optional(duration("1ms", "1m"), "2s"),
  LEAD_RETENTION: optional(duration("1h", "3650d"), "90d"),
  LEAD_ENCRYPTION_KEYS: optional(sealingKeys, ""),
  TRUSTED_PROXY_HOPS: optional(integer(0, 10), "0"),
  DENO_DEPLOY: z.string().optional(),
  DENO_TIMELINE: z.string().optional(),
});

/** How many within which time; written `20/10m`. */
type Allowance = z.infer<typeof allowance>;

/** The names of all variables that `parseConfig` looks at. */
export const VARIABLES: readonly string[] = Object.keys(Environment.shape);

/** The service's settings. Durations are in milliseconds, URLs are origins without trailing slash. */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly siteUrl: string;
  readonly localUrl: string;
  readonly siteName: string;
  readonly serviceId: string;
  /** Who answers for the site, for its imprint: a line each. Empty: not said. */
  readonly operator: readonly string[];
  /** Undefined: whoever wants to write uses the contact form. */
  readonly contactEmail: string | undefined;
  /** What crawlers may use the texts for. */
  readonly contentSignal: z.infer<typeof contentSignal>;
  /** A file, `:memory:`, a KV Connect URL, or undefined for the platform's own database. */
  readonly kvPath: string | undefined;
  readonly leadTargets: readonly URL[];
  readonly leadWebhookSecrets: readonly string[];
  readonly leadRateLimit: Allowance;
  readonly leadAttemptLimit: Allowance;
  readonly leadInlineTimeoutMs: number;
  readonly leadRetentionMs: number;
  /** Newest first; none: leads are kept unsealed. */
  readonly leadEncryptionKeys: readonly { readonly id: string; readonly key: Uint8Array }[];
  readonly trustedProxyHops: number;
}

/** The environment holds values that cannot be used; `faults` has a line for each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  constructor(readonly faults: readonly string[]) {
    super(`Cannot use the configuration:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
  }
}

/**
 * Turns environment variables into settings.
 *
 * On Deno Deploy (`DENO_DEPLOY`) the database is the platform's, and only the production timeline
 * (`DENO_TIMELINE`) delivers leads: a preview must not send anybody anything.
 *
 * @param targetFault what else a target's URL must be; without it any absolute URL will do
 * @throws {ConfigError} naming every fault at once
 */
export function parseConfig(
  env: Readonly<Record<string, string | undefined>>,
  targetFault?: TargetFault,
): Config {
  const schema = targetFault === undefined
    ? Environment
    : Environment.extend({ LEAD_TARGETS: optional(targets(targetFault), "") });
  const parsed = schema.safeParse(env);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`),
    );
  }
  const values = parsed.data;
  const here = `http://localhost:${values.PORT}`;
  const onDeploy = Boolean(values.DENO_DEPLOY);
  const delivers = !values.DENO_TIMELINE || values.DENO_TIMELINE === "production";
  return {
    port: values.PORT,
    host: values.HOST,
    siteUrl: env.SITE_URL ? values.SITE_URL : here,
    localUrl: env.LOCAL_URL ? values.LOCAL_URL : here,
    siteName: values.SITE_NAME,
    serviceId: values.SERVICE_ID,
    operator: values.OPERATOR,
    contactEmail: values.CONTACT_EMAIL,
    contentSignal: values.CONTENT_SIGNAL,
    kvPath: onDeploy && !env.KV_PATH ? undefined : values.KV_PATH,
    leadTargets: delivers ? values.LEAD_TARGETS : [],
    leadWebhookSecrets: values.LEAD_WEBHOOK_SECRET,
    leadRateLimit: values.LEAD_RATE_LIMIT,
    leadAttemptLimit: values.LEAD_ATTEMPT_LIMIT,
    leadInlineTimeoutMs: values.LEAD_INLINE_TIMEOUT,
    leadRetentionMs: values.LEAD_RETENTION,
    leadEncryptionKeys: values.LEAD_ENCRYPTION_KEYS,
    trustedProxyHops: values.TRUSTED_PROXY_HOPS,
  };
}

/** What the service is set to do, for whoever starts it. Holds no secret: of a target, its host. */
export function summarise(config: Config, denoVersion: string): string {
  const { leadTargets, leadWebhookSecrets, leadRateLimit, leadAttemptLimit } = config;
  const signed = leadWebhookSecrets.length > 0 ? "signed" : "unsigned: set LEAD_WEBHOOK_SECRET";
  const sealed = config.leadEncryptionKeys.length > 0
    ? "sealed"
    : "not sealed: set LEAD_ENCRYPTION_KEYS";
  const webhooks = leadTargets.some(({ protocol }) => /^https?:$/.test(protocol));
  const targets = leadTargets.length > 0
    ? `${leadTargets.map(({ host }) => host).join(", ")}${webhooks ? ` (${signed})` : ""}`
    : "nowhere: they are stored and logged (set LEAD_TARGETS)";
  return `${config.siteName} on http://${config.host}:${config.port}, public as ${config.siteUrl}
  leads go to   ${targets}
  leads are in  ${kvPlace(config)}, kept ${days(config.leadRetentionMs)}, ${sealed}
  limits        ${perClient(leadRateLimit)} leads, ${perClient(leadAttemptLimit)} tries, per client
  runs on       Deno ${denoVersion}`;
}

/** Whether a KV path is a KV Connect URL. */
export function isRemote(kvPath: string | undefined): boolean {
  return /^https?:\/\//.test(kvPath ?? "");
}

/** Where KV lies, for people. A KV Connect URL may hold credentials: its origin says enough. */
export function kvPlace({ kvPath }: Pick<Config, "kvPath">): string {
  if (kvPath === undefined) return "the platform's KV";
  return isRemote(kvPath) ? URL.parse(kvPath)?.origin ?? "a KV Connect URL" : kvPath;
}

function perClient({ count, windowMs }: Allowance): string {
  return `${count} in ${windowMs / 1000} s`;
}

function days(ms: number): string {
  return `${Math.round(ms / UNIT_MS["d"]! * 10) / 10} days`;
}
