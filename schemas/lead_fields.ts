/**
 * @module The fields of a lead: a row for each member of LeadRequest, in its order. The API and its
 * reference, storage, the form, mails, messages, exports and `deno task leads` follow from these rows.
 *
 * A field also needs a label in each file of `static/words` (`form.labels`), and a line in the contract's
 * specification, which on purpose does not follow. Hints and errors of its own are optional.
 */

import { z } from "zod";
import { isEmail } from "./email.ts";
import { DEFAULT_LOCALE, SITE } from "./site_data.ts";

export type Control =
  | {
    readonly kind: "input";
    readonly type: "email" | "tel" | "text" | "url";
    /** The HTML Standard's name of the value (§4.10.18.7.1), or `off`. */
    readonly autocomplete: string;
  }
  /** Offers the values of an enum; `labels` is the member of the words' `form` that has their labels. */
  | { readonly kind: "select"; readonly labels?: string }
  /** Several lines: comes last wherever people read a lead. */
  | { readonly kind: "textarea"; readonly rows: number }
  /** Not asked for: it is the language of the page. */
  | { readonly kind: "locale" }
  /** Hidden from people. */
  | { readonly kind: "honeypot" };

export interface LeadField {
  /** Of a string. `exactOptional()` makes it optional; without a description it has the label's. */
  readonly rule: z.ZodType<string | undefined>;
  readonly control: Control;
  /** A valid value, of an address one that reaches nobody; absent: examples leave the field out. */
  readonly example?: string;
  /** Whether it is kept, delivered and exported; by default it is. */
  readonly stored?: false;
  /** Whether leads that differ only here are two; by default they are. */
  readonly distinguishes?: false;
  /** The width of its column in `leads list`; absent: it has none. */
  readonly column?: number;
}

/** Names of other things in exports, and of options of `deno task leads`. */
type Reserved =
  | ("id" | "receivedAt" | "expiresAt" | "state" | "deliveries")
  | (
    | "since"
    | "until"
    | "text"
    | "target"
    | "limit"
    | "json"
    | "format"
    | "bom"
    | "help"
  );

const ROWS = {
  email: {
    rule: z.string().refine(isEmail, "Must be an email address.")
      .meta({ format: "email", description: "Where to reply." }),
    control: { kind: "input", type: "email", autocomplete: "email" },
    example: "ada@example.invalid",
    column: 32,
  },
  company: {
    rule: z.string().max(120).meta({ description: "The company that is asking; may be empty." }),
    control: { kind: "input", type: "text", autocomplete: "organization" },
    example: "Example Ltd",
    column: 24,
  },
  message: {
    rule: z.string().max(2000).exactOptional().meta({ description: "What the enquiry is about." }),
    control: { kind: "textarea", rows: 6 },
    example: "We would like to see a demonstration.",
  },
  plan: {
    rule: z.enum([...SITE.plans, "unspecified"]).exactOptional()
      .meta({ description: "The plan of interest; `unspecified` if undecided." }),
    control: { kind: "select", labels: "plans" },
    example: SITE.plans[1] ?? SITE.plans[0] ?? "unspecified",
    column: 11,
  },
  locale: {
    rule: z.enum(SITE.languages).meta({ description: "The language to reply in." }),
    control: { kind: "locale" },
    example: DEFAULT_LOCALE,
    column: 6,
  },
  website: {
    rule: z.string().max(0).exactOptional()
      .meta({ description: "A honeypot. Leave it out or empty." }),
    control: { kind: "honeypot" },
    stored: false,
  },
} satisfies Record<string, LeadField> & { readonly [name in Reserved]?: never };

type Rows = typeof ROWS;

export type LeadFieldName = keyof Rows;

/** The rule of each field. */
export type LeadRules = { [Name in LeadFieldName]: Rows[Name]["rule"] };

/** The fields that are stored. */
export type StoredFieldName = {
  [Name in LeadFieldName]: Rows[Name] extends { readonly stored: false } ? never : Name;
}[LeadFieldName];

/** Without plans there is no field for them. */
const all = Object.entries<LeadField>(ROWS) as [LeadFieldName, LeadField][];
export const LEAD_FIELDS = all.filter(([name]) => name !== "plan" || SITE.plans.length > 0);

function isStored(field: readonly [string, LeadField]): field is [StoredFieldName, LeadField] {
  return field[1].stored !== false;
}

const isLong = ({ control }: LeadField) => control.kind === "textarea";

/** The stored fields in the order in which people read them. */
export const STORED_FIELDS = LEAD_FIELDS.filter(isStored)
  .toSorted(([, one], [, other]) => Number(isLong(one)) - Number(isLong(other)));

/** Their names, then those of values that a lead still has of fields that have gone. */
export function namesIn(lead: Readonly<Record<string, string | undefined>>): string[] {
  return [...new Set([...STORED_FIELDS.map(([name]) => name), ...Object.keys(lead)])];
}

/** Whether a stored field is shown as text of several lines. */
export function hasLines(name: string): boolean {
  const field = STORED_FIELDS.find(([known]) => known === name)?.[1];
  return field === undefined || isLong(field);
}
