/**
 * @module The app during development: made anew when `static/` changes, never cached, and with the
 * faults of the pages in place of the visitors' error page. Only `main.ts dev` loads it.
 */

import type { Config } from "../../config/config.ts";
import { pageSecurityHeaders } from "../../routes/http/security_headers.ts";
import { checkSite } from "../../site/check.ts";
import { pageFiles } from "../../site/files.ts";
import type { PageSource } from "../../site/page.ts";
import { contactPaths, LOCALES } from "../../site/page_path.ts";
import { sourceFaults } from "../../site/source_faults.ts";
import { faultsPage, RELOAD, withReload } from "./documents.ts";
import { onChange } from "./watch.ts";

type Connection = Deno.ServeHandlerInfo<Deno.NetAddr>;

interface App {
  fetch(request: Request, connection: Connection): Response | Promise<Response>;
  readonly routes: readonly { readonly path: string }[];
}

/** What follows from the files in `static/` at one time. */
interface Edition {
  readonly id: string;
  /** Undefined if a page's name cannot be a URL. */
  readonly app: App | undefined;
  /** Each as `FILE:LINE: what is wrong`. */
  readonly faults: readonly string[];
}

interface Development {
  /** Makes the app, with the pages of the site or others. */
  readonly create: (pages: PageSource) => Promise<App>;
  readonly config: Config;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
  /** Prints for the developer. */
  say(text: string): void;
}

/** Keeps the app up to date, until the process that started this one ends. */
export function developing({ create, config, stopping, say }: Development): Pick<App, "fetch"> {
  const streams = new Set<ReadableStreamDefaultController<string>>();
  let reported = "";
  let edition = read();

  async function read(): Promise<Edition> {
    const app = await create(pageFiles).catch(() => undefined);
    const faults = await findFaults().catch(({ message }: Error) => [message]);
    const report = faults.map((fault) => `\n  ${fault}`).join("");
    if (report !== reported) say(report ? `Faults in the pages:${report}` : "The pages are sound");
    reported = report;
    return { id: crypto.randomUUID(), app, faults };
  }

  async function findFaults(): Promise<string[]> {
    const { routes } = await create({ ...pageFiles, list: () => Promise.resolve([]) });
    const pages = ["/*", ...LOCALES.map((locale) => contactPaths(locale).form)];
    const known = new Set(routes.map(({ path }) => path)).difference(new Set(pages));
    const single = await sourceFaults(pageFiles, config);
    const all = await checkSite(pageFiles, { facts: config, knownPaths: [...known] });
    return [...new Set([...single, ...all])];
  }

  async function refresh(): Promise<void> {
    const { id } = await (edition = read());
    for (const stream of streams) stream.enqueue(`data: ${id}\n\n`);
  }

  /** The id of the edition, again when there is a new one. */
  function events(id: string): ReadableStream<Uint8Array> {
    let own: ReadableStreamDefaultController<string>;
    return new ReadableStream<string>({
      start(stream) {
        streams.add(own = stream);
        stream.enqueue(`retry: 200\ndata: ${id}\n\n`);
      },
      cancel: () => void streams.delete(own),
    }).pipeThrough(new TextEncoderStream());
  }

  function answer(body: BodyInit, type: string, status = 200): Response {
    const headers = { ...pageSecurityHeaders(config.siteUrl), "cache-control": "no-store" };
    return new Response(body, { status, headers: { ...headers, "content-type": type } });
  }

  onChange({ folder: "static", concerns: /\/[^./][^/]*$/ }, refresh);
  Deno.stdin.readable.pipeTo(new WritableStream()).finally(() => Deno.kill(Deno.pid, "SIGTERM"));
  stopping.addEventListener("abort", () => {
    for (const stream of streams) stream.close();
    streams.clear();
  });
  return {
    async fetch(request, connection) {
      const { app, faults, id } = await edition;
      const path = URL.parse(request.url)?.pathname;
      if (path === "/dev/events") return answer(events(id), "text/event-stream");
      if (path === "/dev/reload.js") return answer(RELOAD, "text/javascript");
      const broken = async () => withReload(await faultsPage(faults), { id, faults: [] });
      if (path === "/dev/faults") return answer(await broken(), "text/html");
      if (app === undefined) return answer(await broken(), "text/html", 500);

      const asked = new Headers(request.headers);
      for (const name of ["accept-encoding", "if-none-match"]) asked.delete(name);
      // Not in a copy of the request, whose body could be read in pieces of 64 KiB only.
      Object.defineProperty(request, "headers", { value: asked });
      const { body, headers: given, status } = await app.fetch(request, connection);
      const headers = new Headers(given);
      headers.set("cache-control", "no-store");
      headers.delete("etag");
      if (body === null || !headers.get("content-type")?.startsWith("text/html")) {
        return new Response(body, { status, headers });
      }
      const text = status === 500 && faults.length > 0
        ? await broken()
        : withReload(await new Response(body).text(), { id, faults });
      return new Response(text, { status, headers });
    },
  };
}
