/**
 * @module LeadRequest (specification §2, §8): valid leads, the issues of invalid ones, and stored content.
 */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { z } from "zod";
import { LeadRequest, parseLead, TEST_LEADS } from "../../schemas/lead.ts";
import { isEmail } from "../../schemas/email.ts";

const LEAD = { email: "ada@example.com", company: "Example Ltd", locale: "en" };
const PLANS = ["pro", "business", "enterprise", "hosted", "unspecified"];
const MEMBERS = Object.keys(LeadRequest.shape).join(", ");

/** One code point, two UTF-16 units. */
const ASTRAL = "🌍";

function mail(length: number): string {
  return "@example.com".padStart(length, "a");
}

const TAKEN: readonly Record<string, unknown>[] = [
  { company: "", message: "", website: "" },
  { company: "x".repeat(120), message: "x".repeat(2000) },
  { company: ASTRAL.repeat(120), message: ASTRAL.repeat(2000) },
  ...PLANS.map((plan) => ({ plan })),
  { locale: "de" },
  { company: "a\0\ud800b\r\n", message: "<script>{{siteName}} =cmd|' /C calc'!A0\udc00" },
];

function issuesOf(body: unknown): string[] {
  const parsed = parseLead(body);
  return "issues" in parsed ? parsed.issues.map(({ path, rule }) => `${path} ${rule}`) : [];
}

Deno.test("parseLead() returns a valid lead unchanged", () => {
  for (const lead of Object.values(TEST_LEADS)) deepEqual(parseLead(lead), { lead });
  for (const members of TAKEN) {
    deepEqual(parseLead({ ...LEAD, ...members }), { lead: { ...LEAD, ...members } });
  }
});

const NO_STRINGS = [null, 0, 1, true, false, [], ["a@example.com"], {}, { length: 0 }];

const UNKNOWN = [
  ...["name", "Email", "email ", "", "$ref", "id", "ok"],
  ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "then", "toJSON"],
];

const ajv = new Ajv2020({ allErrors: true, formats: { email: true } });
const fits = ajv.compile(z.toJSONSchema(LeadRequest));

/** The failing members by the published schema, with any text as an address. */
function invalidBySchema(body: unknown): string[] {
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
  const known = [...plan.unwrap().options, ...locale.options, "Pro", " pro", "toString"];
  const value = fc.oneof(fc.constantFrom(...texts, ...known, ...NO_STRINGS), fc.string());
  const members = Object.keys(LeadRequest.shape).map((name) =>
    [name, name === "email" ? fc.constantFrom(LEAD.email, ...NO_STRINGS) : value] as const
  );
  const record = fc.record(Object.fromEntries(members), { requiredKeys: [] });
  const others = fc.dictionary(fc.constantFrom(...UNKNOWN), fc.constant(1), { maxKeys: 1 });
  const agrees = fc.property(record, others, (known, unknown) => {
    const body = { ...known, ...unknown };
    const faulty = [...new Set(issuesOf(body).map((issue) => issue.split(" ")[0]!))].sort();
    deepEqual(faulty, invalidBySchema(body));
    equal("lead" in parseLead(body), faulty.length === 0);
  });
  fc.assert(agrees, { numRuns: 1_000 });
});

Deno.test("parseLead() ignores members of the prototype", () => {
  const issues = issuesOf(JSON.parse('{"__proto__":{"email":"a@example.com","locale":"en"}}'));
  const required = ["email", "company", "locale"].map((member) => `/${member} required`);
  deepEqual(issues, [...required, " additionalProperties"]);
});

Deno.test("parseLead() returns every issue at once, and never quotes the body", () => {
  deepEqual(issuesOf([LEAD]), [" type"]);
  deepEqual(issuesOf({ ...LEAD, plan: 1, locale: null }), ["/plan enum", "/locale enum"]);
  deepEqual(issuesOf({ ...LEAD, website: ["x"] }), ["/website type"]); // and not too long
  const company = "x".repeat(121);
  deepEqual(parseLead({ email: "qq", company, message: null, plan: "zz", website: "x", qq: 1 }), {
    issues: [
      { path: "/email", rule: "format", message: "Must be an email address." },
      { path: "/company", rule: "maxLength", message: "Must have at most 120 characters." },
      { path: "/message", rule: "type", message: "Must be of type string." },
      { path: "/plan", rule: "enum", message: `Must be one of: ${PLANS.join(", ")}.` },
      { path: "/locale", rule: "required", message: "This field is required." },
      { path: "/website", rule: "maxLength", message: "Must be left out or empty." },
      {
        path: "",
        rule: "additionalProperties",
        message: `Only these fields are allowed: ${MEMBERS}.`,
      },
    ],
  });
});

const ADDRESSES = [
  ...["a@b.co", "0@com", "a@localhost", "ada.lovelace+x@sub.example.co.uk", "A@EXAMPLE.COM"],
  ...["!#$%&'*+/=?^_`{|}~-@example.com", ".a.@example.com", "a..b@example.com", "a@192.0.2.1"],
  ...["a@xn--mnchen-3ya.example", `a@${"x".repeat(63)}.example`, mail(254)],
];

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

Deno.test("isEmail() agrees with the HTML Standard, up to 254 characters", () => {
  for (const email of ADDRESSES) deepEqual(issuesOf({ ...LEAD, email }), [], email);
  for (const email of NO_ADDRESSES) {
    deepEqual(issuesOf({ ...LEAD, email }), ["/email format"], JSON.stringify(email));
  }
  const agrees = (text: string) => equal(isEmail(text), z.regexes.html5Email.test(text), text);
  const char = fc.constantFrom(..."aZ9.@-_+%! ä\u017f\u212a");
  fc.assert(fc.property(fc.string({ unit: char, maxLength: 12 }), agrees), { numRuns: 500 });
});
