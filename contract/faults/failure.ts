/**
 * @module A failure inside the service: its own fault, so it cannot be asked for over HTTP and no
 * document promises it. It is caused by a copy of the service with a file that cannot be used.
 */

import { send } from "../client.ts";
import type { Answer } from "../exchange.ts";
import { mediaTypeOf } from "../oracle/check.ts";
import { at } from "../profile.ts";
import type { Faulty } from "./promises.ts";
import { NAME } from "./promises.ts";

/** What fails is a 500 in the shape of all errors that tells nothing of the fault; the rest works. */
export async function holdsFailure({ session, instances }: Faulty): Promise<void> {
  const { broken } = instances;
  for (const path of broken.fails) {
    for (const method of ["GET", "HEAD"]) {
      const call = { method, path };
      const answer = await send(session.base, call);
      const title = "a page that cannot be made";
      const exchange = { base: session.base, call, answer, tier: NAME, title };
      for (const fault of faultsOf(answer, { method, session, broken })) {
        const message = `${title}: ${fault}`;
        session.report({ check: "failure", tier: NAME, where: "pages", message, exchange });
      }
    }
  }
  for (const path of broken.works) {
    const title = "what does not need the page that cannot be made";
    const exchange = await session.send({ method: "GET", path }, { tier: NAME, title });
    if (exchange.answer.status === 200) continue;
    const message = `it does not work where a page cannot be made`;
    session.report({ check: "failure", tier: NAME, message, exchange });
  }
}

function faultsOf(
  answer: Answer,
  { method, session, broken }: Pick<Faulty, "session"> & {
    readonly method: string;
    readonly broken: Faulty["instances"]["broken"];
  },
): string[] {
  const { schemas, profile: { errors } } = session.law;
  const faults: string[] = [];
  if (answer.status !== 500) return [`got ${answer.status} instead of 500`];
  if (!answer.headers.has(broken.id)) faults.push(`500 lacks ${broken.id}`);
  if (mediaTypeOf(answer.headers) !== "application/json") faults.push("500 is not JSON");
  const heard = `${answer.text}\n${[...answer.headers].flat().join("\n")}`;
  if (broken.hidden.some((word) => heard.includes(word))) faults.push("500 tells of the fault");
  if (method === "HEAD" || errors === undefined) return faults;
  let body: unknown;
  try {
    body = JSON.parse(answer.text);
  } catch {
    return [...faults, "500 is not JSON"];
  }
  faults.push(...schemas.component(errors.schema)(body).map((fault) => `500: ${fault}`));
  if (at(body, errors.code) !== broken.code) faults.push(`500 has not the code ${broken.code}`);
  for (const pointer of errors.not_empty) {
    const value = at(body, pointer);
    if (typeof value !== "string" || value.trim() === "") faults.push(`500 has no ${pointer}`);
  }
  return faults;
}
