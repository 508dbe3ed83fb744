/**
 * @module What a LeadRequest is, to the letter (specification §2, §8), which issue is named for what
 * is none, and that what is taken is harmless at rest.
 */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { z } from "zod";
import { contentOf } from "../../leads/lead.ts";
import { LeadRequest, parseLead } from "../../schemas/lead.ts";

const LEAD = { email: "ada@example.com", company: "Example GmbH", locale: "en" };

/** One character for people, two UTF-16 units, four bytes. */
const ASTRAL = "🌍";

function mail(length: number): string {
  return "@example.com".padStart(length, "a");
}

/** Members that make a valid lead. */
const TAKEN: readonly (readonly [string, Record<string, unknown>])[] = [
  ["an empty company", { company: "" }],
  ["a company of 120 characters", { company: "x".repeat(120) }],
  ["a company of 120 characters beyond the BMP", { company: ASTRAL.repeat(120) }],
  ["a company of 120 lone surrogates", { company: "\ud83c".repeat(120) }],
  ["an empty message", { message: "" }],
  ["a message of 2000 characters", { message: "x".repeat(2000) }],
  ["a message of 2000 characters beyond the BMP", { message: ASTRAL.repeat(2000) }],
  ["an empty honeypot", { website: "" }],
  ...["pro", "business", "enterprise", "hosted", "unspecified"].map((plan) =>
    [`the plan ${plan}`, { plan }] as const
  ),
  ["the locale en", { locale: "en" }],
  ["the locale de", { locale: "de" }],
  ["NUL", { company: "a\0b", message: "\0" }],
  ["lone surrogates", { company: "a\ud800b", message: "\udc00" }],
  ["line breaks", { company: "a\r\nb", message: "a\r\nb" }],
  ["markup", { company: "<script>alert(1)</script>", message: "{{siteName}} =cmd|' /C calc'!A0" }],
];

/** Members that make no valid lead, and the issue that is named. */
const REFUSED: readonly (readonly [string, Record<string, unknown>, string])[] = [
  ["a company of 121 characters", { company: "x".repeat(121) }, "/company maxLength"],
  ["a company of 121 beyond the BMP", { company: ASTRAL.repeat(121) }, "/company maxLength"],
  ["a message of 2001 characters", { message: "x".repeat(2001) }, "/message maxLength"],
  ["a message of 2001 beyond the BMP", { message: ASTRAL.repeat(2001) }, "/message maxLength"],
  ["a blank honeypot", { website: " " }, "/website maxLength"],
  ["a filled honeypot", { website: "x" }, "/website maxLength"],
  ["an honeypot with NUL", { website: "\0" }, "/website maxLength"],
  ...["Pro", "PRO", "", " pro", "free", "toString"].map((plan) =>
    [`the plan "${plan}"`, { plan }, "/plan enum"] as const
  ),
  ...["EN", "fr", "", "en-US", "de_DE", "constructor"].map((locale) =>
    [`the locale "${locale}"`, { locale }, "/locale enum"] as const
  ),
];

for (const [what, members] of TAKEN) {
  Deno.test(`a lead with ${what} is valid`, () => {
    deepEqual(parseLead({ ...LEAD, ...members }), { lead: { ...LEAD, ...members } });
  });
}

function issuesOf(body: unknown): string[] {
  const parsed = parseLead(body);
  return "issues" in parsed ? parsed.issues.map(({ path, rule }) => `${path} ${rule}`) : [];
}

for (const [what, members, issue] of REFUSED) {
  Deno.test(`a lead with ${what} has the issue ${issue}`, () => {
    deepEqual(issuesOf({ ...LEAD, ...members }), [issue]);
  });
}

for (const member of ["email", "company", "locale"]) {
  Deno.test(`${member} is required`, () => {
    const { [member]: _, ...rest } = LEAD as Record<string, unknown>;
    deepEqual(issuesOf(rest), [`/${member} required`]);
  });
}

/** Values that are no string. */
const NO_STRINGS = [null, 0, 1, true, false, [], ["a@example.com"], {}, { length: 0 }];

