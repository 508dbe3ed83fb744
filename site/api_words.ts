/**
 * @module The words of the API reference in every language. English texts are the OpenAPI document's
 * own; here is what they are in German. A text of the document that is not here stops the tests.
 */

import type { Locale } from "./page_path.ts";

/** What the reference itself says. */
export interface ApiWords {
  readonly status: string;
  readonly answer: string;
  readonly meaning: string;
  readonly body: string;
  readonly member: string;
  readonly required: string;
  readonly type: string;
  readonly yes: string;
  readonly no: string;
  readonly headers: string;
  readonly header: string;
  readonly everyAnswer: string;
  readonly example: string;
  readonly empty: string;
  readonly anything: string;
  /** JSON Schema's names of types. */
  readonly types: Readonly<Record<string, string>>;
  oneOf(values: string): string;
  atMost(characters: number): string;
}

/** The words of every language. */
export const API_WORDS: Readonly<Record<Locale, ApiWords>> = {
  en: {
    status: "Status",
    answer: "Answer",
    meaning: "Meaning",
    body: "Body",
    member: "Member",
    required: "Required",
    type: "Type",
    yes: "yes",
    no: "no",
    headers: "Response headers",
    header: "Header",
    everyAnswer: "Every answer carries",
    example: "Example",
    empty: "empty string",
    anything: "anything",
    types: {},
    oneOf: (values) => `one of ${values}`,
    atMost: (characters) => `at most ${characters} characters`,
  },
  de: {
    status: "Status",
    answer: "Antwort",
    meaning: "Bedeutung",
    body: "Rumpf",
    member: "Feld",
    required: "Pflicht",
    type: "Typ",
    yes: "ja",
    no: "nein",
    headers: "Kopfzeilen der Antworten",
    header: "Kopfzeile",
    everyAnswer: "Jede Antwort trägt",
    example: "Beispiel",
    empty: "leere Zeichenkette",
    anything: "beliebig",
    types: { string: "Zeichenkette", boolean: "Wahrheitswert", object: "Objekt" },
    oneOf: (values) => `eines von ${values}`,
    atMost: (characters) => `höchstens ${characters} Zeichen`,
  },
};

/** A language's texts by the document's. */
type Translations = Readonly<Record<string, string>>;

