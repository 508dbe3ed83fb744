/** @module `deno task dev` as a process, on a copy of the project. `tests/browser/dev.ts` looks at it. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { pageText } from "../site/fixture.ts";
import { type Dev, NEWS, withCopy, withDev } from "../support/dev_task.ts";
import { postLead } from "../support/post_lead.ts";
import { startHoldingReceiver } from "../support/receiver.ts";
import { withRunningService } from "../support/service.ts";
import { runTask } from "../support/start_task.ts";
import { until } from "../support/until.ts";

async function get({ url }: { url: string }, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(url + path, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Waits until a path is answered as expected, which needs no restart. */
function untilAnswers(dev: Dev, path: string, { status = 200, text }: {
  status?: number;
  text: RegExp;
}): Promise<void> {
  return until(`${path} answers ${status} with ${text}`, async () => {
    const answer = await get(dev, path).catch(() => undefined);
    return answer?.status === status && text.test(answer.text);
  }, 20_000);
}

async function edit(
  { project }: Pick<Dev, "project">,
  path: string,
  change: (text: string) => string,
): Promise<void> {
  await Deno.writeTextFile(project + path, change(await Deno.readTextFile(project + path)));
}

Deno.test("dev serves what is saved without a restart, caches nothing, and refuses other websites", () =>
  withDev(async (dev) => {
    const pid = (await dev.processes()).get("service");
    for (const path of ["/", "/no-such-page", "/assets/site.css", "/api/site", "/de/docs.md"]) {
      const { status, headers, text } = await get(dev, path, { "if-none-match": "*" });
      equal(status, path === "/no-such-page" ? 404 : 200);
      deepEqual([headers.get("cache-control"), headers.get("etag")], ["no-store", null], path);
      const isHtml = /^text\/html/.test(headers.get("content-type")!);
      equal(text.includes('<script src="/dev/reload.js?'), isHtml);
    }
    for (const path of ["/", "/docs.md", "/dev/edition", "/dev/problems"]) {
      equal((await get(dev, path, { origin: "https://evil.example" })).status, 403, path);
    }
    const policy = (await get(dev, "/")).headers.get("content-security-policy");
    await untilAnswers(dev, "/news", { text: /Latest/ });
    await edit(dev, NEWS, (text) => text.replace("Latest", "Latest of all"));
    await untilAnswers(dev, "/news", { text: /Latest of all/ });
    await Deno.rename(dev.project + NEWS, `${dev.project}static/pages/en/newest.md`);
    await untilAnswers(dev, "/newest", { text: /Latest of all/ });
    await untilAnswers(dev, "/news", { status: 404, text: /reload\.js/ });
    for (const path of ["/assets/site.css", "/assets/favicon.svg"]) await get(dev, path);
    await edit(dev, "static/styles/text.css", (text) => `${text}\n.added {}\n`);
    await untilAnswers(dev, "/assets/site.css", { text: /\.added/ });
    await edit(dev, "static/assets/favicon.svg", (text) => text.replace("<svg", "<svg id='added'"));
    await untilAnswers(dev, "/assets/favicon.svg", { text: /added/ });
    equal((await dev.processes()).get("service"), pid, "the same process");

    await withRunningService(async (service) => {
      const production = await get(service, "/");
      equal(production.headers.get("content-security-policy"), policy);
      equal(production.text.includes("/dev/"), false);
      equal((await get(service, "/dev/edition")).status, 404);
    });
    dev.signal("SIGINT"); // Ctrl-C; tests/nightly/process/dev_signals.ts has the other signals
    equal(await dev.finished, 0);
    equal((await dev.processes()).size, 0);
  }));

