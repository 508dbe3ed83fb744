/** @module `deno task inbox`: a page with the leads, on this machine alone, until Ctrl-C. */

import { InvalidArgumentError } from "commander";
import { orExit } from "../lib/process.ts";
import { createInbox } from "./inbox/app.ts";
import { openLeads } from "./leads/open.ts";
import { runTask } from "./terminal.ts";

const OPENERS: Readonly<Record<string, string>> = { darwin: "open", windows: "explorer" };

const HOST = "127.0.0.1";

/** How often an open page asks for news, in seconds: a remote database counts what is read. */
const EVERY = { local: 3, remote: 15 };

const DESCRIPTION =
  `Shows the leads in a browser on this machine, whether or not the service is running: what came, \
what was refused, what is stuck; sends again, exports and erases. Stops with Ctrl-C.

It reads the settings that deno task leads reads. The printed address has a key that opens the page; it \
is valid until the program ends.`;

await runTask("inbox", (program, { out }) => {
  program.description(DESCRIPTION)
    .option("--port <n>", "the port; by default a free one", portOf, 0)
    .option("--no-open", "do not open a browser")
    .action(async ({ port, open }: { readonly port: number; readonly open: boolean }) => {
      const unusable = new Map<string, string>();
      const leads = await openLeads((name) => Deno.env.get(name), {
        openKv: (path) => Deno.openKv(path),
        unusable: ({ id, message }) => unusable.set(id, message),
      });
      const listen = () =>
        Deno.serve({ hostname: HOST, port, onListen() {} }, (request) => app.fetch(request));
      const server = await orExit(listen, { what: `Cannot listen on ${HOST}:${port} (--port)` });
      const host = `${HOST}:${server.addr.port}`;
      const keys = { printed: crypto.randomUUID(), once: crypto.randomUUID() };
      const every = leads.isRemote ? EVERY.remote : EVERY.local;
      const app = createInbox({ leads, unusable, host, keys, now: Date.now, every });
      out(`Leads on http://${host}/?key=${keys.printed}\nStop with Ctrl-C.\n`);
      if (open) openBrowser(`http://${host}/?key=${keys.once}`);
      await new Promise<void>((resolve) => Deno.addSignalListener("SIGINT", resolve));
    });
});

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port >= 1 && port <= 65_535) return port;
  throw new InvalidArgumentError("It must be a port from 1 to 65535.");
}

/** Without a browser, such as on a server, the printed address remains. */
function openBrowser(url: string): void {
  const opener = OPENERS[Deno.build.os] ?? "xdg-open";
  try {
    new Deno.Command(opener, { args: [url], stdin: "null", stdout: "null", stderr: "null" })
      .spawn().unref();
  } catch { /* the address is printed */ }
}
