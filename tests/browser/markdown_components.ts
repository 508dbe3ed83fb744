/**
 * @module What only a browser shows of the shapes of a landing page, which any site may use: they are
 * put into its home page.
 */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { Page } from "playwright-core";
import { renderMarkdown } from "../../site/markdown.ts";
import { takePicture, test } from "./support/browser.ts";
import { axeProblems, shapeProblems } from "./support/inspect.ts";

const HERO = `# Shapes

Introduction

**[Begin](/contact)** or [go on](/contact)

> **Invoice for 10** on order 7 *waits*
>
> - ![](/assets/icons.svg#document) Order
>
> **[Approve](#entries)** · **[Send back](#entries)** · **[Refuse](#none)**

> **Waiting for you** *2 proposals*
>
> - ![](/assets/icons.svg#task) **Book an invoice.** In full. *09:27 · no. 5*
> - ![](/assets/icons.svg#people) **Open an account.** For a colleague. *08:55 · no. 4*

> **Brief** *version 4*
>
> - **Task.** Starts with an invoice.
> - **With approval.** Book an entry.
`;

const BANDS = `## Entries

- ![](/assets/icons.svg#approved) **Approved.** Booked. *09:41 · no. 6*
- ![](/assets/icons.svg#returned) **Sent back.** A new proposal. *09:41 · no. 6*

## Path

1. ![](/assets/icons.svg#agent) **Agent.** Proposes.
2. ![](/assets/icons.svg#gate) **Approval.** Decides.
3. ![](/assets/icons.svg#record) **Record.** Stays.

> **No answer means no.** It does not happen.

## Record

> **Record** *of a task*
>
> 1. ![](/assets/icons.svg#read) **Read** by the agent. *Brief*
> 2. ![](/assets/icons.svg#returned) **Sent back** by a person. *Remark*
> 3. ![](/assets/icons.svg#approved) **Approved** by a person. *Rule*

## Plans

| | Pro | Business | Enterprise | Hosted |
| --- | --- | --- | --- | --- |
| Getting started | with the documentation | with us, for the first tasks | with us | with us |
| Price | **[Ask about Pro](/contact)** | **[Ask about Business](/contact)** | **[Ask about Enterprise](/contact)** | **[Ask about Hosted](/contact)** |
`;

/** Left and top of each element. */
async function places(page: Page, selector: string): Promise<number[][]> {
  const boxes = (await page.locator(selector).all()).map((one) => one.boundingBox());
  return (await Promise.all(boxes)).map((box) => [box!.x, box!.y].map(Math.round));
}

async function showShapes(page: Page): Promise<void> {
  const { html: hero } = await renderMarkdown(HERO);
  const { html: bands } = await renderMarkdown(BANDS);
  const main = JSON.stringify(`<div class="hero">${hero}</div>${bands}`);
  await page.evaluate(
    `document.body.className = "landing home", document.querySelector("main").innerHTML = ${main}`,
  );
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`shapes fit, from 320 px on, and are accessible, ${colorScheme}`, async ({ visit }) => {
    const { page, problems } = await visit("/", { colorScheme });
    for (const width of [320, 768, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto("/");
      await showShapes(page);
      await takePicture(page, `shapes-${width}-${colorScheme}`);
      const problems = [...await shapeProblems(page, "en"), ...await axeProblems(page)];
      deepEqual(problems, [], `${width} px`);
    }
    deepEqual(problems, []);
  });
}

test("a choice shows the entry that it makes in the card, and pressed again the proposal", async ({ visit }) => {
  const { page, problems } = await visit("/");
  const card = page.getByRole("figure", { name: /^Invoice/ });
  const [entry, state] = [card.getByRole("status"), card.locator("figcaption em")];
  const reason = card.locator("p:not(.entry, .choices)");
  const waiting = await state.textContent();
  const rows = await page.locator("section > .rows > li").allTextContents();
  const buttons = await card.getByRole("button").all();
  equal(buttons.length, 3);
  for (const [index, button] of buttons.entries()) {
    await button.press("Enter");
    equal(await entry.textContent(), rows[index]);
    equal(rows[index]!.startsWith(` ${await state.textContent()}.`), true, rows[index]);
    equal(await reason.isVisible(), false);
    equal(await card.locator("[aria-pressed=true]").count(), 1);
    deepEqual(await axeProblems(page), []);
    await page.reload();
  }
  await buttons[1]!.click();
  await buttons[1]!.click();
  deepEqual([await entry.textContent(), await state.textContent()], ["", waiting]);
  await reason.waitFor();
  deepEqual(problems, []);

  const { page: bare } = await visit("/", { javaScriptEnabled: false });
  const links = bare.getByRole("figure").getByRole("link");
  equal(await links.count(), 3);
  await links.first().click();
  const section = bare.locator("section", { has: bare.locator(".rows") });
  ok(Math.abs((await section.locator("h2").boundingBox())!.y) < 100);
});

test("the diagram turns downwards on a phone, and arrows point to the next station", async ({ visit }) => {
  const { page } = await visit("/", { viewport: { width: 1440, height: 900 } });
  const arrow =
    `getComputedStyle(document.querySelector(".flow > li:first-child"), "::after").rotate`;
  await showShapes(page);
  const [first, second, third] = await places(page, ".flow > li > .icon");
  deepEqual([first![1], third![1]], [second![1], second![1]]);
  ok(first![0]! < second![0]! && second![0]! < third![0]!);
  equal(await page.evaluate(arrow), "-45deg");
  await page.setViewportSize({ width: 390, height: 844 });
  const [top, middle, bottom] = await places(page, ".flow > li > .icon");
  deepEqual([top![0], bottom![0]], [middle![0], middle![0]]);
  ok(top![1]! < middle![1]! && middle![1]! < bottom![1]!);
  equal(await page.evaluate(arrow), "45deg");
});

test("the names of rows stay while a wide table scrolls past them", async ({ visit }) => {
  const { page } = await visit("/", { viewport: { width: 768, height: 844 } });
  await showShapes(page);
  await page.evaluate(`document.querySelectorAll("tbody td").forEach(({ style }) => {
    style.minWidth = "20rem";
  })`);
  const names = await places(page, ".table th[scope=row]");
  const [plan] = await places(page, ".table td a >> nth=0");
  await page.evaluate(`document.querySelector(".table").scrollLeft = 200`);
  deepEqual(await places(page, ".table th[scope=row]"), names);
  equal((await places(page, ".table td a >> nth=0"))[0]![0], plan![0]! - 200);
  // On the way back, what has the focus is not hidden behind them.
  const width = await page.evaluate<number>(`document.querySelector("th[scope=row]").offsetWidth`);
  for (const plan of ["Hosted", "Enterprise", "Business", "Pro"]) {
    await page.getByRole("link", { name: `Ask about ${plan}` }).focus();
    const box = await page.locator(".table a:focus").boundingBox();
    ok(box!.x + box!.width > names[0]![0]! + width, plan);
  }
});
