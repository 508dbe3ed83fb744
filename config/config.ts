/**
 * @module Every setting of the service: its variable, its default and its bounds.
 *
 * Pure: each program reads the environment once and passes it in. Messages never repeat a value, because
 * some are secrets.
 */

import { SITE, type SiteData, siteProblems } from "../schemas/site_data.ts";
import { kvKind } from "../lib/kv_path.ts";
import { misspellingsOf } from "./misspelt.ts";
import * as read from "./readers.ts";

/** A variable, its reader, and its default if it is not empty. */
type Setting = readonly [variable: string, reader: read.Reader<unknown>, fallback?: string];

/** Durations are in milliseconds, URLs are origins without trailing slash. */
const SETTINGS = {
  port: ["PORT", read.integer(1, 65_535), "8000"],
  host: ["HOST", String, "127.0.0.1"],
  siteUrl: ["SITE_URL", read.optional(read.origin)],
  localUrl: ["LOCAL_URL", read.optional(read.origin)],
  siteName: ["SITE_NAME", read.text(80), SITE.name],
  serviceId: ["SERVICE_ID", read.slug, SITE.serviceId],
  /** Lines of the imprint that name the operator of the site. */
  operator: ["OPERATOR", read.lines],
  /** Undefined: the pages name the contact form instead. */
  contactEmail: ["CONTACT_EMAIL", read.optional(read.email)],
  contentSignal: ["CONTENT_SIGNAL", read.contentSignal, "search=yes, ai-input=yes, ai-train=yes"],
  kvPath: ["KV_PATH", read.optional(String), ".data/frontdoor.sqlite"],
  leadTargets: ["LEAD_TARGETS", read.targets(() => undefined)],
  leadTargetHeaders: ["LEAD_TARGET_HEADERS", read.targetHeaders],
  leadTargetConcurrency: ["LEAD_TARGET_CONCURRENCY", read.integer(1, 64), "64"],
  leadAlerts: ["LEAD_ALERTS", read.targetNames],
  leadDigest: ["LEAD_DIGEST", read.optional(read.timeOfDay)],
  leadWebhookSecrets: ["LEAD_WEBHOOK_SECRET", read.secrets],
  leadRateLimit: ["LEAD_RATE_LIMIT", read.rateLimit, "20/10m"],
  leadAttemptLimit: ["LEAD_ATTEMPT_LIMIT", read.rateLimit, "120/1m"],
  leadInlineTimeoutMs: ["LEAD_INLINE_TIMEOUT", read.duration("1ms", "1m"), "2s"],
  leadRetentionMs: ["LEAD_RETENTION", read.duration("1h", "3650d"), "90d"],
  leadEncryptionKeys: ["LEAD_ENCRYPTION_KEYS", read.sealingKeys],
  trustedProxyHops: ["TRUSTED_PROXY_HOPS", read.integer(0, 10), "0"],
} as const satisfies Record<string, Setting>;

type Values = {
  readonly [Name in keyof typeof SETTINGS]: ReturnType<typeof SETTINGS[Name][1]>;
};

/** Variables that Deno Deploy sets. */
const PLATFORM = ["DENO_DEPLOY", "DENO_TIMELINE", "DENO_KV_DEFAULT_PATH", "DENO_KV_PATH_PREFIX"];

export const VARIABLES: readonly string[] = [
  ...Object.values(SETTINGS).map(([variable]) => variable),
  ...PLATFORM,
];

/** Likely misspellings of a variable, which `parseConfig` rejects if they are set. */
export const MISSPELT = misspellingsOf(VARIABLES);

/** The variables that decide how the service runs, misspelt ones too. */
export function readVariables(
  get: (name: string) => string | undefined,
): Record<string, string | undefined> {
  const names = [...VARIABLES, ...MISSPELT.keys(), "TERM"];
  return Object.fromEntries(names.map((name) => [name, get(name)]));
}

