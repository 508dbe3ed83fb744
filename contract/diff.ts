/**
 * @module `deno task contract:diff`: lists the changes between two versions of an OpenAPI document,
 * and which of them break clients.
 */

import { apiDiff } from "api-smart-diff";
import { CannotRun, exitWith, print } from "./cannot_run.ts";
import { send } from "./client.ts";
import { readDocument } from "./document.ts";
import { UsageError } from "./arguments.ts";
import { readProfile } from "./profile.ts";
import { createLauncher, endOnSignals } from "./service.ts";

const USAGE = `Lists the changes between two versions of an OpenAPI document.

  deno task contract:diff OLD [NEW]

OLD and NEW are files or URLs, JSON or YAML. Without NEW, the project's own service is started and
its document compared.

Exit code 0: no change breaks clients of OLD; 1: some do; 2: a document could not be read.
`;

const HERE = new URL("./", import.meta.url);

export interface Change {
  readonly isBreaking: boolean;
  /** One line: the place, the old and the new value. */
  readonly text: string;
}

/**
 * The changes that a client could notice, breaking ones first. Omits annotations such as
 * descriptions; lists a component's change where the component is used.
 */
export function changesBetween(before: object, after: object): Change[] {
  return apiDiff(before, after)
    .filter(({ type, path }) => type !== "annotation" && path[0] !== "components")
    .filter(({ path }) => !["info", "servers", "tags", "externalDocs"].includes(String(path[0])))
    .map(({ type, action, path, before, after }) => ({
      isBreaking: type === "breaking",
      text: `${action} ${path.map(pointerPart).join("/")}${valueText(action, { before, after })}`,
    }))
    .toSorted((a, b) => Number(b.isBreaking) - Number(a.isBreaking));
}

function pointerPart(part: string | number): string {
  return String(part).replace(/^\//, "");
}

function valueText(
  action: string,
  { before, after }: { before?: unknown; after?: unknown },
): string {
  const short = (value: unknown) => (JSON.stringify(value) ?? "nothing").slice(0, 80);
  if (action === "add") return `: ${short(after)}`;
  return action === "remove" ? `: ${short(before)}` : `: ${short(before)} → ${short(after)}`;
}

async function documentAt(place: string): Promise<object> {
  const url = URL.parse(place);
  const isUrl = url !== null && /^https?:$/.test(url.protocol);
  const text = isUrl
    ? (await send(url.origin, { method: "GET", path: url.pathname + url.search })).text
    : await Deno.readTextFile(place).catch((error) => {
      throw new CannotRun(`Cannot read ${place}: ${error.message}`);
    });
  return readDocument(text).value;
}

async function documentOfService(): Promise<object> {
  const { document } = await readProfile(new URL("cases/", HERE));
  const launcher = createLauncher(new URL("../", HERE));
  endOnSignals(launcher);
  try {
    const { url } = await launcher.start();
    return await documentAt(url + document);
  } finally {
    await launcher.stopAll();
  }
}

async function main(args: readonly string[]): Promise<number> {
  const [older, newer] = args;
  const isHelp = args.includes("--help");
  if (older === undefined || isHelp) {
    print(USAGE);
    return isHelp ? 0 : 2;
  }
  const option = args.find((word) => word.startsWith("-"));
  if (option !== undefined) throw new UsageError(`Unknown option '${option}'`);
  const before = await documentAt(older);
  const after = newer === undefined ? await documentOfService() : await documentAt(newer);
  const changes = changesBetween(before, after);
  for (const { isBreaking, text } of changes) print(`${isBreaking ? "✗ breaks" : "  "} ${text}`);
  const breaking = changes.filter(({ isBreaking }) => isBreaking).length;
  print(`${changes.length} changes, ${breaking} of them breaking`);
  return breaking === 0 ? 0 : 1;
}

if (import.meta.main) await exitWith(main, "contract:diff");
