/**
 * @module The harness as a program: its exit codes, what it says, and the reports that it writes.
 */

import assert from "node:assert/strict";
import { TIERS } from "../../contract/tiers/tiers.ts";
import { type Ended, runDeno } from "../support/command.ts";

const ROOT = new URL("../../", import.meta.url);

async function contract(...args: string[]): Promise<Ended> {
  const { tasks } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  const [, , ...flags] = tasks.contract.command.split(" ").slice(0, -1);
  return await runDeno(["run", ...flags, new URL("contract/main.ts", ROOT).pathname, ...args]);
}

/** Runs with a service, and with a folder of cases that says no more than where its document is. */
async function withService(
  answer: (request: Request) => Response,
  test: (url: string, cases: string) => Promise<void>,
): Promise<void> {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request) => request.url.endsWith("/openapi.json") ? Response.json(DOCUMENT) : answer(request),
  );
  const cases = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${cases}/profile.yaml`, "document: /openapi.json\n");
    await test(`http://127.0.0.1:${server.addr.port}`, cases);
  } finally {
    await server.shutdown();
    await Deno.remove(cases, { recursive: true });
  }
}

const DOCUMENT = {
  openapi: "3.1.1",
  info: { title: "Small", version: "1" },
  paths: {
    "/ping": {
      get: {
        operationId: "ping",
        responses: {
          "200": {
            description: "Up.",
            headers: { "X-Pong": { required: true, schema: { type: "string" } } },
            content: { "application/json": { schema: { type: "boolean" } } },
          },
        },
      },
    },
  },
};

/** Does not send the header that its document promises. */
function broken({ method }: Request): Response {
  const allow = { allow: "GET, HEAD, OPTIONS" };
  if (method === "OPTIONS") return new Response(null, { status: 204, headers: allow });
  if (!/^(?:GET|HEAD)$/.test(method)) return Response.json({}, { status: 405, headers: allow });
  return Response.json(true);
}

Deno.test("what is held ends with 0 and says what was tried", async () => {
  const { code, out } = await contract("--only", "document,http");
  assert.equal(code, 0, out);
  assert.match(out, /^Held: http:\/\/127\.0\.0\.1:\d+, \d+ exchanges, .* seed 42$/m);
});

Deno.test("a service with another document is tested, and a broken promise ends with 1", () =>
  withService(broken, async (url, cases) => {
    const report = `${cases}/report`;
    const args = ["--url", url, "--cases", cases, "--only", "document,http", "--report", report];
    const { code, out } = await contract(...args);
    assert.equal(code, 1, out);
    assert.match(out, /^✗ .*ping.*: 200 lacks the header x-pong\n {2}rule response_headers, /m);
    assert.match(out, new RegExp(`^ {2}curl -i .* ${url}/ping$`, "m"));
    const junit = await Deno.readTextFile(`${report}/junit.xml`);
    assert.match(junit, /<failure message="[^"]*200 lacks the header x-pong">/);
    const html = await Deno.readTextFile(`${report}/report.html`);
    assert.match(html, /<h1>Violated<\/h1>/);
    const { open, held } = JSON.parse(await Deno.readTextFile(`${report}/report.json`));
    assert.equal(held, false);
    assert.ok(open.some(({ check }: { check: string }) => check === "response_headers"));
  }));

Deno.test("another service's waivers stand in its folder of cases, and a wrong one ends with 2", () =>
  withService(broken, async (url, cases) => {
    const args = ["--url", url, "--cases", cases, "--only", "http"];
    const waivers = (reason: string) =>
      ["ping", "HEAD /ping"].map((where) =>
        `- {check: response_headers, where: ${where}, message: 200 lacks, owner: tests, ` +
        `reason: ${reason}}\n`
      ).join("");
    const file = `${cases}/waivers.yaml`;
    await Deno.writeTextFile(file, waivers("This service is broken on purpose."));
    const waived = await contract(...args);
    assert.equal(waived.code, 0, waived.out + waived.err);
    assert.match(waived.out, /waived: This service is broken on purpose/);
    await Deno.writeTextFile(file, waivers("later"));
    const wrong = await contract(...args);
    assert.equal(wrong.code, 2, wrong.out);
    assert.match(wrong.err, /^Cannot use waivers\.yaml:\n {2}waivers\.yaml:1: reason: /);
  }));

Deno.test("who runs into the limit of a service of their own is told what to do", () =>
  withService(() => Response.json({}, { status: 429 }), async (url, cases) => {
    const { code, out } = await contract("--url", url, "--cases", cases, "--only", "http");
    assert.equal(code, 1, out);
    assert.match(
      out,
      /start it by `LEAD_RATE_LIMIT=\S+ LEAD_ATTEMPT_LIMIT=\S+ deno task start`, or use --live\nViol/,
    );
  }));

for (
  const [what, args, says] of [
    ["an unknown option", ["--sed", "1"], /'--sed'/],
    ["an unknown tier", ["--only", "htpt"], /--only knows .*http.*, not htpt/],
    ["--live without --url", ["--live"], /say which by --url/],
    ["a URL that is none", ["--url", "example.com"], /--url takes an http or https URL/],
    [
      "a service that does not answer",
      ["--url", "http://127.0.0.1:2"],
      /^Cannot reach \S+: nothing answers there$/m,
    ],
    ["a second service that does not answer", [
      "--only",
      "document",
      "--against",
      "http://127.0.0.1:9",
    ], /Cannot reach http:\/\/127\.0\.0\.1:9/],
    ["a folder without profile", ["--cases", "/nowhere"], /Cannot read \/nowhere\/profile\.yaml/],
  ] as const
) {
  Deno.test(`${what} ends with 2 and is named in a line`, async () => {
    const { code, err } = await contract(...args);
    assert.equal(code, 2);
    assert.match(err, says);
    assert.doesNotMatch(err, /^ {4}at /m);
  });
}

Deno.test("the README tells every tier in its order, and which are not for production", async () => {
  const readme = await Deno.readTextFile(new URL("contract/README.md", ROOT));
  const section = readme.split("\n## ").find((one) => one.startsWith("The tiers")) ?? "";
  const rows = [...section.matchAll(/^\| `(\w+)` .*\| *([^|]*?) *\|$/gm)];
  assert.deepEqual(
    rows.map(([, name, needs]) => ({ name, live: needs === "" })),
    TIERS.map(({ name, live }) => ({ name, live })),
  );
});

Deno.test("--help tells every option and ends with 0", async () => {
  const { code, out } = await contract("--help");
  assert.equal(code, 0);
  for (
    const option of [
      ...["--url", "--live", "--only", "--seed", "--examples", "--replay", "--report", "--against"],
      ...["--cases", "--help"],
    ]
  ) {
    assert.ok(out.includes(`\n  ${option}`), option);
  }
});
