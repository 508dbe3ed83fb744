/** @module Leads that cannot be read or changed: commands skip them, and name them at the end. */

import { UnusableLead } from "../../leads/store.ts";
import type { Leads } from "./context.ts";
import { count } from "./text.ts";

/** Ids named for each reason. */
const NAMED = 10;

export class UnusableLeads {
  readonly #ids = new Map<string, Set<string>>();

  readonly add = ({ id, message }: UnusableLead): void => {
    this.#ids.set(message, (this.#ids.get(message) ?? new Set()).add(id));
  };

  readonly skip: Leads["skip"] = (work) =>
    work.catch((error: unknown) => {
      if (!(error instanceof UnusableLead)) throw error;
      this.add(error);
      return null;
    });

  /** A line for each reason. */
  report(): string[] {
    return [...this.#ids].map(([reason, ids]) => {
      const named = [...ids].slice(0, NAMED).join(" ");
      const why = reason.charAt(0).toUpperCase() + reason.slice(1);
      return `${count(ids.size, "lead")} skipped. ${why}: ${named}${
        ids.size > NAMED ? " …" : ""
      }\n`;
    });
  }
}
