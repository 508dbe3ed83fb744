/**
 * @module Sends counterexamples again: the corpus tier all of them, before the other tiers, and
 * `--replay` a single one.
 */

import { corpusFiles, type Counterexample, readCounterexample } from "../corpus.ts";
import { curlOf } from "../exchange.ts";
import { faultsOf } from "../expectation.ts";
import type { Session, Tier } from "../session.ts";

export const corpusTier: Tier = {
  name: "corpus",
  tries: "the counterexamples that earlier runs have found",
  live: false,
  unable: ({ replayed }) => replayed === undefined ? "there is no corpus in this run" : undefined,
  async run(session) {
    const files = session.replayed === undefined ? [] : await corpusFiles(session.replayed);
    for (const [index, file] of files.entries()) {
      session.progress(index, files.length);
      const example = await readCounterexample(file);
      const isPermitted = example.steps.every(({ call }) => session.permits(call) === undefined);
      if (isPermitted) await replay(session, { example });
    }
    session.progress(files.length, files.length);
  },
};

/** Replays one file. @param print called for each request and each answer */
export function replayTier(file: URL, print: (line: string) => void): Tier {
  return {
    tries: "the requests of one counterexample",
    name: "replay",
    live: true,
    async run(session) {
      await replay(session, { example: await readCounterexample(file), print });
    },
  };
}

async function replay(
  session: Session,
  { example, print }: {
    readonly example: Counterexample;
    readonly print?: (line: string) => void;
  },
): Promise<void> {
  const { check, steps } = example;
  for (const { call, want } of steps) {
    const exchange = await session.send(call, { title: `${check} again`, named: true });
    const { answer } = exchange;
    print?.(curlOf(exchange));
    print?.(`→ ${answer.status} in ${Math.round(answer.ms)} ms\n${answer.text.slice(0, 2_000)}\n`);
    for (const message of faultsOf(answer, { want, profile: session.contract.profile })) {
      session.report({ check, message, exchange });
    }
  }
}
