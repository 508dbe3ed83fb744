/** @module What CI runs: the commands of its script and its workflows, tasks spelled out to their ends. */

const ROOT = new URL("../../", import.meta.url);

async function tasks(): Promise<Record<string, { readonly command: string }>> {
  return JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT))).tasks;
}

/** The names of all tasks. */
export async function taskNames(): Promise<string[]> {
  return Object.keys(await tasks());
}

/** `deno task NAME …`, options before the name left out. */
export function taskOf(command: string): string | undefined {
  return /(?:^|\s)deno(?:@\S+)? task (?:-\S+ )*([a-z][\w:]*)/.exec(command)?.[1];
}

/** Whether CI runs a command, as it is or with options added. */
export async function isRunInCi(command: string): Promise<boolean> {
  const all = await tasks();
  const scripts = [new URL(".ci/run", ROOT)];
  for await (const { name } of Deno.readDir(new URL(".github/workflows/", ROOT))) {
    scripts.push(new URL(`.github/workflows/${name}`, ROOT));
  }
  const texts = await Promise.all(scripts.map((script) => Deno.readTextFile(script)));
  const run = texts.flatMap((text) => text.match(/\bdeno task .+$/gm) ?? []);
  const seen = new Set<string>();
  const waiting = [...run];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (seen.has(one)) continue;
    seen.add(one);
    const name = taskOf(one);
    if (name !== undefined) waiting.push(...partsOf(all[name]?.command ?? ""));
  }
  const held = (part: string) =>
    [...seen].some((one) => one === part || one.startsWith(`${part} `));
  if (held(command)) return true;
  const name = command === `deno task ${taskOf(command)}` ? taskOf(command) : undefined;
  const parts = partsOf(all[name ?? ""]?.command ?? "");
  return parts.length > 1 && parts.every(held);
}

function partsOf(command: string): string[] {
  return command.split("&&").map((part) => part.trim());
}