for (const member of Object.keys(LeadRequest.shape)) {
  for (const value of NO_STRINGS) {
    Deno.test(`${member} must not be ${JSON.stringify(value)}`, () => {
      const rule = member === "plan" || member === "locale" ? "enum" : "type";
      deepEqual(issuesOf({ ...LEAD, [member]: value }), [`/${member} ${rule}`]);
    });
  }
}

for (const body of [null, true, 0, 1.5, "", "lead", [], [LEAD]]) {
  Deno.test(`the body must not be ${JSON.stringify(body)}`, () => {
    deepEqual(issuesOf(body), [" type"]);
  });
}

/** Names that no LeadRequest has. */
const UNKNOWN = [
  ...["name", "Email", "email ", "", "$ref", "id", "ok"],
  ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "then", "toJSON"],
];

const ajv = new Ajv2020({ allErrors: true, formats: { email: true } });
const fits = ajv.compile(z.toJSONSchema(LeadRequest));

/** The members that are at fault by the published schema, in which any text is an address. */
function faultyBySchema(body: unknown): string[] {
  fits(body);
  const paths = (fits.errors ?? []).map(({ keyword, instancePath, params }) =>
    keyword === "required" ? `/${params["missingProperty"]}` : instancePath
  );
  return [...new Set(paths)].sort();
}

Deno.test("parseLead() agrees with Ajv on validity and on the failing members", () => {
  const { plan, locale } = LeadRequest.shape;
  const texts = [120, 2000, 0].flatMap((maxLength) =>
    [maxLength, maxLength + 1].flatMap((length) => ["x".repeat(length), ASTRAL.repeat(length)])
  );
  const known = [...plan.unwrap().options, ...locale.options];
  const value = fc.oneof(fc.constantFrom(...texts, ...known, ...NO_STRINGS), fc.string());
  const members = Object.keys(LeadRequest.shape).map((name) =>
    [name, name === "email" ? fc.constantFrom(LEAD.email, ...NO_STRINGS) : value] as const
  );
  const bodies = fc.tuple(
    fc.record(Object.fromEntries(members), { requiredKeys: [] }),
    fc.dictionary(fc.constantFrom(...UNKNOWN), fc.constant(1), { maxKeys: 1 }),
  ).map(([known, unknown]) => ({ ...known, ...unknown }));
  fc.assert(
    fc.property(bodies, (body) => {
      const faulty = [...new Set(issuesOf(body).map((issue) => issue.split(" ")[0]!))].sort();
      deepEqual(faulty, faultyBySchema(body));
      equal("lead" in parseLead(body), faulty.length === 0);
    }),
    { numRuns: 2_000 },
  );
});

for (const name of UNKNOWN) {
  for (const value of ["1", "null", "{}", '{"email":"x@example.com"}']) {
    Deno.test(`a member ${JSON.stringify(name)} with ${value} is not allowed`, () => {
      const body = JSON.stringify(LEAD).replace("{", `{${JSON.stringify(name)}:${value},`);
      deepEqual(issuesOf(JSON.parse(body)), [" additionalProperties"]);
    });
  }
}

Deno.test("members of the prototype do not count as sent", () => {
  deepEqual(issuesOf(JSON.parse('{"__proto__":{"email":"a@example.com","locale":"en"}}')), [
    "/email required",
    "/company required",
    "/locale required",
    " additionalProperties",
  ]);
});

Deno.test("every issue is named at once, with words that repeat nothing of what was sent", () => {
  const parsed = parseLead({ email: "qq", company: 7, message: null, plan: "zz", extra: "qq" });
  deepEqual(parsed, {
    issues: [
      { path: "/email", rule: "format", message: "Must be an email address." },
      { path: "/company", rule: "type", message: "Must be of type string." },
      { path: "/message", rule: "type", message: "Must be of type string." },
      {
        path: "/plan",
        rule: "enum",
        message: "Must be one of: pro, business, enterprise, hosted, unspecified.",
      },
      { path: "/locale", rule: "required", message: "This member is required." },
      {
        path: "",
        rule: "additionalProperties",
        message: "Only these members exist: email, company, message, plan, locale, website.",
      },
    ],
  });
});

