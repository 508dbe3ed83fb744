/** @module `deno task init`: makes the sample's site the owner's, or changes what it made. */

import { resolve } from "node:path";
import { EXIT_CONFIG } from "../../lib/process.ts";
import { Exit, EXIT_FAILED, type Output, runTask } from "../terminal.ts";
import { apply, type Changes, changesTo, recordOf } from "./change.ts";
import type { Outcome } from "./finish.ts";
import { currentValues, FIELDS, type Name, problemsOf, type Values } from "./values.ts";

const DESCRIPTION = `Makes the site yours: name, languages, plans, colours, pictures and first \
pages. Asks for what the options leave out. Run it again to change a value: what you \
have edited stays as it is.`;

const HELP = `
Examples:
  deno task init --name Acme --languages en --plans Starter,Team --country GB --yes
  deno task init --name Acme --languages en,de --logo ~/acme.png --brand '#0a7d55'
  deno task init --plans '' --yes   (later: without plans)

Exit codes: 0 done, 1 a file cannot be read or written, 2 missing or invalid values.`;

const NAMES = Object.keys(FIELDS) as Name[];
const before = await currentValues();
const defaults = Object.fromEntries(
  NAMES.map((name) => [name, before[name] ?? FIELDS[name][1]]),
) as Values;
const isTerminal = Deno.stdin.isTerminal() && Deno.stdout.isTerminal();

await runTask("init", (program, output) => {
  program.description(DESCRIPTION);
  for (const name of NAMES) program.option(`--${name} <text>`, FIELDS[name][0]);
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
  function problemsWith(name: Name, text: string): Promise<readonly string[]> {
    values[name] = name === "logo" ? pathOf(text) : text;
    return problemsOf(name, values[name]);
  }
  for (const name of NAMES) {
    const text = given[name]?.trim() ?? (yes ? defaults[name] : undefined);
    const missing = isTerminal ? [] : ["is missing (--yes takes the defaults)"];
    const found = text === undefined ? missing : await problemsWith(name, text);
    problems.push(...found.map((problem) => `--${name} ${problem}`));
  }
  err(section("Cannot use these options; nothing was changed", problems));
  if (problems.length > 0) throw new Exit(EXIT_CONFIG);
  for (const name of NAMES.filter((name) => values[name] === undefined)) {
    const question = `${name} (${FIELDS[name][0]})${defaults[name] && ` [${defaults[name]}]`}:`;
    let found: readonly string[];
    do {
      // The default of `prompt` is text to edit: what is typed would be appended to it.
      const answer = prompt(question, "");
      if (answer === null) { // Ctrl-C
        err("Stopped; nothing was changed.\n");
        throw new Exit(EXIT_CONFIG);
      }
      found = await problemsWith(name, answer.trim() || defaults[name]);
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
  const undo: Changes = new Map();
  try {
    const { changes, edited } = await changesTo(values, before);
    await apply(changes, undo);
    await apply(await recordOf(changes), undo);
    const drawn = await finish();
    await apply(drawn.changes, undo);
    const isPicture = (path: string) => /\.(?:png|ico)$/.test(path);
    const images = [...drawn.changes].filter(([path, made]) => isPicture(path) && made).length;
    const paths = [...undo.keys()].filter((path) => !isPicture(path));
    const isGone = (path: string) => changes.has(path) && changes.get(path) === undefined;
    out(
      section("Written", paths.filter((path) => !isGone(path))) +
        `Drawn: ${images} icons and pictures of shared links (deno task pictures)\n${drawn.note}` +
        section("Removed", paths.filter(isGone)) +
        section("Left as they are, because edited (git checkout undoes it)", edited) +
        section("Correct in the pages what does not fit", drawn.problems) +
        section("Left to do", [
          "Copy .env.example to .env: SITE_URL, OPERATOR and CONTACT_EMAIL for the imprint, LEAD_TARGETS.",
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

/** What follows from the changed files. */
async function finish(): Promise<Outcome> {
  const worker = new Worker(new URL("./finish.ts", import.meta.url), { type: "module" });
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
