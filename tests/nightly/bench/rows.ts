/** @module The benchmark's requests and bars. */

import type { RawRequest } from "../../support/raw_http.ts";
import type { Floor } from "./floor.ts";

export interface Asked {
  readonly name: string;
  readonly request: RawRequest;
  readonly status: number;
  readonly floor: Floor;
  /** The least ratio to the bare server. */
  readonly bar?: number;
  readonly usual?: boolean;
  /** Sends `If-None-Match` with the entity tag of the answer. */
  readonly conditional?: boolean;
  /** Requests to send first, to exceed the client's limit. */
  readonly exhausting?: number;
}

/** Least speed of prebuilt answers, relative to the usual stack. */
export const TIMES_USUAL = 3;
/** As much of the floor as that may ask for: more than 1 Deno cannot do. */
export const NEAR_FLOOR = 0.75;
/** Greatest ratios. */
export const COSTS = { memory: 2, flat: 1.05, waiting: 1.2 } as const;
const HTML = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

/** What the first visitor after a start asks for, and the greatest ratio of the time from process to answer. */
export const STARTS = [
  { name: "start-health", path: "/api/health", bar: 3 },
  { name: "start-home", path: "/", bar: 5 },
  { name: "start-docs", path: "/docs", bar: 7 },
  { name: "start-llms-full", path: "/llms-full.txt", bar: 7 },
] as const;
export const VISITOR = { ...HTML, "accept-encoding": "gzip, br" };

/** `NNNNNNNNN` and `CLIENT` become a new number and address in each request. */
const LEAD = {
  email: "lead-NNNNNNNNN@example.com",
  company: "Company NNNNNNNNN",
  message: "We would like to see how this works for a team of thirty in two places.",
  plan: "business",
  locale: "en",
};

function post(lead: object, client = "CLIENT"): RawRequest {
  const headers = { "content-type": "application/json", "x-forwarded-for": client };
  return { method: "POST", path: "/api/lead", headers, body: JSON.stringify(lead) };
}

const constant = { status: 200, floor: "copy", bar: 0.7 } as const;

export const ANSWERS: readonly Asked[] = [
  { ...constant, name: "health", request: { path: "/api/health" }, usual: true },
  { ...constant, name: "site", request: { path: "/api/site" }, usual: true },
  { ...constant, name: "openapi.json", request: { path: "/openapi.json" } },
  { ...constant, name: "openapi.yaml", request: { path: "/api/openapi.yaml" } },
  { ...constant, name: "home-html", request: { path: "/", headers: HTML }, usual: true },
  { ...constant, name: "home-md", request: { path: "/", headers: { accept: "text/markdown" } } },
  {
    ...{ ...constant, name: "304", status: 304, usual: true, conditional: true },
    request: { path: "/", headers: HTML },
  },
  { ...constant, name: "404", status: 404, request: { path: "/api/none" }, usual: true },
  { ...constant, name: "405", status: 405, request: { method: "DELETE", path: "/api/health" } },
  {
    ...{ name: "429", status: 429, floor: "make", bar: 0.6, exhausting: 200 },
    request: post({ email: "ada@example.com" }, "192.0.2.1"),
  },
  {
    ...{ name: "400", status: 400, floor: "read", usual: true },
    request: post({ ...LEAD, locale: "fr" }),
  },
  { name: "lead", request: post(LEAD), status: 200, floor: "commit", bar: 1, usual: true },
];
