/** @module What development adds to pages: the script that reloads them, and the problems of the pages. */

import { html as markup } from "@hono/hono/html";
import { pageFiles } from "../../site/files.ts";

/** Lines of the source before and after that of a problem. */
const AROUND = 3;

/** Reloads a page of another edition than the service's, unless it is hidden. */
export const RELOAD = `const [, own] = document.currentScript.src.split("?");
async function look() {
  const answer = document.hidden ? undefined : await fetch("/dev/edition").catch(() => undefined);
  if (answer?.ok && await answer.text() !== own) location.reload();
  setTimeout(look, 200);
}
look();
`;

/** Inserts the script, and a note if there are problems that do not prevent the page. */
export function withReload(page: string, id: string, problems: readonly string[] = []): string {
  const script = `<script src="/dev/reload.js?${id}"></script>\n</head>`;
  const note = `$&\n<blockquote><p><a href="/dev/problems">${
    titleOf(problems)
  }</a></p></blockquote>`;
  return page.replace("</head>", script).replace(/<main[^>]*>/, problems.length > 0 ? note : "$&");
}

function titleOf({ length }: readonly string[]): string {
  if (length === 0) return "No problems in the pages";
  return `${length} problem${length === 1 ? "" : "s"} in the pages`;
}

export async function problemsPage(problems: readonly string[]): Promise<string> {
  const sections = await Promise.all(problems.map(async (problem) => {
    const [, place = "", file = "", line = "", state = problem] =
      /^(static\/pages\/(.+?):(\d+)): (.*)$/s.exec(problem) ?? [];
    const source = await pageFiles.read(file).catch(() => undefined);
    const lines = source?.split("\n").map((text, at) => {
      const numbered = `${String(at + 1).padStart(4)}  ${text}`;
      return at + 1 === Number(line) ? markup`<mark>${numbered}</mark>\n` : `${numbered}\n`;
    });
    const excerpt = lines?.slice(Math.max(0, Number(line) - 1 - AROUND), Number(line) + AROUND);
    return markup`<section>
<h2><code>${place}</code></h2>
<p>${state}</p>
${excerpt && markup`<pre tabindex="0"><code>${excerpt}</code></pre>`}
</section>
`;
  }));
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${titleOf(problems)}</title>
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/assets/site.css">
</head>
<body>
<main>
<h1>${titleOf(problems)}</h1>
<p>This page follows what you save. <a href="/">Back to the site</a></p>
${sections}</main>
</body>
</html>
`.toString();
}
