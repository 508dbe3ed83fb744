/** @module systemd's verdict on `deploy/frontdoor.service`. */

import { match, strictEqual as equal } from "node:assert/strict";
import { run } from "../support/command.ts";
import { withFolder } from "../support/service.ts";

const DEPLOY = new URL("../../deploy/", import.meta.url);

Deno.test("systemd accepts the unit, and its exposure is the one in the guide", () =>
  withFolder(async (folder) => {
    const env = { SYSTEMD_COLORS: "0" };
    const unit = `${folder}/frontdoor.service`;
    const text = await Deno.readTextFile(new URL("frontdoor.service", DEPLOY));
    await Deno.writeTextFile(unit, text.replace("/usr/local/bin/deno", Deno.execPath()));
    const verified = await run(["systemd-analyze", "verify", unit], { env });
    const lines = (verified.out + verified.err).split("\n");
    equal(lines.filter((line) => line.includes("frontdoor")).join("\n"), "");
    equal(verified.code, 0, lines.join("\n"));

    const security = ["systemd-analyze", "security", "--offline=true", "--no-pager", unit];
    const { out } = await run(security, { env });
    const exposure = /Overall exposure level for frontdoor\.service: ([\d.]+)/.exec(out)?.[1];
    const guide = await Deno.readTextFile(new URL("README.md", DEPLOY));
    match(guide.replaceAll(/\s+/g, " "), new RegExp(`rates the unit ${exposure} of 10`));
  }));
