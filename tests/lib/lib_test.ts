/** @module LineWriter with any reader, BoundedMap and what it evicts, afterPause(). */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { LineWriter, type Sink } from "../../lib/line_writer.ts";
import { BoundedMap } from "../../lib/bounded_map.ts";
import { afterPause } from "../../lib/pause.ts";
import { pause, until } from "../support/until.ts";

class Pipe implements Sink {
  text = "";
  writes = 0;
  most = Infinity;
  broken = false;
  readonly #reading = Promise.withResolvers<void>();
  readonly read = this.#reading.resolve;

  async write(bytes: Uint8Array): Promise<number> {
    this.writes++;
    await this.#reading.promise;
    if (this.broken) throw new Deno.errors.BrokenPipe();
    const taken = bytes.subarray(0, this.most);
    this.text += new TextDecoder().decode(taken);
    return taken.length;
  }

  get numbers(): number[] {
    equal(this.text.at(-1), "\n");
    return this.text.match(/^\d+\.+$/gm)?.map((line) => parseInt(line)) ?? [];
  }

  get dropped(): number {
    const counts = this.text.matchAll(/^(\d+) lines dropped$/gm);
    return [...counts].reduce((sum, [, n]) => sum + Number(n), 0);
  }
}

function createWriter({ stalled }: { readonly stalled: boolean }) {
  const pipe = new Pipe();
  if (!stalled) pipe.read();
  return { pipe, writer: new LineWriter(pipe, (dropped) => `${dropped} lines dropped`) };
}

function writeNumbered(writer: LineWriter, from: number, to: number): number[] {
  const numbers = Array.from({ length: to - from }, (_, n) => from + n);
  for (const n of numbers) writer.write(`${n}`.padEnd(1024, "."));
  return numbers;
}

Deno.test("LineWriter writes the lines of one turn together, also in partial writes", async () => {
  const { pipe, writer } = createWriter({ stalled: false });
  for (const line of ["one", "two", "drei: ä€😀"]) writer.write(line);
  equal(pipe.text, "", "nothing is written before the caller yields");
  await writer.flush();
  deepEqual([pipe.text, pipe.writes], ["one\ntwo\ndrei: ä€😀\n", 1]);
  pipe.text = "";
  pipe.most = 700;
  const numbers = writeNumbered(writer, 0, 200);
  await writer.flush();
  deepEqual(pipe.numbers, numbers);
});

Deno.test("LineWriter queues at most 1 MiB for a stalled reader and reports dropped lines", async () => {
  const { pipe, writer } = createWriter({ stalled: true });
  const numbers = writeNumbered(writer, 0, 5_000);
  await Promise.resolve();
  writeNumbered(writer, 5_000, 6_000);
  pipe.read();
  await writer.flush();
  const kept = pipe.numbers;
  deepEqual(kept, numbers.slice(0, kept.length));
  equal(pipe.dropped, 6_000 - kept.length);
  ok(kept.length <= 1_024 && kept.length > 0.9 * 1_024, String(kept.length));

  const next = writeNumbered(writer, 6_000, 6_002);
  await writer.flush();
  deepEqual(pipe.numbers.slice(kept.length), next);
});

Deno.test("LineWriter writes or counts every line, whenever it is queued", async () => {
  const { pipe, writer } = createWriter({ stalled: true });
  writeNumbered(writer, 0, 1_000);
  for (let n = 1_000; n < 2_000; n++) {
    if (n === 1_500) pipe.read();
    writeNumbered(writer, n, n + 1);
    for (let turns = n % 23; turns > 0; turns--) await undefined;
  }
  await writer.flush();
  equal(pipe.numbers.length + pipe.dropped, 2_000);

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

function fill(map: BoundedMap<number>, count: number): BoundedMap<number> {
  for (let n = 0; n < count; n++) map.set(String(n), n);
  return map;
}

function entriesOf(map: BoundedMap<number>, count: number): number[] {
  return Array.from({ length: count }, (_, n) => n).filter((n) => map.get(String(n)) === n);
}

Deno.test("BoundedMap evicts the least recently set entries; reading does not count", () => {
  const map = fill(new BoundedMap<number>({ max: 10, keep: () => false }), 8);
  equal(map.get("1"), 1);
  equal(map.get("none"), undefined);
  equal(entriesOf(map, 8).length, 8);
  map.set("0", 0);
  map.set("8", 8);
  deepEqual(entriesOf(map, 9), [0, 5, 6, 7, 8]);
});

Deno.test("BoundedMap evicts entries to keep last, but no more than two fifths of its bound", () => {
  const some = fill(new BoundedMap<number>({ max: 12, keep: (n) => n < 3 }), 1_000);
  deepEqual(entriesOf(some, 3), [0, 1, 2]);
  ok(entriesOf(some, 1_000).length <= 12);
  const all = fill(new BoundedMap<number>({ max: 12, keep: () => true }), 13);
  deepEqual(entriesOf(all, 13), [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});

Deno.test("afterPause() is put off by each call, and calls back once", async () => {
  let calls = 0;
  const touch = afterPause(400, () => calls++);
  for (let n = 0; n < 5; n++) {
    await pause(100);
    touch();
  }
  equal(calls, 0);
  await until("it calls back", () => calls > 0);
  touch();
  await pause(450);
  equal(calls, 1);
});
