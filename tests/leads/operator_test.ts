/** @module What operators read: all stored leads, however many. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { createLeadIds } from "../../leads/lead_id.ts";
import { recordOf } from "../support/delivering.ts";
import { withApp } from "../support/test_app.ts";

Deno.test("store.all() yields each of 201 leads once, in the order in which they arrived", () =>
  withApp(async ({ store, clock }) => {
    const newId = createLeadIds();
    const ids: string[] = [];
    for (let n = 0; n < 201; n++) {
      const id = newId(clock.now());
      const index = { same: `content-${n}`, email: `person-${n}` };
      await store.accept({ client: id, arrival: clock.now(), seen: null }, {
        ...recordOf(),
        id,
        index,
      });
      ids.push(id);
    }
    const found: string[] = [];
    for await (const { id } of store.all()) {
      found.push(id);
      if (found.length > ids.length) break;
    }
    deepEqual(found, ids);
  }));
