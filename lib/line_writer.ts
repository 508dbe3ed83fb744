/**
 * @module Writes lines to standard output or error without waiting for the reader. They are queued up to a
 * bound; further lines are dropped, and one line reports their number when the reader is back.
 */

export type Sink = Pick<typeof Deno.stdout, "write">;

/** Most queued characters, beside as many that are being written: some 5,000 log lines. */
const MOST_WAITING = 2 ** 20;

const encoder = new TextEncoder();

export class LineWriter {
  readonly #sink: Sink;
  readonly #notice: (dropped: number) => string;
  #waiting = "";
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
    const isFull = this.#waiting.length + line.length > MOST_WAITING;
    if (this.#dropped > 0 || isFull) this.#dropped++;
    else this.#waiting += `${line}\n`;
    this.#writing ??= this.#writeAll();
  }

  /** Resolves when the queue is empty; never while the pipe is full. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    await undefined; // batches lines of the same turn
    let lines = "";
    try {
      while (this.#waiting !== "" || this.#dropped > 0) {
        const dropped = this.#dropped;
        lines = this.#waiting;
        this.#waiting = "";
        let bytes = encoder.encode(dropped > 0 ? `${lines}${this.#notice(dropped)}\n` : lines);
        while (bytes.length > 0) bytes = bytes.subarray(await this.#sink.write(bytes));
        this.#dropped -= dropped;
      }
    } catch {
      // The reader is gone or the disk is full: the next line tries again.
      this.#dropped += (lines + this.#waiting).split("\n").length - 1;
      this.#waiting = "";
    } finally {
      this.#writing = undefined;
    }
  }
}
