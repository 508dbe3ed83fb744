/** @module What is asked: a row a kind of answer, with the bar that it has to reach. Data only. */

/** Settings that a case needs beside those of all; cases with the same share one process. */
export type Settings = Readonly<Record<string, string>>;

/** One kind of request, and the answer that it must get. */
export interface Case {
  readonly name: string;
  readonly label: string;
  readonly path: string;
  readonly method?: string;
  /** May hold the placeholders of `placeholders.ts`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
  /** What the body must say, where a status does not tell it. */
  readonly says?: string;
  /** Sends `If-None-Match` with the entity tag that the answer has. */
  readonly conditional?: boolean;
  /** So many requests are sent before, so that the client is over its limit. */
  readonly exhausting?: number;
  readonly settings?: Settings;
  /** The service delivers to a receiver that acknowledges. */
  readonly webhook?: boolean;
  /** The least ratio to the floor. */
  readonly bar?: number;
  /** The floor reads the body and commits before it answers. */
  readonly commits?: boolean;
  /** The usual stack answers it too. */
  readonly usual?: boolean;
  /** Always the same bytes, so that the floor hands out copies of one answer. */
  readonly constant?: boolean;
}

/** Bars of the design: prebuilt answers, refusals from memory, accepted leads. */
const PREBUILT = 0.7;
const REFUSED = 0.6;
const ACCEPTED = 1;

const HTML = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
const MARKDOWN = { accept: "text/markdown" };
const BROTLI = { ...HTML, "accept-encoding": "gzip, deflate, br, zstd" };

const LEAD = {
  email: "lead-NNNNNNNNN@example.com",
  company: "Company NNNNNNNNN",
  message: "We would like to see how this works for a team of thirty in two places.",
  plan: "business",
  locale: "en",
};

/** A lead like no other, from a client like no other. */
const SENT = {
  path: "/api/lead",
  method: "POST",
  headers: { "content-type": "application/json", "x-forwarded-for": "CLIENT" },
  body: JSON.stringify(LEAD),
};

/** Behind one trusted proxy, one lead a day: with a hundred clients, enough are refused. */
const ONE_A_DAY = { LEAD_RATE_LIMIT: "1/1d", LEAD_ATTEMPT_LIMIT: "50000/1m" };
const HUNDRED = 100;

/** A key for measuring: nothing that it seals is kept. */
const SEALING = { LEAD_ENCRYPTION_KEYS: `bench:${btoa("0123456789abcdef0123456789abcdef")}` };

export const CASES: readonly Case[] = [
  {
    name: "health",
    label: "GET /api/health",
    path: "/api/health",
    status: 200,
    bar: PREBUILT,
    constant: true,
    usual: true,
  },
  {
    name: "site",
    label: "GET /api/site",
    path: "/api/site",
    status: 200,
    bar: PREBUILT,
    constant: true,
    usual: true,
  },
  {
    name: "openapi-json",
    label: "GET /openapi.json",
    path: "/openapi.json",
    status: 200,
    bar: PREBUILT,
    constant: true,
  },
  {
    name: "openapi-yaml",
    label: "GET /api/openapi.yaml",
    path: "/api/openapi.yaml",
    status: 200,
    bar: PREBUILT,
    constant: true,
  },
  {
    name: "home-html",
    label: "Home page, HTML",
    path: "/",
    headers: HTML,
    status: 200,
    bar: PREBUILT,
    constant: true,
    usual: true,
  },
  {
    name: "home-md",
    label: "Home page, markdown",
    path: "/",
    headers: MARKDOWN,
    status: 200,
    bar: PREBUILT,
    constant: true,
  },
  {
    name: "home-br",
    label: "Home page, HTML in brotli",
    path: "/",
    headers: BROTLI,
    status: 200,
    bar: PREBUILT,
    constant: true,
  },
  {
    name: "docs-html",
    label: "Documentation page, HTML",
    path: "/docs",
    headers: HTML,
    status: 200,
    bar: PREBUILT,
    constant: true,
  },
  {
    name: "docs-md",
    label: "Documentation page, markdown",
    path: "/docs",
    headers: MARKDOWN,
    status: 200,
    bar: PREBUILT,
    constant: true,
  },
  {
    name: "home-304",
    label: "304, home page unchanged",
    path: "/",
    headers: HTML,
    conditional: true,
    status: 304,
    bar: PREBUILT,
    constant: true,
    usual: true,
  },
  {
    name: "404-api",
    label: "404 below /api/",
    path: "/api/nothing",
    status: 404,
    bar: PREBUILT,
    constant: true,
    usual: true,
  },
  {
    name: "404-page",
    label: "404 page, HTML",
    path: "/nothing",
    headers: HTML,
    status: 404,
    bar: PREBUILT,
    constant: true,
  },
  {
    name: "405",
    label: "405, DELETE /api/health",
    path: "/api/health",
    method: "DELETE",
    status: 405,
    bar: PREBUILT,
    constant: true,
  },
  {
    name: "400",
    label: "400, a lead that is none",
    ...SENT,
    body: JSON.stringify({ ...LEAD, locale: "fr" }),
    status: 400,
    usual: true,
  },
  {
    name: "429-attempts",
    label: "429, out of attempts",
    ...SENT,
    headers: { "content-type": "application/json", "x-forwarded-for": "192.0.2.1" },
    body: JSON.stringify({ email: "ada@example.com" }),
    exhausting: 200,
    status: 429,
    bar: REFUSED,
  },
  {
    name: "429-leads",
    label: "429, out of leads (reads and checks the body)",
    ...SENT,
    headers: { "content-type": "application/json", "x-forwarded-for": `CLIENT${HUNDRED}` },
    exhausting: HUNDRED,
    settings: ONE_A_DAY,
    status: 429,
    bar: REFUSED,
  },
  {
    name: "lead",
    label: "Lead accepted",
    ...SENT,
    status: 200,
    bar: ACCEPTED,
    commits: true,
    usual: true,
  },
  {
    name: "lead-sealed",
    label: "Lead accepted and sealed",
    ...SENT,
    settings: SEALING,
    status: 200,
    bar: ACCEPTED,
    commits: true,
  },
  {
    name: "lead-webhook",
    label: "Lead accepted and delivered by webhook",
    ...SENT,
    webhook: true,
    status: 200,
    says: '"delivered":true',
    commits: true,
  },
];