Deno.test("dev shows every problem of the pages with its source, also one at the start, until it is fixed", () =>
  withCopy(async (project) => {
    const faulty = `${project}static/pages/de/Über uns.md`;
    await Deno.writeTextFile(faulty, pageText("# Wir\n"));
    await withDev(async (dev) => {
      await untilAnswers(dev, "/", { status: 500, text: /the name must be en or de/ });
      await Deno.remove(faulty);
      await untilAnswers(dev, "/", { text: /<main/ });

      const before = await Deno.readTextFile(project + NEWS);
      await edit(dev, NEWS, (text) => text.replace("title:", "titel:"));
      await edit(dev, "static/pages/de/contact.md", (text) => `${text}\n{{nope}} <b>\n`);
      const both = /<mark>.*\{\{nope\}\} &lt;b&gt;<\/mark>[^]*<code>static\/pages\/en\/news\.md:2</;
      await untilAnswers(dev, "/de/contact", { status: 500, text: both });
      await untilAnswers(dev, "/de/docs", { text: />\d problems in the pages</ });
      const { text } = await get(dev, "/dev/problems");
      match(text, /:2<.*\n<p>unknown field .*\n<pre.* {3}1 {2}---\n<mark> {3}2 {2}titel: /);
      equal((await get(dev, "/api/health")).status, 200);
      const named = /\n {2}static\/pages\/de\/contact\.md:\d+: .*\n {2}static\/pages\/en\/news/;
      await until("the terminal names both", () => named.test(dev.output()));
      await edit(dev, "static/pages/de/contact.md", (text) => text.replace("{{nope}} <b>", ""));
      await Deno.writeTextFile(project + NEWS, `${before}\n[Gone](/gone)\n`);
      // A dead link does not prevent the page.
      await untilAnswers(dev, "/news", { text: /href="\/dev\/problems">1 problem in the pages</ });
      await untilAnswers(dev, "/dev/problems", { text: /<mark>.*\[Gone\]\(\/gone\)<\/mark>/ });
      await Deno.writeTextFile(project + NEWS, before);
      const isFixed = async () => !(await get(dev, "/news")).text.includes("/dev/problems");
      await until("it is fixed", isFixed);
      match(dev.output(), /\nNo problems in the pages\n/);
    }, { project });
  }));

Deno.test("dev restarts when code changes: requests are answered first, and a broken file is waited for", async () => {
  await using receiver = startHoldingReceiver();
  await withDev(async (dev) => {
    const first = (await dev.processes()).get("service");
    const answer = postLead(dev.url).then((response) => response.json());
    await receiver.arrived(1, 20_000);
    const health = "routes/health.ts";
    const before = await Deno.readTextFile(dev.project + health);
    await edit(dev, health, (text) => `${text}\nthis is no TypeScript\n`);
    await until("it stops", () => dev.output().includes("server.stopping"), 20_000);
    receiver.release();
    deepEqual(await answer, { ok: true, delivered: true });
    await until("it waits", () => dev.output().includes("when its code changes"), 20_000);
    match(dev.output(), /routes\/health\.ts has changed\n/);
    await Deno.writeTextFile(dev.project + health, before);
    const brand = "static/site.json";
    const sample = await Deno.readTextFile(dev.project + brand);
    await edit(dev, brand, () => "{}");
    await until("it waits", () => dev.output().includes(`(set in ${brand})`), 20_000);
    await Deno.writeTextFile(dev.project + brand, sample);
    await untilAnswers(dev, "/api/health", { text: /ok/ });
    ok((await dev.processes()).get("service") !== first);
    const words = "static/words/en.json";
    await edit(dev, words, (text) => text.replace(/"skip": ".*"/, '"skip": "Straight on"'));
    await untilAnswers(dev, "/", { text: /Straight on/ });
  }, { env: { LEAD_TARGETS: receiver.url, LEAD_INLINE_TIMEOUT: "10s" } });
});

Deno.test("dev ends with 2 if its port is taken", async () => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const env = { PORT: String(taken.addr.port), KV_PATH: ":memory:" };
  const { code, err } = await runTask("dev", { env });
  equal(code, 2);
  match(err, /Cannot listen on 127\.0\.0\.1:\d+ \(HOST, PORT\): /);
});
