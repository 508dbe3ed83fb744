/**
 * @module The comparison is fair: the floor gives the very answer of the service, the usual stack what
 * it is compared by. Real programs, no load.
 */

import { strictEqual as equal } from "node:assert/strict";
import { withFolder } from "../support/service.ts";
import { startField } from "./answers.ts";
import { CASES } from "./cases.ts";
import { isSame, prepare } from "./prepare.ts";
import { startFloor } from "./throughput.ts";

Deno.test("for each kind of answer the service answers as it should, and the floor the same", () =>
  withFolder(async (folder) => {
    const plain = CASES.filter(({ settings, webhook }) => settings === undefined && !webhook);
    const field = await startField(plain, folder);
    try {
      for (const one of plain) {
        const prepared = await prepare(one, field.service.port);
        const floor = await startFloor(one, { prepared, folder });
        await floor.end();
        if (one.usual) await prepare(one, field.usual!.port);
      }
    } finally {
      for (const one of field.all) await one.end();
    }
  }));

Deno.test("a floor that gives another answer is noticed", () => {
  const answer = { status: 200, headers: [["a", "1"], ["date", "now"]], body: new Uint8Array([1]) };
  equal(
    isSame(answer as never, { ...answer, headers: [["date", "then"], ["a", "1"]] } as never),
    true,
  );
  equal(isSame(answer as never, { ...answer, status: 201 } as never), false);
  equal(isSame(answer as never, { ...answer, headers: [["a", "2"]] } as never), false);
  equal(isSame(answer as never, { ...answer, body: new Uint8Array([2]) } as never), false);
});
