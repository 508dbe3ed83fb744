/**
 * @module The contact form, with script and without: sent, heard, sent once; where it is refused, the
 * same is said both ways and the text stays. Each state is accessible and leaves a picture.
 */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { contactPaths, LOCALES } from "../../site/page_path.ts";
import { postLead } from "../support/post_lead.ts";
import { freePort } from "../support/service.ts";
import { until } from "../support/until.ts";
import { withSite } from "./support/browser.ts";
import {
  assertAccessible,
  BUTTON,
  leadsOf,
  noticeOf,
  openForm,
  read,
  saidInEveryWay,
  sendInVain,
  sendWell,
  WRITTEN,
  type Written,
} from "./support/contact_page.ts";
import { hasFocus } from "./support/keyboard.ts";

for (const locale of LOCALES) {
  const { form, sent } = contactPaths(locale);

  Deno.test(`${form} sends a lead, and success is seen, heard and has the focus`, () =>
    withSite(async (site) => {
      const open = await openForm(site, { locale, script: true, written: WRITTEN });
      const { page, troubles } = open;
      const outcome = page.locator("#form-outcome[role=status][aria-live=polite]");
      // A live region is heard only if it is there, and empty, before it speaks.
      equal(await outcome.textContent(), "");
      await sendWell(open);
      deepEqual(leadsOf(site.receiver), [{ ...WRITTEN, locale }]);
      equal(await page.locator("#contact-form").isVisible(), false);
      ok((await outcome.innerText()).length > 20);
      ok(await hasFocus(page, "#form-outcome"));
      equal(new URL(page.url()).pathname, form);
      deepEqual(troubles, []);
      await assertAccessible(open, "contact-success");
    }));

  Deno.test(`${form} sends a lead without script and leads to ${sent}`, () =>
    withSite(async (site) => {
      // With nothing but what is required.
      const { email, company } = WRITTEN;
      const written = { email, company, plan: "", message: "" };
      const open = await openForm(site, { locale, script: false, written });
      const { page, troubles } = open;
      await sendWell(open);
      equal(new URL(page.url()).pathname, sent);
      deepEqual(leadsOf(site.receiver), [{ email, company, locale }]);
      await page.reload();
      equal(site.receiver.received.length, 1, "to load it again sends nothing");
      deepEqual(troubles, []);
    }));
}

Deno.test("a double click, and Enter while a lead is on its way, send it once", () => {
  const released = Promise.withResolvers<void>();
  return withSite(async (site) => {
    const { page } = await openForm(site, { locale: "en", script: true, written: WRITTEN });
    const posts: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") posts.push(new URL(request.url()).pathname);
    });
    try {
      await page.locator(BUTTON).dblclick();
      await page.locator("#contact-form[aria-busy=true]").waitFor();
      ok(await hasFocus(page, BUTTON), "the button keeps the focus");
      await page.locator("#email").press("Enter");
    } finally {
      released.resolve();
    }
    await page.locator("#form-outcome h2").waitFor();
    deepEqual(posts, ["/api/lead"]);
    equal(site.receiver.received.length, 1);
  }, {
    env: { LEAD_INLINE_TIMEOUT: "10s" },
    answer: async () => {
      await released.promise;
      return new Response(null, { status: 204 });
    },
  });
});

/** What is written, and the fields that are to be pointed out, in their order. */
const FAULTY: readonly (readonly [change: Partial<Written>, faulty: readonly string[]])[] = [
  [{ email: "", company: "", plan: "", message: "" }, ["email", "company"]],
  [{ company: "x".repeat(121), message: "x".repeat(2001) }, ["company", "message"]],
];

Deno.test("faults are pointed out beside the fields in the page's language, the text stays", () =>
  withSite(async (site) => {
    for (const [change, faulty] of FAULTY) {
      const written = { ...WRITTEN, ...change };
      await saidInEveryWay(async (way) => {
        const form = await openForm(site, { ...way, written });
        const said = await sendInVain(form, { status: 400, written });
        deepEqual(Object.keys(said.faults), faulty);
        const isFocused = () => hasFocus(form.page, `#${faulty[0]}`);
        await until("the first faulty field has the focus", isFocused);
        deepEqual(form.troubles, way.script ? ["400: POST /api/lead"] : []);
        await assertAccessible(form, "contact-faults");
        return said;
      });
    }
    equal(site.receiver.received.length, 0);
  }));

