/** @module `deno task init` on a copy of the project. A fork has no sample, and none of these tests. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { hashOf, SAMPLE_NAME } from "../../cli/init/sample.ts";
import { assetFiles, filesBelow, pageFiles } from "../../site/files.ts";
import brand from "../../static/site.json" with { type: "json" };
import { copyProject } from "../support/checkout.ts";
import { type Ended, run, runDeno, start } from "../support/command.ts";
import { findingsOf } from "../support/doctor.ts";
import { startService, withFolder } from "../support/service.ts";
import { until } from "../support/until.ts";

const ROOT = new URL("../../", import.meta.url);
const HASHES = new URL("cli/init/sample.json", ROOT);
const { tasks } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
const INIT: string[] = tasks.init.command.split(" ").slice(1);

function testSample(name: string, test: (project: string) => Promise<void>): void {
  if (brand.name !== SAMPLE_NAME) return;
  Deno.test(name, () =>
    withFolder(async (folder) => {
      await copyProject(folder);
      await test(`${folder}/`);
    }));
}

function init(project: string, words: readonly string[], flags: string[] = []): Promise<Ended> {
  return runDeno([...INIT.slice(0, -1), ...flags, INIT.at(-1)!, ...words], { cwd: project });
}

async function state(project: string): Promise<Record<string, string>> {
  const { out } = await run(["find", "static", ".env", "-type", "f"], { cwd: project });
  const names = out.trimEnd().split("\n");
  const bytes = await Promise.all(names.map((name) => Deno.readFile(project + name)));
  return Object.fromEntries(names.map((name, at) => [name, new TextDecoder().decode(bytes[at])]));
}

testSample("sample.json is up to date; UPDATE_EXPECTED=1 renews it", async () => {
  const pages = (await pageFiles.list()).map((name) => `pages/${name}`);
  const isCompanys = (path: string) =>
    /\/(?:about|changelog|index|pricing|product)\.md$/.test(path);
  // The icons have the colours of the text around them, and any site may use them.
  const pictures = (await assetFiles.list()).filter((name) => /(?<!^icons)\.svg$/.test(name))
    .map((name) => `assets/${name}`);
  const own = [...pages.filter(isCompanys), ...pictures, "site.json", "styles/brand.css"];
  const hashes = async (names: string[]) =>
    Object.fromEntries(
      await Promise.all(
        names.sort().map(async (name) => [`static/${name}`, await hashOf(`static/${name}`)]),
      ),
    );
  const sample = {
    name: brand.name,
    files: await hashes(own),
    common: await hashes(pages.filter((path) => !isCompanys(path))),
  };
  if (Deno.env.get("UPDATE_EXPECTED")) {
    await Deno.writeTextFile(HASHES, `${JSON.stringify(sample, null, 2)}\n`);
  }
  deepEqual(JSON.parse(await Deno.readTextFile(HASHES)), sample);
});

testSample("the doctor names what is still the sample's in one finding", async () => {
  const [found, ...more] = await findingsOf("sample", { KV_PATH: ".data/none" });
  deepEqual([found!.state, found!.fix, more], ["warn", "Run deno task init.", []]);
  for (const name of ["SITE_NAME", "static/site.json", "static/pages/de/pricing.md"]) {
    ok(found!.message.includes(name), found!.message);
  }
});

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20">
  <defs><path id="p" d="M2 18 10 2l8 16z"/></defs><use href="#p" fill="#0a7d55"/></svg>`;

const BAD_LOGOS: readonly (readonly [svg: string, RegExp])[] = [
  ['<svg><script/><image href="https://evil.example"/></svg>', /no scripts.*other files/],
  ['<svg><path onload="x()"/></svg>', /no scripts/],
  ['<svg xmlns:s="http://www.w3.org/2000/svg"><s:script/></svg>', /no scripts/],
  ['<svg><use xlink:href = " //evil.example/#x"/></svg>', /other files/],
  ["<svg><style>@import '//evil.example'</style></svg>", /other files/],
  ['<svg><path fill="url( //evil.example)"/></svg>', /other files/],
  ["<svg><text>Acme</text></svg>", /text as paths/],
  ["<svg", /an SVG that draws/],
  ["<a>\uFFFD", /^must be an SVG that draws something$/],
  [LOGO.replace("#0a7d55", "none"), /an SVG that draws/],
  [LOGO + " ".repeat(500_000), /at most 500 kB/],
  [LOGO.replace(/<use.*\/>/, ""), /an SVG that draws/],
];

const NAMES = "name url tagline tagline-de brand accent logo operator email targets".split(" ");

testSample("init reports every problem at once, and changes nothing", async (project) => {
  const before = await state(project);
  const { code, err } = await init(project, [
    ...["--url", "x", "--brand", "red", "--email", "y", "--logo", "/etc/hostname"],
    ...[
      "--targets",
      "gopher://x",
      "--tagline",
      "{{site_name}}",
      "--tagline-de",
      "[a](b)",
      "--operator",
      "A\nPORT=1",
    ],
  ]);
  equal(code, 2);
  for (const name of NAMES) match(err, new RegExp(`^  --${name} .*(?:must|is missing)`, "m"));
  match(err, /^ {2}--tagline must be text, without .*\n {2}--tagline-de must be text/m);
  deepEqual(await state(project), before);
});

testSample("init refuses what check:pages would refuse, before it writes", async (project) => {
  const edited = `${project}static/pages/en/developers.md`;
  const text = await Deno.readTextFile(edited);
  await Deno.writeTextFile(
    edited,
    text.replace(/^title: .*/m, `title: ${"Developers ".repeat(4)}`),
  );
  const before = await state(project);
  const rows: readonly (readonly [words: readonly string[], problem: RegExp])[] = [
    [["--name", "x".repeat(40)], /^ {2}static\/pages\/en\/developers\.md:2: `title` must have at/m],
    [["--name", "🚀".repeat(40)], /--name must be shorter: an emoji/],
    [["--name=A", "--tagline", "one\u2028two"], /--tagline must be one line/],
    [["--name=A", "--tagline", "\uFFFD"], /^ {2}static\/pages\/en\/index\.md:2: .*UTF-8/m],
    [["--name=A", "--operator", "it's `$x` # y"], /--operator must not have both ' and `/],
  ];
  for (const [words, problem] of rows) {
    const { code, out, err } = await init(project, [...words, "--yes"]);
    deepEqual([code, out], [2, ""], err);
    match(err, problem);
    deepEqual(await state(project), before);
  }
});

