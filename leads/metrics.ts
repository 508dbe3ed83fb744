/**
 * @module Metrics by OpenTelemetry, counted from the log's events, so that a line and its number cannot
 * disagree. Attributes are targets, reasons and results: never a lead, a person or an address.
 */

import { metrics } from "@opentelemetry/api";
import type { Log, LogFields } from "./log.ts";

/** How many leads wait for a target, and since when the oldest of them. */
export interface Backlog {
  readonly target: string;
  readonly depth: number;
  /** Milliseconds; 0 if no lead waits. */
  readonly oldestAgeMs: number;
}

const METER = "frontdoor";

/** The log, counting what goes through it. */
export function withMetrics(log: Log): Log {
  const meter = metrics.getMeter(METER);
  const accepted = meter.createCounter("leads.accepted", {
    description: "Leads answered with 200, copies and test leads aside",
  });
  const refused = meter.createCounter("leads.refused", {
    description: "Requests to the lead intake that were refused, by reason",
  });
  const delivered = meter.createCounter("leads.delivered", {
    description: "Leads acknowledged by a target",
  });
  const dead = meter.createCounter("leads.dead", { description: "Leads given up for a target" });
  const duration = meter.createHistogram("leads.delivery.duration", {
    description: "How long a try took",
    unit: "s",
  });

  function count(event: string, fields: LogFields): void {
    const target = { target: String(fields["target"]) };
    switch (event) {
      case "lead.stored":
        return accepted.add(1, { stored: true });
      case "lead.not_stored":
        return fields["delivered"] === true
          ? accepted.add(1, { stored: false })
          : refused.add(1, { reason: "lead_not_stored" });
      case "lead.refused":
        return refused.add(1, { reason: String(fields["reason"]) });
      case "delivery.acknowledged":
        delivered.add(1, target);
        break;
      case "delivery.dead_letter":
        dead.add(1, target);
        break;
      case "delivery.postponed":
        break;
      default:
        return;
    }
    const result = String(fields["result"]);
    duration.record(Number(fields["durationMs"]) / 1000, { ...target, result });
  }

  function counted(write: Log["info"]): Log["info"] {
    return (event, fields = {}) => {
      count(event, fields);
      write(event, fields);
    };
  }
  return { info: counted(log.info), error: counted(log.error), count: counted(log.count) };
}

/**
 * Measures the queue at each export of the metrics. An export reports what the one before has measured:
 * it waits for its callbacks, and KV may take its time.
 *
 * @param measure where it rejects, nothing is reported
 */
export function observeBacklog(measure: () => Promise<readonly Backlog[]>): void {
  const meter = metrics.getMeter(METER);
  const depth = meter.createObservableGauge("outbox.depth", {
    description: "Leads that wait for a target",
  });
  const age = meter.createObservableGauge("outbox.oldest_age", {
    description: "Age of the lead that has waited longest for a target",
    unit: "s",
  });
  let measured: readonly Backlog[] = [];
  let isMeasuring = false;
  meter.addBatchObservableCallback((result) => {
    for (const { target, depth: waiting, oldestAgeMs } of measured) {
      result.observe(depth, waiting, { target });
      result.observe(age, oldestAgeMs / 1000, { target });
    }
    if (isMeasuring) return;
    isMeasuring = true;
    void measure().catch(() => []).then((backlogs) => {
      measured = backlogs;
      isMeasuring = false;
    });
  }, [depth, age]);
}
