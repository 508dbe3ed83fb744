/**
 * @module Cases as data: every row of every file of cases is sent, and its answer held against the
 * status, the code and the place that the row names. What rows are, `case_file.ts` tells.
 */

import { callsOf } from "../case_call.ts";
import { type CaseFile, readCases } from "../case_file.ts";
import { faultsOf, quoted } from "../expectation.ts";
import type { Session, Tier } from "../session.ts";
import { negotiate } from "./negotiation.ts";

export const casesTier: Tier = {
  name: "cases",
  tries: "the rows of the files of cases: boundaries, bad inputs, methods, paths, Accept",
  live: true,
  async run(session) {
    const files = await readCases(session.cases);
    let rows = 0;
    for (const [index, file] of files.entries()) {
      session.progress(index, files.length);
      rows += await runFile(session, file);
    }
    session.progress(files.length, files.length);
    session.note(`${rows} rows of ${files.length} files`);
  },
};

/** Sends what one file holds; returns how many rows that was. */
export async function runFile(session: Session, file: CaseFile): Promise<number> {
  let sent = file.negotiation === undefined ? 0 : await negotiate(session, file.negotiation);
  for (const [category, rows] of Object.entries(file.cases ?? {})) {
    for (const row of rows) {
      if (session.live && row.live !== true) continue;
      sent++;
      for (const { title, call, want, markers } of await callsOf(session, { ...file, row })) {
        const exchange = await session.send(call, {
          title: `${file.name}, ${category}: ${title}`,
          markers,
        });
        // Without the title, so that rows that fail for one reason are one finding.
        const place = row.at === undefined ? "" : ` (${row.at.map(quoted).join(", ")})`;
        for (
          const fault of faultsOf(exchange.answer, { want, profile: session.contract.profile })
        ) {
          const message = `${category}${place}: ${fault}`;
          session.report({ check: "case", message, exchange });
        }
      }
    }
  }
  return sent;
}
