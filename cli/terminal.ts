/** @module Output of the operators' programs to a terminal or a pipe. */

/** Standard output or error. */
interface Stream {
  writeSync(bytes: Uint8Array): number;
}

const encoder = new TextEncoder();

/**
 * Writes all of a text. Synchronous, so that a slow reader slows the program down instead of filling
 * its memory. A reader that has gone, such as `head`, ends the process.
 *
 * @param options.ifClosed the exit code then
 */
export function write(
  stream: Stream,
  { text, ifClosed }: { readonly text: string; readonly ifClosed: number },
): void {
  let bytes = encoder.encode(text);
  try {
    while (bytes.length > 0) bytes = bytes.subarray(stream.writeSync(bytes));
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) Deno.exit(ifClosed);
    throw error;
  }
}