Deno.test("of several unknown members one issue speaks, and names none", () => {
  const parsed = parseLead({ ...LEAD, qqOne: 1, qqTwo: 2 });
  deepEqual(issuesOf({ ...LEAD, qqOne: 1, qqTwo: 2 }), [" additionalProperties"]);
  ok(!JSON.stringify(parsed).includes("qq"));
});

Deno.test("lengths are told as numbers, the honeypot's as what to do", () => {
  const parsed = parseLead({ ...LEAD, company: "x".repeat(121), website: "x" });
  deepEqual("issues" in parsed && parsed.issues.map(({ message }) => message), [
    "Must have at most 120 characters.",
    "Must be left out or empty.",
  ]);
});

/** Addresses that are taken. */
const ADDRESSES = [
  ...["a@b.co", "0@com", "a@localhost", "ada.lovelace+x@sub.example.co.uk", "A@EXAMPLE.COM"],
  ...["!#$%&'*+/=?^_`{|}~-@example.com", ".a.@example.com", "a..b@example.com", "a@192.0.2.1"],
  ...["a@xn--mnchen-3ya.example", `a@${"x".repeat(63)}.example`, mail(254)],
];

/** And those that are not. */
const NO_ADDRESSES = [
  ...["", " ", "a", "@", "@example.com", "a@", "a@b@example.com", "a b@example.com"],
  ...["a@example..com", "a@.example.com", "a@example.com.", "a@-example.com", "a@example-.com"],
  ...["a@exa_mple.com", "a@[192.0.2.1]", '"a b"@example.com', "Ada <ada@example.com>"],
  ...["ada@example.com,bob@example.com", "ada@example.com bob@example.com", "mailto:a@b@c"],
  ...["ä@example.com", "a@exämple.com", "a@example.com\u3002de", `${ASTRAL}@example.com`],
  ...[" a@example.com", "a@example.com ", "a@example.com\n", "\na@example.com", "a@example.com\r"],
  ...["a@example.com\r\nBcc: b@example.com", "a\r\n@example.com", "a@exam\nple.com", "a\t@b.co"],
  ...["a\0@example.com", "a@example.com\0", "a@example.com\u2028", "\ud800@example.com"],
  ...[`a@${"x".repeat(64)}.example`, mail(255), mail(4_000)],
];

for (const email of ADDRESSES) {
  Deno.test(`${email.slice(0, 40)} (${email.length}) is an address`, () => {
    deepEqual(issuesOf({ ...LEAD, email }), []);
  });
}

for (const email of NO_ADDRESSES) {
  Deno.test(`${JSON.stringify(email.slice(0, 40))} (${email.length}) is no address`, () => {
    deepEqual(issuesOf({ ...LEAD, email }), ["/email format"]);
  });
}

/** What is sent as company and as message, and what is kept of it. */
const CONTENT: readonly (readonly [sent: string, company: string, message: string])[] = [
  ["plain", "plain", "plain"],
  ["a\0b", "a\u{FFFD}b", "a\u{FFFD}b"],
  ["\ud800", "\u{FFFD}", "\u{FFFD}"],
  ["\udc00\ud800", "\u{FFFD}\u{FFFD}", "\u{FFFD}\u{FFFD}"],
  [ASTRAL, ASTRAL, ASTRAL],
  ["a\r\nBcc: x@example.com", "a Bcc: x@example.com", "a\r\nBcc: x@example.com"],
  ["a\n\n\rb", "a b", "a\n\n\rb"],
  ["a\u2028b\u2029c", "a b c", "a\u2028b\u2029c"],
];

for (const [sent, company, message] of CONTENT) {
  Deno.test(`${JSON.stringify(sent)} is kept as ${JSON.stringify([company, message])}`, () => {
    const parsed = parseLead({ ...LEAD, company: sent, message: sent, website: "" });
    ok("lead" in parsed);
    deepEqual(contentOf(parsed.lead), { ...LEAD, company, message });
    equal(JSON.stringify(contentOf(parsed.lead)).isWellFormed(), true);
  });
}

Deno.test("what was not sent is not kept, not even as undefined", () => {
  const parsed = parseLead(LEAD);
  ok("lead" in parsed);
  deepEqual(Object.keys(contentOf(parsed.lead)), ["email", "company", "locale"]);
});
