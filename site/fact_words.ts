/**
 * @module Facts about the installation put into words, in every language: who operates it, where
 * leads are kept, what crawlers may do.
 */

import type { Locale } from "./page_path.ts";

const EN = {
  noOperator: "The operator of this installation has not entered who they are yet (`OPERATOR`).",
  contactForm: "contact form",
  // Deno documents the region of its hosted database.
  storage: {
    platform:
      "the Deno KV database of Deno Deploy, whose primary region is us-east4 in the United States",
    remote: "a Deno KV database that the operator has chosen, reached over the network",
    local: "a database file on the computer that the service runs on",
  },
  // What becomes of the bytes of what was removed.
  removal: {
    remote:
      "When the storage beneath overwrites what was removed is up to that database’s provider.",
    local: "What was removed is then overwritten in the database’s files as well: within a day, " +
      "and at once where we erase it on request.",
  },
  sealing: {
    sealed: "What you wrote is sealed there (AES-256-GCM); the key is not in the database.",
    open: "The service itself does not encrypt it there.",
  },
  yes: "yes",
  no: "no",
  crawlers: (search: string, aiInput: string, aiTrain: string) =>
    `What crawlers may use the texts for: search ${search}, answers of AI systems ${aiInput}, ` +
    `training of models ${aiTrain}.`,
};

/** The words of every language. */
export const FACT_WORDS: Readonly<Record<Locale, typeof EN>> = {
  en: EN,
  de: {
    noOperator:
      "Der Betreiber dieser Installation hat noch nicht eingetragen, wer er ist (`OPERATOR`).",
    contactForm: "Kontaktformular",
    storage: {
      platform: "der Deno-KV-Datenbank von Deno Deploy, deren Hauptregion us-east4 in den USA ist",
      remote: "einer vom Betreiber gewählten Deno-KV-Datenbank, die über das Netz erreicht wird",
      local: "einer Datenbankdatei auf dem Rechner, auf dem der Dienst läuft",
    },
    removal: {
      remote: "Wann der Speicher darunter Entferntes überschreibt, bestimmt der Anbieter dieser " +
        "Datenbank.",
      local: "Was entfernt ist, wird danach auch in den Dateien der Datenbank überschrieben: " +
        "innerhalb eines Tages und bei einer Löschung auf Ihren Wunsch sofort.",
    },
    sealing: {
      sealed: "Was Sie geschrieben haben, liegt dort verschlüsselt (AES-256-GCM); der Schlüssel " +
        "ist nicht in der Datenbank.",
      open: "Der Dienst selbst verschlüsselt sie dort nicht.",
    },
    yes: "ja",
    no: "nein",
    crawlers: (search, aiInput, aiTrain) =>
      `Wofür Crawler die Texte verwenden dürfen: Suche ${search}, Antworten von KI-Systemen ` +
      `${aiInput}, Training von Modellen ${aiTrain}.`,
  },
};
