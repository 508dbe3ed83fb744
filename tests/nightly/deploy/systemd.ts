/** @module systemd's verdict on the units in `deploy/`. */

import { ok, strictEqual as equal } from "node:assert/strict";
import { run } from "../../support/command.ts";
import { withFolder } from "../../support/service.ts";

const DEPLOY = new URL("../../../deploy/", import.meta.url);
const env = { SYSTEMD_COLORS: "0" };

/** The exposure, of 10. */
const UNITS = { "frontdoor.service": 1.3, "denokv.service": 1.1 };

for (const [name, most] of Object.entries(UNITS)) {
  Deno.test(`systemd accepts ${name}, and finds hardly anything exposed`, () =>
    withFolder(async (folder) => {
      const unit = `${folder}/${name}`;
      const text = await Deno.readTextFile(new URL(name, DEPLOY));
      // The program need not be installed where the unit expects it.
      await Deno.writeTextFile(unit, text.replace(/\/usr\/local\/bin\/\w+/, Deno.execPath()));
      const verified = await run(["systemd-analyze", "verify", unit], { env });
      const lines = (verified.out + verified.err).split("\n");
      equal(lines.filter((line) => line.includes(name)).join("\n"), "");
      equal(verified.code, 0, lines.join("\n"));

      const security = ["systemd-analyze", "security", "--offline=true", "--no-pager", unit];
      const { out } = await run(security, { env });
      ok(Number(/Overall exposure level for \S+: ([\d.]+)/.exec(out)?.[1]) <= most, out);
    }));
}
