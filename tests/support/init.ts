/** @module Runs `deno task init` on a copy of the project. A fork has no sample, and none of these tests. */

import { SAMPLE_NAME } from "../../cli/init/sample.ts";
import { SITE } from "../../schemas/site_data.ts";
import { copyProject } from "./checkout.ts";
import { type Ended, run, runDeno } from "./command.ts";
import { withFolder } from "./service.ts";

const { tasks } = JSON.parse(await Deno.readTextFile(new URL("../../deno.json", import.meta.url)));
export const INIT: string[] = tasks.init.command.split(" ").slice(1);

export function testSample(name: string, test: () => Promise<void>): void {
  if (SITE.name === SAMPLE_NAME) Deno.test(name, test);
}

export function testCopy(name: string, test: (project: string) => Promise<void>): void {
  testSample(name, () =>
    withFolder(async (folder) => {
      await copyProject(folder);
      await test(`${folder}/`);
    }));
}

/** Puts files of the owner's in the place of pictures, which take seconds to draw and stay then. */
export async function replacePictures(project: string, names = /\.(?:png|ico)$/): Promise<void> {
  const folder = `${project}static/assets/`;
  for await (const { name } of Deno.readDir(folder)) {
    if (names.test(name)) await Deno.writeTextFile(folder + name, "the owner's own");
  }
}

export function init(
  project: string,
  words: readonly string[],
  flags: string[] = [],
): Promise<Ended> {
  const line = [...INIT.slice(0, -1), ...flags, INIT.at(-1)!, ...words];
  return runDeno(line, { cwd: project, env: { INIT_CWD: project, HOME: project } });
}

export async function state(project: string): Promise<Record<string, string>> {
  const { out } = await run(["find", "static", ".env", "-type", "f"], { cwd: project });
  const names = out.trimEnd().split("\n");
  const bytes = await Promise.all(names.map((name) => Deno.readFile(project + name)));
  return Object.fromEntries(names.map((name, at) => [name, new TextDecoder().decode(bytes[at])]));
}

export const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20">
  <defs><path id="p" d="M2 18 10 2l8 16z"/></defs><use href="#p" fill="#0a7d55"/></svg>`;
