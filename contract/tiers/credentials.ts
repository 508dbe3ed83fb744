/** @module Whether secured operations refuse absent and wrong credentials, and other schemes. */

import type { Operation } from "../document/document.ts";
import { objectOf } from "../lib/json.ts";
import type { Call } from "../lib/exchange.ts";
import { isSuccess } from "../oracle/check.ts";
import type { Session } from "../run/session.ts";
import { declareRules } from "../lib/rules.ts";

const RULES = declareRules({
  credentials_required: "breach: an operation that needs credentials refuses requests without them",
});

/** Credentials that nobody has given. */
export const WRONG = ["Bearer contract-token-zz81", "Basic Y29udHJhY3Q6eng4MQ=="] as const;

/** @param call what was accepted with the credentials of the run */
export async function checkRequired(
  session: Session,
  { operation, call }: { readonly operation: Operation; readonly call: Call },
): Promise<void> {
  if (!operation.secured) return;
  const { components } = session.contract.document.value;
  const schemes = Object.values(objectOf(objectOf(components)["securitySchemes"])).map(objectOf);
  const names = schemes.filter((scheme) => scheme["in"] === "header")
    .map(({ name }) => String(name).toLowerCase());
  const given = session.wrongHeaders
    .filter(([name]) =>
      /^(?:authorization|cookie)$/i.test(name) || names.includes(name.toLowerCase())
    );
  const [bearer, basic] = WRONG;
  const isBasic = given.some(([, value]) => /^basic /i.test(value));
  const unknown = [["authorization", bearer], ...names.map((name) => [name, bearer])] as const;
  const tries = {
    "without credentials": [],
    "with a wrong token": given.length > 0 ? given : unknown,
    "with another scheme": given.length > 0 ? [["authorization", isBasic ? bearer : basic]] : [],
  } as const;
  for (const [how, wrong] of Object.entries(tries)) {
    if (wrong.length === 0 && how !== "without credentials") continue;
    const headers = [...call.headers ?? [], ...wrong] as Call["headers"];
    const purpose = { title: `${operation.id} ${how}`, anonymous: true };
    const exchange = await session.send({ ...call, headers: headers! }, purpose);
    if (!isSuccess(exchange)) continue;
    return session.report(RULES.credentials_required, `it works ${how}`, { exchange });
  }
}
