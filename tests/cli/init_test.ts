/** @module `deno task init` on a copy of the project: what is written, kept and left. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { hashOf, SAMPLE_NAME } from "../../cli/init/sample.ts";
import brand from "../../static/site.json" with { type: "json" };
import { assetFiles, filesBelow, pageFiles } from "../../site/files.ts";
import { runDeno } from "../support/command.ts";
import { allFindings } from "../support/doctor.ts";
import { init, LOGO, replacePictures, state, testCopy, testSample } from "../support/init.ts";
import { startService } from "../support/service.ts";

const HASHES = new URL("../../cli/init/sample.json", import.meta.url);

testSample("sample.json is up to date; UPDATE_EXPECTED=1 renews it", async () => {
  const pages = (await pageFiles.list()).map((name) => `pages/${name}`);
  const isCompanys = (path: string) =>
    /\/(?:about|changelog|index|pricing|product|security)\.md$/.test(path);
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
      const [found, ...more] = (await allFindings({ KV_PATH: ".data/none", SITE_URL }))
        .filter(({ check }) => check === "sample");
      deepEqual([found!.state, found!.fix, more], [state, "Run deno task init.", []]);
      for (const name of ["SITE_NAME", "static/site.json", "static/pages/de/pricing.md"]) {
        ok(found!.message.includes(name), found!.message);
      }
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

testCopy("after init nothing of the sample is left, served or on the disk", async (project) => {
  await replacePictures(project, /^og\.(?!png|de\.contact)/);
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

  await replacePictures(project);
  const before = await state(project);
  const again = await init(project, [...WORDS, "--operator", "Other", "--yes"]);
  equal(again.code, 0, again.err);
  match(again.out, /^Written to \.env:\n {2}OPERATOR\n/m);
  before[".env"] = before[".env"]!.replace(/^OPERATOR=.*/m, "OPERATOR=Other");
  deepEqual(await state(project), before);
});

testCopy(
  "one language, plans or none, a country, a PNG: the pages follow, and later runs",
  async (project) => {
    await Deno.rename(`${project}static/assets/icon-512.png`, `${project}mark.png`);
    await replacePictures(project, /^(?!og\.de\.).*\.(?:png|ico)$/);
    const line = ["--name=Acme", "--languages=en", "--plans=Starter,Team", "--country=GB", "--yes"];
    const { code, err } = await init(project, [...line, "--logo=mark.png"]);
    deepEqual([code, err], [0, ""]);
    const made = await state(project);
    deepEqual(Object.keys(made).filter((path) => /pages\/de|og\.de/.test(path)), []);
    match(made["static/assets/favicon.svg"]!, /href="data:image\/png;base64,/);
    const pages = async () => {
      const service = await startService(project, {}, { project });
      const paths = ["/", "/product", "/pricing", "/contact", "/imprint", "/privacy"]
        .concat("/product.md", "/imprint.md");
      try {
        const found = paths.map(async (path) => await (await fetch(service.url + path)).text());
        return (await Promise.all(found)).join();
      } finally {
        await service.end();
      }
    };
    const british = await pages();
    match(british, /Starter and Team, and how .*Ask about Team.*<option value="team">Team</s);
    match(british, />Legal notice<\/h1>.*^Welcome to Acme\.$/ms);
    ok(!/German|GDPR|Deutsch|deno task|imprint<|\n\n\n/.test(british), british);

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

testCopy("init leaves edited files alone, and completes after a failure", async (project) => {
  await replacePictures(project, /^(?!.*about).*\.(?:png|ico)$/);
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
  match(out, /^ {2}static\/pages\/en\/product\.md:\d+: link to a missing heading: \/#each-choice/m);
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
