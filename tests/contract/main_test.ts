/** @module The harness as a program: options, exit codes, output, reports, secrets, signals. */

import {
  deepStrictEqual as deepEqual,
  match,
  ok,
  strictEqual as equal,
  throws,
} from "node:assert/strict";
import { headersBy, parseOptions } from "../../contract/run/options.ts";
import { copyFolder } from "../support/checkout.ts";
import { runDeno, start } from "../support/command.ts";
import { masked } from "../../contract/lib/secrets.ts";
import { documentOf, type Override, respond, sendAlive, setUp, test } from "./small_service.ts";

const CONTRACT = new URL("../../contract/", import.meta.url);
const MAIN = ["run", "-q", "-P", "main.ts"];
const SECRET = "s3cr3t/t0ken&value";

Deno.test("parseOptions() reads options and names invalid ones", () => {
  const { url, tiers, seed, examples } = parseOptions(["--url=http://a/b/", "--only", "raw, http"]);
  deepEqual([url, tiers, seed, examples], ["http://a/b", ["raw", "http"], 42, 100]);
  const wrong = [
    ...["--sed 1", "--url example.com", "--url http://a?b", "--seed 1e3", "--generic"],
    ...["--header Name", "--header x\ty:z", "--cases x --generic --url http://a"],
    ...["--url http://a:b@c", "--time -1", "--live", "--document http://a:b@c/d --url http://c"],
  ];
  for (const line of wrong) {
    const message = new RegExp(line.split(" ")[0]!);
    throws(() => parseOptions(line.split(" ")), { name: "UsageError", message });
  }
});

test("errors of use are one sentence with the option's name", async ({ pathname: folder }) => {
  const pages: Readonly<Record<string, Response>> = {
    "/page": new Response("<!doctype html><p>openapi"),
    "/old": respond(200, { openapi: "4.0.3", paths: {} }),
    "/down": respond(502, {}),
    "/half": new Response('{"openapi": "3.1.0", '),
  };
  const override: Override = ({ path }) => pages[path];
  await using setting = setUp({ override });
  const file = `${folder}file`;
  await Deno.writeTextFile(file, "x");
  await Deno.mkdir(`${folder}full/report.html`, { recursive: true });
  const generic = `--url ${setting.url} --generic`;
  const rows: readonly (readonly [line: string, said: RegExp])[] = [
    [`${generic} --document /page`, /^--document \/page: it is an HTML page$/],
    [
      `${generic} --document /old`,
      /^--document \/old: it is OpenAPI 4\.0\.3; .* reads OpenAPI 3\.1, 3\.0 and Swagger 2\.0$/,
    ],
    [`${generic} --document /down`, /^--document \/down: .* answers 502$/],
    [`${generic} --document /half`, /^--document \/half: it is neither JSON nor YAML/],
    [`${generic} --document ${file}s`, /^--document \S+: .* answers 404$/],
    [`${generic} --document no.yaml`, /^--document no\.yaml: there is no such file$/],
    [`${generic} --exclude nothing`, /^--exclude: no operation has .* nothing$/],
    [`--url http://127.0.0.1:2 --generic`, /^Cannot reach \S+: nothing answers there$/],
    [`--only foo`, /^--only knows /],
    [`--report ${file}`, /^--report \S+ cannot be written: File exists/],
    [
      `${generic} --only document --report ${folder}full`,
      /^--report \S+ cannot be written: Is a directory/,
    ],
    [`--corpus ${file}/x`, /^--corpus \S+ cannot be written: Not a directory/],
    [`--waivers ${folder}`, /^--waivers: Cannot read .*Is a directory/],
    [`--waivers ${file}s`, /^--waivers: there is no such file$/],
    [`--replay ${file}s`, /^--replay: Cannot read /],
    [`--cases ${file}`, /^--cases: Cannot read profile\.yaml: Not a directory/],
  ];
  await Promise.all(rows.map(async ([line, said]) => {
    const { code, out, err } = await runDeno([...MAIN, ...line.split(" ")], { cwd: CONTRACT });
    const [first = "", ...rest] = err.trimEnd().split("\n");
    equal(code, 2, line);
    equal(/^Passed: /m.test(out), line.endsWith("full"), out);
    match(first, said);
    ok(rest.length === 0 || /^deno task contract --help lists/.test(rest.join()), err + out);
  }));
});

