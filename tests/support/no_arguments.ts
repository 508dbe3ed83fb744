/** @module The command line of a program without options. */

// deno-lint-ignore-file no-console -- help and errors

/** Ends the process if there are arguments: with 0 after `--help`, else with 2. */
export function takesNoArguments(task: string, what: string): void {
  if (Deno.args.length === 0) return;
  const asked = Deno.args.every((argument) => argument === "--help" || argument === "-h");
  if (asked) console.log(`${what}\n\n  deno task ${task}\n\nIt takes no options.`);
  else console.error(`Cannot understand ${Deno.args.join(" ")}: ${task} takes no options.`);
  Deno.exit(asked ? 0 : 2);
}
