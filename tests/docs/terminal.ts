/**
 * @module Commands as a reader would type them: in bash, in a copy of the project, with only ports,
 * names and the like replaced.
 */

import { copyProject } from "../support/checkout.ts";
import type { Ended } from "../support/command.ts";
import { withFolder } from "../support/service.ts";
import { until } from "../support/until.ts";

const ROOT = new URL("../../", import.meta.url);

/** A command that goes on. */
export interface Running {
  /** All that it has printed, both streams. */
  output(): string;
  /** Resolves when it has printed this; rejects if it ends before. */
  prints(pattern: RegExp): Promise<void>;
  /** Ends it and all that it has started. */
  end(): Promise<void>;
}

/** A terminal in a copy of the project. */
export class Terminal {
  readonly #running = new Set<Running>();

  constructor(readonly folder: string, readonly env: Readonly<Record<string, string>> = {}) {}

  /** Runs a command line to its end. */
  async run(line: string): Promise<Ended> {
    const { code, stdout, stderr } = await this.#shell(line).output();
    return { code, out: new TextDecoder().decode(stdout), err: new TextDecoder().decode(stderr) };
  }

  /** Starts a command line that does not end by itself. */
  start(line: string): Running {
    const child = this.#shell(line).spawn();
    let text = "";
    let ended = false;
    const collect = async (stream: ReadableStream<Uint8Array>) => {
      for await (const chunk of stream.pipeThrough(new TextDecoderStream())) text += chunk;
    };
    const finished = Promise.all([collect(child.stdout), collect(child.stderr), child.status])
      .finally(() => ended = true);
    const running: Running = {
      output: () => text,
      prints: (pattern) =>
        until(`${line} prints ${pattern}`, () => {
          if (!pattern.test(text) && ended) throw new Error(`${line} has ended: ${text}`);
          return pattern.test(text);
        }, 30_000),
      end: async () => {
        this.#running.delete(running);
        // The group, whose leader a detached child is. A job behind `&` ignores SIGINT, and
        // `deno run --watch` SIGTERM.
        const group = `-- -${child.pid}`;
        if (!ended) await this.run(`kill -INT ${group} && kill -TERM ${group}`);
        await finished;
      },
    };
    this.#running.add(running);
    return running;
  }

  /** Ends what still runs. */
  async close(): Promise<void> {
    await Promise.all([...this.#running].map((running) => running.end()));
  }

  #shell(line: string): Deno.Command {
    return new Deno.Command("bash", {
      args: ["-euo", "pipefail", "-c", line],
      detached: true,
      cwd: this.folder,
      env: { NO_COLOR: "1", ...this.env },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    });
  }
}

/** Runs a test with a terminal in a copy of the project; `.env.example` is copied too. */
export function withTerminal(
  env: Readonly<Record<string, string>>,
  test: (terminal: Terminal) => Promise<void>,
): Promise<void> {
  return withFolder(async (folder) => {
    await copyProject(folder);
    await Deno.copyFile(new URL(".env.example", ROOT), `${folder}/.env.example`);
    const terminal = new Terminal(folder, env);
    try {
      await test(terminal);
    } finally {
      await terminal.close();
    }
  });
}
