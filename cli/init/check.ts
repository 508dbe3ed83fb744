/** @module Checks the pages that init is about to write, as `deno task check:pages` does afterwards. */

import { parseConfig } from "../../config/config.ts";
import { checkSite } from "../../site/check.ts";
import { pageFiles } from "../../site/files.ts";
import type { PageSource } from "../../site/files.ts";
import { knownPaths } from "../app_without_leads.ts";
import { textOf } from "./change.ts";
import type { Values } from "./values.ts";

const PAGES = "static/pages/";

/** Texts that no page minds: what the check finds with them is not for the owner's texts. */
const PLAIN = {
  name: "Acme",
  tagline: "Welcome",
  taglineDe: "Willkommen",
  operator: "",
  email: "",
};

/**
 * The problems that these values bring to the pages, each as `FILE:LINE: what is wrong`.
 *
 * @param paths the files that init replaces or removes
 */
export async function problemsOfPages(paths: readonly string[], values: Values): Promise<string[]> {
  const usual = await check(paths, { ...values, ...PLAIN });
  const places = new Set(usual.map(placeIn));
  return (await check(paths, values)).filter((problem) => !places.has(placeIn(problem)));
}

function placeIn(problem: string): string {
  return problem.split(": ", 1)[0]!;
}

async function check(paths: readonly string[], values: Values): Promise<string[]> {
  const { name, url, operator, email } = values;
  const config = parseConfig({
    ...{ SITE_NAME: name, SITE_URL: url, OPERATOR: operator, CONTACT_EMAIL: email },
  });
  const texts = new Map(
    await Promise.all(
      paths.filter((path) => path.startsWith(PAGES))
        .map(async (path) => [path.slice(PAGES.length), await textOf(path, values)] as const),
    ),
  );
  const isLeft = (file: string) => !texts.has(file) || texts.get(file) !== undefined;
  const source: PageSource = {
    list: async () => (await pageFiles.list()).filter(isLeft),
    read: async (file) => texts.get(file) ?? await pageFiles.read(file),
  };
  return await checkSite(source, { facts: config, knownPaths: await knownPaths(config) });
}
