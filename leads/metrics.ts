/**
 * @module OpenTelemetry metrics, counted from the log's events, so that both agree. Attributes are
 * targets, reasons and results: never a lead, a person or an address.
 */

import { metrics } from "@opentelemetry/api";
import { type Log, type LogFields, observed } from "../lib/log.ts";

type Backlog = { readonly target: string; readonly depth: number; readonly oldestAgeMs: number };

const METER = "frontdoor";

export function withMetrics(log: Log): Log {
  const meter = metrics.getMeter(METER);
  const counter = (name: string, description: string) => meter.createCounter(name, { description });
  const accepted = counter("leads.accepted", "Leads answered 200, except duplicates and tests");
  const refused = counter("leads.refused", "Refused requests to the lead intake, by reason");
  const acknowledged = counter("leads.delivered", "Leads acknowledged by a target");
  const dead = counter("leads.dead", "Dead letters");
  const duration = meter.createHistogram("leads.delivery.duration", {
    description: "Duration of a delivery attempt",
    unit: "s",
  });

  function count(event: string, fields: LogFields): void {
    const { delivered, reason, target, result, durationMs } = fields;
    if (event === "lead.stored") accepted.add(1, { stored: true });
    if (event === "lead.not_stored" && delivered) accepted.add(1, { stored: false });
    if (event === "lead.not_stored" && !delivered) refused.add(1, { reason: "lead_not_stored" });
    if (event === "lead.refused") refused.add(1, { reason });
    if (event === "delivery.acknowledged") acknowledged.add(1, { target });
    if (event === "delivery.dead_letter") dead.add(1, { target });
    if (durationMs !== undefined) duration.record(Number(durationMs) / 1000, { target, result });
  }
  return observed(log, count);
}

/**
 * Measures the queues at each export of the metrics and reports the previous measurement, because an
 * export waits for its callbacks. If `measure` rejects, nothing is reported.
 */
export function observeBacklog(measure: () => Promise<readonly Backlog[]>): void {
  const meter = metrics.getMeter(METER);
  const depth = meter.createObservableGauge("outbox.depth", {
    description: "Leads that wait for a target",
  });
  const age = meter.createObservableGauge("outbox.oldest_age", {
    description: "Age of the oldest lead that waits for a target",
    unit: "s",
  });
  let measured: readonly Backlog[] = [];
  let measuring: Promise<void> | undefined;
  meter.addBatchObservableCallback((result) => {
    for (const { target, depth: waiting, oldestAgeMs } of measured) {
      result.observe(depth, waiting, { target });
      result.observe(age, oldestAgeMs / 1000, { target });
    }
    measuring ??= measure().catch(() => []).then((backlogs) => {
      measured = backlogs;
      measuring = undefined;
    });
  }, [depth, age]);
}
