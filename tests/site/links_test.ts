/** @module Links in a source, safe links, the URLs of pages, the files of a site. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal, throws } from "node:assert/strict";
import {
  findLinks,
  isSafeLink,
  isSitePath,
  rewriteLinks,
  withoutDecoration,
} from "../../site/links.ts";
import { addressOf, localeOfPath } from "../../site/urls.ts";
import { assetFiles, filesBelow } from "../../site/files.ts";
import { withFolder } from "../support/service.ts";

const TEXT = [
  '[a](/a) and ![b](/b.svg "t")', // 1
  "`[no](/no)` and ``[no](/`no)`` [c](</c>)", // 2
  ...["```md", "[no](/no)", "~~~", "```"], // 3 to 6
  ...["- [d](/d)", "  ```", "  [no](/no)", "  ```"], // 7 to 10
  ...["[label]: /e", "> [f](/f)", "| [g](/g) | \\[no\\](/no)"], // 11 to 13
].join("\n");

Deno.test("findLinks() and rewriteLinks() skip code", () => {
  const found = findLinks(TEXT).map(({ href, line }) => `${line} ${href}`);
  deepEqual(found, ["1 /a", "1 /b.svg", "2 /c", "7 /d", "11 /e", "12 /f", "13 /g"]);
  equal(rewriteLinks(TEXT, (href) => href), TEXT);
  equal(
    rewriteLinks("x [a](/a) `[a](/a)` [b](/b)\n", (href) => `https://h.example${href}.md`),
    "x [a](https://h.example/a.md) `[a](/a)` [b](https://h.example/b.md)\n",
  );
});

Deno.test("withoutDecoration() removes images without text, but not from code", () => {
  const kept = "![a](/a.svg) [](/a) `![](/a.svg)`\n";
  equal(withoutDecoration(`- ![](/a.svg#b) **c**![](/a.svg)\n${kept}`), `- **c**\n${kept}`);
});

Deno.test("isSafeLink() accepts paths of the site, fragments, http, https and mailto only", () => {
  const paths = ["/", "/a", "/de/docs?a=b#c"];
  const others = ["#a", "http://h.example", "HTTPS://h.example/a", "mailto:a@h.example"];
  const unsafe = [
    ...["", "docs", "//h.example", "/\\h.example", "/a\\b", "/a b"],
    ...["javascript:x", " javascript:x", "data:x", "https:", "https:///a"],
  ];
  for (const href of paths) equal(isSitePath(href), true, href);
  for (const href of [...others, ...unsafe]) equal(isSitePath(href), false, href);
  for (const href of [...paths, ...others]) equal(isSafeLink(href), true, href);
  for (const href of unsafe) equal(isSafeLink(href), false, href);
});

const ADDRESSES = [
  ["en/index.md", "/", "/index.md", "/.md", "/index.html.md"],
  ["en/docs.md", "/docs", "/docs.md", "/docs.html.md"],
  ["de/index.md", "/de", "/de/index.md", "/de.md", "/de/index.html.md"],
  ["en/guides/index.md", "/guides", "/guides/index.md", "/guides.md", "/guides/index.html.md"],
  ["de/guides/a-b.md", "/de/guides/a-b", "/de/guides/a-b.md", "/de/guides/a-b.html.md"],
] as const;

Deno.test("addressOf() maps file names to URLs", () => {
  for (const [file, path, markdownPath, ...markdownAliases] of ADDRESSES) {
    const { name: _, locale: __, feedPath: ___, ...address } = addressOf(file);
    deepEqual(address, { file, path, markdownPath, markdownAliases });
  }
  const others = ["fr/index.md", "index.md", "en/Docs.md", "en/a b.md", "en/../x.md", "en/a.txt"];
  for (const file of others) throws(() => addressOf(file), /: the name must be en or de/);
});

Deno.test("localeOfPath() returns the language of the first segment", () => {
  for (const path of ["/de", "/de/x"]) equal(localeOfPath(path), "de");
  for (const path of ["/", "/x", "/design", "/en/x", "/x/de"]) equal(localeOfPath(path), "en");
});

const STYLES = new URL("../../static/styles/", import.meta.url);

Deno.test("the stylesheet has every file of static/styles once, without comments and indents", async () => {
  const listed = await assetFiles.list();
  deepEqual(listed.filter((name) => name.endsWith(".css")), ["site.css"]);
  const sheet = new TextDecoder().decode(await assetFiles.read("site.css"));
  ok(!/\/\*|^\s/m.test(sheet));
  const bare = (text: string) => text.replace(/\/\*[^]*?\*\/|\s/g, "");
  let rest = bare(sheet);
  for (const name of await filesBelow(STYLES.pathname)) {
    const pieces = rest.split(bare(await Deno.readTextFile(new URL(name, STYLES))));
    equal(pieces.length, 2, name);
    rest = pieces.join("");
  }
  equal(rest, "");
});

Deno.test("filesBelow() lists files of nested folders by path, without hidden ones", () =>
  withFolder(async (folder) => {
    await Deno.mkdir(`${folder}/en/guides/.git`, { recursive: true });
    await Deno.mkdir(`${folder}/en/50% #1`);
    const files = ["en/50% #1/why?.md", "en/guides/first.md", "en/index.md", "note.txt"];
    for (const name of [...files, ".hidden", "en/guides/.git/config"]) {
      await Deno.writeTextFile(`${folder}/${name}`, "");
    }
    deepEqual((await filesBelow(`${folder}/`)).sort(), files);
  }));