export type Config = Values & {
  readonly siteUrl: string;
  readonly localUrl: string;
  readonly brand: SiteData;
  readonly delivers: boolean;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Some variables are invalid; `problems` has a line for each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  constructor(readonly problems: readonly string[]) {
    super(`Cannot use the configuration:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
  }
}

/**
 * Turns environment variables into settings.
 *
 * On Deno Deploy (`DENO_DEPLOY`) the database is the platform's and must be durable, and only the
 * production timeline (`DENO_TIMELINE`) delivers leads, not a preview.
 *
 * @param targetProblem checks a target's URL; without it any absolute URL is valid
 * @throws {ConfigError} with every problem at once
 */
export function parseConfig(
  env: Environment,
  targetProblem: read.TargetProblem = () => undefined,
): Config {
  const leadTargets = ["LEAD_TARGETS", read.targets(targetProblem)] as const;
  const values = readAll(env, { ...SETTINGS, leadTargets });
  const here = `http://localhost:${values.port}`;
  const delivers = !env["DENO_TIMELINE"] || env["DENO_TIMELINE"] === "production";
  return {
    ...values,
    brand: SITE,
    siteUrl: values.siteUrl ?? here,
    localUrl: values.localUrl ?? here,
    kvPath: env["DENO_DEPLOY"] && !env["KV_PATH"] ? undefined : values.kvPath,
    delivers,
    leadTargets: delivers ? values.leadTargets : [],
    leadAlerts: delivers ? values.leadAlerts : [],
  };
}

/** Gives the targets their header fields: only by HTTP, and only one value for Authorization. */
function addHeaders({ leadTargets, leadTargetHeaders = [] }: Partial<Values>): string[] {
  if (leadTargets === undefined) return [];
  return leadTargetHeaders.flatMap(({ target, name, value }, index) => {
    const entry = `LEAD_TARGET_HEADERS entry ${index + 1}`;
    const found = leadTargets.find((one) => one.name === target);
    if (found === undefined || /^smtps?:$/.test(found.url.protocol)) {
      return [`${entry} must begin with the name of a target that is a URL of http or https`];
    }
    if (name === "authorization" && found.url.username + found.url.password !== "") {
      return [`${entry} must not set Authorization: its target's URL has a user or a password`];
    }
    Object.assign(found.headers, { [name]: value });
    return [];
  });
}

/** Only people read alerts: their targets are mail or chat. */
function alertProblems({ leadTargets, leadAlerts = [], leadDigest }: Partial<Values>): string[] {
  if (leadTargets === undefined) return [];
  const isForPeople = ({ url }: typeof leadTargets[number]) => !/^https?:$/.test(url.protocol);
  const names = leadTargets.filter(isForPeople).map(({ name }) => name);
  return [
    ...leadAlerts.flatMap((name, index) =>
      names.includes(name) ? [] : [
        `LEAD_ALERTS entry ${
          index + 1
        } must be the name of a target in LEAD_TARGETS that is mail or chat`,
      ]
    ),
    ...(leadDigest !== undefined && leadAlerts.length === 0
      ? ["LEAD_DIGEST needs LEAD_ALERTS, which names the targets that get it"]
      : []),
  ];
}

/** Reads every variable; an empty one counts as unset, as in most programs. */
function readAll(env: Environment, settings: typeof SETTINGS): Values {
  const problems: string[] = [];
  const values: Partial<Values> = Object.fromEntries(
    Object.entries<Setting>(settings).map(([name, [variable, reader, fallback = ""]]) => {
      try {
        return [name, reader(env[variable] || fallback)];
      } catch (error) {
        if (!(error instanceof read.InvalidValue)) throw error;
        const subject = env[variable] ? variable : `${variable} (set in static/site.json)`;
        problems.push(...error.problems.map((problem) => `${subject} ${problem}`));
        return [name, undefined];
      }
    }),
  );
  problems.push(...addHeaders(values), ...alertProblems(values));
  problems.push(...durabilityProblems(env), ...siteProblems(SITE));
  for (const [name, variable] of MISSPELT) {
    if (env[name]) problems.push(`${name} is set, but the variable is ${variable}`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return values as Values;
}

/**
 * Rejects storage that is not durable on Deno Deploy: a file is gone with the isolate, and so is the
 * default database unless one is assigned. Deno opens DENO_KV_PATH_PREFIX + DENO_KV_DEFAULT_PATH; as in
 * Deno itself, a durable database is a URL.
 */
function durabilityProblems(
  { DENO_DEPLOY, KV_PATH, DENO_KV_DEFAULT_PATH, DENO_KV_PATH_PREFIX = "" }: Environment,
): string[] {
  const path = KV_PATH || (DENO_KV_DEFAULT_PATH && DENO_KV_PATH_PREFIX + DENO_KV_DEFAULT_PATH);
  if (!DENO_DEPLOY || kvKind(path || "") === "remote") return [];
  return [
    KV_PATH
      ? "KV_PATH must be empty or a KV Connect URL on Deno Deploy: " +
        "leads in a file or in memory are gone with the isolate"
      : "KV_PATH is empty, and no KV database is assigned to the application: leads would be gone " +
        "with the isolate. Assign one (deno deploy database assign NAME --app APP), then deploy again",
  ];
}
