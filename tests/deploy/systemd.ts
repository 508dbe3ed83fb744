/** @module What systemd itself says of `deploy/frontdoor.service`. */

import { match, strictEqual as equal } from "node:assert/strict";
import { run } from "../support/command.ts";
import { withFolder } from "../support/service.ts";

const UNIT = new URL("../../deploy/frontdoor.service", import.meta.url);

async function analyze(...args: readonly string[]): Promise<{ code: number; text: string }> {
  const { code, out, err } = await run(["systemd-analyze", ...args], {
    env: { SYSTEMD_COLORS: "0" },
  });
  return { code, text: out + err };
}

Deno.test("systemd finds nothing wrong with the unit", () =>
  withFolder(async (folder) => {
    // Deno need not be where the unit has it.
    const unit = `${folder}/frontdoor.service`;
    const text = await Deno.readTextFile(UNIT);
    await Deno.writeTextFile(unit, text.replace("/usr/local/bin/deno", Deno.execPath()));
    const { code, text: said } = await analyze("verify", unit);
    const ours = said.split("\n").filter((line) => line.includes("frontdoor"));
    equal(ours.join("\n"), "");
    equal(code, 0, said);

    await Deno.writeTextFile(unit, text.replace("RestartSec=5", "RestartSec=soon"));
    match((await analyze("verify", unit)).text, /Failed to parse sec value/, "it does read");
  }));

Deno.test("the unit's exposure is what the guide says", async () => {
  const { code, text } = await analyze(
    "security",
    "--offline=true",
    "--no-pager",
    UNIT.pathname,
  );
  equal(code, 0, text);
  const [, exposure] = /Overall exposure level for frontdoor\.service: ([\d.]+)/.exec(text)!;
  const guide = await Deno.readTextFile(new URL("../../deploy/README.md", import.meta.url));
  match(guide.replaceAll(/\s+/g, " "), new RegExp(`rates the unit ${exposure} of 10`));
});
