/**
 * @module The start task allows what the service needs and nothing else: with all of it everything
 * works, without any one of it something does not.
 *
 * The network alone is not narrowed: which hosts are targets or hold KV is configuration, and a flag
 * in a file cannot know it. What follows from that is in `.github/SECURITY.md`.
 */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { withReceiver } from "../support/receiver.ts";
import { startService, withFolder } from "../support/service.ts";
import { withSmtpReceiver } from "../support/smtp_receiver.ts";
import { LEAD } from "../support/test_app.ts";
import { type Permission, startPermissions, startWith } from "./bare_start.ts";

const ALL = await startPermissions();

function without(flag: string, entry?: string): Permission[] {
  return ALL.filter((one) => one.flag !== flag || one.entry !== entry);
}

function post(url: string, body: unknown = LEAD): Promise<Response> {
  return fetch(`${url}/api/lead`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function statusOf(response: Promise<Response>): Promise<number> {
  const { status, body } = await response;
  await body?.cancel();
  return status;
}

Deno.test("the start task allows the network, its variables, static/ and .data/ to read and .data/ to write", () => {
  const flags = Map.groupBy(ALL, ({ flag }) => flag);
  deepEqual([...flags.keys()].filter((flag) => /^(?:-A|-|--(?:allow|deny))/.test(flag)).sort(), [
    "--allow-env",
    "--allow-net",
    "--allow-read",
    "--allow-write",
  ]);
  const entries = (flag: string) => flags.get(flag)!.map(({ entry }) => entry);
  deepEqual(entries("--allow-read"), ["static", ".data"]);
  deepEqual(entries("--allow-write"), [".data"]);
  ok(entries("--allow-env").every((entry) => entry !== undefined), "every variable is readable");
});

Deno.test("with exactly its permissions the service does all that it can do, and asks for no others", () =>
  withReceiver((receiver) =>
    withSmtpReceiver((smtp) =>
      withFolder(async (folder) => {
        const mail = `smtp://127.0.0.1:${smtp.port}?from=a@example.com&to=b@example.com`;
        const service = await startService(folder, {
          LEAD_TARGETS: `${receiver.url} slack+${receiver.url} ${mail}`,
          LEAD_WEBHOOK_SECRET: `whsec_${new Uint8Array(32).toBase64()}`,
          LEAD_ENCRYPTION_KEYS: `one:${new Uint8Array(32).toBase64()}`,
        });
        const paths = ["/", "/de/docs.md", "/no-such", "/assets/site.css", "/openapi.json"];
        const more = ["/api/openapi.yaml", "/api/site", "/llms-full.txt", "/sitemap.xml"];
        for (const path of [...paths, ...more]) {
          equal(await statusOf(fetch(service.url + path)), path === "/no-such" ? 404 : 200, path);
        }
        deepEqual(await (await post(service.url)).json(), { ok: true, delivered: true });
        const form = fetch(`${service.url}/contact`, {
          method: "POST",
          body: new URLSearchParams({ email: "ada@example.com", company: "Form" }),
        });
        equal(await statusOf(form), 200, "the page of thanks");
        equal(await service.end(), 0);
        equal(smtp.mails.length, 2);
        equal(receiver.received.length, 4);
        equal(/NotCapable|Requires|PermissionDenied|permission/i.test(service.output()), false);
      })
    )
  ));

Deno.test("without the network the service does not start", () =>
  withFolder(async (folder) => {
    const start = await startWith(without("--allow-net"), { folder });
    const { code, output } = await start.end();
    equal(code, 1);
    match(output, /^Cannot listen on .*Requires net access/);
  }));

/** Deno itself reads this one, and not before KV is on another machine. */
const TOKEN = "DENO_KV_ACCESS_TOKEN";
/** What the YAML parser looks up while it reads the pages, once the service listens. */
const YAML = ["LOG_STREAM", "LOG_TOKENS"];

Deno.test("without any one of its variables the service does not start", () =>
  withFolder(async (folder) => {
    const names = ALL.filter(({ flag, entry }) => flag === "--allow-env" && entry !== TOKEN);
    ok(names.length > 15);
    for (const { flag, entry } of names) {
      const start = await startWith(without(flag, entry), { folder });
      const { code, output } = await start.ended();
      equal(code, YAML.includes(entry!) ? 2 : 1, entry);
      ok(output.includes(`Requires env access to "${entry}"`), `${entry}: ${output}`);
    }
  }));

Deno.test("without the token's variable a KV server is not asked", async () => {
  const asked: (string | null)[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    asked.push(request.headers.get("authorization"));
    return new Response(null, { status: 401 });
  });
  const env = { KV_PATH: `http://127.0.0.1:${server.addr.port}`, [TOKEN]: "a-token-of-the-test" };
  async function ask(permissions: readonly Permission[]): Promise<(string | null)[]> {
    await withFolder(async (folder) => {
      const start = await startWith(permissions, { folder, env });
      ok(start.answers);
      equal(await statusOf(post(start.url)), 502);
      await start.end();
    });
    return asked.splice(0);
  }
  deepEqual([...new Set(await ask(ALL))], ["Bearer a-token-of-the-test"]);
  deepEqual(await ask(without("--allow-env", TOKEN)), []);
  await server.shutdown();
});

Deno.test("without static/ to read there are no pages, and the service does not stay up", () =>
  withFolder(async (folder) => {
    const start = await startWith(without("--allow-read", "static"), { folder });
    const { code, output } = await start.ended();
    equal(code, 2);
    match(output, /^Cannot read the pages: Requires read access/m);
  }));

for (const kind of ["read", "write"]) {
  Deno.test(`without .data/ to ${kind} the service does not start`, () =>
    withFolder(async (folder) => {
      const start = await startWith(without(`--allow-${kind}`, ".data"), { folder });
      const { code, output } = await start.end();
      equal(code, 2);
      match(output, new RegExp(`^Cannot use KV at .*Requires ${kind} access`));
    }));
}
