/** @module lazy(): builds once, and again after a failure. */

import { deepStrictEqual as deepEqual, rejects, strictEqual as equal } from "node:assert/strict";
import { lazy } from "../../schemas/lazy.ts";

Deno.test("lazy() builds once for concurrent callers, and again after a failure", async () => {
  let builds = 0;
  const build = lazy(() => {
    builds++;
    return builds < 3 ? Promise.reject(new Error(`build ${builds}`)) : Promise.resolve(builds);
  });
  await rejects(Promise.all([build(), build()]), { message: "build 1" });
  await rejects(build(), { message: "build 2" });
  deepEqual(await Promise.all([build(), build()]), [3, 3]);
  equal(await build(), 3);
});