const GERMAN: Translations = {
  // Operations
  "Answers as long as the process does. Returns no product data.":
    "Antwortet, solange der Prozess läuft. Liefert keine Produktdaten.",
  "Brand, public pages, discovery documents, and the statement that the product API is not on this host.":
    "Marke, öffentliche Seiten, maschinenlesbare Dokumente und die Aussage, dass die Produkt-API nicht auf diesem Host liegt.",
  "Takes an enquiry. Does not create a tenant and is not a product signup. A 200 is a promise that the lead is held; after a 502 send it again. The same lead sent again within 24 hours is the same lead. Addresses under the reserved top-level domain `.invalid` go the whole way but are neither stored nor delivered: use them for tests. Limited per client address; see the RateLimit headers.":
    "Nimmt eine Anfrage entgegen. Legt keinen Mandanten an und ist keine Registrierung für das Produkt. 200 ist das Versprechen, dass die Anfrage vorliegt; nach 502 senden Sie sie noch einmal. Dieselbe Anfrage innerhalb von 24 Stunden noch einmal ist dieselbe Anfrage. Adressen unter der reservierten Domain `.invalid` durchlaufen alles, werden aber weder gespeichert noch zugestellt: gut zum Ausprobieren. Begrenzt je Absenderadresse, siehe RateLimit.",
  "The canonical API description.": "Die maßgebliche Beschreibung der API.",
  "The same value as `/openapi.json`, in YAML 1.2.":
    "Derselbe Inhalt wie `/openapi.json`, in YAML 1.2.",
  "At most 64 KiB, sent within 10 seconds.": "Höchstens 64 KiB, gesendet in 10 Sekunden.",
  // Answers
  "The service is up.": "Der Dienst läuft.",
  "The path does not answer this method.": "Der Pfad beantwortet diese Methode nicht.",
  "The site index.": "Das Verzeichnis der Website.",
  "The lead is taken; `delivered` tells whether every target has it already.":
    "Die Anfrage ist angenommen; `delivered` sagt, ob sie schon an jedem Ziel angekommen ist.",
  "The body is not a LeadRequest in JSON.": "Der Rumpf ist kein LeadRequest in JSON.",
  "The client has used up one of its limits.": "Eine der Grenzen ist ausgeschöpft.",
  "Neither storing nor delivering could be confirmed: send the lead again.":
    "Weder das Speichern noch die Zustellung ließ sich bestätigen: Senden Sie die Anfrage noch einmal.",
  "This document.": "Dieses Dokument.",
  // Members
  "Stable, machine-readable; codes may be added.":
    "Beständig, für Maschinen; es können Codes hinzukommen.",
  "What happened, for people.": "Was geschehen ist, für Menschen.",
  "What to do next: valid methods, schema or discovery URLs.":
    "Was als Nächstes zu tun ist: gültige Methoden, Adressen von Schema oder Verzeichnis.",
  "The developer resources of this host.": "Die Seite für Entwickler auf diesem Host.",
  "Structured details, such as the validation issues. Never what was sent.":
    "Einzelheiten, etwa die Fehler der Prüfung. Nie das, was gesendet wurde.",
  "The site's name.": "Der Name der Website.",
  "The service's identifier.": "Die Kennung des Dienstes.",
  "A status word.": "Ein Wort für den Zustand.",
  "Honeypot: leave it out, or empty.": "Falle für Bots: weglassen oder leer lassen.",
  "true: every target has acknowledged the lead. false: not all have yet, or there is none.":
    "true: Jedes Ziel hat die Anfrage bestätigt. false: Noch nicht jedes, oder es gibt keins.",
  "What kind of site this is.": "Um welche Art von Website es sich handelt.",
  "Public pages and discovery documents: name to URL.":
    "Öffentliche Seiten und maschinenlesbare Dokumente: Name und URL.",
  "States that the product API is not on this host.":
    "Sagt, dass die Produkt-API nicht auf diesem Host liegt.",
  // Headers
  "Any origin may read this answer.": "Jede Herkunft darf diese Antwort lesen.",
  "What a script on another origin may read.": "Was ein Skript von anderer Herkunft lesen darf.",
  "The methods that the path answers (RFC 9110 §10.2.1).":
    "Die Methoden, die der Pfad beantwortet (RFC 9110 §10.2.1).",
  "How long the answer may be kept (RFC 9111 §5.2).":
    "Wie lange die Antwort aufgehoben werden darf (RFC 9111 §5.2).",
  "How the answer is compressed, where it is (RFC 9110 §8.4).":
    "Wie die Antwort komprimiert ist, falls sie es ist (RFC 9110 §8.4).",
  "Nothing in the answer may run (CSP Level 3).":
    "Nichts in der Antwort darf ausgeführt werden (CSP Level 3).",
  "Any site may load the answer (Fetch).": "Jede Website darf die Antwort laden (Fetch).",
  "Entity tag of the representation (RFC 9110 §8.8.3).":
    "Entity-Tag der Darstellung (RFC 9110 §8.8.3).",
  "For each limit what is left (r) and the seconds until one request more is admitted (t).":
    "Für jede Grenze, was übrig ist (r), und die Sekunden, bis eine weitere Anfrage zugelassen wird (t).",
  "The limits: requests (q) within seconds (w).": "Die Grenzen: Anfragen (q) in Sekunden (w).",
  "What a browser tells the next site (Referrer Policy).":
    "Was ein Browser der nächsten Website verrät (Referrer Policy).",
  "Seconds to wait before the next try (RFC 9110 §10.2.3).":
    "Sekunden bis zum nächsten Versuch (RFC 9110 §10.2.3).",
  "Where the site is on https (RFC 6797).": "Wo die Website über https läuft (RFC 6797).",
  "The request fields that chose this form of the answer (RFC 9110 §12.5.5).":
    "Die Anfragefelder, von denen die Form der Antwort abhängt (RFC 9110 §12.5.5).",
  "The media type is meant as sent (Fetch).": "Der Medientyp gilt wie gesendet (Fetch).",
  "Names this request in the service's log.": "Benennt diese Anfrage im Protokoll des Dienstes.",
};

/** The document is written in the language that is not here. */
const TRANSLATIONS: Readonly<Record<Exclude<Locale, "en">, Translations>> = { de: GERMAN };

/** A text of the document in a language; undefined where it has not been translated. */
export function translate(text: string, locale: Locale): string | undefined {
  return locale === "en" ? text : TRANSLATIONS[locale][text];
}
