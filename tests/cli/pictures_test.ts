/** @module `deno task pictures` on a copy of the project: what is drawn, and what counts as out of date. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { coloursOf } from "../../cli/init/colours.ts";
import { assetFiles } from "../../site/files.ts";
import { pageText } from "../site/fixture.ts";
import { copyProject } from "../support/checkout.ts";
import { replacePictures } from "../support/init.ts";
import { chunksOf, pixelsOf } from "../support/png.ts";
import { withFolder } from "../support/service.ts";
import { runTask } from "../support/start_task.ts";

const TEXT = [0xf4, 0xf7, 0xf8];

function sizeOf(png: Uint8Array): number[] {
  const header = chunksOf(png).get("IHDR")!;
  const view = new DataView(header.buffer);
  return [view.getUint32(0), view.getUint32(4)];
}

/** The box around the pixels in the colour of text, below the name of the site; undefined without text. */
function titleBox(
  png: Uint8Array,
): Record<"left" | "right" | "top" | "bottom", number> | undefined {
  const [width, height] = sizeOf(png) as [number, number];
  const pixels = pixelsOf(png, width);
  const box = { left: width, right: -1, top: height, bottom: -1 };
  for (let y = 180; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = 4 * (y * width + x);
      if (TEXT.some((value, channel) => pixels[at + channel] !== value)) continue;
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = y;
    }
  }
  return box.right < 0 ? undefined : box;
}

Deno.test("every page has a picture, drawn with 1200 by 630 and at most 64 kB, and every icon its size", async () => {
  const names = (await assetFiles.list()).filter((name) => /\.(?:png|ico)$/.test(name));
  ok(names.filter((name) => /^og\.(?:en|de)\./.test(name)).length > 12);
  for (const name of names) {
    const bytes = await assetFiles.read(name);
    if (!new TextDecoder("latin1").decode(bytes).includes("frontdoor-")) continue; // the owner's own
    ok(bytes.length <= 64_000, `${name}: ${bytes.length}`);
    if (name.endsWith(".ico")) {
      const view = new DataView(bytes.buffer);
      const [length, offset] = [14, 18].map((field) => view.getUint32(field, true));
      deepEqual([length! + offset!, bytes[6], bytes[7]], [bytes.length, 32, 32]);
      deepEqual(sizeOf(bytes.subarray(offset)), [32, 32]);
    } else {
      const [, side = "180"] = /(\d+)\.png$/.exec(name) ?? [];
      deepEqual(sizeOf(bytes), /^og\./.test(name) ? [1200, 630] : [Number(side), Number(side)]);
    }
  }
});

const TITLES: readonly (readonly [title: string, isDrawn: boolean])[] = [
  ["Datenschutz", true],
  ["So arbeiten Agenten, Konnektoren und Freigaben in Ihrem Unternehmen", true],
  ["Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz", true],
  ['„Söhne & Töchter“ <b> "x"', true],
  ["Hieroglyphs: 𓀀 𓁐", false],
];

