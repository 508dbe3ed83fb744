/** @module lazy(): builds once, and again only after a failure. */

import { deepStrictEqual as deepEqual, rejects, strictEqual as equal } from "node:assert/strict";
import { lazy } from "../../schemas/lazy.ts";

Deno.test("lazy() builds once, also for callers at the same time", async () => {
  let builds = 0;
  const build = lazy(() => Promise.resolve(++builds));
  equal(builds, 0);
  deepEqual(await Promise.all([build(), build(), build()]), [1, 1, 1]);
  equal(await build(), 1);
});

Deno.test("lazy() forgets a failed build, so that the next call tries again", async () => {
  let builds = 0;
  const build = lazy(() => {
    builds++;
    return builds < 3 ? Promise.reject(new Error(`build ${builds}`)) : Promise.resolve(builds);
  });
  await rejects(Promise.all([build(), build()]), { message: "build 1" });
  await rejects(build(), { message: "build 2" });
  equal(await build(), 3);
  equal(await build(), 3);
});
