/** @module How a program of the harness ends that could not do its work. Exits nothing itself. */

import { CaseError } from "./case_file.ts";
import { UnreachableError } from "./client.ts";
import { DocumentError } from "./document.ts";
import { PythonError } from "./fuzz/python.ts";
import { UsageError } from "./options.ts";
import { ProfileError } from "./profile.ts";
import { StartError, StopError } from "./service.ts";

/** What people can mend who have called the program: its message says all. */
const EXPECTED = [
  CaseError,
  DocumentError,
  ProfileError,
  PythonError,
  StartError,
  StopError,
  UnreachableError,
  UsageError,
];

/**
 * Says why, in one line where that is enough.
 *
 * @param task by which the program was called: `deno task …`
 * @returns the exit code
 */
export function couldNotRun(error: unknown, task: string): 2 {
  const isExpected = EXPECTED.some((kind) => error instanceof kind);
  // deno-lint-ignore no-console -- the program's output
  const say = console.error;
  say(isExpected ? (error as Error).message : error);
  if (error instanceof UsageError) say(`${task} --help tells what it takes`);
  return 2;
}
