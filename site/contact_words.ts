/** @module What the contact form says, in every language. */

import type { LeadRequest } from "../schemas/lead.ts";
import type { Locale } from "./page_path.ts";

/** What a person fills in; the honeypot among them. */
export type Field = "email" | "company" | "plan" | "message" | "website";

/** The form's words in one language. */
export interface FormWords {
  readonly labels: Readonly<Record<Field, string>>;
  readonly plans: Readonly<Record<NonNullable<LeadRequest["plan"]>, string>>;
  readonly noPlan: string;
  readonly send: string;
  /** By the rule of the schema that is not kept. */
  readonly faults: Readonly<Record<string, string>>;
  readonly notices: {
    readonly invalid: string;
    readonly notStored: string;
    readonly crossSite: string;
    readonly unreadable: string;
    /** @param seconds until the next try will be taken */
    limited(seconds: number): string;
  };
  /** The page after a successful send, as markdown. */
  readonly sent: { readonly title: string; readonly body: string };
}

function minutes(seconds: number): number {
  return Math.ceil(seconds / 60);
}

export const FORM_WORDS: Readonly<Record<Locale, FormWords>> = {
  en: {
    labels: {
      email: "Email address",
      company: "Company",
      plan: "Plan (optional)",
      message: "Message (optional)",
      website: "Leave this field empty",
    },
    plans: {
      pro: "Pro",
      business: "Business",
      enterprise: "Enterprise",
      hosted: "Hosted",
      unspecified: "Not sure yet",
    },
    noPlan: "Please choose",
    send: "Send enquiry",
    faults: {
      required: "Please fill this in.",
      format: "Please give an email address, such as you@company.example.",
      maxLength: "This is too long: at most 120 characters for the company, 2,000 for the message.",
      enum: "Please choose one of the plans.",
    },
    notices: {
      invalid: "Not sent yet: please look at the marked fields.",
      notStored:
        "Your enquiry could not be kept. Your text is still here: please send it again in " +
        "a minute.",
      crossSite: "This did not come from our form. Please send it from this page.",
      unreadable: "What arrived could not be read. Please send it again.",
      limited: (seconds) =>
        `There have been many enquiries from your network. Your text is still here: please send it ` +
        `again in ${minutes(seconds)} min.`,
    },
    sent: {
      title: "Thank you",
      body: "# Thank you\n\nYour enquiry is with us. We answer to the address that you gave.\n\n" +
        "[Back to the home page](/)\n",
    },
  },
  de: {
    labels: {
      email: "E-Mail-Adresse",
      company: "Firma",
      plan: "Plan (freiwillig)",
      message: "Nachricht (freiwillig)",
      website: "Bitte leer lassen",
    },
    plans: {
      pro: "Pro",
      business: "Business",
      enterprise: "Enterprise",
      hosted: "Hosted",
      unspecified: "Noch offen",
    },
    noPlan: "Bitte wählen",
    send: "Anfrage senden",
    faults: {
      required: "Bitte füllen Sie dieses Feld aus.",
      format: "Bitte geben Sie eine E-Mail-Adresse an, etwa sie@firma.example.",
      maxLength: "Das ist zu lang: höchstens 120 Zeichen für die Firma, 2.000 für die Nachricht.",
      enum: "Bitte wählen Sie einen der Pläne.",
    },
    notices: {
      invalid: "Noch nicht gesendet: Bitte sehen Sie sich die markierten Felder an.",
      notStored: "Ihre Anfrage konnte nicht gespeichert werden. Ihr Text steht noch hier: Bitte " +
        "senden Sie ihn in einer Minute noch einmal.",
      crossSite: "Das kam nicht von unserem Formular. Bitte senden Sie es von dieser Seite.",
      unreadable: "Was ankam, war nicht lesbar. Bitte senden Sie es noch einmal.",
      limited: (seconds) =>
        `Aus Ihrem Netz kamen viele Anfragen. Ihr Text steht noch hier: Bitte senden Sie ihn in ` +
        `${minutes(seconds)} min noch einmal.`,
    },
    sent: {
      title: "Vielen Dank",
      body: "# Vielen Dank\n\nIhre Anfrage ist bei uns. Wir antworten an die Adresse, die Sie " +
        "angegeben haben.\n\n[Zur Startseite](/de)\n",
    },
  },
};
