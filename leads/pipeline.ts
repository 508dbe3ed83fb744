/** @module The lead pipeline of one process: intake, outbox and maintenance. */

import { lazy } from "../lib/lazy.ts";
import type { Config } from "../config/settings.ts";
import { ClientLimits } from "./client_limits.ts";
import { allTrueWithin, type Clock, systemClock } from "../lib/clock.ts";
import { reasonOf } from "./delivery/failure.ts";
import { createTargets } from "./delivery/targets.ts";
import { createIntake, type Intake } from "./intake.ts";
import { attemptCount } from "./lead.ts";
import { createLeadIds } from "./lead_id.ts";
import { type Log, safeReason } from "../lib/log.ts";
import { Outbox } from "./outbox.ts";
import { Sealer } from "./sealing.ts";
import { strandedLeads } from "./target_state.ts";
import { Tallies } from "./tallies.ts";
import { isTelemetryOn } from "../lib/process.ts";
import { groupingAt } from "./kv/group_commit.ts";
import type { KvAccess } from "./kv/guard.ts";
import { createKvStore } from "./kv/create.ts";
import { rewriteFile } from "./kv/scrub_file.ts";

export interface LeadEnvironment {
  /** Opens the database; called again after a failure. */
  readonly open: () => Promise<KvAccess>;
  readonly file?: string | undefined;
  readonly log: Log;
  readonly clock?: Clock;
}

export interface Leads {
  readonly intake: Intake;
  readonly outbox: Outbox;
  /** The log, whose events are counted as metrics. */
  readonly log: Log;
  /** To be run every minute: drains the outbox, purges, and once a day rewrites the database file. */
  runMaintenance(): Promise<void>;
  /** Stops the outbox, which waits at most `ms` for attempts, and stores what was counted. */
  stop(ms: number): Promise<void>;
}

/** The longest a purge takes in each minute. */
const PURGE_MS = 5_000;

/** Less than a minute: Deno skips a cron run while the previous one is still running. */
const MAINTENANCE_MS = 50_000;

export async function createLeads(
  settings: Config,
  { open, file, log: plainLog, clock = systemClock }: LeadEnvironment,
): Promise<Leads> {
  // 7 ms and a megabyte.
  const metrics = isTelemetryOn() ? await import("./metrics.ts") : undefined;
  const tallies = new Tallies(clock.now);
  const log = tallies.counting(metrics?.withMetrics(plainLog) ?? plainLog);
  const store = createKvStore({
    open,
    now: clock.now,
    sealer: new Sealer(settings.leadEncryptionKeys),
    retentionMs: settings.leadRetentionMs,
    grouping: groupingAt(settings.kvPath),
    unusable: (error) => log.error("lead.unusable", { lead: error.id, reason: safeReason(error) }),
  });
  const targets = createTargets(settings.leadTargets, {
    secrets: settings.leadWebhookSecrets,
    now: clock.now,
  });
  const outbox = new Outbox({
    store,
    targets,
    concurrency: settings.leadTargetConcurrency,
    clock,
    random: Math.random,
    log,
  });
  const { leadRateLimit: leadLimit, leadAttemptLimit: attemptLimit } = settings;
  const intake = createIntake({
    clients: new ClientLimits({ clock, leadLimit, attemptLimit }),
    settings,
    store,
    outbox,
    clock,
    log,
    newId: createLeadIds(),
  });
  metrics?.observeBacklog(() =>
    Promise.all(targets.map(async ({ id }) => ({ target: id, ...await store.backlog(id) })))
  );

  /** Counts, once, the leads that no target gets: there was none when they came, or it is gone. */
  const warnStranded = lazy(async () => {
    for (const { leads, target, fix } of await strandedLeads(store, targets)) {
      // Without targets leads are meant to be stored only.
      if (targets.length > 0 || target !== undefined) log.error("leads.stranded", { leads, fix });
    }
  });

  const alerts = settings.leadAlerts.length > 0 ? await import("./alerts.ts") : undefined;
  const tellOperators = alerts?.createAlerts({
    store,
    targets,
    recipients: settings.leadAlerts,
    digest: settings.leadDigest,
    siteName: settings.siteName,
    clock,
    log,
  });

  const storeTallies = () => tallies.store(store);

  async function purge(): Promise<void> {
    const leads = await store.purge({
      until: clock.now() + PURGE_MS,
      // A preview may share the database of a production that does deliver.
      ...(settings.delivers ? { targets: targets.map(({ id }) => id) } : {}),
      ended: (lead, target, delivery) => {
        const { result } = delivery.attempts.at(-1)!;
        const fields = { lead, target, attempts: attemptCount(delivery), result };
        log.error("delivery.dead_letter", { ...fields, reason: reasonOf(result) });
      },
    });
    if (leads > 0) log.info("leads.purged", { leads });
  }

  async function rewrite(): Promise<void> {
    if (file === undefined) return;
    if (await store.rewriteDaily(() => rewriteFile(file))) log.info("leads.file_rewritten");
  }

  async function logFailure(event: string, work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => log.error(event, { reason: safeReason(error) }));
  }

  async function runMaintenance(): Promise<void> {
    // A drain takes as long as its targets, a rewrite minutes: both continue in the background.
    const inTime = (work: Promise<unknown>) =>
      allTrueWithin([work.then(() => true)], { ms: MAINTENANCE_MS, clock });
    await Promise.all([
      inTime(outbox.drain()),
      logFailure("leads.count_failed", warnStranded)
        .then(() => logFailure("leads.tallies_failed", storeTallies))
        .then(() => logFailure("leads.purge_failed", purge))
        .then(() => logFailure("alerts.failed", async () => await tellOperators?.()))
        .then(() => inTime(logFailure("leads.rewrite_failed", rewrite))),
    ]);
  }

  async function stop(ms: number): Promise<void> {
    await outbox.stop(ms);
    await logFailure("leads.tallies_failed", storeTallies);
  }
  return { intake, outbox, log, runMaintenance, stop };
}
