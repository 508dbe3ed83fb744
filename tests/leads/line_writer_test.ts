/** @module Lines on their way to a reader that is slow, stalls, goes or comes back. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { LineWriter, type Sink } from "../../leads/line_writer.ts";

const MEBIBYTE = 2 ** 20;

/** A pipe whose reader reads when the test says so. */
class Pipe implements Sink {
  text = "";
  writes = 0;
  /** Bytes taken by one write at most. */
  most = Infinity;
  broken = false;
  #reading = Promise.withResolvers<void>();

  constructor({ stalled }: { readonly stalled: boolean }) {
    if (!stalled) this.read();
  }

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
}

function writerTo(pipe: Pipe): LineWriter {
  return new LineWriter(pipe, (dropped) => `${dropped} lines dropped`);
}

/** Writes numbered lines of 1,024 characters, their ends not counted. */
function writeNumbered(writer: LineWriter, { from, to }: { from: number; to: number }): void {
  for (let n = from; n < to; n++) writer.write(`${n}`.padEnd(1024, "."));
}

/** The numbers of such lines; other lines as they are. */
function read(text: string): (number | string)[] {
  equal(text.at(-1), "\n");
  return text.slice(0, -1).split("\n").map((line) => {
    const [, number] = /^(\d+)\.+$/.exec(line) ?? [];
    return number === undefined ? line : Number(number);
  });
}

/** How many lines the notices tell of. */
function dropped({ text }: Pipe): number {
  return [...text.matchAll(/(\d+) lines dropped/g)].reduce((sum, [, n]) => sum + Number(n), 0);
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, n) => from + n);
}

Deno.test("lines of one turn are written together, in their order", async () => {
  const pipe = new Pipe({ stalled: false });
  const writer = writerTo(pipe);
  for (const line of ["one", "two", "drei: ä€😀"]) writer.write(line);
  equal(pipe.text, "", "nothing is written while the caller is at work");
  await writer.flush();
  deepEqual([pipe.text, pipe.writes], ["one\ntwo\ndrei: ä€😀\n", 1]);
});

Deno.test("what a sink takes in pieces arrives whole", async () => {
  const pipe = new Pipe({ stalled: false });
  pipe.most = 700;
  const writer = writerTo(pipe);
  writeNumbered(writer, { from: 0, to: 200 });
  await writer.flush();
  deepEqual(read(pipe.text), numbers(0, 200));
});

Deno.test("a reader that stalls keeps no more than 1 MiB waiting, and is told how many lines it missed", async () => {
  const pipe = new Pipe({ stalled: true });
  const writer = writerTo(pipe);
  writeNumbered(writer, { from: 0, to: 5_000 });
  await Promise.resolve();
  writeNumbered(writer, { from: 5_000, to: 6_000 });
  pipe.read();
  await writer.flush();
  const lines = read(pipe.text);
  const kept = lines.filter((line) => typeof line === "number");
  deepEqual(kept, numbers(0, kept.length));
  equal(dropped(pipe), 6_000 - kept.length);
  ok(kept.length * 1024 <= MEBIBYTE && kept.length * 1024 > 0.9 * MEBIBYTE, String(kept.length));

  writeNumbered(writer, { from: 6_000, to: 6_002 });
  await writer.flush();
  deepEqual(read(pipe.text).slice(lines.length), [6_000, 6_001], "and goes on");
});

Deno.test("a line is written or counted at whatever moment it comes", async () => {
  const pipe = new Pipe({ stalled: true });
  const writer = writerTo(pipe);
  writeNumbered(writer, { from: 0, to: 1_000 });
  for (let n = 1_000; n < 2_000; n++) {
    if (n === 1_500) pipe.read();
    writeNumbered(writer, { from: n, to: n + 1 });
    for (let turns = n % 23; turns > 0; turns--) await undefined;
  }
  await writer.flush();
  const kept = read(pipe.text).filter((line) => typeof line === "number").length;
  equal(kept + dropped(pipe), 2_000);
});

Deno.test("no line waits for another one", async () => {
  for (let turns = 0; turns < 30; turns++) {
    const pipe = new Pipe({ stalled: false });
    const writer = writerTo(pipe);
    writer.write("one");
    for (let n = 0; n < turns; n++) await undefined;
    writer.write("two");
    await new Promise((resolve) => setTimeout(resolve, 0));
    equal(pipe.text, "one\ntwo\n", `after ${turns} turns`);
  }
});

Deno.test("a reader that has gone costs one write a turn, and is told when it is back", async () => {
  const pipe = new Pipe({ stalled: false });
  pipe.broken = true;
  const writer = writerTo(pipe);
  for (let turn = 0; turn < 5; turn++) {
    writer.write("lost");
    writer.write("lost as well");
    await writer.flush();
  }
  deepEqual([pipe.text, pipe.writes], ["", 5]);
  pipe.broken = false;
  writer.write("the line that finds it back");
  await writer.flush();
  writer.write("next");
  await writer.flush();
  equal(pipe.text, "11 lines dropped\nnext\n");
});