const SECURED = JSON.stringify({
  ...JSON.parse(documentOf()),
  servers: [{ url: "/v9" }],
  components: {
    schemas: JSON.parse(documentOf()).components.schemas,
    securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } },
  },
});

/** A service below /v9 that wants a key, and repeats it wherever it can. */
const secured: Override = ({ method, path, headers }) => {
  if (path === "/openapi.json") return new Response(SECURED);
  const isAlive = path === "/v9/api/alive";
  if (!isAlive && !path.startsWith("/v9/api/list")) return respond(404, {});
  const key = headers.get("x-key") ?? "";
  if (key !== SECRET) return respond(401, {});
  if (method !== "GET") return respond(500, { key, url: `/?${encodeURIComponent(key)}` });
  return new Response(`{"key": "<${key}"`, { headers: { "x-key": key, "content-type": key } });
};

test("a copy of the folder finds a wrong base and absent credentials, and keeps secrets", async ({ pathname: folder }) => {
  await using setting = setUp({ override: secured });
  const copy = `${folder}copy`;
  await copyFolder(CONTRACT, copy);
  const files = (at: string) => Array.from(Deno.readDirSync(folder + at), ({ name }) => name);
  const before = files("copy/service/corpus");
  const base = `${setting.url}/v9`;
  function contract(url: string, ...options: string[]) {
    const env = options.includes("X-Key") ? { CONTRACT_HEADER_X_KEY: SECRET } : {};
    const line = ["task", "-q", "contract", "--url", url, "--generic", ...options];
    return runDeno(line, { cwd: copy, env });
  }
  const outputs = ["--report", `${folder}report`, "--corpus", `${folder}corpus`, "--annotate"]
    .concat("--only", "document,http,properties");
  const [wrong, closed, opened, clean] = await Promise.all([
    contract(setting.url),
    contract(base),
    contract(base, "--header", "X-Key", ...outputs),
    contract(base, "--header", `X-Key: ${SECRET}`),
  ]);
  match(wrong.out, new RegExp(`^✗ the service: every path is 404: .* try --url ${base}$`, "m"));
  match(closed.out, /^✗ the service: every operation answers 401: .*'X-Key: …' \(scheme key\)$/m);
  for (const { code, out } of [wrong, closed]) {
    equal(code, 1, out);
    match(out, /: 1 breach, 0 advice, 0 not covered$/m);
    match(out, /^ {2}http +not run: every /m);
  }
  equal(opened.code, 1, opened.out);
  match(opened.out, /^✗ .*: status 500\n {2}rule no_server_error, seen .* by /m);
  match(
    opened.out,
    /^✗ alive.*: 200 has media type \*{3} instead of application\/json \(media_type, /m,
  );
  match(opened.out, /^ {2}curl -i .* -H "X-Key: \$CONTRACT_HEADER_X_KEY"/m);
  match(opened.out, /^Set CONTRACT_HEADER_X_KEY first/m);
  match(opened.out, /^::error title=/m);
  const read = (name: string) => Deno.readTextFileSync(folder + name);
  match(read("report/junit.xml"), /<failure message="[^"]*200 has media type /);
  match(read("report/report.html"), /<h1>Violated<\/h1>/);
  const { open, passed } = JSON.parse(read("report/report.json"));
  equal(passed, false);
  ok(open.some(({ check }: { check: string }) => check === "media_type"));
  deepEqual(files("copy/service/corpus"), before);
  const stored = files("corpus").map((name) => `corpus/${name}`);
  ok(stored.length > 0);
  const texts = [...files("report").map((name) => `report/${name}`), ...stored].map(read);
  for (const text of [...texts, ...[opened, clean].flatMap(({ out, err }) => [out, err])]) {
    equal(/s3cr3t|t0ken/.test(text), false, text);
  }
});

