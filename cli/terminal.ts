/** @module Output of the operators' programs to a terminal or a pipe. */

/** Where a program prints. */
export interface Output {
  /** Writes to standard output, as it is. */
  out(text: string): void;
  /** Writes to standard error, as it is. */
  err(text: string): void;
}

const encoder = new TextEncoder();

/**
 * Standard output and error. Synchronous, so that a slow reader slows the program down instead of
 * filling its memory. The process ends when the reader, such as `head`, has gone.
 *
 * @param ifClosed the exit code then
 */
export function standardOutput(ifClosed: number): Output {
  function write(stream: { writeSync(bytes: Uint8Array): number }, text: string): void {
    let bytes = encoder.encode(text);
    try {
      while (bytes.length > 0) bytes = bytes.subarray(stream.writeSync(bytes));
    } catch (error) {
      if (error instanceof Deno.errors.BrokenPipe) Deno.exit(ifClosed);
      throw error;
    }
  }
  return {
    out: (text) => write(Deno.stdout, text),
    err: (text) => write(Deno.stderr, text),
  };
}
