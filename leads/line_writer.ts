/**
 * @module Lines to standard output or error without ever waiting for the reader.
 *
 * A synchronous write to a full pipe blocks the isolate, signal handlers included. So lines are queued
 * up to a bound; beyond it they are dropped, and once the reader is back one line tells how many.
 */

/** What takes bytes, at its own pace: `Deno.stdout`. */
export interface Sink {
  write(bytes: Uint8Array): Promise<number>;
}

/** Characters that wait at most, beside as many that are being written: some 5,000 lines of a log. */
const MOST_WAITING = 2 ** 20;

const encoder = new TextEncoder();

/** Writes lines to one sink, in order. */
export class LineWriter {
  readonly #sink: Sink;
  readonly #notice: (dropped: number) => string;
  #lines: string[] = [];
  #waiting = 0;
  /** Lines dropped that no notice has told of: until one has, all lines are dropped. */
  #dropped = 0;
  #writing: Promise<void> | undefined;

  /** @param notice the line that tells how many lines were dropped */
  constructor(sink: Sink, notice: (dropped: number) => string) {
    this.#sink = sink;
    this.#notice = notice;
  }

  /** Takes a line, without its end; returns at once. */
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

  async #writeAll(): Promise<void> {
    await undefined; // lines of the same turn are written together
    try {
      while (this.#lines.length > 0 || this.#dropped > 0) await this.#writeLines(this.#take());
    } catch {
      // The reader has gone, or the disk is full: the next line tries again.
      this.#dropped += this.#take().length;
    } finally {
      this.#writing = undefined;
    }
  }

  #take(): string[] {
    this.#waiting = 0;
    return this.#lines.splice(0);
  }

  /** Writes lines, and how many were dropped after them. */
  async #writeLines(lines: readonly string[]): Promise<void> {
    const dropped = this.#dropped;
    const told = dropped > 0 ? [...lines, this.#notice(dropped)] : lines;
    try {
      await this.#writeBytes(encoder.encode(`${told.join("\n")}\n`));
      this.#dropped -= dropped;
    } catch (error) {
      this.#dropped += lines.length;
      throw error;
    }
  }

  async #writeBytes(bytes: Uint8Array): Promise<void> {
    for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await this.#sink.write(rest));
  }
}
