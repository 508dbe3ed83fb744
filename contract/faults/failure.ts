/**
 * @module Checks a 500, caused by a broken file in a copy of the service. The answers bypass the
 * oracle, because no document lists a 500.
 */

import { send } from "../client.ts";
import { type Exchange, jsonOf } from "../exchange.ts";
import type { Instances } from "../instances.ts";
import { mediaTypeOf } from "../oracle/check.ts";
import { shapeFaults } from "../oracle/errors.ts";
import { at } from "../pointer.ts";
import type { Session } from "../session.ts";

/** Browsers get a page, other clients a JSON error. */
const ACCEPTS = ["text/html", "text/markdown"];

type Broken = Instances["broken"];

/** A page that fails to render is a 500 without internals; other paths work. */
export async function checkFailure(session: Session, broken: Broken): Promise<void> {
  const { base, tier } = session;
  for (const path of broken.fails) {
    for (const accept of ACCEPTS) {
      for (const method of ["GET", "HEAD"]) {
        const call = { method, path, headers: [["accept", accept]] as const };
        const answer = await send(base, call);
        const title = `a page that fails to render, accepting ${accept}`;
        const exchange = { base, tier, call, answer, title };
        for (const fault of faultsOf(exchange, { accept, session, broken })) {
          const message = `${title}: ${fault}`;
          session.report({ check: "failure", where: "pages", message, exchange });
        }
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

function faultsOf({ call, answer }: Exchange, { accept, session, broken }: {
  readonly accept: string;
  readonly session: Session;
  readonly broken: Broken;
}): string[] {
  if (answer.status !== 500) return [`got ${answer.status} instead of 500`];
  const faults: string[] = [];
  const id = answer.headers.get(broken.id);
  if (id === null) faults.push(`500 lacks ${broken.id}`);
  const received = `${answer.text}\n${[...answer.headers].flat().join("\n")}`;
  if (broken.hidden.some((word) => received.includes(word))) faults.push("500 reveals the fault");
  const wanted = accept === "text/html" ? accept : "application/json";
  const type = mediaTypeOf(answer.headers);
  if (type !== wanted) return [...faults, `500 is ${type || "of no media type"}, not ${wanted}`];
  if (call.method === "HEAD") return faults;
  if (wanted === "text/html") {
    // Visitors quote the id when they report the failure.
    const isFound = id !== null && answer.text.includes(id);
    return isFound ? faults : [...faults, `500 does not show its ${broken.id}`];
  }
  const { schemas, profile: { errors: rules } } = session.contract;
  if (rules === undefined) return faults;
  const body = jsonOf(answer);
  faults.push(...shapeFaults(body, { rules, schemas }).map((fault) => `500: ${fault}`));
  if (at(body, rules.code) === broken.code) return faults;
  return [...faults, `500 does not have the code ${broken.code}`];
}
