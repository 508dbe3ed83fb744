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

/**
 * Keeps the app up to date.
 *
 * @param create makes the app, with the pages of the site or others
 * @param options.stopping is aborted when the server stops
 */
export function developing(
  create: (pages: PageSource) => Promise<App>,
  { config, stopping }: { readonly config: Config; readonly stopping: AbortSignal },
): Pick<App, "fetch"> {
  const streams = new Set<ReadableStreamDefaultController<string>>();
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

  async function refresh(): Promise<void> {
    const { id } = await (edition = read());
    for (const stream of streams) stream.enqueue(`data: ${id}\n\n`);
  }

  /** The id of the edition, and of each new one. */
  function events(id: string): ReadableStream<Uint8Array> {
    let controller: ReadableStreamDefaultController<string>;
    const start = (stream: typeof controller) => {
      streams.add(controller = stream);
      stream.enqueue(`retry: 200\ndata: ${id}\n\n`);
    };
    const cancel = () => void streams.delete(controller);
    return new ReadableStream<string>({ start, cancel }).pipeThrough(new TextEncoderStream());
  }

  function own(body: BodyInit, type: string, status = 200): Response {
    const headers = { ...pageSecurityHeaders(config.siteUrl), "content-type": type };
    return new Response(body, { status, headers });
  }

  // The words and static/site.json are code: for them the service restarts.
  onChange(
    { folder: "static", concerns: /^static\/(?!words\/)\w+\/(?:.+\/)?[^./][^/]*$/ },
    refresh,
  );
  stopping.addEventListener("abort", () => {
    for (const stream of streams) stream.close();
    streams.clear();
  });
  return {
    async fetch(request, connection) {
      const refusal = refusalOf(request, config);
      if (refusal !== undefined) return own(refusal, "text/plain; charset=utf-8", 403);
      const { app, problems, id } = await edition;
      const path = URL.parse(request.url)?.pathname;
      const asked = new Headers(request.headers);
      for (const name of ["accept-encoding", "if-none-match"]) asked.delete(name);
      // Not in a copy of the request, whose body could be read in pieces of 64 KiB only.
      Object.defineProperty(request, "headers", { value: asked });
      const given = path === "/dev/events"
        ? own(events(id), "text/event-stream")
        : path === "/dev/reload.js"
        ? own(RELOAD, "text/javascript")
        : path === "/dev/problems"
        ? own("", "text/html")
        : await (app?.fetch(request, connection) ?? own("", "text/html", 500));
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
