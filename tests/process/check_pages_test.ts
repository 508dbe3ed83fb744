/**
 * @module What an author sees: `deno task check` as a process, on a copy of the project whose pages
 * have a fault of each kind.
 */

import assert from "node:assert/strict";
import { copyProject } from "../support/checkout.ts";
import { runDeno } from "../support/command.ts";
import { withFolder } from "../support/service.ts";
import { pageText } from "../site/fixture.ts";

const ROOT = new URL("../../", import.meta.url);

/** The part of the task that is about pages; what comes before it is Deno's own. */
async function command(): Promise<string[]> {
  const { tasks } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  const parts = String(tasks.check.command).split(" && ").map((part) => part.split(" "));
  const found = parts.find((words) => words.at(-1)?.endsWith("check_pages.ts"));
  assert.ok(found, "the task `check` has no part that checks the pages");
  return found;
}

async function checkPages(folder: string): Promise<{ code: number; lines: string[] }> {
  const [deno, ...args] = await command();
  assert.equal(deno, "deno");
  const { code, out, err } = await runDeno(args, { cwd: folder });
  return { code, lines: (out + err).trimEnd().split("\n") };
}

const FAULTY: Readonly<Record<string, string>> = {
  "en/alone.md": pageText("# Alone\n"),
  "en/notes.txt": "Notes.",
  "en/UPPER.md": pageText("# Upper\n"),
  ...both("bare", "# Bare\n"),
  ...both("lacking", "---\ntitle: Lacking\nupdated: 2026-11-21\n---\n\n# Lacking\n"),
  ...both("surplus", pageText("# Surplus\n", { color: "red" })),
  ...both("undated", pageText("# Undated\n", { updated: "2026-02-30" })),
  ...both("unknown", pageText("# Unknown\n\n{{nope}}\n")),
  ...both("unclosed", pageText("# Unclosed\n\nText\n\n{{site_name\n")),
  ...both("dead", pageText("# Dead\n\n[a](/openapi.json)\n[b](/nope)\n")),
  ...both("crossing", pageText("# Crossing\n\n[a](/docs)\n")),
  ...both("fragment", pageText("# Fragment\n\n[a](/docs#nope)\n")),
  ...both("below", pageText("# Below\n\n{{operator}}\n\n{{api_reference}}\n\n[a](/nope)\n")),
  ...both("picture", pageText("# Picture\n\n![a](/assets/nope.png)\n")),
  ...both("scheme", pageText("# Scheme\n\n[a](javascript:x)\n")),
  ...both("headings", pageText("# One\n\n# Two\n")),
  ...both("short", pageText("# Short\n", { description: "Short." })),
};

/** A page in each language, so that its only fault is the one that it is made for. */
function both(name: string, text: string): Record<string, string> {
  return { [`en/${name}.md`]: text, [`de/${name}.md`]: text };
}

/** What is said of each, without what follows. */
const EXPECTED: Readonly<Record<string, string>> = {
  "en/alone.md": "1: de/alone.md is missing",
  "en/notes.txt": "1: this is no page: its name does not end in `.md`",
  "en/UPPER.md": "1: the name is not one of en, de",
  bare: "1: front matter between two `---` lines is missing",
  lacking: "4: front matter lacks `description`",
  surplus: "5: front matter holds a member other than ",
  undated: "4: `updated` must be a day in the form YYYY-MM-DD",
  unknown: "9: the placeholder `nope` is unknown; known are ",
  unclosed: "11: `{{` opens no placeholder",
  dead: "10: the link leads nowhere: /nope",
  "de/crossing.md": "9: the link leads to another language: /docs; here it is /de/docs",
  fragment: "9: the link leads to a heading that does not exist: /docs#nope",
  below: "13: the link leads nowhere: /nope",
  picture: "9: the link leads nowhere: /assets/nope.png",
  scheme: "9: a link is neither a path from /, a #fragment, http, https nor mailto: javascript:",
  headings: "7: the text does not begin with its one and only level-1 heading",
  short: "1: `description` has not 50 to 200 characters",
};

Deno.test("`deno task check` names each fault of the pages by file and line, and fails", () =>
  withFolder(async (folder) => {
    await copyProject(folder);
    const sound = await checkPages(folder);
    assert.deepEqual(sound, { code: 0, lines: [sound.lines[0]!] });
    assert.match(sound.lines[0]!, /^\d+ pages are sound$/);

    for (const [file, text] of Object.entries(FAULTY)) {
      await Deno.writeTextFile(`${folder}/static/pages/${file}`, text);
    }
    const { code, lines } = await checkPages(folder);
    assert.equal(code, 1);
    const starts = Object.entries(EXPECTED).flatMap(([name, fault]) =>
      (name.includes("/") ? [name] : [`en/${name}.md`, `de/${name}.md`])
        .map((file) => `static/pages/${file}:${fault}`)
    );
    for (const start of starts) {
      assert.equal(lines.filter((line) => line.startsWith(start)).length, 1, start);
    }
    assert.deepEqual(lines.filter((line) => !starts.some((start) => line.startsWith(start))), []);
  }));