Deno.test("what is missing, outdated or superfluous is named, and drawn again; the owner's own stays", () =>
  withFolder(async (folder) => {
    await copyProject(folder);
    const at = (path: string) => `${folder}/static/${path}`;
    const picture = (name: string) => at(`assets/og.${name}.png`);
    const edit = async (path: string, change: (text: string) => string) =>
      await Deno.writeTextFile(at(path), change(await Deno.readTextFile(at(path))));
    const problems = async () => {
      const { err } = await runTask("check:pages", { cwd: folder });
      return err.split("\n").filter((problem) => problem.includes("deno task pictures"))
        .map((problem) => problem.replace("; run deno task pictures", "")).sort();
    };
    const draw = async () => {
      const { code, out, err } = await runTask("pictures", { cwd: folder });
      deepEqual([code, err], [0, ""]);
      return out;
    };
    await replacePictures(`${folder}/`, /^(?!og\.(?:en|de)\.(?:docs|contact)\.).*\.(?:png|ico)$/);
    deepEqual(await problems(), []);

    const plain = new TextEncoder().encode("the owner's own");
    await Deno.writeFile(picture("en.docs"), plain);
    await Deno.writeFile(picture("en.gone"), await Deno.readFile(picture("de.docs")));
    await Deno.remove(picture("de.contact"));
    await edit("pages/de/docs.md", (text) => text.replace(/^title: .*/m, "title: Neu"));
    for (const [index, [title]] of TITLES.entries()) {
      const text = pageText(`# ${index}\n`, { title: JSON.stringify(title) });
      await Deno.writeTextFile(at(`pages/en/t${index}.md`), text);
    }
    const old = "older than the brand or the page's title";
    deepEqual(await problems(), [
      "static/assets/og.de.contact.png: missing",
      `static/assets/og.de.docs.png: ${old}`,
      "static/assets/og.en.gone.png: its page is gone",
      ...TITLES.map((_, index) => `static/assets/og.en.t${index}.png: missing`),
    ]);
    await edit("styles/brand.css", (text) => text.replace(/(--brand: )[^;]+/, "$1#7a1f5c"));
    await edit("site.json", (text) => text.replace(/"plans": \[[^\]]*\]/, '"plans": ["pro"]'));
    const all = await problems();
    ok(all.includes("static/site.json: `theme` does not fit static/styles"), all.join("\n"));
    ok(all.filter((problem) => problem.endsWith(old)).length > 1, all.join("\n"));

    const drawn = await draw();
    match(drawn, /^static\/assets\/og\.en\.gone\.png \(removed\)$/m);
    match(drawn, /\nWithout words where display\.woff2 lacks a character: .*𓀀 𓁐\n$/);
    deepEqual(await problems(), []);
    deepEqual(await Deno.readFile(picture("en.docs")), plain);
    const site = await Deno.readTextFile(at("site.json"));
    match(JSON.parse(site).theme.dark, /^#[0-9a-f]{6}$/);
    match(site, /^ {2}"plans": \[\n {4}"pro"\n {2}\],\n/m);
    for (const [index, [title, isDrawn]] of TITLES.entries()) {
      const box = titleBox(await Deno.readFile(picture(`en.t${index}`)));
      equal(box !== undefined, isDrawn, title);
      if (box === undefined) continue;
      const { left, right, top, bottom } = box;
      ok(
        left >= 80 && right <= 1120 && top >= 190 && bottom <= 600,
        `${title}: ${JSON.stringify(box)}`,
      );
      ok(right - left > 300, title);
    }
  }));

/** Sources that cannot be drawn, and the message. */
const BROKEN: readonly (readonly [path: string, text: string, message: RegExp])[] = [
  ["static/assets/favicon.svg", "<svg", /^static\/assets\/favicon\.svg: /],
  ["static/assets/display.woff2", "wOF2", /^static\/assets\/display\.woff2: not a font/],
];

Deno.test("what cannot be drawn is named, and nothing is lost; nor is the picture of a broken page", () =>
  withFolder(async (folder) => {
    await copyProject(folder);
    const read = (name: string) => Deno.readFile(`${folder}/static/assets/${name}`);
    await replacePictures(`${folder}/`, /^(?!og\.en\.docs).*\.(?:png|ico)$/);
    const before = await read("og.en.docs.png");
    for (const [path, text, message] of BROKEN) {
      const sound = await Deno.readFile(`${folder}/${path}`);
      await Deno.writeTextFile(`${folder}/${path}`, text);
      const { code, out, err } = await runTask("pictures", { cwd: folder });
      deepEqual([code, out], [1, ""]);
      match(err, message);
      await Deno.writeFile(`${folder}/${path}`, sound);
    }
    await Deno.writeTextFile(`${folder}/static/pages/en/docs.md`, "---\ntitle: [\n---\n");
    equal((await runTask("pictures", { cwd: folder })).code, 0);
    deepEqual(await read("og.en.docs.png"), before);
  }));

Deno.test("colours are derived as a browser does: hue and bounded chroma of the brand", () => {
  const values = `--ground: #FAF9F5; --deep: oklch(from var(--brand) 0.274 min(c, 0.051) h);
    --ground: oklch(from var(--brand) 0.193 min(c, 0.024) h);`;
  const of = (brand: string) =>
    coloursOf({ brand: `--brand: ${brand}; --accent: #F5B83D;`, values });
  deepEqual(of("#0b4f79"), {
    brand: "#0b4f79",
    accent: "#f5b83d",
    deep: "#0d2a3e",
    theme: { light: "#faf9f5", dark: "#0b161e" },
  });
  deepEqual(of("#808080").theme.dark, "#141414");
});
