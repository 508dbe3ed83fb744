/** @module Whether every page can be served: with a faulty source the service refuses to start. */

import { sourceFaults } from "../../site/source_faults.ts";
import { type Check, fail, ok } from "./check.ts";

/** Every fault of the sources. */
export const pages: Check = {
  name: "pages",
  requires: [],
  async run({ config, pages }) {
    const faults = await sourceFaults(pages, config);
    if (faults.length === 0) return [ok("pages", "every source can be read")];
    return faults.map((fault) =>
      fail("pages", fault, "Correct the file; deno task check tells what else is wrong with pages.")
    );
  },
};
