/** @module The verdicts of a soak. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { isFlat } from "./soak.ts";
import { isExcused } from "./traffic.ts";

Deno.test("isExcused() accepts no answer during a restart, and 502 for a lead then and without KV", () => {
  const troubles = { down: [{ from: 100, to: 200 }], withoutKv: [{ from: 300, to: Infinity }] };
  const verdicts = (status: number, isLead = true) =>
    [[0, 50], [50, 100], [200, 210], [201, 299], [250, 300]].map(([from, to]) =>
      isExcused({ status, time: { from: from!, to: to! }, isLead }, troubles)
    );
  deepEqual(verdicts(0), [false, true, true, false, false]);
  deepEqual(verdicts(502), [false, true, true, false, true]);
  for (const verdict of [verdicts(502, false), verdicts(500)]) {
    deepEqual(new Set(verdict), new Set([false]));
  }
});

Deno.test("isFlat() accepts a last third of at most 15 % above the second", () => {
  const third = (value: number) => [value, value, value];
  deepEqual(isFlat([...third(1), ...third(100), ...third(115)]), true);
  deepEqual(isFlat([...third(100), ...third(100), ...third(116)]), false);
  deepEqual(isFlat([]), false);
});
