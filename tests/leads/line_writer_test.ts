/** @module LineWriter with a reader that is slow, stalls, disappears or returns. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { LineWriter, type Sink } from "../../leads/line_writer.ts";

/** A pipe that is read when the test says so. */
class Pipe implements Sink {
  text = "";
  writes = 0;
  /** Most bytes that one write accepts. */
  most = Infinity;
  broken = false;
  #reading = Promise.withResolvers<void>();

  read(): void {
    this.#reading.resolve();
  }

  async write(bytes: Uint8Array): Promise<number> {
    this.writes++;
    await this.#reading.promise;
    if (this.broken) throw new Deno.errors.BrokenPipe();
    const taken = bytes.subarray(0, this.most);
    this.text += new TextDecoder().decode(taken);
    return taken.length;
  }

  /** The numbers of numbered lines; other lines as they are. */
  get lines(): (number | string)[] {
    equal(this.text.at(-1), "\n");
    return this.text.slice(0, -1).split("\n")
      .map((line) => /^\d+\.+$/.test(line) ? parseInt(line) : line);
  }

  /** How many dropped lines were reported. */
  get dropped(): number {
    const notices = this.text.matchAll(/(\d+) lines dropped/g);
    return notices.reduce((sum, [, n]) => sum + Number(n), 0);
  }
}

function createWriter({ stalled }: { readonly stalled: boolean }) {
  const pipe = new Pipe();
  if (!stalled) pipe.read();
  return { pipe, writer: new LineWriter(pipe, (dropped) => `${dropped} lines dropped`) };
}

/** Writes numbered lines of 1,024 characters. */
function writeNumbered(writer: LineWriter, { from, to }: { from: number; to: number }): void {
  for (let n = from; n < to; n++) writer.write(`${n}`.padEnd(1024, "."));
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, n) => from + n);
}

Deno.test("LineWriter writes the lines of one turn together, also in partial writes", async () => {
  const { pipe, writer } = createWriter({ stalled: false });
  for (const line of ["one", "two", "drei: ä€😀"]) writer.write(line);
  equal(pipe.text, "", "nothing is written before the caller yields");
  await writer.flush();
  deepEqual([pipe.text, pipe.writes], ["one\ntwo\ndrei: ä€😀\n", 1]);
  pipe.text = "";
  pipe.most = 700;
  writeNumbered(writer, { from: 0, to: 200 });
  await writer.flush();
  deepEqual(pipe.lines, numbers(0, 200));
});

Deno.test("LineWriter queues at most 1 MiB for a stalled reader and reports dropped lines", async () => {
  const { pipe, writer } = createWriter({ stalled: true });
  writeNumbered(writer, { from: 0, to: 5_000 });
  await Promise.resolve();
  writeNumbered(writer, { from: 5_000, to: 6_000 });
  pipe.read();
  await writer.flush();
  const { lines } = pipe;
  const kept = lines.filter((line) => typeof line === "number");
  deepEqual(kept, numbers(0, kept.length));
  equal(pipe.dropped, 6_000 - kept.length);
  const size = kept.length * 1024;
  ok(size <= 2 ** 20 && size > 0.9 * 2 ** 20, String(kept.length));

  writeNumbered(writer, { from: 6_000, to: 6_002 });
  await writer.flush();
  deepEqual(pipe.lines.slice(lines.length), [6_000, 6_001]);
});

Deno.test("LineWriter writes or counts every line, whenever it is queued", async () => {
  const { pipe, writer } = createWriter({ stalled: true });
  writeNumbered(writer, { from: 0, to: 1_000 });
  for (let n = 1_000; n < 2_000; n++) {
    if (n === 1_500) pipe.read();
    writeNumbered(writer, { from: n, to: n + 1 });
    for (let turns = n % 23; turns > 0; turns--) await undefined;
  }
  await writer.flush();
  equal(pipe.lines.filter((line) => typeof line === "number").length + pipe.dropped, 2_000);

  for (let turns = 0; turns < 30; turns++) { // a line does not wait for the next one
    const { pipe, writer } = createWriter({ stalled: false });
    writer.write("one");
    for (let n = 0; n < turns; n++) await undefined;
    writer.write("two");
    await new Promise((resolve) => setTimeout(resolve, 0));
    equal(pipe.text, "one\ntwo\n", `after ${turns} turns`);
  }
});

Deno.test("LineWriter tries a missing reader once a turn and reports dropped lines to the next one", async () => {
  const { pipe, writer } = createWriter({ stalled: false });
  pipe.broken = true;
  for (let turn = 0; turn < 5; turn++) {
    writer.write("lost");
    writer.write("lost as well");
    await writer.flush();
  }
  deepEqual([pipe.text, pipe.writes], ["", 5]);
  pipe.broken = false;
  for (const line of ["also dropped", "next"]) {
    writer.write(line);
    await writer.flush();
  }
  equal(pipe.text, "11 lines dropped\nnext\n");
});
