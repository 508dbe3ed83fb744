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

/** Characters that wait at most: some 5,000 lines of a log. */
const MOST_WAITING = 2 ** 20;

/** Characters written at a time. */
const BATCH = 2 ** 16;

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
      while (this.#lines.length > 0 || this.#dropped > 0) await this.#writeBatch();
    } catch {
      // The reader has gone, or the disk is full: the next line tries again.
      this.#dropped += this.#lines.length;
      this.#lines = [];
      this.#waiting = 0;
    } finally {
      this.#writing = undefined;
    }
  }

  /** Writes the next batch, and after the last kept line, how many were dropped. */
  async #writeBatch(): Promise<void> {
    const batch = this.#takeBatch();
    const dropped = this.#lines.length === 0 ? this.#dropped : 0;
    const lines = dropped > 0 ? [...batch, this.#notice(dropped)] : batch;
    try {
      await this.#writeBytes(encoder.encode(`${lines.join("\n")}\n`));
      this.#dropped -= dropped;
    } catch (error) {
      this.#dropped += batch.length;
      throw error;
    }
  }

  #takeBatch(): string[] {
    let characters = 0;
    let count = 0;
    while (count < this.#lines.length && characters < BATCH) {
      characters += this.#lines[count++]!.length;
    }
    this.#waiting -= characters;
    return this.#lines.splice(0, count);
  }

  async #writeBytes(bytes: Uint8Array): Promise<void> {
    for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await this.#sink.write(rest));
  }
}
