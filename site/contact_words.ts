/**
 * @module What the contact form says, in every language: the one table for the page that the server
 * writes and for the script, which gets its part as data.
 *
 * `{…}` are places for what is only known later; {@link fill} and the script put it in. Numbers of
 * characters come from the schema and are not written here.
 */

import type { LeadRequest } from "../schemas/lead.ts";
import { quantityText } from "./language.ts";
import type { Locale } from "./page_path.ts";

/** What a person fills in; the honeypot, `website`, among them. */
export type Field = "email" | "company" | "plan" | "message" | "website";

/** Puts values into the places of a text; a place without a value stays as it is. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}

/** A time to wait as people say it: seconds below a minute, else minutes, rounded up. */
export function waitText(locale: Locale, seconds: number): string {
  return seconds < 60
    ? quantityText(seconds, "second", locale)
    : quantityText(Math.ceil(seconds / 60), "minute", locale);
}

const EN = {
  // The lead's `locale`: the API may know fewer languages than the site has.
  answeredIn: "en" as LeadRequest["locale"],
  labels: {
    email: "Email address",
    company: "Company",
    plan: "Plan (optional)",
    message: "Message (optional)",
    website: "Leave this field empty",
  },
  // `{max}` characters.
  hints: {
    email: "We answer to this address, in English.",
    company: "At most {max} characters.",
    plan: "Only if you have one in mind. It commits you to nothing.",
    message: "Which work would you hand to agents, and which systems does it touch? " +
      "At most {max} characters; please no passwords and no customer data.",
  },
  plans: {
    pro: "Pro",
    business: "Business",
    enterprise: "Enterprise",
    hosted: "Hosted",
    unspecified: "Not sure yet",
  },
  noPlan: "Please choose",
  // `{privacy}` is a link of the name `privacyPage`.
  data: "We use what you send to answer you, and for nothing else. {privacy} says what we keep " +
    "and for how long.",
  privacyPage: "The privacy page",
  send: "Send enquiry",
  sending: "Sending …",
  // By field, and by the rule of the schema that it breaks.
  faults: {
    email: {
      required: "Please enter your email address.",
      format: "Please enter a complete email address, such as you@company.example.",
    },
    company: {
      required: "Please enter your company.",
      maxLength: "Please shorten this to at most {max} characters.",
    },
    plan: { enum: "Please choose one of the plans, or none." },
    message: { maxLength: "Please shorten your message to at most {max} characters." },
  },
  notices: {
    invalid: "Not sent yet: please look at the marked fields.",
    // The honeypot alone was filled: it may have been a browser, and the visitor did not see it.
    trap: "Not sent yet: a hidden field that has to stay empty was filled in, perhaps by your " +
      "browser or a password manager. It is empty again: please press the button once more.",
    tooLarge: "Not sent yet: this is far too long to be read. Please shorten your message; if " +
      "it is no longer here, your browser’s Back button brings it back.",
    // `{wait}` is a time such as "2 minutes".
    limited: "Many enquiries are reaching us from your network just now. Your text is still " +
      "here: please send it again in {wait}.",
    notStored: "We are sorry: your enquiry could not be kept. Your text is still here: please " +
      "send it again in a minute.",
    // It is unknown whether the lead has arrived; only the script needs this.
    unsure: "We got no answer and cannot tell whether your enquiry has arrived. Your text is " +
      "still here: please send it again. The same enquiry within 24 hours counts as one.",
    crossSite: "Not sent: this did not come from the form on our site. Please fill it in here.",
    unreadable: "Not sent: what arrived could not be read. Please send it from this page.",
  },
  sent: {
    title: "Thank you",
    text: "Your enquiry is with us. We answer to the address that you gave.",
    home: "Back to the home page",
  },
};

/** The words of every language. */
export const FORM_WORDS: Readonly<Record<Locale, typeof EN>> = {
  en: EN,
  de: {
    answeredIn: "de",
    labels: {
      email: "E-Mail-Adresse",
      company: "Unternehmen",
      plan: "Tarif (freiwillig)",
      message: "Nachricht (freiwillig)",
      website: "Dieses Feld bitte leer lassen",
    },
    hints: {
      email: "An diese Adresse antworten wir Ihnen, auf Deutsch.",
      company: "Höchstens {max} Zeichen.",
      plan: "Nur, falls Sie schon einen im Sinn haben. Sie legen sich damit nicht fest.",
      message: "Welche Arbeit möchten Sie Agenten übergeben, und welche Systeme berührt sie? " +
        "Höchstens {max} Zeichen; bitte keine Passwörter und keine Kundendaten.",
    },
    plans: {
      pro: "Pro",
      business: "Business",
      enterprise: "Enterprise",
      hosted: "Hosted",
      unspecified: "Noch offen",
    },
    noPlan: "Bitte wählen",
    data: "Was Sie senden, verwenden wir nur, um Ihnen zu antworten. {privacy} steht, was wir " +
      "wie lange aufbewahren.",
    privacyPage: "Auf der Seite zum Datenschutz",
    send: "Anfrage senden",
    sending: "Wird gesendet …",
    faults: {
      email: {
        required: "Bitte geben Sie Ihre E-Mail-Adresse ein.",
        format: "Bitte geben Sie eine vollständige E-Mail-Adresse ein, etwa sie@firma.example.",
      },
      company: {
        required: "Bitte geben Sie Ihr Unternehmen ein.",
        maxLength: "Bitte kürzen Sie diese Angabe auf höchstens {max} Zeichen.",
      },
      plan: { enum: "Bitte wählen Sie einen der Tarife oder keinen." },
      message: { maxLength: "Bitte kürzen Sie Ihre Nachricht auf höchstens {max} Zeichen." },
    },
    notices: {
      invalid: "Noch nicht gesendet: Bitte sehen Sie sich die markierten Felder an.",
      trap: "Noch nicht gesendet: Ein verborgenes Feld, das leer bleiben muss, wurde ausgefüllt, " +
        "vielleicht von Ihrem Browser oder einem Passwortmanager. Es ist jetzt wieder leer: " +
        "Bitte betätigen Sie den Knopf noch einmal.",
      tooLarge:
        "Noch nicht gesendet: Das ist viel zu lang, um es zu lesen. Bitte kürzen Sie Ihre " +
        "Nachricht; steht sie nicht mehr hier, bringt die Zurück-Taste des Browsers sie wieder.",
      limited: "Aus Ihrem Netz erreichen uns gerade viele Anfragen. Ihr Text steht noch hier: " +
        "Bitte senden Sie ihn in {wait} noch einmal.",
      notStored: "Es tut uns leid: Ihre Anfrage konnte nicht gespeichert werden. Ihr Text steht " +
        "noch hier: Bitte senden Sie ihn in einer Minute noch einmal.",
      unsure:
        "Wir haben keine Antwort bekommen und wissen nicht, ob Ihre Anfrage angekommen ist. " +
        "Ihr Text steht noch hier: Bitte senden Sie ihn noch einmal. Dieselbe Anfrage innerhalb " +
        "von 24 Stunden zählt als eine.",
      crossSite: "Nicht gesendet: Das kam nicht vom Formular unserer Website. Bitte füllen Sie " +
        "es hier aus.",
      unreadable: "Nicht gesendet: Was ankam, war nicht lesbar. Bitte senden Sie es von dieser " +
        "Seite.",
    },
    sent: {
      title: "Vielen Dank",
      text: "Ihre Anfrage ist bei uns. Wir antworten an die Adresse, die Sie angegeben haben.",
      home: "Zur Startseite",
    },
  },
};
