/**
 * @module The contact form when a lead is not taken: over a limit, held nowhere, no network. Each
 * time the text stays, and can be sent again. With script and without.
 */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { contactPaths, LOCALES } from "../../site/page_path.ts";
import { browserSuite, type Site } from "../support/browser.ts";
import { freePort } from "../support/service.ts";
import {
  BUTTON,
  leadsOf,
  noticeOf,
  openForm,
  read,
  saidInEveryWay,
  sendInVain,
  sendWell,
  WRITTEN,
} from "./support/contact_page.ts";

const { withSite } = browserSuite();

for (const limit of ["LEAD_RATE_LIMIT", "LEAD_ATTEMPT_LIMIT"]) {
  Deno.test(`over ${limit} a person is told how long to wait, and the text stays`, () =>
    withSite(async (site) => {
      equal(await sendDirectly(site), 200);
      await saidInEveryWay(async (way) => {
        const form = await openForm(site, { ...way, written: WRITTEN });
        const said = await sendInVain(form, { status: 429, written: WRITTEN });
        match(said.notice, way.locale === "en" ? /\b10 minutes\b/ : /\b10 Minuten\b/);
        return said;
      });
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
    const sent: unknown[] = [];
    await saidInEveryWay(async (way) => {
      const form = await openForm(site, { ...way, written: WRITTEN });
      const said = await sendInVain(form, { status: 502, written: WRITTEN });
      await sendWell(form);
      sent.push({ ...WRITTEN, locale: way.locale });
      return said;
    });
    deepEqual(leadsOf(site.receiver).filter((_, n) => n % 2 === 1), sent);
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
      const written = { ...WRITTEN, message: "x".repeat(2000) };
      const form = await openForm(site, { locale, script: true, written });
      await site.service.end("SIGKILL");
      await form.page.locator(BUTTON).click();
      ok((await noticeOf(form.page)).length > 20);
      deepEqual(await read(form.page), written);
      deepEqual(form.troubles, ["failed: POST /api/lead"]);

      await site.restart();
      await sendWell(form);
      deepEqual(leadsOf(site.receiver), [{ ...written, locale }]);
    }));
}
