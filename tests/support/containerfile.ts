/** @module Reads a Containerfile, as far as ours goes: one stage, no variables in instructions. */

/** One instruction, its continuation lines joined. */
export interface Instruction {
  readonly name: string;
  readonly rest: string;
}

export function instructions(text: string): Instruction[] {
  const lines = text.replaceAll(/^#.*\n/gm, "").replaceAll(/\\\n\s*/g, "").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => {
    const [, name, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`Cannot read the Containerfile: ${line}`);
    return { name, rest: rest! };
  });
}

/** The words of an instruction in its JSON form, such as `CMD ["deno", "task"]`. */
export function words(all: readonly Instruction[], name: string): string[] {
  const { rest } = theOne(all, name);
  return JSON.parse(rest.slice(rest.indexOf("[")));
}

/** The only instruction of a name. */
export function theOne(all: readonly Instruction[], name: string): Instruction {
  const [one, ...others] = all.filter((instruction) => instruction.name === name);
  if (one === undefined || others.length > 0) {
    throw new Error(`Cannot read the Containerfile: not one ${name}`);
  }
  return one;
}