testSample(
  "init refuses a logo that is no drawing, has scripts or refers to others",
  async (project) => {
    await Deno.writeTextFile(`${project}logos`, JSON.stringify(BAD_LOGOS.map(([svg]) => svg)));
    const program = `import { problemsOf } from "./cli/init/values.ts";
    for (const svg of JSON.parse(await Deno.readTextFile("logos"))) {
      await Deno.writeTextFile("logo.svg", svg);
      console.log((await problemsOf("logo", "logo.svg")).join());
    }`;
    const line = ["eval", "--config", "cli/init/deno.json", program];
    const problems = (await runDeno(line, { cwd: project })).out.split("\n");
    for (const [at, [svg, problem]] of BAD_LOGOS.entries()) match(problems[at]!, problem, svg);
  },
);

/** Options with characters that YAML, markdown, HTML and `.env` treat specially. */
const OPTIONS: Readonly<Record<string, string>> = {
  "--name": 'R<b>D *Acmé* &amp; "Söhne"',
  "--url": "https://www.acme.example",
  "--tagline": 'We fix: "broken" *things* [x]',
  "--tagline-de": `Wir reparieren # alles, was ${"sehr ".repeat(8)}kaputt ist`,
  "--brand": "#0a7d55",
  "--accent": "#ffcc00",
  "--operator": "The Makers' #1 GmbH; 5 $HOME Street",
  "--email": "hello@acme.example",
  "--targets": "crm=https://ada:pw%23$x@127.0.0.1:4999/in",
};
const WORDS = Object.entries(OPTIONS).flat();

const SAMPLE = RegExp(
  `${SAMPLE_NAME}|connector|konnektor|approval|freigabe|AI agents|KI-Agent`,
  "i",
);

const SERVED =
  ("/ /de /contact /de/contact /security /de/security /developers /docs /imprint /privacy /nope " +
    "/changelog /changelog.xml /de/changelog /de/changelog.xml " +
    "/llms.txt /de/llms.txt /llms-full.txt /de/llms-full.txt /sitemap.md /openapi.json /api/site " +
    "/api/health /site.webmanifest /assets/site.css").split(" ");

