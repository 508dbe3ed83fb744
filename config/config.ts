/**
 * @module Every setting of the service: its variable, its default and its bounds.
 *
 * Pure: each program reads the environment once and hands it in. A value is never repeated in a
 * message, because some of them are secrets.
 */

import type { ContentSignal, LeadSettings } from "../schemas/values.ts";
import { isRemote } from "./kv_path.ts";
import {
  allowance,
  contentSignal,
  duration,
  email,
  integer,
  lines,
  optional,
  origin,
  type Reader,
  sealingKeys,
  secrets,
  slug,
  type TargetFault,
  targets,
  text,
  ValueFault,
} from "./readers.ts";

/** How a variable is read, and what it is where it is not set. */
interface Setting<T> {
  readonly read: Reader<T>;
  readonly fallback: string;
}

function setting<T>(read: Reader<T>, fallback: string): Setting<T> {
  return { read, fallback };
}

const SETTINGS = {
  PORT: setting(integer(1, 65_535), "8000"),
  HOST: setting(String, "127.0.0.1"),
  SITE_URL: setting(optional(origin), ""),
  LOCAL_URL: setting(optional(origin), ""),
  SITE_NAME: setting(text(80), "Nordlotse"),
  SERVICE_ID: setting(slug, "nordlotse-frontdoor"),
  OPERATOR: setting(lines, ""),
  CONTACT_EMAIL: setting(optional(email), ""),
  CONTENT_SIGNAL: setting(contentSignal, "search=yes, ai-input=yes, ai-train=yes"),
  KV_PATH: setting(String, ".data/frontdoor.sqlite"),
  LEAD_TARGETS: setting(targets(() => undefined), ""),
  LEAD_WEBHOOK_SECRET: setting(secrets, ""),
  LEAD_RATE_LIMIT: setting(allowance, "20/10m"),
  LEAD_ATTEMPT_LIMIT: setting(allowance, "120/1m"),
  LEAD_INLINE_TIMEOUT: setting(duration("1ms", "1m"), "2s"),
  LEAD_RETENTION: setting(duration("1h", "3650d"), "90d"),
  LEAD_ENCRYPTION_KEYS: setting(sealingKeys, ""),
  TRUSTED_PROXY_HOPS: setting(integer(0, 10), "0"),
  DENO_DEPLOY: setting(String, ""),
  DENO_TIMELINE: setting(String, ""),
  DENO_KV_DEFAULT_PATH: setting(String, ""),
  DENO_KV_PATH_PREFIX: setting(String, ""),
};

type Settings = typeof SETTINGS;
type Values = { readonly [Name in keyof Settings]: ReturnType<Settings[Name]["read"]> };

/** The names of all variables that `parseConfig` looks at. */
export const VARIABLES: readonly string[] = Object.keys(SETTINGS);

/** The service's settings. Durations are in milliseconds, URLs are origins without trailing slash. */
export interface Config extends LeadSettings {
  readonly port: number;
  readonly host: string;
  readonly siteUrl: string;
  readonly localUrl: string;
  readonly siteName: string;
  readonly serviceId: string;
  /** Lines of the imprint that name the operator of the site. */
  readonly operator: readonly string[];
  /** Undefined: the pages name the contact form instead. */
  readonly contactEmail: string | undefined;
  /** What crawlers may use the texts for. */
  readonly contentSignal: ContentSignal;
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
 * On Deno Deploy (`DENO_DEPLOY`) the database is the platform's and has to last, and only the
 * production timeline (`DENO_TIMELINE`) delivers leads: a preview must not send leads.
 *
 * @param targetFault what else a target's URL must be; without it any absolute URL will do
 * @throws {ConfigError} naming every fault at once
 */
export function parseConfig(
  env: Readonly<Record<string, string | undefined>>,
  targetFault?: TargetFault,
): Config {
  const values = readAll(
    env,
    targetFault === undefined ? SETTINGS : {
      ...SETTINGS,
      LEAD_TARGETS: setting(targets(targetFault), ""),
    },
  );
  const here = `http://localhost:${values.PORT}`;
  const onDeploy = Boolean(values.DENO_DEPLOY);
  const delivers = !values.DENO_TIMELINE || values.DENO_TIMELINE === "production";
  return {
    port: values.PORT,
    host: values.HOST,
    siteUrl: values.SITE_URL ?? here,
    localUrl: values.LOCAL_URL ?? here,
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

/** Reads every variable; an empty one counts as not set, as in most programs. */
function readAll(env: Readonly<Record<string, string | undefined>>, settings: Settings): Values {
  const faults: string[] = [];
  const values = Object.entries(settings).map(([name, { read, fallback }]) => {
    try {
      return [name, read(env[name] || fallback)];
    } catch (error) {
      if (!(error instanceof ValueFault)) throw error;
      faults.push(...error.faults.map((fault) => `${name} ${fault}`));
      return [name, undefined];
    }
  });
  faults.push(...durabilityFaults(env));
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.fromEntries(values);
}

/**
 * Rejects storage that is not durable. On Deno Deploy a file is gone with the isolate, and so is what
 * Deno opens where no database is assigned. Deno opens what DENO_KV_DEFAULT_PATH names, with
 * DENO_KV_PATH_PREFIX before it; as in Deno itself, what lasts begins with http.
 */
function durabilityFaults(
  { DENO_DEPLOY, KV_PATH, DENO_KV_DEFAULT_PATH, DENO_KV_PATH_PREFIX = "" }: Readonly<
    Record<string, string | undefined>
  >,
): string[] {
  if (!DENO_DEPLOY) return [];
  if (KV_PATH) {
    return isRemote(KV_PATH) ? [] : [
      "KV_PATH must be empty or a KV Connect URL on Deno Deploy: " +
      "leads in a file or in memory are gone with the isolate",
    ];
  }
  return DENO_KV_DEFAULT_PATH && isRemote(DENO_KV_PATH_PREFIX + DENO_KV_DEFAULT_PATH) ? [] : [
    "KV_PATH is empty, and no KV database is assigned to the application: leads would be gone " +
    "with the isolate. Assign one (deno deploy database assign NAME --app APP), then deploy again",
  ];
}
