/**
 * @module Credentials: an operation that needs them refuses requests without, and elsewhere they make no
 * difference (OpenAPI 3.1 §4.8.10).
 */

import { arrayOf, objectOf, type Operation } from "../document.ts";
import type { Exchange } from "../exchange.ts";
import { isSuccess } from "../oracle/check.ts";
import { isFailure } from "../oracle/oracle.ts";
import type { Session } from "../session.ts";
import { exampleCall } from "../request/intake.ts";

/** Credentials that nobody has given. */
const WRONG = ["Bearer contract-token-zz81", "Basic Y29udHJhY3Q6eng4MQ=="];

/** Sends an operation with wrong credentials, and if it needs some, without. */
export async function checkCredentials(
  session: Session,
  { operation, plain }: { readonly operation: Operation; readonly plain: Exchange },
): Promise<void> {
  const { id, path, method, secured } = operation;
  const { value: root, resolve } = session.contract.document;
  const item = objectOf(resolve(objectOf(root["paths"])[path] ?? null));
  const { security = root["security"] } = objectOf(item[method.toLowerCase()]);
  if (secured && method === "GET") await checkRequired(session, { id, plain });
  // Optional credentials may be refused too.
  if (arrayOf(security).length > 0) return;
  for (const value of WRONG) {
    const call = exampleCall(session, operation) ?? plain.call;
    const headers = [...call.headers ?? [], ["authorization", value] as const];
    const purpose = { title: `${id} with Authorization`, markers: [value] };
    const exchange = await session.send({ ...call, headers }, purpose);
    const [was, is] = [plain, exchange].map(({ answer }) => answer.status);
    if (is === was || isFailure(exchange, session.contract)) continue;
    const message = `an Authorization header changes ${was} to ${is}`;
    session.report({ check: "authorization_ignored", message, exchange });
  }
}

async function checkRequired(
  session: Session,
  { id, plain }: { readonly id: string; readonly plain: Exchange },
): Promise<void> {
  const { components } = session.contract.document.value;
  const names = Object.values(objectOf(objectOf(components)["securitySchemes"])).map(objectOf)
    .filter((scheme) => scheme["in"] === "header").map(({ name }) => String(name));
  const wrong = ["authorization", ...names].map((name) => [name, WRONG[0]!] as const);
  let exchange = plain;
  for (const [what, added] of [["without", []], ["with wrong", wrong]] as const) {
    const call = { ...plain.call, headers: [...plain.call.headers ?? [], ...added] };
    const title = `${id} ${what} credentials`;
    exchange = await session.send(call, { title, anonymous: true });
    if (!isSuccess(exchange)) return;
  }
  const message = "GET works without and with wrong credentials";
  session.report({ check: "credentials_required", message, exchange });
}
