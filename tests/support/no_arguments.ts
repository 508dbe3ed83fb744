/** @module What a program without options does with arguments: says what it is, or refuses them. */

// deno-lint-ignore-file no-console -- for whoever called it

/**
 * Ends the process where there are arguments: with 0 after `--help`, else with 2.
 *
 * @param task how the program is called
 * @param what it does, and how long that takes
 */
export function takesNoArguments(task: string, what: string): void {
  if (Deno.args.length === 0) return;
  const asked = Deno.args.every((argument) => argument === "--help" || argument === "-h");
  if (asked) console.log(`${what}\n\n  deno task ${task}\n\nIt takes no options.`);
  else console.error(`Cannot understand ${Deno.args.join(" ")}: ${task} takes no options.`);
  Deno.exit(asked ? 0 : 2);
}
