/** @module Posts leads to a service. */

import { LEAD } from "./test_app.ts";

export function postLead(url: string, lead: unknown = LEAD): Promise<Response> {
  return fetch(`${url}/api/lead`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(lead),
  });
}
