/** @module Reads each llms.txt with the proposal's parser, which crashes on entries that are not links. */

import { LOCALES } from "../../schemas/site_data.ts";
import { pathsIn } from "../../site/urls.ts";
import { run } from "../support/command.ts";

const REQUIREMENTS = new URL("requirements.txt", import.meta.url).pathname;

const PARSE = `
import json, sys
from llms_txt import parse_llms_file
found = parse_llms_file(sys.stdin.read())
urls = {name: [link.url for link in links] for name, links in found.sections.items()}
print(json.dumps({"title": found.title, "summary": found.summary, "info": found.info, "urls": urls}))
`;

interface Parsed {
  readonly title: string;
  readonly summary: string | null;
  readonly info: string;
  readonly urls: Readonly<Record<string, readonly string[]>>;
}

export async function readByParser(url: string): Promise<string[]> {
  const folder = await Deno.makeTempDir();
  try {
    const python = `${folder}/bin/python`;
    const pip = ["-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"];
    const pinned = ["--require-hashes", "--only-binary=:all:", "--requirement", REQUIREMENTS];
    await output(["python3", "-m", "venv", folder]);
    await output([python, ...pip, ...pinned]);
    const differences = await Promise.all(LOCALES.map(async (locale) => {
      const path = pathsIn(locale).llms;
      const text = await (await fetch(url + path)).text();
      return differencesOf(path, {
        text,
        parsed: JSON.parse(await output([python, "-c", PARSE], text)),
      });
    }));
    return differences.flat();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function output(line: readonly string[], input = ""): Promise<string> {
  const { code, out, err } = await run(line, { input });
  if (code !== 0) throw new Error(`Cannot read llms.txt with its parser: ${out}${err}`);
  return out;
}

function differencesOf(path: string, { text, parsed }: { text: string; parsed: Parsed }): string[] {
  const { title, summary, info, urls } = parsed;
  const found = Object.values(urls).flat();
  // deno-lint-ignore no-console -- a program that prints
  console.log(
    `llms-txt: ${path} has ${found.length} links in ${Object.keys(urls).length} sections`,
  );
  const links = [...text.matchAll(/^- \[.*\]\((http\S+)\):/gm)].map(([, link]) => link);
  const checks = {
    title: text.startsWith(`# ${title}\n`),
    summary: summary !== null && text.includes(`\n> ${summary}\n`),
    recipe: info.includes("/api/lead"),
    sections: Object.values(urls).length === 2 && "Optional" in urls,
    links: links.length > 0 && links.join() === found.join(),
  };
  return Object.entries(checks).filter(([, holds]) => !holds)
    .map(([name]) => `llms-txt: ${path} is read with another ${name}`);
}
