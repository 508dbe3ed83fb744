/** @module `deno task init`: makes the sample's site the owner's, or changes what it made. */

import { resolve } from "node:path";
import { EXIT_CONFIG } from "../../lib/process.ts";
import { Exit, EXIT_FAILED, type Output, runTask } from "../terminal.ts";
import { apply, type Changes, changesTo, envWith, recordOf } from "./change.ts";
import type { Outcome } from "./finish.ts";
import { orMissing, read } from "./sample.ts";
import {
  currentValues,
  defaultOf,
  FIELDS,
  isAsked,
  type Name,
  optionOf,
  problemsOf,
  type Values,
} from "./values.ts";

const DESCRIPTION = `Makes the site yours: name, languages, plans, colours, pictures and first \
pages, and writes .env. Asks for what the options leave out. Run it again to change a value: what you \
have edited stays as it is.`;

const HELP = `
Examples:
  deno task init --name Acme --languages en --plans Starter,Team --country GB --yes
  deno task init --name Acme --url https://www.acme.example --logo ~/acme.png --brand '#0a7d55'
  deno task init --plans '' --yes   (later: without plans)

Exit codes: 0 done, 1 a file cannot be read or written, 2 missing or invalid values.`;

const NAMES = Object.keys(FIELDS) as Name[];
const before = await currentValues();
const isTerminal = Deno.stdin.isTerminal() && Deno.stdout.isTerminal();

await runTask("init", (program, output) => {
  program.description(DESCRIPTION);
  for (const name of NAMES) program.option(`${optionOf(name)} <text>`, FIELDS[name][0]);
  program.option("--yes", "take the defaults for what is not given, and do not ask")
    .addHelpText("after", HELP)
    .action(async ({ yes = false, ...given }: Partial<Values> & { yes?: boolean }) =>
      await makeSite(await collect(given, { yes, ...output }), output)
    );
});

/** Checks what is given, then asks for the rest. */
async function collect(
  given: Partial<Values>,
  { yes, err }: Output & { readonly yes: boolean },
): Promise<Values> {
  const values: Partial<Record<Name, string>> = {};
  const problems: string[] = [];
  const fallbackOf = (name: Name) => before[name] ?? defaultOf(name, values);
  function problemsWith(name: Name, text: string): Promise<readonly string[]> {
    values[name] = name === "logo" ? pathOf(text) : text;
    return problemsOf(name, values[name]);
  }
  for (const name of NAMES) {
    const isUsed = isAsked(name, values);
    const text = given[name]?.trim() ?? (yes || !isUsed ? fallbackOf(name) : undefined);
    const missing = isTerminal ? [] : ["is missing (--yes takes the defaults)"];
    const found = text === undefined ? missing : [...await problemsWith(name, text)];
    if (given[name] !== undefined && !isUsed) {
      found.push("must be left out: the site does not have the language");
    }
    problems.push(...found.map((problem) => `${optionOf(name)} ${problem}`));
  }
  err(section("Cannot use these options; nothing was changed", problems));
  if (problems.length > 0) throw new Exit(EXIT_CONFIG);
  for (const name of NAMES.filter((name) => values[name] === undefined)) {
    const fallback = fallbackOf(name);
    const help = `${optionOf(name).slice(2)} (${FIELDS[name][0]})`;
    const question = `${help}${fallback && ` [${fallback}]`}:`;
    let found: readonly string[];
    do {
      // The default of `prompt` is text to edit: what is typed would be appended to it.
      const answer = isAsked(name, values) ? prompt(question, "") : "";
      if (answer === null) { // Ctrl-C
        err("Stopped; nothing was changed.\n");
        throw new Exit(EXIT_CONFIG);
      }
      found = await problemsWith(name, answer.trim() || fallback);
      err(section("Please correct it", found.map((problem) => `It ${problem}.`)));
    } while (found.length > 0);
  }
  return values as Values;
}

/** A path from the folder in which the task was called; `~` is the home folder. */
function pathOf(text: string): string {
  const home = text.replace(/^~(?=\/)/, () => Deno.env.get("HOME") ?? "~");
  return text && resolve(Deno.env.get("INIT_CWD") ?? Deno.cwd(), home);
}

/** Makes all changes or none, and reports them. */
async function makeSite(values: Values, { out, err }: Output): Promise<void> {
  const { name, url, operator, email } = values;
  const undo: Changes = new Map();
  try {
    const { changes, edited } = await changesTo(values, before);
    const { text, changed } = envWith(values, await read(".env").catch(orMissing));
    if (changed.length > 0) changes.set(".env", text);
    await apply(changes, undo);
    await apply(await recordOf(changes, values), undo);
    const drawn = await finish({
      SITE_NAME: name,
      SITE_URL: url,
      OPERATOR: operator,
      CONTACT_EMAIL: email,
    });
    await apply(drawn.changes, undo);
    const isPicture = (path: string) => /\.(?:png|ico)$/.test(path);
    const images = [...drawn.changes].filter(([path, made]) => isPicture(path) && made).length;
    const paths = [...undo.keys()].filter((path) => !isPicture(path));
    const isGone = (path: string) => changes.has(path) && changes.get(path) === undefined;
    out(
      section("Written", paths.filter((path) => !isGone(path) && path !== ".env")) +
        section("Written to .env", changed) +
        `Drawn: ${images} icons and pictures of shared links (deno task pictures)\n${drawn.note}` +
        section("Removed", paths.filter(isGone)) +
        section("Left as they are, because edited (git checkout undoes it)", edited) +
        section("Correct in the pages what does not fit", drawn.problems) +
        section("Left to do", [
          ...operator && email ? [] : ["Set OPERATOR and CONTACT_EMAIL in .env for the imprint."],
          "Write your own text in static/pages: deno task doctor lists the pages that init wrote.",
          "Read the other pages there: what they say must be true of you.",
          "Adapt LICENSE, .github/ and deploy in deno.json.",
          "Run deno task check now, and deno task doctor before you deploy.",
        ]) +
        "\nNext: deno task dev\n",
    );
  } catch (error) {
    await apply(undo);
    err(`${(error as Error).message}\nNothing was changed. Correct that, and run it again.\n`);
    throw new Exit(EXIT_FAILED);
  }
}

/** What follows from the changed files. @param env the variables that pages mention */
async function finish(env: Readonly<Record<string, string>>): Promise<Outcome> {
  const url = new URL("./finish.ts", import.meta.url);
  const worker = new Worker(url, { type: "module", name: JSON.stringify(env) });
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Outcome | string>) =>
        typeof data === "string" ? reject(new Error(data)) : resolve(data);
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new Error(event.message));
      };
    });
  } finally {
    worker.terminate();
  }
}

/** A title and its lines; nothing if there are none. */
function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${title}:\n${lines.map((line) => `  ${line}\n`).join("")}`;
}
