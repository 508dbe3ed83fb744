/** @module Runs documented commands in bash, in a copy of the project. */

import { copyProject } from "../support/checkout.ts";
import { type Ended, run, type RunOptions, start } from "../support/command.ts";
import { withFolder } from "../support/service.ts";
import { until } from "../support/until.ts";
import { EXAMPLE } from "./document.ts";

export class Terminal {
  readonly #ends: (() => Promise<number>)[] = [];

  constructor(readonly folder: string, readonly env: Readonly<Record<string, string>> = {}) {}

  run(line: string): Promise<Ended> {
    return run(shell(line), this.#options());
  }

  /** Starts a command line in the background; `prints` waits for output, and rejects if it ends before. */
  start(line: string): { prints(pattern: RegExp): Promise<void> } {
    const { output, hasEnded, signal, end } = start(shell(line), this.#options());
    this.#ends.push(() => {
      // A job behind `&` ignores SIGINT, and `deno run --watch` SIGTERM.
      signal("SIGINT");
      return end("SIGTERM");
    });
    return {
      prints: (pattern) =>
        until(`${line} prints ${pattern}`, () => {
          if (pattern.test(output())) return true;
          if (hasEnded()) throw new Error(`${line} has ended: ${output()}`);
          return false;
        }, 30_000),
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#ends.map((end) => end()));
  }

  #options(): RunOptions {
    return { cwd: this.folder, env: this.env, group: true };
  }
}

function shell(line: string): string[] {
  return ["bash", "-euo", "pipefail", "-c", line];
}

export function withTerminal(
  env: Readonly<Record<string, string>>,
  test: (terminal: Terminal) => Promise<void>,
): Promise<void> {
  return withFolder(async (folder) => {
    await copyProject(folder);
    await Deno.writeTextFile(`${folder}/.env.example`, EXAMPLE);
    const terminal = new Terminal(folder, env);
    try {
      await test(terminal);
    } finally {
      await terminal.close();
    }
  });
}
