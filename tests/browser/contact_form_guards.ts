/** @module What keeps the contact form from robots and other sites, and people from noticing it. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { contactPaths, LOCALES } from "../../site/page_path.ts";
import { browserSuite } from "../support/browser.ts";
import {
  leadsOf,
  noticeOf,
  openForm,
  sendInVain,
  sendWell,
  WRITTEN,
} from "./support/contact_page.ts";

const { withSite } = browserSuite();

for (const { form, locale } of LOCALES.map((one) => ({ ...contactPaths(one), locale: one }))) {
  Deno.test(`the honeypot of ${form} is not seen, not read out and not reached`, () =>
    withSite(async ({ visit }) => {
      for (const width of [390, 1440]) {
        const { page } = await visit(form, { viewport: { width, height: 900 } });
        const trap = page.locator("#website");
        const { x, width: extent } = (await trap.boundingBox())!;
        ok(x + extent <= 0, "left of the page, where nobody can scroll");
        equal(await trap.getAttribute("tabindex"), "-1");
        equal(await trap.getAttribute("autocomplete"), "off");

        const protocol = await page.context().newCDPSession(page);
        const { nodes } = await protocol.send("Accessibility.getFullAXTree");
        const names = nodes.filter(({ ignored }) => !ignored).map(({ name }) => name?.value);
        const label = (id: string) => page.locator(`label[for=${id}]`).textContent();
        ok(names.includes(await label("email")), "what people fill in is in the tree");
        equal(names.includes(await label("website")), false);
      }
    }));

  Deno.test(`a honeypot of ${form} that a browser has filled costs nobody the lead`, () =>
    withSite(async (site) => {
      for (const script of [true, false]) {
        const written = { ...WRITTEN, company: `Example ${script}` };
        const open = await openForm(site, { locale, script, written });
        await open.page.locator("#website").evaluate((field) => field.value = "filled");
        const { notice, faults } = await sendInVain(open, { status: 400, written });
        ok(notice.length > 20);
        deepEqual(faults, {});
        await sendWell(open);
        deepEqual(leadsOf(site.receiver).at(-1), { ...written, locale });
      }
      equal(site.receiver.received.length, 2);
    }));
}

Deno.test("a form on another site or port that posts to the contact page is refused", () =>
  withSite(async ({ service, visit, receiver }) => {
    const fields = Object.entries(WRITTEN).filter(([name]) => name !== "message")
      .map(([name, value]) => `<input name="${name}" value="${value}">`).join("");
    const lure = (path: string) =>
      `<!doctype html><form method="post" action="${service.url}${path}">${fields}<button>`;
    const server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      (request) =>
        new Response(lure(new URL(request.url).pathname), {
          headers: { "content-type": "text/html" },
        }),
    );
    const { port } = server.addr;
    try {
      for (const host of ["127.0.0.1", "localhost"]) {
        for (const { form } of LOCALES.map(contactPaths)) {
          const { page } = await visit(`http://${host}:${port}${form}`);
          const answer = page.waitForResponse((response) => response.request().method() === "POST");
          await page.locator("button").click();
          equal((await answer).status(), 403);
          ok((await noticeOf(page)).length > 20);
        }
      }
    } finally {
      await server.shutdown();
    }
    equal(receiver.received.length, 0);
  }));
