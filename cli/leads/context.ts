/** @module What the commands of `deno task leads` work with. */

import type { Target } from "../../leads/delivery/target.ts";
import type { LeadStore, UnusableLead } from "../../leads/ports.ts";
import type { Output } from "../terminal.ts";

export interface Leads {
  readonly store: LeadStore;
  /** Overwrites removed leads in the database file; undefined if KV is remote. */
  readonly rewrite?: (() => Promise<void>) | undefined;
  /** The targets of LEAD_TARGETS; undefined if it is not set here. */
  readonly targets?: readonly Pick<Target, "id">[] | undefined;
  /** The retention that is set here, in milliseconds; Infinity: each lead has its own. */
  readonly retentionMs: number;
}

/** Everything outside the program, so that tests can replace it. */
export interface Environment extends Output {
  /** Asks a yes-or-no question; undefined without a terminal. */
  readonly confirm: ((question: string) => boolean) | undefined;
  readonly now: () => number;
  /** The width of the terminal in cells; Infinity if standard output is not one. */
  readonly columns: () => number;
  /** @param unusable is called for each lead that a method for all leads skips */
  readonly open: (unusable: (error: UnusableLead) => void) => Promise<Leads>;
}

export interface Context extends Omit<Environment, "open"> {
  /** Opens KV. Commands call it, so that help and an invalid command line need no KV. */
  readonly open: () => Promise<Leads>;
  /** The result of work on one lead; null if that lead is unusable, which the program reports. */
  readonly skip: <T>(work: Promise<T>) => Promise<T | null>;
}
