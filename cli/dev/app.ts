/**
 * @module The app during development: made anew when `static/` changes, never cached, and with the
 * problems of the pages in place of the visitors' error page. Answers only this machine's names.
 */

import { forTerminal } from "../../lib/terminal_text.ts";
import type { Config } from "../../config/config.ts";
import { pageSecurityHeaders } from "../../routes/http/security_headers.ts";
import { checkSite, knownPathsOf } from "../../site/check.ts";
import { pageFiles } from "../../site/files.ts";
import type { PageSource } from "../../site/files.ts";
import { problemsPage, RELOAD, withReload } from "./documents.ts";
import { refusalOf } from "./visitors.ts";
import { onChange } from "./watch.ts";

interface App {
  readonly fetch: Deno.ServeHandler<Deno.NetAddr>;
  readonly routes: readonly { readonly path: string }[];
}

/** @param create makes the app, with the pages of the site or others */
export function developing(
  create: (pages: PageSource) => Promise<App>,
  config: Config,
): Pick<App, "fetch"> {
  let reported = "";
  let edition = read();

  /** What follows from the files in `static/` at one time. */
  async function read() {
    const app = await create(pageFiles).catch(() => undefined); // a page's name cannot be a URL
    const problems = await findProblems().catch(({ message }: Error) => [message]);
    const report = problems.map((problem) => `\n  ${problem}`).join("");
    const news = report ? `Problems in the pages:${report}` : "No problems in the pages";
    // deno-lint-ignore no-console -- for the developer at the terminal
    if (report !== reported) console.error(forTerminal(news));
    reported = report;
    return { id: crypto.randomUUID(), app, problems };
  }

  async function findProblems(): Promise<string[]> {
    const knownPaths = await knownPathsOf(create);
    return await checkSite(pageFiles, { facts: config, knownPaths });
  }

  function respond(body: string, type: string, status = 200): Response {
    const headers = { ...pageSecurityHeaders(config.siteUrl), "content-type": type };
    return new Response(body, { status, headers });
  }

  // The words and static/site.json are code: for them the service restarts.
  onChange(
    { folder: "static", concerns: /^static\/(?!words\/)\w+\/(?:.+\/)?[^./][^/]*$/ },
    () => edition = read(),
  );
  return {
    async fetch(request, connection) {
      const refusal = refusalOf(request, config);
      if (refusal !== undefined) return respond(refusal, "text/plain; charset=utf-8", 403);
      const { app, problems, id } = await edition;
      const path = URL.parse(request.url)?.pathname;
      const asked = new Headers(request.headers);
      for (const name of ["accept-encoding", "if-none-match"]) asked.delete(name);
      // Not in a copy of the request, whose body could be read in pieces of 64 KiB only.
      Object.defineProperty(request, "headers", { value: asked });
      const given = path === "/dev/edition"
        ? respond(id, "text/plain")
        : path === "/dev/reload.js"
        ? respond(RELOAD, "text/javascript")
        : path === "/dev/problems"
        ? respond("", "text/html")
        : await (app?.fetch(request, connection) ?? respond("", "text/html", 500));
      const { status, body } = given;
      const headers = new Headers(given.headers);
      headers.set("cache-control", "no-store");
      headers.delete("etag");
      if (body === null || !headers.get("content-type")?.startsWith("text/html")) {
        return new Response(body, { status, headers });
      }
      const showsProblems = path === "/dev/problems" || (status === 500 && problems.length > 0);
      const text = await (showsProblems ? problemsPage(problems) : new Response(body).text());
      return new Response(withReload(text, id, showsProblems ? [] : problems), { status, headers });
    },
  };
}
