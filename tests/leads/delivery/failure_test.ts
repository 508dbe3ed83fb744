/** @module reasonOf(): the results of attempts in words. */

import { strictEqual as equal } from "node:assert/strict";
import { reasonOf } from "../../../leads/delivery/failure.ts";

const REASONS = [
  ["http_301", "the target redirects, and redirects are not followed (301)"],
  ["http_400", "the target refuses the lead (400)"],
  ["http_401", "the target refuses the credentials (401)"],
  ["http_403", "the target forbids the request (403)"],
  ["http_404", "the target does not know the path (404)"],
  ["http_408", "the target got no whole request in time (408)"],
  ["http_410", "the target has gone for good (410)"],
  ["http_429", "the target asks to send later (429)"],
  ["http_503", "the target reports an error of its own (503)"],
  ["smtp_451", "the mail server asks to send later (451)"],
  ["smtp_503", "the mail server asks to send later (503)"],
  ["smtp_550", "the mail server refuses the mail (550)"],
  ["auth", "the mail server refuses the credentials"],
  ["refused", "the target's host refuses the connection"],
  ["dns", "the target's host name cannot be resolved"],
  ["tls", "TLS with the target cannot be set up"],
  ["timeout", "the target did not answer in time"],
  ["unreachable", "the target cannot be reached"],
  ["failed", "the attempt failed"],
] as const;

Deno.test("reasonOf() puts every result into words, with its status", () => {
  for (const [result, reason] of REASONS) equal(reasonOf(result), reason);
});
