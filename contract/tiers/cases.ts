/**
 * @module The cases tier: sends every row of every case file and checks the answer. `case_file.ts`
 * documents the rows.
 */

import { callsOf } from "../case_call.ts";
import { type CaseFile, readCases } from "../case_file.ts";
import { faultsOf, quoted } from "../expectation.ts";
import type { Session, Tier } from "../session.ts";
import { negotiate } from "./negotiation.ts";

export const casesTier: Tier = {
  name: "cases",
  tries: "the rows of the case files: boundaries, bad inputs, methods, paths, Accept",
  live: true,
  unable: ({ cases }) => cases === undefined ? "there are no cases" : undefined,
  async run(session) {
    const files = session.cases === undefined ? [] : await readCases(session.cases);
    let rows = 0;
    for (const [index, file] of files.entries()) {
      session.progress(index, files.length);
      rows += await runFile(session, file);
    }
    session.progress(files.length, files.length);
    session.note(`${rows} rows of ${files.length} files`);
  },
};

/** Sends the rows of a file; returns their number. */
export async function runFile(session: Session, file: CaseFile): Promise<number> {
  let sent = file.negotiation === undefined ? 0 : await negotiate(session, file.negotiation);
  for (const [category, rows] of Object.entries(file.cases ?? {})) {
    for (const row of rows) {
      if (session.live && row.live !== true) continue;
      sent++;
      for (const { title, call, want, markers } of callsOf(session, { ...file, row })) {
        if (session.permits(call, true) !== undefined) continue;
        const exchange = await session.send(call, {
          title: `${file.name}, ${category}: ${title}`,
          markers,
          named: true,
        });
        // Without the title, so that rows with the same fault are one finding.
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