Deno.test("--url is --generic for another service, and --cases refuses it", async () => {
  await using setting = setUp();
  const contract = (...options: string[]) =>
    runDeno([...MAIN, "--url", setting.url, "--only", "http", ...options], { cwd: CONTRACT });
  const refused = await contract("--cases", "service");
  deepEqual([refused.code, refused.out], [2, ""]);
  match(refused.err, /^--cases: the document has no operation that the profile names/);
  deepEqual(setting.requests.map(({ method }) => method), ["GET"]);
  const { out } = await contract();
  match(out, /^- the cases: this is another service, .* \(--generic\)$/m);
  const sent = new Set(setting.requests.map(({ method }) => method));
  deepEqual([...sent].sort(), ["GET", "HEAD", "OPTIONS"]);
});

test("checks of the operator judge every answer, and are shrunk and stored", async ({ pathname: folder }) => {
  const override: Override = ({ path, text }) =>
    path === "/api/things" && /"name":"[^"]{3,5}"/u.test(text)
      ? respond(200, {}, { "x-powered-by": "x" })
      : undefined;
  await using setting = setUp({ override });
  const file = `${folder}checks.ts`;
  const contract = (...options: string[]) =>
    runDeno([...MAIN, "--url", setting.url, "--checks", file, ...options], { cwd: CONTRACT });
  await Deno.writeTextFile(file, "export const rule = 1;");
  match((await contract()).err, /^--checks \S+: it exports no function$/m);
  const source = `export function no_product({ answer }) {
    if (answer.headers.has("x-powered-by")) return "the answer names its product";
  }
  no_product.severity = "breach";`;
  await Deno.writeTextFile(file, source);
  const { code, out } = await contract("--only", "properties", "--corpus", `${folder}corpus`);
  equal(code, 1);
  match(out, /^✗ addThing: the answer names its product\n {2}rule no_product, seen /m);
  match(out, /--data-raw '\{"email":"[^"]*","name":"[^"]{3}"\}'$/mu);
});

test("a token from a command is renewed on 401", async ({ pathname: folder }) => {
  const file = `${folder}token`;
  await Deno.writeTextFile(file, "Bearer first");
  const variables: Readonly<Record<string, string>> = {
    CONTRACT_HEADER_AUTHORIZATION_COMMAND: `cat ${file}`,
  };
  const options = parseOptions(["--url", "http://a"], (name) => variables[name]);
  const { headers, renew } = await headersBy(options);
  deepEqual(headers, [["Authorization", "Bearer first"]]);
  await Deno.writeTextFile(file, "Bearer second");
  const override: Override = ({ headers }) =>
    headers.get("authorization") === "Bearer second" ? undefined : respond(401, {});
  await using setting = setUp({ override, headers, renew });
  await sendAlive(setting.session);
  deepEqual([setting.findings, setting.requests.length], [[], 2]);
  equal(masked("x second"), "x ***");
});

Deno.test("a run that sends nothing has tested nothing", async () => {
  await using setting = setUp();
  const options = ["--url", setting.url, "--only", "operations", "--exclude", "/api/*"];
  const { code, out } = await runDeno([...MAIN, ...options], { cwd: CONTRACT });
  equal(code, 2);
  match(out, /^Nothing tested: /m);
});

Deno.test("the folder can be published, and says its version", async () => {
  const { version } = JSON.parse(await Deno.readTextFile(new URL("deno.json", CONTRACT)));
  const cwd = CONTRACT;
  const [dry, said] = await Promise.all([
    runDeno(["publish", "--dry-run", "--allow-dirty"], { cwd }),
    runDeno([...MAIN, "--version"], { cwd }),
  ]);
  equal(dry.code, 0, dry.err);
  equal(said.out, `${version}\n`);
});

test("SIGINT and SIGTERM end a run with its report", async ({ pathname: folder }) => {
  let asked = Promise.withResolvers<void>();
  const override: Override = ({ path, method }) => {
    if (path !== "/api/list" || method !== "GET") return undefined;
    asked.resolve();
    return new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
  };
  await using setting = setUp({ override });
  for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
    asked = Promise.withResolvers<void>();
    const options = ["--url", setting.url, "--generic", "--report", folder + signal];
    const running = start([Deno.execPath(), ...MAIN, ...options], { cwd: CONTRACT });
    await asked.promise;
    equal(await running.end(signal), code, running.output());
    match(await Deno.readTextFile(`${folder}${signal}/report.json`), /"interrupted"/);
    match(running.output(), /^Interrupted: /m);
  }
});
