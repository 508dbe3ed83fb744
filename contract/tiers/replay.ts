/**
 * @module Sends the requests of a counterexample again and judges them: those of the corpus before
 * everything else in a run, and one alone for `--replay`.
 */

import { corpusFiles, type Counterexample, readCounterexample } from "../corpus.ts";
import { curlOf } from "../exchange.ts";
import { faultsOf } from "../expectation.ts";
import type { Session, Tier } from "../session.ts";

export const corpusTier: Tier = {
  name: "corpus",
  tries: "the counterexamples that earlier runs have found",
  live: false,
  unable: ({ corpus }) => corpus === undefined ? "there is no corpus in this run" : undefined,
  async run(session) {
    const files = session.corpus === undefined ? [] : await corpusFiles(session.corpus);
    for (const [index, file] of files.entries()) {
      session.progress(index, files.length);
      await replay(session, { example: await readCounterexample(file) });
    }
    session.progress(files.length, files.length);
  },
};

/** One file alone. @param tell gets a line for each request and each answer */
export function replayTier(file: URL, tell: (line: string) => void): Tier {
  return {
    tries: "the requests of one counterexample",
    name: "replay",
    live: true,
    async run(session) {
      await replay(session, { example: await readCounterexample(file), tell });
    },
  };
}

async function replay(
  session: Session,
  { example, tell }: {
    readonly example: Counterexample;
    readonly tell?: (line: string) => void;
  },
): Promise<void> {
  const { check, steps } = example;
  for (const { call, want } of steps) {
    const exchange = await session.send(call, { title: `${check} again` });
    const { answer } = exchange;
    tell?.(curlOf(exchange));
    tell?.(`→ ${answer.status} in ${Math.round(answer.ms)} ms\n${answer.text.slice(0, 2_000)}\n`);
    for (const message of faultsOf(answer, { want, profile: session.contract.profile })) {
      session.report({ check, message, exchange });
    }
  }
}
