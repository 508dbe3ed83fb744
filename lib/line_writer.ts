/**
 * @module Writes lines to standard output or error without waiting for the reader.
 *
 * A synchronous write to a full pipe blocks the isolate, signal handlers included. So lines are queued
 * up to a bound; further lines are dropped, and one line reports their number when the reader is back.
 */

export type Sink = Pick<typeof Deno.stdout, "write">;

/** Most queued characters, beside as many that are being written: some 5,000 log lines. */
const MOST_WAITING = 2 ** 20;

const encoder = new TextEncoder();

export class LineWriter {
  readonly #sink: Sink;
  readonly #notice: (dropped: number) => string;
  #lines: string[] = [];
  #waiting = 0;
  /** Dropped lines that have not been reported: until then, all lines are dropped. */
  #dropped = 0;
  #writing: Promise<void> | undefined;

  /** @param notice formats the line that reports dropped lines */
  constructor(sink: Sink, notice: (dropped: number) => string) {
    this.#sink = sink;
    this.#notice = notice;
  }

  /** Queues a line, without its line end. */
  write(line: string): void {
    if (this.#dropped > 0 || this.#waiting + line.length > MOST_WAITING) this.#dropped++;
    else {
      this.#lines.push(line);
      this.#waiting += line.length;
    }
    this.#writing ??= this.#writeAll();
  }

  /** Resolves when the queue is empty; never while the pipe is full. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  /** Writes all lines, and then how many were dropped. */
  async #writeAll(): Promise<void> {
    await undefined; // batches lines of the same turn
    let lines: readonly string[] = [];
    try {
      while (this.#lines.length > 0 || this.#dropped > 0) {
        lines = this.#take();
        const dropped = this.#dropped;
        const text = (dropped > 0 ? [...lines, this.#notice(dropped)] : lines).join("\n");
        let bytes = encoder.encode(`${text}\n`);
        while (bytes.length > 0) bytes = bytes.subarray(await this.#sink.write(bytes));
        this.#dropped -= dropped;
      }
    } catch {
      // The reader is gone or the disk is full: the next line tries again.
      this.#dropped += lines.length + this.#take().length;
    } finally {
      this.#writing = undefined;
    }
  }

  #take(): string[] {
    this.#waiting = 0;
    return this.#lines.splice(0);
  }
}
