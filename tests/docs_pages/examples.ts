/**
 * @module The examples of a page as a reader meets them: taken from the markdown, run as they stand
 * with the real curl or Deno, and held against what the page says that comes of them. For a `bash`
 * block that is the `json` block that follows it; for a `js` block the comments behind its
 * `console.log(…);`.
 */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { Marked } from "marked";
import { type Ended, run as runProgram } from "../support/command.ts";
import { withFolder } from "../support/service.ts";

/** One code block that can be run. */
export interface Example {
  readonly language: "bash" | "js";
  readonly text: string;
  /** What it prints by the page: JSON, or lines; undefined where the page says nothing of it. */
  readonly claim: string | undefined;
}

/** What came of an example; of curl, `err` is the status of each answer that it has got. */
export interface Run extends Ended {
  /** The files that it has left, by name. */
  readonly files: Readonly<Record<string, string>>;
}

/** Finds the examples of a page. @throws {Error} at a block of which it cannot tell what it is */
export function examplesIn(markdown: string): Example[] {
  const examples: Example[] = [];
  for (const token of new Marked().lexer(markdown)) {
    if (token.type !== "code") continue;
    const last = examples.at(-1);
    if (token["lang"] === "js") {
      const lines = [...token["text"].matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)];
      const claim = lines.map(([, line]) => line).join("\n");
      examples.push({ language: "js", text: token["text"], claim });
    } else if (token["lang"] === "bash") {
      examples.push({ language: "bash", text: token["text"], claim: undefined });
    } else if (token["lang"] === "json" && last?.language === "bash" && !last.claim) {
      examples.splice(-1, 1, { ...last, claim: token["text"] });
    } else {
      throw new Error(`Cannot tell what this block is: ${token["lang"]}: ${token["text"]}`);
    }
  }
  return examples;
}

/** Runs an example in a folder of its own; it can reach `url` and nothing else. */
export function run({ language, text }: Example, url: string): Promise<Run> {
  const { host } = new URL(url);
  return withFolder(async (folder) => {
    const home = `${folder}/.home`;
    await Deno.mkdir(home);
    // What curl was answered: it ends with 0 whatever the status is.
    await Deno.writeTextFile(`${home}/.curlrc`, 'silent\nwrite-out = "%{stderr}%{http_code}\\n"\n');
    await Deno.writeTextFile(`${home}/example.js`, text);
    const deno = [Deno.execPath(), "run", "--no-prompt"];
    const line = language === "bash"
      ? ["sh", "-eu", "-c", text]
      : [...deno, `--allow-net=${host}`, `--allow-import=${host}`, `${home}/example.js`];
    const ended = await runProgram(line, { cwd: folder, env: { CURL_HOME: home, DENO_DIR: home } });
    const files: Record<string, string> = {};
    for await (const { name, isFile } of Deno.readDir(folder)) {
      if (isFile) files[name] = await Deno.readTextFile(`${folder}/${name}`);
    }
    return { ...ended, files };
  });
}

/** Runs an example. @returns what is not as the page says; undefined where all is */
export async function faultOf(example: Example, url: string): Promise<string | undefined> {
  const { code, out, err, files } = await run(example, url);
  const whole = `${example.text}\nends with ${code} and prints:\n${out}${err}`;
  if (code === 127) return `Cannot run curl: it is not installed\n${whole}`;
  if (code !== 0) return whole;
  if (example.language === "js") return out.trimEnd() === example.claim ? undefined : whole;
  const claimed = example.claim === undefined ? undefined : JSON.parse(example.claim);
  const refused = claimed !== undefined && "error" in claimed;
  const statuses = err.trim().split("\n");
  if (!statuses.every((status) => refused ? status === "400" : status === "200")) return whole;
  if (claimed === undefined) {
    return out.length + Object.keys(files).length > 0 ? undefined : whole;
  }
  try {
    deepEqual(JSON.parse(out), claimed);
    return undefined;
  } catch {
    return whole;
  }
}
