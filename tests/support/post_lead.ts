/** @module Leads posted to a service by its URL, as anybody would. */

import { LEAD } from "./test_app.ts";

/** Posts a JSON value to /api/lead: a valid lead, unless another is given. */
export function postLead(url: string, lead: unknown = LEAD): Promise<Response> {
  return fetch(`${url}/api/lead`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(lead),
  });
}