Deno.test("a fault that is mended is not pointed out any more, and the lead goes out", () =>
  withSite(async (site) => {
    let written: Written = { ...WRITTEN, email: "ada", company: "" };
    const form = await openForm(site, { locale: "en", script: true, written });
    for (
      const [field, left] of [["email", ["email", "company"]], ["company", ["company"]]] as const
    ) {
      const { faults } = await sendInVain(form, { status: 400, written });
      deepEqual(Object.keys(faults), left);
      await form.page.locator(`#${field}`).fill(WRITTEN[field]);
      written = { ...written, [field]: WRITTEN[field] };
    }
    await sendWell(form);
    deepEqual(leadsOf(site.receiver), [{ ...WRITTEN, locale: "en" }]);
  }));

Deno.test("the honeypot is not seen, not read out, not reached, and loses no lead where it is filled", () =>
  withSite(async (site) => {
    for (const script of [true, false]) {
      const written = { ...WRITTEN, company: `Example ${script}` };
      const open = await openForm(site, { locale: "en", script, written });
      const { page } = open;
      const trap = page.locator("#website");
      const { x, width } = (await trap.boundingBox())!;
      ok(x + width <= 0, "left of the page, where it cannot be scrolled to");
      const protocol = await page.context().newCDPSession(page);
      const { nodes } = await protocol.send("Accessibility.getFullAXTree");
      const names = nodes.filter(({ ignored }) => !ignored).map(({ name }) => name?.value);
      const label = (id: string) => page.locator(`label[for=${id}]`).textContent();
      ok(names.includes(await label("email")), "what visitors fill in is in the tree");
      equal(names.includes(await label("website")), false);

      await trap.evaluate((field) => field.value = "filled");
      const { notice, faults } = await sendInVain(open, { status: 400, written });
      ok(notice.length > 20);
      deepEqual(faults, {});
      await sendWell(open);
      deepEqual(leadsOf(site.receiver).at(-1), { ...written, locale: "en" });
    }
    equal(site.receiver.received.length, 2);
  }));

Deno.test("a form on another site or port that posts to the contact page is refused", () =>
  withSite(async ({ service, visit, receiver }) => {
    const { form } = contactPaths("en");
    const lure = `<!doctype html><form method="post" action="${service.url}${form}">` +
      `<input name="email" value="${WRITTEN.email}"><input name="company" value="E"><button>`;
    const server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      () => new Response(lure, { headers: { "content-type": "text/html" } }),
    );
    try {
      for (const host of ["127.0.0.1", "localhost"]) {
        const { page } = await visit(`http://${host}:${server.addr.port}/`);
        const answer = page.waitForResponse((response) => response.request().method() === "POST");
        await page.locator("button").click();
        equal((await answer).status(), 403);
        ok((await noticeOf(page)).length > 20);
      }
    } finally {
      await server.shutdown();
    }
    equal(receiver.received.length, 0);
  }));

for (const limit of ["LEAD_RATE_LIMIT", "LEAD_ATTEMPT_LIMIT"]) {
  Deno.test(`over ${limit} a visitor is told how long to wait, and the text stays`, () =>
    withSite(async (site) => {
      const first = await postLead(site.service.url);
      await first.body?.cancel();
      equal(first.status, 200);
      await saidInEveryWay(async (way) => {
        const form = await openForm(site, { ...way, written: WRITTEN });
        const said = await sendInVain(form, { status: 429, written: WRITTEN });
        match(said.notice, way.locale === "en" ? /\b10 minutes\b/ : /\b10 Minuten\b/);
        await assertAccessible(form, "contact-limited");
        return said;
      });
      equal(site.receiver.received.length, 1);
    }, { env: { [limit]: "1/10m" } }));
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
    // Nothing listens where KV should be; the target refuses each lead the first time.
    env: {
      KV_PATH: `http://127.0.0.1:${freePort()}`,
      DENO_KV_ACCESS_TOKEN: "a-token-of-the-tests",
    },
    answer: (n) => new Response(null, { status: n % 2 === 0 ? 503 : 204 }),
  }));

Deno.test("the form keeps its text while there is no network, and sends it afterwards", () =>
  withSite(async (site) => {
    const written = { ...WRITTEN, message: "x".repeat(2000) };
    const form = await openForm(site, { locale: "de", script: true, written });
    await site.service.end("SIGKILL");
    await form.page.locator(BUTTON).click();
    ok((await noticeOf(form.page)).length > 20);
    deepEqual(await read(form.page), written);
    deepEqual(form.troubles, ["failed: POST /api/lead"]);

    await site.restart();
    await sendWell(form);
    deepEqual(leadsOf(site.receiver), [{ ...written, locale: "de" }]);
  }));
