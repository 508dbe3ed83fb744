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
  const line = [...INIT.slice(0, -1), ...flags, INIT.at(-1)!, ...words];
  return runDeno(line, { cwd: project, env: { INIT_CWD: project, HOME: project } });
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

testSample(
  "the doctor names the sample's in one finding, which fails at a public address",
  async () => {
    for (const SITE_URL of ["", "http://a.example", "https://a.example"]) {
      const state = SITE_URL.startsWith("https:") ? "fail" : "warn";
      const [found, ...more] = await findingsOf("sample", { KV_PATH: ".data/none", SITE_URL });
      deepEqual([found!.state, found!.fix, more], [state, "Run deno task init.", []]);
      for (const name of ["SITE_NAME", "static/site.json", "static/pages/de/pricing.md"]) {
        ok(found!.message.includes(name), found!.message);
      }
    }
  },
);

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20">
  <defs><path id="p" d="M2 18 10 2l8 16z"/></defs><use href="#p" fill="#0a7d55"/></svg>`;

const PNG = "\x89PNG\r\n\x1a\n";

/** By the bytes of a file, as text in Latin-1. */
const BAD_LOGOS: readonly (readonly [file: string, RegExp])[] = [
  [PNG, /128 pixels or more a side: it has 0 by 0/],
  [`${PNG}\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0\x08\x06\0\0\0`, /SVG or PNG that draws/],
  ["\xff\xd8\xff\xe0 JFIF", /^must be an SVG or PNG that draws something$/],
  [LOGO.replace("40 20", "60 20"), /twice as wide as high/],
  ['<svg><script/><image href="https://evil.example"/></svg>', /no scripts.*other files/],
  ['<svg><path onload="x()"/></svg>', /no scripts/],
  ['<svg xmlns:s="http://www.w3.org/2000/svg"><s:script/></svg>', /no scripts/],
  ['<svg><use xlink:href = " //evil.example/#x"/></svg>', /other files/],
  ["<svg><style>@import '//evil.example'</style></svg>", /other files/],
  ['<svg><path fill="url( //evil.example)"/></svg>', /other files/],
  ["<svg><text>Acme</text></svg>", /text as paths/],
  ["<svg", /an SVG or PNG that draws/],
  [LOGO.replace("#0a7d55", "none"), /an SVG or PNG that draws/],
  [LOGO + " ".repeat(500_000), /at most 500 kB/],
  [LOGO.replace(/<use.*\/>/, ""), /an SVG or PNG that draws/],
];

const NAMES = ("name url languages country plans tagline tagline-de brand accent logo operator " +
  "email targets").split(" ");

testSample("init reports every problem at once, and changes nothing", async (project) => {
  const before = await state(project);
  const { code, err } = await init(project, [
    ...["--url", "x", "--brand", "red", "--email", "y", "--logo", "/etc/hostname"],
    ...["--languages", "en,fr", "--country", "UK", "--plans", "A,a"],
    ...["--targets", "gopher://x", "--operator", "A\nPORT=1"],
  ]);
  equal(code, 2);
  const asked = NAMES.filter((name) => name !== "tagline-de");
  for (const name of asked) match(err, new RegExp(`^  --${name} .*(?:must|is missing)`, "m"));
  match(err, /^ {2}--languages must .*static\/words\/fr\.json, static\/pages\/fr\/index\.md/m);
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
    [
      ["--name=A", "--tagline", "{{x}}", "--tagline-de", "[a](b)"],
      /--tagline m.*\n {2}--tagline-de m/,
    ],
    [["--name=A", "--languages=en", "--tagline-de=B"], /--tagline-de must be left out/],
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
    await Deno.writeTextFile(`${project}logos`, JSON.stringify(BAD_LOGOS.map(([file]) => file)));
    const program = `import { problemsOf } from "./cli/init/values.ts";
    for (const file of JSON.parse(await Deno.readTextFile("logos"))) {
      await Deno.writeFile("logo", Uint8Array.from(file, (one) => one.charCodeAt(0)));
      console.log((await problemsOf("logo", "./logo")).join());
    }`;
    const line = ["eval", "--config", "cli/init/deno.json", program];
    const { out, err } = await runDeno(line, { cwd: project, env: { INIT_CWD: project } });
    const problems = out.split("\n");
    for (const [at, [file, problem]] of BAD_LOGOS.entries()) {
      match(problems[at]!, problem, file + err);
    }
  },
);

/** Options with characters that YAML, markdown, HTML and `.env` treat specially. */
const OPTIONS: Readonly<Record<string, string>> = {
  "--name": 'R<b>D *Acmé* &amp; "Söhne"',
  "--url": "https://www.acme.example",
  "--plans": 'R&D "Team", Solo',
  "--languages": "en,de",
  "--country": "DE",
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
  `${SAMPLE_NAME}|connector|konnektor|approval|freigabe|AI agents|KI-Agent|enterprise|hosted\\b`,
  "i",
);

const SERVED =
  ("/ /de /product /de/product /pricing /de/pricing /contact /de/contact /security /de/security /developers /docs /imprint /privacy /nope " +
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
  match(doctor.out, /^warn {2}texts: as init wrote them: .*de\/pricing\.md.*en\/index\.md/m);
  match(doctor.out, /^warn {2}legal: .*de\/imprint\.md.*en\/privacy\.md/m);

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
  match(again.out, /^Written to \.env:\n {2}OPERATOR\n/m);
  after[".env"] = after[".env"]!.replace(/^OPERATOR=.*/m, "OPERATOR=Other");
  deepEqual(await state(project), after);
});

testSample(
  "one language, plans or none, a country, a PNG: the pages follow, and later runs",
  async (project) => {
    await Deno.rename(`${project}static/assets/icon-512.png`, `${project}../mark.png`);
    const line = ["--name=Acme", "--languages=en", "--plans=Starter,Team", "--country=GB", "--yes"];
    const { code, err } = await init(project, [...line, "--logo=../mark.png"]);
    deepEqual([code, err], [0, ""]);
    const made = await state(project);
    deepEqual(Object.keys(made).filter((path) => /pages\/de|og\.de/.test(path)), []);
    match(made["static/assets/favicon.svg"]!, /href="data:image\/png;base64,/);
    const pages = async () => {
      const service = await startService(project, {}, { project });
      const paths = ["/", "/product", "/pricing", "/contact", "/imprint", "/privacy"];
      try {
        const found = paths.map(async (path) => await (await fetch(service.url + path)).text());
        return (await Promise.all(found)).join();
      } finally {
        await service.end();
      }
    };
    const british = await pages();
    match(british, /Starter and Team, and how .*Ask about Team.*<option value="team">Team</s);
    ok(!/German|GDPR|Deutsch|deno task/.test(british), british);

    await Deno.writeTextFile(`${project}static/pages/en/product.md`, "\nOurs.\n", { append: true });
    const own = (await state(project))["static/pages/en/product.md"];
    const later = await init(project, ["--plans", "", "--country=DE", "--brand=#0a7d55", "--yes"]);
    equal(later.code, 0, later.err);
    match(later.out, /^ {2}static\/pages\/en\/product\.md:\d+: dead link: \/pricing$/m);
    const free = await init(project, [
      "--plans",
      "Free",
      "--country=DE",
      "--brand=#0a7d55",
      "--yes",
    ]);
    match(free.out, /^Left as they are.*:\n {2}static\/pages\/en\/product\.md\n/m);
    const after = await state(project);
    equal(after["static/pages/en/product.md"], own);
    equal(after["static/assets/favicon.svg"], made["static/assets/favicon.svg"]);
    const german = await pages();
    match(german, /Ask about Free.*German Digital Services Act.*GDPR/s);
    ok(!/Ask about (?:Starter|Team)/.test(german), german);
  },
);

testSample("init leaves edited files alone, and completes after a failure", async (project) => {
  const product = "static/pages/en/product.md";
  await Deno.writeTextFile(project + product, "\nOurs.\n", { append: true });
  await Deno.writeTextFile(`${project}.env`, "#OPERATOR=Mine\nOPERATOR=Mine\n");
  const before = await state(project);
  const words = [...WORDS, "--yes"];

  const blocked = `${project}static/assets/.favicon.svg.new`; // where the new one is staged
  await Deno.mkdir(`${blocked}/x`, { recursive: true });
  const failed = await init(project, words);
  deepEqual([failed.code, failed.out], [1, ""]);
  match(failed.err, /favicon\.svg/);
  await Deno.remove(blocked, { recursive: true });
  deepEqual(await state(project), before);

  equal((await init(project, words, ["--deny-write=static/words/de.json"])).code, 1);
  deepEqual(await state(project), before);
  const { code, out } = await init(project, words);
  equal(code, 0);
  match(out, /^Left as they are.*\n(?: {2}.*\n)* {2}static\/pages\/en\/product\.md\n/m);
  match(out, /^ {2}static\/pages\/en\/product\.md:\d+: link to a missing heading: \/#one-task/m);
  match(
    out,
    /env:\n {2}SITE_URL\n {2}OPERATOR\n {2}CONTACT_EMAIL\n {2}LEAD_TARGETS\n {2}LEAD_WEBHOOK_SECRET\n/,
  );
  ok(!/whsec_\w|pw%23/.test(out), out);
  const after = await state(project);
  equal(after[product], before[product]);
  match(
    after[".env"]!,
    /^#OPERATOR=Mine\nOPERATOR=`The Makers.*\nSITE_URL=https:.*\nCONTACT_EMAIL=/,
  );
  deepEqual(Object.keys(after).filter((name) => /\.new$|about/.test(name)), []);
});

testSample(
  "on a terminal init asks, with defaults, and asks again after a problem",
  async (project) => {
    equal((await run(["mkfifo", "keys"], { cwd: project })).code, 0);
    const script = `script -qefc '${[Deno.execPath(), ...INIT].join(" ")}' /dev/null <keys`;
    const terminal = start(["bash", "-c", script], { cwd: project, env: { TERM: "xterm" } });
    using keys = await Deno.open(`${project}keys`, { write: true });
    const answers = "Acme nonsense https://www.acme.example - GB - - - #0A7D55 - - - - -".split(
      " ",
    );
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
