/**
 * @module Checks a 500, caused by a broken file in a copy of the service. The answers bypass the
 * oracle, because no document lists a 500.
 */

import { send } from "../client.ts";
import { type Answer, jsonOf } from "../exchange.ts";
import { faultsOf } from "../expectation.ts";
import type { Instances } from "../instances.ts";
import { shapeFaults } from "../oracle/documented.ts";
import type { Session } from "../session.ts";

type Broken = Instances["broken"];

/** A page that fails to render is a 500 without internals; other paths work. */
export async function checkFailure(session: Session, broken: Broken): Promise<void> {
  const { base, tier } = session;
  // Browsers get a page, other clients a JSON error.
  for (const accept of ["text/html", "text/markdown"]) {
    const title = `a page that fails to render, accepting ${accept}`;
    const calls = broken.fails.flatMap((path) =>
      ["GET", "HEAD"].map((method) => ({ method, path, headers: [["accept", accept]] as const }))
    );
    for (const call of calls) {
      const answer = await send(base, call);
      const exchange = { base, tier, call, answer, title };
      const isPage = accept === "text/html";
      const isHead = call.method === "HEAD";
      for (const fault of failureFaults(answer, { isPage, isHead, session, broken })) {
        const message = `${title}: ${fault}`;
        session.report({ check: "failure", where: "pages", message, exchange });
      }
    }
  }
  for (const path of broken.works) {
    const title = "a path that needs no page";
    const exchange = await session.send({ method: "GET", path }, { title });
    if (exchange.answer.status === 200) continue;
    const message = "it does not work while a page fails to render";
    session.report({ check: "failure", message, exchange });
  }
}

function failureFaults(answer: Answer, { isPage, isHead, session, broken }: {
  readonly isPage: boolean;
  readonly isHead: boolean;
  readonly session: Session;
  readonly broken: Broken;
}): string[] {
  const { profile, schemas } = session.contract;
  const want = {
    status: "500",
    type: [isPage ? "text/html" : "application/json"],
    code: isPage || isHead ? undefined : broken.code,
  };
  const faults = faultsOf(answer, { want, profile });
  if (answer.status !== 500) return faults;
  const id = answer.headers.get(broken.id);
  if (id === null) faults.push(`500 lacks ${broken.id}`);
  const received = `${answer.text}\n${[...answer.headers].flat().join("\n")}`;
  if (broken.hidden.some((word) => received.includes(word))) faults.push("500 reveals the fault");
  if (isHead) return faults;
  // Visitors quote the id when they report the failure.
  if (isPage && id !== null && !answer.text.includes(id)) {
    faults.push(`500 does not show its ${broken.id}`);
  }
  if (isPage || profile.errors === undefined) return faults;
  const shape = shapeFaults(jsonOf(answer), { rules: profile.errors, schemas });
  return [...faults, ...shape.map((fault) => `500: ${fault}`)];
}
