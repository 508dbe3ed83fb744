/** @module A morning with `deno task inbox`: leads come, a target fails, one is sent again, one erased. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { Page } from "playwright-core";
import { postLead } from "../support/post_lead.ts";
import { withReceiver } from "../support/receiver.ts";
import { withRunningService } from "../support/service.ts";
import { startInbox } from "../support/start_task.ts";
import { LEAD } from "../support/test_app.ts";
import { takePicture, withVisits } from "./support/browser.ts";
import { axeProblems, shapeProblems } from "./support/inspect.ts";
import { walkProblems } from "./support/keyboard.ts";

/** The service looks once a minute for what another process has made due. */
const DRAIN_MS = 75_000;

async function assertUsable(page: Page, name: string): Promise<void> {
  for (const width of [390, 768, 1440]) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.reload(); // looking for problems may hide the text
      await takePicture(page, `inbox-${name}-${width}-${colorScheme}`);
      deepEqual([...await shapeProblems(page, "en"), ...await axeProblems(page)], [], name);
    }
  }
  await page.reload();
  deepEqual(await walkProblems(page), [], name);
}

Deno.test("a morning: leads appear, a target fails and is well, one is sent again, a person erased", () => {
  let status = 204;
  return withReceiver((receiver) => {
    const env = { LEAD_TARGETS: `crm=${receiver.url}` };
    return withRunningService(async (service) => {
      await using stack = new AsyncDisposableStack();
      const inbox = await startInbox(service.folder, env);
      stack.defer(async () => equal(await inbox.end("SIGINT"), 0));
      const { origin } = new URL(inbox.url);
      await withVisits(origin, async (visit) => {
        const { page, problems } = await visit(inbox.url);
        equal(page.url(), `${origin}/`, "the key is not in the address any more");
        await page.getByText("No lead yet.").waitFor();
        await assertUsable(page, "empty");

        await page.goto("/");
        await (await postLead(service.url, { ...LEAD, company: "First GmbH" })).body?.cancel();
        await page.getByText("First GmbH").waitFor();
        equal(await page.locator(".facts strong").first().textContent(), "1");

        status = 410;
        const second = { ...LEAD, email: "grace@example.com", company: "<i>Second</i>" };
        await (await postLead(service.url, second)).body?.cancel();
        await page.locator(".state.dead").waitFor();
        await page.locator("tr", { hasText: "<i>Second</i>" }).getByRole("link").click();
        await page.getByText("the target has gone for good (410)").first().waitFor();
        await assertUsable(page, "lead");

        status = 204;
        await page.getByRole("button", { name: "Send now to crm" }).click();
        await page.getByRole("status").getByText("Due now: 1 delivery").waitFor();
        await page.locator(".state.delivered").first().waitFor({ timeout: DRAIN_MS });
        equal(receiver.acknowledged.length, 2);

        await page.getByRole("link", { name: "Erase this person" }).click();
        await page.getByText("It cannot be undone").waitFor();
        await page.getByRole("button", { name: "Erase 1 lead" }).click();
        await page.getByText("1 lead of grace@example.com erased").waitFor();
        equal(await page.locator("tbody tr").count(), 1);

        await page.getByLabel("text").fill("first");
        await page.getByRole("button", { name: "Show" }).click();
        await page.getByText("First GmbH").waitFor();
        ok(!page.url().includes("first"), page.url());
        await assertUsable(page, "leads");
        await page.goto("/");
        await assertUsable(page, "overview");
        deepEqual(problems, []);

        const { page: stranger } = await visit("/");
        equal(await stranger.getByText("Open the address that").count(), 1);
      });
    }, env);
  }, () => new Response(null, { status }));
});
