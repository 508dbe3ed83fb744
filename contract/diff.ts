/** @module `deno task contract:diff`: the changes between two versions of an OpenAPI document. */

import { parse } from "yaml";
import { CannotRun, print } from "./lib/cannot_run.ts";
import { send } from "./run/client.ts";
import { changesBetween } from "./document/changes.ts";
import { isObject, type JsonObject } from "./lib/json.ts";
import { commandFor, runProgram } from "./lib/command_line.ts";

const ABOUT = "Lists the changes between two versions of an OpenAPI document.";
const EXITS = "0: no change breaks clients of OLD; 1: some do; 2: a document could not be read";

const COMMAND = commandFor("contract:diff", ABOUT, EXITS)
  .argument("<old>", "a file or URL, JSON or YAML").argument("<new>", "another");

async function documentAt(place: string): Promise<JsonObject> {
  const url = URL.parse(place);
  const isUrl = url !== null && /^https?:$/.test(url.protocol);
  const reading = isUrl
    ? send(url.origin, { method: "GET", path: url.pathname + url.search }).then(({ text }) => text)
    : Deno.readTextFile(place);
  const value: unknown = await reading.then((text) => parse(text)).catch((error) => {
    throw new CannotRun(`Cannot read ${place}: ${error.message.split("\n", 1)[0]}`);
  });
  if (isObject(value) && isObject(value["paths"])) return value;
  throw new CannotRun(`Cannot read ${place}: it is no OpenAPI document with paths`);
}

async function main(args: readonly string[]): Promise<number> {
  const [older, newer] = COMMAND.parse(args, { from: "user" }).processedArgs;
  const changes = changesBetween(await documentAt(older), await documentAt(newer));
  for (const { isBreaking, text } of changes) print(`${isBreaking ? "✗" : " "} ${text}`);
  const breaking = changes.filter(({ isBreaking }) => isBreaking).length;
  print(`${changes.length} changes, ${breaking} of them breaking`);
  return breaking === 0 ? 0 : 1;
}

await runProgram(COMMAND, main);
