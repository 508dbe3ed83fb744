/** @module `deno task init`: replaces the sample's brand, pictures and pages by the owner's. */

import { exit, EXIT_CONFIG } from "../../lib/process.ts";
import { EXIT_FAILED, runProgram, standardOutput } from "../terminal.ts";
import { apply, changesTo, envLines } from "./change.ts";
import { problemsOfPages } from "./check.ts";
import { drawMade } from "./rasters.ts";
import { orMissing, ROOT, sampleFiles } from "./sample.ts";
import { FIELDS, type Name, optionOf, problemsOf, type Values } from "./values.ts";

const DESCRIPTION = `Makes the site yours: replaces the sample's name, colours, pictures and \
pages, and writes .env. Asks for what the options leave out. Files that have been edited stay as they \
are, and so does an existing .env.`;

const HELP = `
Example: deno task init --name Acme --url https://www.acme.example --brand '#0a7d55' --yes

Exit codes: 0 done, 1 a file cannot be read or written, 2 missing or invalid values.`;

const NAMES = Object.keys(FIELDS) as Name[];
const { out, err } = standardOutput(EXIT_FAILED);
const isTerminal = Deno.stdin.isTerminal() && Deno.stdout.isTerminal();

let failed = 0;
const code = await runProgram({ name: "deno task init", words: Deno.args, out, err }, (program) => {
  program.description(DESCRIPTION);
  for (const name of NAMES) program.option(`${optionOf(name)} <text>`, FIELDS[name][0]);
  program.option("--yes", "take the defaults for what is not given, and do not ask")
    .addHelpText("after", HELP)
    .action(async ({ yes = false, ...given }: Partial<Values> & { yes?: boolean }) => {
      const values = await collect(given, yes);
      failed = values === undefined ? EXIT_CONFIG : await replaceSample(values);
    });
});
await exit(failed || code);

/** Checks what is given, then asks for the rest. @returns undefined after an error message */
async function collect(given: Partial<Values>, yes: boolean): Promise<Values | undefined> {
  const values: Partial<Record<Name, string>> = {};
  const fallbackOf = (name: Name) => FIELDS[name][1].replace("{name}", () => values.name ?? "");
  const problems: string[] = [];
  for (const name of NAMES) {
    const text = given[name]?.trim() ?? (yes ? fallbackOf(name) : undefined);
    if (text !== undefined) {
      values[name] = text;
      problems.push(
        ...(await problemsOf(name, text)).map((problem) => `${optionOf(name)} ${problem}`),
      );
    } else if (!isTerminal) {
      problems.push(`${optionOf(name)} is missing (--yes takes the defaults)`);
    }
  }
  err(section("Cannot use these options; nothing was changed", problems));
  if (problems.length > 0) return undefined;
  for (const name of NAMES.filter((name) => values[name] === undefined)) {
    const fallback = fallbackOf(name);
    const question = `${optionOf(name).slice(2)} (${FIELDS[name][0]})`;
    let found: readonly string[];
    do {
      // The default of `prompt` is text to edit: what is typed would be appended to it.
      const answer = prompt(`${question}${fallback && ` [${fallback}]`}:`, "");
      if (answer === null) { // Ctrl-C
        err("Stopped; nothing was changed.\n");
        return undefined;
      }
      values[name] = answer.trim() || fallback;
      found = await problemsOf(name, values[name]);
      err(section("Please correct it", found.map((problem) => `It ${problem}.`)));
    } while (found.length > 0);
  }
  return values as Values;
}

/** Replaces what is still the sample's and reports it. @returns the exit code */
async function replaceSample(values: Values): Promise<number> {
  const lines = envLines(values);
  try {
    const { unchanged, edited } = await sampleFiles();
    const problems = await problemsOfPages(unchanged, values);
    err(section("With these options check:pages finds problems; nothing was changed", problems));
    if (problems.length > 0) return EXIT_CONFIG;
    const changes = await changesTo(unchanged, values);
    const env = await Deno.readTextFile(new URL(".env", ROOT)).catch(orMissing);
    if (env === undefined && lines.length > 0) changes.set(".env", `${lines.join("\n")}\n`);
    await apply(changes);
    const { changes: drawn, note } = await drawMade();
    await apply(drawn);
    const images = [...drawn.values()].filter((content) => content instanceof Uint8Array).length;
    const paths = [...changes.keys()];
    out(
      section("Written", paths.filter((path) => changes.get(path) !== undefined)) +
        `Drawn: ${images} icons and pictures of shared links (deno task pictures)\n${note}` +
        section("Removed", paths.filter((path) => changes.get(path) === undefined)) +
        section("Left as they are, because edited (git checkout static undoes all edits)", edited) +
        section("Add to .env, which was not touched", env === undefined ? [] : toAdd(lines, env)) +
        section("Left to do", [
          "Write your own text in static/pages/en/index.md and static/pages/de/index.md.",
          "Read the other pages there: what they say must be true of you.",
          "Adapt LICENSE, .github/ and deploy in deno.json; tests run the commands of README.md.",
          "Run deno task check, and deno task doctor before you deploy.",
        ]) +
        "\nNext: deno task dev\n",
    );
    return 0;
  } catch (error) {
    err(`${(error as Error).message}\nCorrect that, then run deno task init again.\n`);
    return EXIT_FAILED;
  }
}

/** The lines whose variables a file does not set, without secrets: URLs of targets hold passwords. */
function toAdd(lines: readonly string[], env: string): string[] {
  return lines.filter((line) => !RegExp(`^${line.split("=")[0]}=.`, "m").test(env)).map((line) =>
    line.replace(/^(LEAD_TARGETS=).*/, "$1… (as you gave it)")
      .replace(/^(LEAD_WEB.*?=).*/, '$1… (make one: echo "whsec_$(openssl rand -base64 32)")')
  );
}

/** A title and its lines; nothing if there are none. */
function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${title}:\n${lines.map((line) => `  ${line}\n`).join("")}`;
}
