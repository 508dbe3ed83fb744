/**
 * @module The pages of the inbox and what they do, each action as a command line of `deno task leads`. An
 * address has at most the id of a lead: a text that is searched for stays in this process.
 */

import { type Context, Hono } from "@hono/hono";
import { KvFailure } from "../../leads/kv/error_reasons.ts";
import { newestLeads } from "../../leads/target_state.ts";
import { ExplainedError, safeReason } from "../../lib/log.ts";
import type { Leads } from "../leads/context.ts";
import { exportOf } from "../leads/export.ts";
import { runLeads } from "../leads/program.ts";
import { CHOICES, type Filter } from "../leads/select.ts";
import { assets } from "./assets.ts";
import { createGuard, type Keys } from "./guard.ts";
import { layout, type Markup, written } from "./layout.ts";
import { erasePage, leadPage } from "./lead_page.ts";
import { leadsPage } from "./leads_page.ts";
import { overview, targetsIn } from "./overview.ts";

export interface InboxDeps {
  readonly leads: Leads;
  /** Leads that the store has passed over, with the reasons; it adds to them. */
  readonly unusable: Map<string, string>;
  /** Name and port of the inbox. */
  readonly host: string;
  readonly keys: Keys;
  readonly now: () => number;
  /** How often an open page asks for news, in seconds. */
  readonly every: number;
}

/** Of so many of the newest leads a change is news. */
const WATCHED = 20;

/** Texts that were searched for are kept, the last ones. */
const SEARCHES = 50;

type Form = Record<string, string>;

const LEAD = "/leads/:id{[0-9a-f-]{36}}";

export function createInbox({ leads, unusable, host, keys, now, every }: InboxDeps): Hono {
  const { store } = leads;
  const app = new Hono();
  const searches = new Map<string, string>();
  /** The result of the last action, for the next page. */
  let notice: { readonly text: string; readonly isFailure: boolean } | undefined;

  function page(
    c: Context,
    title: string,
    main: Markup | string = "",
    { heading, seconds = every }: { readonly heading?: Markup; readonly seconds?: number } = {},
  ) {
    const rest = { heading, path: c.req.path, notice, unusable, every: seconds };
    notice = undefined;
    return c.html(layout({ title, main, ...rest }));
  }

  /** Runs a command of the CLI; the next page tells the result. */
  async function command(...words: string[]): Promise<void> {
    let text = "";
    const add = (more: string) => void (text += more);
    const code = await runLeads(words, {
      out: add,
      err: add,
      confirm: undefined,
      now,
      columns: () => Infinity,
      open: () => Promise.resolve(leads),
    });
    notice = { text: text.trim(), isFailure: code !== 0 };
  }

  /** What the address selects, and the address again without anything else. */
  function filterOf(c: Context): { filter: Filter; query: string } {
    const asked = new URLSearchParams(c.req.query());
    const names = ["state", "target", ...CHOICES, "search"].filter((name) => asked.get(name));
    const given = names.map((name): [string, string] => [name, asked.get(name)!]);
    const { search, ...filter } = Object.fromEntries(given);
    const text = searches.get(search ?? "");
    // Without it an export would hold every lead.
    if (search !== undefined && text === undefined) {
      throw new ExplainedError("What was searched for is forgotten: search again");
    }
    const query = given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
    return { filter: { ...filter, ...(text !== undefined && { text }) }, query };
  }

  app.use(createGuard(host, keys));
  app.use(async (_, next) => {
    unusable.clear();
    await next();
  });
  assets(app);

  app.get("/", async (c) => page(c, "Overview", await overview(leads, now())));

  app.get("/leads", async (c) => {
    const { filter, query } = filterOf(c);
    const counts = await store.counts();
    const targets = targetsIn(counts, leads.targets);
    const rest = { before: c.req.query("before"), counts, targets, query, now: now() };
    return page(c, "Leads", await leadsPage(store, { filter, ...rest }));
  });

  app.post("/filter", async (c) => {
    const { text, ...values } = await c.req.parseBody<Form>();
    const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ""));
    if (text?.trim()) {
      const search = crypto.randomUUID();
      searches.set(search, text.trim());
      if (searches.size > SEARCHES) searches.delete(searches.keys().next().value!);
      query.set("search", search);
    }
    return c.redirect(`/leads?${query}`, 303);
  });

  for (const [type, media] of [["csv", "text/csv"], ["jsonl", "application/jsonl"]] as const) {
    app.get(`/export.${type}`, (c) => {
      const { filter } = filterOf(c); // before the header fields: an error is not saved as a file
      c.header("content-type", `${media}; charset=utf-8`);
      c.header("content-disposition", `attachment; filename="leads.${type}"`);
      const pieces = ReadableStream.from(exportOf(store, filter, { isCsv: type === "csv" }));
      return c.body(pieces.pipeThrough(new TextEncoderStream()));
    });
  }

  app.get(LEAD, async (c) => {
    const record = await store.get(c.req.param("id"));
    if (record === null) return await c.notFound();
    const { company, email } = record.lead;
    const targets = leads.targets?.map(({ id }) => id) ?? [];
    const heading = written(company.trim() || email);
    return page(c, "Lead", leadPage(record, { targets, now: now() }), { heading });
  });

  app.post(`${LEAD}/send`, async (c) => {
    const id = c.req.param("id");
    const { to = "" } = await c.req.parseBody<Form>();
    await command("send", id, `--to=${to}`);
    return c.redirect(`/leads/${id}`, 303);
  });

  app.post("/send", async (c) => {
    const { from, to = "" } = await c.req.parseBody<Form>();
    await command("send", from ? `--from=${from}` : "--stored", `--to=${to}`);
    return c.redirect("/", 303);
  });

  app.get(`${LEAD}/erase`, async (c) => {
    const record = await store.get(c.req.param("id"));
    if (record === null) return await c.notFound();
    const ids = await store.ofPerson(record.index.email);
    const main = erasePage(record, { ids, isFile: leads.rewrite !== undefined });
    return page(c, "Erase a person", main, { seconds: 0 });
  });

  app.post(`${LEAD}/erase`, async (c) => {
    const record = await store.get(c.req.param("id"));
    if (record === null) return await c.notFound();
    await command("erase", "--yes", "--", record.lead.email);
    return c.redirect("/leads", 303);
  });

  app.get("/news", async (c) => {
    const newest = await newestLeads(store, WATCHED);
    const states = newest.map(({ id, deliveries }) => [
      id,
      ...Object.values(deliveries).map(({ state, attempts }) => state + attempts.length),
    ]);
    return c.text(states.join());
  });

  app.notFound((c) => {
    c.status(404);
    return page(c, "There is no such page or lead", "", { seconds: 0 });
  });

  app.onError((error, c) => {
    const isDown = error instanceof KvFailure;
    c.status(isDown ? 503 : 500);
    notice = { text: safeReason(error), isFailure: true };
    return page(c, isDown ? "The database does not answer" : "This page cannot be shown");
  });
  return app;
}
