/**
 * @module A failure inside the service: its own fault, so it cannot be asked for over HTTP and no
 * document promises it. It is caused by a copy of the service with a file that cannot be used. Its
 * 500 is sent past the oracle, which would hold it against the service.
 */

import { send } from "../client.ts";
import { type Answer, type Exchange, jsonOf } from "../exchange.ts";
import { type Law, mediaTypeOf } from "../oracle/check.ts";
import { shapeFaults } from "../oracle/errors.ts";
import { at } from "../profile.ts";
import type { Faulty } from "./promises.ts";

/** Asked as by people, who get a page of it, and as by programs, which get an error. */
const ACCEPTS = ["text/html", "text/markdown"] as const;

/** What fails is a 500 for whoever asks, and tells nothing of the fault; the rest works. */
export async function holdsFailure({ session, instances }: Faulty): Promise<void> {
  const { broken } = instances;
  for (const path of broken.fails) {
    for (const accept of ACCEPTS) {
      for (const method of ["GET", "HEAD"]) {
        const call = { method, path, headers: [["accept", accept]] as const };
        const answer = await send(session.base, call);
        const title = `a page that cannot be made, accepting ${accept}`;
        const exchange = { base: session.base, tier: session.tier, call, answer, title };
        for (const fault of faultsOf(exchange, { accept, law: session.law, broken })) {
          const message = `${title}: ${fault}`;
          session.report({ check: "failure", where: "pages", message, exchange });
        }
      }
    }
  }
  for (const path of broken.works) {
    const title = "what does not need the page that cannot be made";
    const exchange = await session.send({ method: "GET", path }, { title });
    if (exchange.answer.status === 200) continue;
    const message = "it does not work where a page cannot be made";
    session.report({ check: "failure", message, exchange });
  }
}

/** What the failure says that it should not, and does not say that it should. */
function faultsOf(
  { call, answer }: Exchange,
  { accept, law, broken }: Pick<Faulty["session"], "law"> & Pick<Faulty["instances"], "broken"> & {
    readonly accept: typeof ACCEPTS[number];
  },
): string[] {
  if (answer.status !== 500) return [`got ${answer.status} instead of 500`];
  const faults: string[] = [];
  const id = answer.headers.get(broken.id);
  if (id === null) faults.push(`500 lacks ${broken.id}`);
  const heard = `${answer.text}\n${[...answer.headers].flat().join("\n")}`;
  if (broken.hidden.some((word) => heard.includes(word))) faults.push("500 tells of the fault");
  const wanted = accept === "text/html" ? accept : "application/json";
  const type = mediaTypeOf(answer.headers);
  if (type !== wanted) return [...faults, `500 is ${type || "of no media type"}, not ${wanted}`];
  if (call.method === "HEAD") return faults;
  if (accept !== "text/html") {
    return [...faults, ...errorFaults(answer, { law, code: broken.code })];
  }
  // Whoever sees the page can say which failure it was.
  const isFound = id !== null && answer.text.includes(id);
  return isFound ? faults : [...faults, `500 does not show its ${broken.id}`];
}

/** The shape of all errors, with the code of a failure. */
function errorFaults(
  answer: Answer,
  { law, code }: { readonly law: Law; readonly code: string },
): string[] {
  const { schemas, profile: { errors: rules } } = law;
  if (rules === undefined) return [];
  const body = jsonOf(answer);
  const faults = shapeFaults(body, { rules, schemas }).map((fault) => `500: ${fault}`);
  return at(body, rules.code) === code ? faults : [...faults, `500 has not the code ${code}`];
}
