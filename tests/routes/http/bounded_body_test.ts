/** @module readBounded(): bodies within bounds of bytes, pieces and time. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { until } from "../../support/until.ts";
import { readBounded } from "../../../routes/http/bounded_body.ts";

const BOUNDS = { maxBytes: 8, deadlineMs: 5_000 };

function post(body: BodyInit | null, headers: Record<string, string> = {}): Request {
  return new Request("https://www.example.com/", { method: "POST", body, headers });
}

function chunked(chunks: readonly Uint8Array[], options: { endless?: boolean } = {}) {
  const seen = { pulled: 0, cancelled: false };
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks[seen.pulled];
      seen.pulled++;
      if (chunk !== undefined) controller.enqueue(chunk);
      else if (!options.endless) controller.close();
      else return new Promise<void>(() => {});
    },
    cancel() {
      seen.cancelled = true;
    },
  }, { highWaterMark: 0 });
  return { stream, seen };
}

function bytes(length: number, from = 0): Uint8Array {
  return Uint8Array.from({ length }, (_, n) => from + n);
}

const LENGTHS: readonly (readonly [readonly number[], boolean])[] = [
  [[], true],
  [[8], true],
  [[3, 5], true],
  [[8, 0], true],
  [[9], false],
  [[8, 1], false],
];

Deno.test("readBounded() reads up to maxBytes, and refuses more", async () => {
  for (const [lengths, fits] of LENGTHS) {
    const chunks = lengths.map((length, index) => bytes(length, index * 10));
    const result = await readBounded(post(chunked(chunks).stream), BOUNDS);
    const whole = Uint8Array.from(chunks.flatMap((chunk) => [...chunk]));
    deepEqual(result, fits ? whole : "too_large", JSON.stringify(lengths));
  }
  deepEqual(await readBounded(post(null), BOUNDS), new Uint8Array());
  const { stream } = chunked([], { endless: true });
  equal(await readBounded(post(stream, { "content-length": "9" }), BOUNDS), "too_large");
  const aborted = new ReadableStream({ pull: (body) => body.error(new Error("reset")) });
  equal(await readBounded(post(aborted), BOUNDS), "aborted");
});

Deno.test("readBounded() grows its buffer", async () => {
  const whole = crypto.getRandomValues(new Uint8Array(20_000));
  const ends = [0, 3_000, 6_000, 19_000, 20_000];
  const chunks = ends.slice(1).map((end, at) => whole.slice(ends[at], end));
  for (const maxBytes of [20_000, 64 * 1024]) {
    const bounds = { maxBytes, deadlineMs: 5_000 };
    deepEqual(await readBounded(post(chunked(chunks).stream), bounds), whole);
  }
});

Deno.test("readBounded() ignores an unreliable Content-Length, and one that is too short", async () => {
  for (
    const headers of [
      ...["9, 9", "8, 8", "9e9", "-1", "+9", "0x9", ""].map((length) => ({
        "content-length": length,
      })),
      { "content-length": "2", "transfer-encoding": "chunked" },
      { "content-length": "9", "transfer-encoding": "chunked" },
    ]
  ) {
    const fitting = post(chunked([bytes(8)]).stream, headers);
    deepEqual(await readBounded(fitting, BOUNDS), bytes(8), JSON.stringify(headers));
    const large = post(chunked([bytes(8), bytes(1)]).stream, headers);
    equal(await readBounded(large, BOUNDS), "too_large", JSON.stringify(headers));
  }
  const exact = post(bytes(8).slice(), { "content-length": "8" });
  deepEqual(await readBounded(exact, BOUNDS), bytes(8));
  const { stream } = chunked([bytes(8), bytes(8)]);
  equal(await readBounded(post(stream, { "content-length": "2" }), BOUNDS), "too_large");
});

Deno.test("a body that is too large is discarded up to a mebibyte and then cancelled", async () => {
  const { stream, seen } = chunked(Array.from({ length: 10_000 }, () => bytes(1024)));
  equal(await readBounded(post(stream), BOUNDS), "too_large");
  await until("the rest is cancelled", () => seen.cancelled);
  ok(seen.pulled >= 1024 && seen.pulled <= 1026, `${seen.pulled} KiB were read`);
});

Deno.test("a body in 2,048 pieces is read, one in more pieces is too_large", async () => {
  const pieces = (count: number) => chunked(Array.from({ length: count }, () => bytes(1)));
  const bounds = { maxBytes: 100_000, deadlineMs: 5_000 };
  deepEqual((await readBounded(post(pieces(2_048).stream), bounds)).length, 2_048);
  const { stream, seen } = pieces(20_000);
  equal(await readBounded(post(stream), bounds), "too_large");
  await until("the rest is cancelled", () => seen.cancelled);
  ok(seen.pulled <= 2 * 2_048 + 2, `${seen.pulled} pieces were read`);
});

const CHUNKED = { "transfer-encoding": "chunked" };

Deno.test("a chunked body of which more than 32 pieces have already arrived is too_large", async () => {
  const pieces = (count: number) => chunked(Array.from({ length: count }, () => bytes(1)));
  const bounds = { maxBytes: 100_000, deadlineMs: 5_000 };
  deepEqual((await readBounded(post(pieces(32).stream, CHUNKED), bounds)).length, 32);
  const { stream, seen } = pieces(20_000);
  equal(await readBounded(post(stream, CHUNKED), bounds), "too_large");
  equal(seen.cancelled, false, "the client has time to read the answer");
  await until("the rest is cancelled", () => seen.cancelled);
  equal(seen.pulled, 33);
});

Deno.test("a chunked body in many pieces is read if they arrive one after another", async () => {
  let left = 200;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve));
      if (left-- > 0) controller.enqueue(bytes(1));
      else controller.close();
    },
  }, { highWaterMark: 0 });
  const bounds = { maxBytes: 100_000, deadlineMs: 5_000 };
  equal((await readBounded(post(stream, CHUNKED), bounds)).length, 200);
});

Deno.test("other requests get a turn while a body in many pieces is read", async () => {
  const { stream } = chunked(Array.from({ length: 2_000 }, () => bytes(1)));
  let turns = 0;
  const timer = setInterval(() => turns++);
  await readBounded(post(stream), { maxBytes: 100_000, deadlineMs: 5_000 });
  clearInterval(timer);
  ok(turns > 10, `${turns} turns`);
});

Deno.test("a body that stalls or never begins is too_slow at the deadline", async () => {
  for (const chunks of [[bytes(2)], []]) {
    const { stream } = chunked(chunks, { endless: true });
    equal(await readBounded(post(stream), { maxBytes: 8, deadlineMs: 20 }), "too_slow");
  }
});
