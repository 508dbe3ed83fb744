/**
 * @module Facts about the installation put into words, in every language: who operates it, where
 * leads lie, what crawlers may do. Single values need no words and go in as they are.
 */

import type { ContentSignal } from "../schemas/values.ts";
import { contactPaths, type Locale } from "./page_path.ts";

const NO_OPERATOR: Readonly<Record<Locale, string>> = {
  en: "The operator of this installation has not entered who they are yet (`OPERATOR`).",
  de: "Der Betreiber dieser Installation hat noch nicht eingetragen, wer er ist (`OPERATOR`).",
};

/** The operator's details as a list, or a note that they are not set. */
export function operatorList(lines: readonly string[], locale: Locale): string {
  return lines.length === 0
    ? NO_OPERATOR[locale]
    : lines.map((line) => `- ${literal(line)}`).join("\n");
}

const CONTACT_FORM: Readonly<Record<Locale, string>> = {
  en: "contact form",
  de: "Kontaktformular",
};

/** Where to write to: an address, or else the contact form. */
export function contactLink(email: string | undefined, locale: Locale): string {
  if (email !== undefined) return `[${literal(email)}](mailto:${encodeURI(email)})`;
  return `[${CONTACT_FORM[locale]}](${contactPaths(locale).form})`;
}

/** Plain text as markdown that reads the same: no markup, no entity, no list at its beginning. */
function literal(text: string): string {
  return text.replace(
    /[\\`*_[\]<>#|~]|&(?=#?\w+;)|^[-+](?=\s)|(?<=^\d+)[.)](?=\s)/g,
    "\\$&",
  );
}

/** Where leads are kept; Deno documents the region of its hosted database. */
const STORAGE: Readonly<Record<"platform" | "remote" | "local", Readonly<Record<Locale, string>>>> =
  {
    platform: {
      en:
        "the Deno KV database of Deno Deploy, whose primary region is us-east4 in the United States",
      de: "der Deno-KV-Datenbank von Deno Deploy, deren Hauptregion us-east4 in den USA ist",
    },
    remote: {
      en: "a Deno KV database that the operator has chosen, reached over the network",
      de: "einer vom Betreiber gewählten Deno-KV-Datenbank, die über das Netz erreicht wird",
    },
    local: {
      en: "a database file on the computer that the service runs on",
      de: "einer Datenbankdatei auf dem Rechner, auf dem der Dienst läuft",
    },
  };

/** What becomes of the bytes of what was removed. */
const REMOVAL: Readonly<Record<"remote" | "local", Readonly<Record<Locale, string>>>> = {
  remote: {
    en: "When the storage beneath overwrites what was removed is up to that database’s provider.",
    de: "Wann der Speicher darunter Entferntes überschreibt, bestimmt der Anbieter dieser " +
      "Datenbank.",
  },
  local: {
    en: "What was removed is then overwritten in the database’s files as well: within a day, and " +
      "at once where we erase it on request.",
    de:
      "Was entfernt ist, wird danach auch in den Dateien der Datenbank überschrieben: innerhalb " +
      "eines Tages und bei einer Löschung auf Ihren Wunsch sofort.",
  },
};

const SEALING: Readonly<Record<"sealed" | "open", Readonly<Record<Locale, string>>>> = {
  sealed: {
    en: "What you wrote is sealed there (AES-256-GCM); the key is not in the database.",
    de: "Was Sie geschrieben haben, liegt dort verschlüsselt (AES-256-GCM); der Schlüssel ist " +
      "nicht in der Datenbank.",
  },
  open: {
    en: "The service itself does not encrypt it there.",
    de: "Der Dienst selbst verschlüsselt sie dort nicht.",
  },
};

/** Where leads are kept. */
export function storage(kvPath: string | undefined, locale: Locale): string {
  return STORAGE[kvPath === undefined ? "platform" : reach(kvPath)][locale];
}

/** How soon nothing can be read any more of what was removed. */
export function removal(kvPath: string | undefined, locale: Locale): string {
  return REMOVAL[reach(kvPath)][locale];
}

function reach(kvPath: string | undefined): "remote" | "local" {
  return kvPath === undefined || /^https?:/.test(kvPath) ? "remote" : "local";
}

/** Whether what a person wrote is sealed at rest. */
export function sealing(sealed: boolean, locale: Locale): string {
  return SEALING[sealed ? "sealed" : "open"][locale];
}

const POLICY: Readonly<
  Record<Locale, (says: (yes: boolean) => string, s: ContentSignal) => string>
> = {
  en: (says, { search, aiInput, aiTrain }) =>
    `What crawlers may use the texts for: search ${says(search)}, answers of AI systems ` +
    `${says(aiInput)}, training of models ${says(aiTrain)}.`,
  de: (says, { search, aiInput, aiTrain }) =>
    `Wofür Crawler die Texte verwenden dürfen: Suche ${says(search)}, Antworten von KI-Systemen ` +
    `${says(aiInput)}, Training von Modellen ${says(aiTrain)}.`,
};

const YES_NO: Readonly<Record<Locale, readonly [yes: string, no: string]>> = {
  en: ["yes", "no"],
  de: ["ja", "nein"],
};

/** What robots.txt says of the use of the texts, for people. */
export function crawlerPolicy(signal: ContentSignal, locale: Locale): string {
  const [yes, no] = YES_NO[locale];
  return POLICY[locale]((allowed) => allowed ? yes : no, signal);
}
