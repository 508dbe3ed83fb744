/**
 * @module The three places that name the settings are one: `.env.example` and the README's table have
 * every variable of `config/config.ts` that a person sets, in its order and with its defaults.
 */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { parseConfig, VARIABLES } from "../../config/config.ts";
import { runDeno } from "../support/command.ts";
import { settings } from "../support/unit_file.ts";

const ROOT = new URL("../../", import.meta.url);

/** What Deno Deploy sets is nobody's to set. */
const NAMES = VARIABLES.filter((name) => !name.startsWith("DENO_"));

const EXAMPLE = await Deno.readTextFile(new URL(".env.example", ROOT));
const README = await Deno.readTextFile(new URL("README.md", ROOT));

/** The rows of the README's table: the variables of each, and what it has for a default. */
const ROWS = [...README.matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+) +\| ([^|]+?) +\|/gm)]
  .map(([, names, fallback]) => ({
    names: codes(names!),
    fallback: fallback!,
    defaults: codes(fallback!.split(";")[0]!), // behind it stands that of Deno Deploy
  }));

/** What stands between backticks. */
function codes(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
}

Deno.test(".env.example has every variable, each once, in the order of config/config.ts", () => {
  const found = [...EXAMPLE.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name);
  deepEqual(found, NAMES);
});

Deno.test("a service with .env.example is set as one without any variable", () => {
  deepEqual(parseConfig(settings(EXAMPLE)), parseConfig({}));
});

Deno.test("Deno, systemd and a container's --env-file read .env.example alike", async () => {
  const { out } = await runDeno(
    [
      "eval",
      `--env-file=${ROOT.pathname}.env.example`,
      "console.log(JSON.stringify(Deno.env.toObject()))",
    ],
  );
  const read = JSON.parse(out);
  const asIs = settings(EXAMPLE);
  const found = NAMES.filter((name) => name in read).map((name) => [name, read[name]]);
  deepEqual(Object.fromEntries(found), asIs);
  // A container's takes quotes and comments for a part of the value.
  for (const [name, value] of Object.entries(asIs)) {
    match(EXAMPLE, new RegExp(`^${name}=${value}$`, "m"));
  }
});

Deno.test("what has no default can be set by a line at the end of .env.example", async () => {
  const path = await Deno.makeTempFile();
  try {
    for (const name of NAMES.filter((name) => !(name in settings(EXAMPLE)))) {
      await Deno.writeTextFile(path, `${EXAMPLE}${name}=of the last line\n`);
      const { out } = await runDeno(
        ["eval", `--env-file=${path}`, `console.log(Deno.env.get("${name}"))`],
      );
      equal(out.trim(), "of the last line", name);
    }
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("the README's table has every variable, each once, in the order of config/config.ts", () => {
  deepEqual(ROWS.flatMap(({ names }) => names), NAMES);
});

Deno.test("a default of the README's table is that of config/config.ts, and stands in .env.example", () => {
  const example = settings(EXAMPLE);
  for (const { names, fallback, defaults } of ROWS) {
    if (defaults.length === 0) match(fallback, /^(?:none: |a made-up brand$)/);
    else equal(defaults.length, names.length, fallback);
    for (const [at, name] of names.entries()) {
      const shown = defaults[at];
      if (shown === undefined) continue;
      deepEqual(parseConfig({ [name]: shown.replace(":PORT", ":8000") }), parseConfig({}), name);
      equal(
        example[name] === undefined,
        shown.endsWith(":PORT"),
        `${name}: its default is not written out`,
      );
    }
  }
});
