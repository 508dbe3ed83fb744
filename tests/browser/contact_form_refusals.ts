/**
 * @module The contact form when a lead is not taken: over a limit, held nowhere, no network. Each
 * time the text stays, and can be sent again. With script and without.
 */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { contactPaths, type Locale, LOCALES } from "../../site/page_path.ts";
import { browserSuite, type Site } from "../support/browser.ts";
import { freePort } from "../support/service.ts";
import {
  BUTTON,
  type FormPage,
  leadsOf,
  noticeOf,
  openForm,
  read,
  send,
  succeeded,
  tellApart,
  write,
  WRITTEN,
  type Written,
} from "./support/contact_page.ts";

const { withSite } = browserSuite();

/** The ways to send: in each language with script and without. */
const WAYS = LOCALES.flatMap((locale) => [{ locale, script: true }, { locale, script: false }]);

/** With script and without the same sentence has to be noticed, in each language its own. */
function sameWords(notices: ReadonlyMap<string, string>): void {
  const said = LOCALES.map((locale) => {
    const [notice, other] = [true, false].map((script) => notices.get(`${locale} ${script}`));
    equal(notice, other);
    return { notice: notice!, faults: {} };
  });
  tellApart(said);
}

function writtenIn(locale: Locale): Written {
  return { ...WRITTEN, company: `Example ${locale}` };
}

/** Sends what is not taken, sees that it stays, and returns what is said of it. */
async function refused(
  form: FormPage,
  { status, locale }: { readonly status: number; readonly locale: Locale },
): Promise<string> {
  const written = writtenIn(locale);
  await write(form.page, written);
  equal(await send(form), status);
  const notice = await noticeOf(form.page);
  deepEqual(await read(form.page), written);
  return notice;
}

for (const limit of ["LEAD_RATE_LIMIT", "LEAD_ATTEMPT_LIMIT"]) {
  Deno.test(`over ${limit} a person is told how long to wait, and the text stays`, () =>
    withSite(async (site) => {
      equal(await sendDirectly(site), 200);
      const notices = new Map<string, string>();
      for (const { locale, script } of WAYS) {
        const form = await openForm(site, { locale, script });
        const notice = await refused(form, { status: 429, locale });
        match(notice, locale === "en" ? /\b10 minutes\b/ : /\b10 Minuten\b/);
        notices.set(`${locale} ${script}`, notice);
      }
      sameWords(notices);
      equal(site.receiver.received.length, 1);
    }, { env: { [limit]: "1/10m" } }));
}

/** Uses up a limit of one. */
async function sendDirectly({ service }: Site): Promise<number> {
  const response = await fetch(`${service.url}/api/lead`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "bob@example.com", company: "First", locale: "en" }),
  });
  await response.body?.cancel();
  return response.status;
}

Deno.test("a lead that can be kept nowhere is refused, its text stays and goes out later", () =>
  withSite(async (site) => {
    const notices = new Map<string, string>();
    for (const { locale, script } of WAYS) {
      const form = await openForm(site, { locale, script });
      notices.set(`${locale} ${script}`, await refused(form, { status: 502, locale }));
      equal(await send(form), script ? 200 : 303);
      await succeeded(form);
    }
    sameWords(notices);
    const taken = leadsOf(site.receiver).filter((_, n) => n % 2 === 1);
    deepEqual(taken, WAYS.map(({ locale }) => ({ ...writtenIn(locale), locale })));
  }, {
    // Nobody listens where KV should be; the target refuses each lead the first time.
    env: {
      KV_PATH: `http://127.0.0.1:${freePort()}`,
      DENO_KV_ACCESS_TOKEN: "a-token-of-the-tests",
    },
    answer: (n) => new Response(null, { status: n % 2 === 0 ? 503 : 204 }),
  }));

for (const locale of LOCALES) {
  Deno.test(`${contactPaths(locale).form} keeps its text while there is no network`, () =>
    withSite(async (site) => {
      const form = await openForm(site, { locale, script: true });
      const written = { ...WRITTEN, message: "x".repeat(2000) };
      await write(form.page, written);
      await site.service.end("SIGKILL");
      await form.page.locator(BUTTON).click();
      ok((await noticeOf(form.page)).length > 20);
      deepEqual(await read(form.page), written);
      deepEqual(form.troubles, ["failed: POST /api/lead"]);

      await site.restart();
      equal(await send(form), 200);
      await succeeded(form);
      deepEqual(leadsOf(site.receiver), [{ ...written, locale }]);
    }));
}