testSample("after init nothing of the sample is left, served or on the disk", async (project) => {
  await Deno.writeTextFile(`${project}logo.svg`, LOGO);
  const { code, out, err } = await init(project, [...WORDS, "--logo", "logo.svg"]);
  deepEqual([code, err], [0, ""]);
  ok(!/whsec_|pw%23/.test(out), out);
  const after = await state(project);
  for (const [name, text] of Object.entries(after)) {
    // The icons stay, under the names of what they mean.
    ok(name === "static/assets/icons.svg" || !SAMPLE.test(text), name);
  }

  equal((await Deno.stat(`${project}.env`)).mode! & 0o777, 0o600);
  const variables = "SITE_URL OPERATOR CONTACT_EMAIL LEAD_TARGETS LEAD_WEBHOOK_SECRET";
  const print =
    `console.log(JSON.stringify("${variables}".split(" ").map((n) => Deno.env.get(n))))`;
  const read = await runDeno(["eval", "--env-file=.env", print], { cwd: project });
  const values: string[] = JSON.parse(read.out);
  match(values.pop()!, /^whsec_[\w+/]{43}=$/);
  deepEqual(values, ["--url", "--operator", "--email", "--targets"].map((name) => OPTIONS[name]));

  for (const line of ["task -q check:pages", "fmt --check static"]) {
    const checked = await runDeno(line.split(" "), { cwd: project });
    equal(checked.code, 0, checked.err);
    match(checked.out + checked.err, /^(?:\d+ pages, no problems|Checked \d+ files)\n$/);
  }
  const doctor = await runDeno(["task", "--env-file=.env", "doctor", "--no-send"], {
    cwd: project,
  });
  match(doctor.out, /^ok {4}sample: /m);

  const service = await startService(project, {}, { project });
  try {
    let served = "";
    for (const path of SERVED) {
      const response = await fetch(service.url + path);
      equal(response.status, path === "/nope" ? 404 : 200, path);
      const text = await response.text();
      ok(!SAMPLE.test(text), path);
      served += text;
    }
    const hashed = served.matchAll(
      /["/]([\w.-]+)\.[0-9a-f]{10}(\.(?:svg|png|woff2))(?:#[\w-]+)?"/g,
    );
    const named = new Set([...hashed].map(([, name, type]) => name! + type));
    const assets = await filesBelow(`${project}static/assets/`);
    deepEqual([...named].filter((name) => !assets.includes(name)), []);
    deepEqual(assets.filter((name) => /(?<!^icons)\.svg$/.test(name) && !named.has(name)), []);
    ok(named.has("og.de.contact.png"));
    ok(served.includes(">We fix: &quot;broken&quot; *things* [x]</h1>"), served);
    ok(
      served.includes("public site of R&lt;b&gt;D *Acmé* &amp;amp; &quot;Söhne&quot; and"),
      served,
    );
    const png = await (await fetch(`${service.url}/assets/og.png`)).arrayBuffer();
    deepEqual([16, 20].map((at) => new DataView(png).getUint32(at)), [1200, 630]);
  } finally {
    await service.end();
  }

  const again = await init(project, [...WORDS, "--operator", "Other", "--yes"]);
  equal(again.code, 0, again.err);
  match(again.out, /^Left as .*\n {2}static\/assets\/favicon[^]*\n {2}static\/styles\/brand/m);
  deepEqual(await state(project), after);
});

testSample("init leaves edited files alone, and completes after a failure", async (project) => {
  const product = "static/pages/en/product.md";
  await Deno.writeTextFile(project + product, "\nOurs.\n", { append: true });
  await Deno.writeTextFile(`${project}.env`, "#SITE_URL=\nOPERATOR=Mine\n");
  const before = await state(project);
  const words = [...WORDS, "--yes"];

  const blocked = `${project}static/assets/.favicon.svg.new`; // where the new one is staged
  await Deno.mkdir(`${blocked}/x`, { recursive: true });
  const failed = await init(project, words);
  deepEqual([failed.code, failed.out], [1, ""]);
  match(failed.err, /favicon\.svg/);
  await Deno.remove(blocked, { recursive: true });
  deepEqual(await state(project), before);

  equal((await init(project, words, ["--deny-write=static/site.json"])).code, 1);
  const mark = "static/assets/favicon.svg";
  ok((await state(project))[mark] !== before[mark]);
  const { code, out } = await init(project, words);
  equal(code, 0);
  match(out, /^Left as they are.*\n(?: {2}.*\n)* {2}static\/pages\/en\/product\.md\n/m);
  match(out, / {2}SITE_URL=https:.*\n {2}CONTACT_.*\n {2}LEAD_TARGETS=… .*\n {2}LEAD_WEBH.*=… /);
  ok(!/whsec_\w|pw%23|OPERATOR/.test(out), out);
  const after = await state(project);
  deepEqual([after[product], after[".env"]], [before[product], before[".env"]]);
  const left = Object.keys(after).filter((name) => /\.new$|pricing|about|de\/product/.test(name));
  deepEqual(left, []);
});

testSample(
  "on a terminal init asks, with defaults, and asks again after a problem",
  async (project) => {
    equal((await run(["mkfifo", "keys"], { cwd: project })).code, 0);
    const script = `script -qefc '${[Deno.execPath(), ...INIT].join(" ")}' /dev/null <keys`;
    const terminal = start(["bash", "-c", script], { cwd: project, env: { TERM: "xterm" } });
    using keys = await Deno.open(`${project}keys`, { write: true });
    const answers = "Acme nonsense https://www.acme.example - - #0A7D55 - - - - -".split(" ");
    const questions = ["name", "url", ...NAMES.slice(1)];
    for (const [at, answer] of answers.entries()) {
      const question = new RegExp(`K${questions[at]} \\(`, "g");
      const times = at === 2 ? 2 : 1;
      await until(`${questions[at]} is asked`, () => {
        if (terminal.hasEnded()) throw new Error(terminal.output());
        return [...terminal.output().matchAll(question)].length === times;
      }, 20_000);
      await keys.write(new TextEncoder().encode(`${answer.replace("-", "")}\r`));
    }
    equal(await terminal.finished, 0, terminal.output());
    match(terminal.output(), /It must be an http or https URL/);
    const after = await state(project);
    equal(after[".env"], "SITE_URL=https://www.acme.example\n");
    match(after["static/pages/de/index.md"]!, /^# Willkommen bei Acme$/m);
    match(after["static/styles/brand.css"]!, /brand: #0A7D55;\n {2}--accent: #f2a900;/);
  },
);
