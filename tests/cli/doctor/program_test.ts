/** @module The doctor's command line: order, exit codes, colours, JSON, and what is in between. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { type Clock, systemClock } from "../../../leads/clock.ts";
import { pagesOf } from "../../site/fixture.ts";
import { FakeClock } from "../../support/fake_clock.ts";
import { doctor, findingsIn } from "../../support/patient.ts";
import { withReceiver } from "../../support/receiver.ts";
import { withFolder } from "../../support/service.ts";
import { until } from "../../support/until.ts";

const SECRET = `whsec_${btoa("a secret of twenty-seven by")}`;

/** Nothing to mend, apart from the permissions of the tests themselves. */
function healthy(folder: string, target: string): Record<string, string> {
  return {
    SITE_URL: "https://site.invalid",
    KV_PATH: `${folder}/kv.sqlite`,
    LEAD_TARGETS: target,
    LEAD_WEBHOOK_SECRET: SECRET,
    LEAD_ENCRYPTION_KEYS: `a:${btoa("k".repeat(32))}`,
    OPERATOR: "Example GmbH",
    CONTACT_EMAIL: "hello@example.com",
    TRUSTED_PROXY_HOPS: "1",
  };
}

const ORDER = [
  "configuration",
  "version",
  "permissions",
  "kv",
  "webhook",
  "clock",
  "site_url",
  "imprint",
  "signature",
  "sealing",
  "proxy",
  "pages",
];

Deno.test("where nothing fails there is a line a check, a count, and exit code 0", () =>
  withReceiver(({ url }) =>
    withFolder(async (folder) => {
      const { code, out, err } = await doctor([], healthy(folder, url));
      equal(code, 0, out);
      equal(err, "");
      const lines = out.trimEnd().split("\n");
      deepEqual(lines.slice(0, -2).map((line) => /^\S+ +(\w+)/.exec(line)?.[1]), ORDER);
      for (const line of lines.slice(0, -2)) match(line, /^(?:ok {2}|warn) {2}.*\.$/);
      equal(lines.at(-1), "11 ok, 1 to look at, 0 failed");
    })
  ));

Deno.test("one failure is exit code 1, with its fix on the same line", () =>
  withReceiver(({ url }) =>
    withFolder(async (folder) => {
      const variables = { ...healthy(folder, url), SITE_URL: "" };
      const { code, out } = await doctor([], variables);
      equal(code, 1);
      match(out, /^FAIL {2}site_url: .*\. Set SITE_URL to .*\.$/m);
      match(out, /1 failed\n$/);
    })
  ));

Deno.test("--json is one object with the same findings", () =>
  withReceiver(({ url }) =>
    withFolder(async (folder) => {
      const good = await doctor(["--json"], healthy(folder, url));
      equal(good.code, 0);
      equal(JSON.parse(good.out).ok, true);
      const bad = await doctor(["--json"], { ...healthy(folder, url), SITE_URL: "" });
      equal(bad.code, 1);
      equal(JSON.parse(bad.out).ok, false);
      const [finding] = findingsIn(bad).filter(({ state }) => state === "fail");
      deepEqual(Object.keys(finding!), ["check", "state", "message", "fix"]);
      equal(bad.err, "");
    })
  ));

Deno.test("--no-send reaches the command", () =>
  withReceiver(({ url, received }) =>
    withFolder(async (folder) => {
      const { out } = await doctor(["--no-send"], healthy(folder, url));
      match(out, /nothing was sent/);
      deepEqual(received.map(({ method }) => method), ["HEAD"], "the clock's question alone");
    })
  ));

for (const words of [["--foo"], ["now"], ["--json=yes"], ["-x"], ["--no-send", "more"]]) {
  Deno.test(`${words.join(" ")} is exit code 2, and nothing is examined`, async () => {
    const { code, out, err } = await doctor(words, { LEAD_TARGETS: "gopher://x" });
    equal(code, 2);
    equal(out, "");
    equal(err, "Cannot run the doctor: it takes --no-send, --json, --help and nothing else\n");
  });
}

for (const word of ["--help", "-h"]) {
  Deno.test(`${word} tells options and exit codes, and examines nothing`, async () => {
    const { code, out, err } = await doctor([word], { LEAD_TARGETS: "gopher://x" });
    equal(code, 0);
    equal(err, "");
    for (const text of ["--no-send", "--json", "Exit codes", "lead.test"]) ok(out.includes(text));
  });
}

Deno.test("every fault of the configuration is named, and the rest examined all the same", async () => {
  const variables = {
    PORT: "x",
    LEAD_RATE_LIMIT: "many",
    LEAD_TARGETS: "gopher://x",
    KV_PATH: ":memory:",
  };
  const findings = findingsIn(await doctor(["--json"], variables));
  const faults = findings.filter(({ check }) => check === "configuration");
  deepEqual(faults.map(({ message }) => message.split(" ")[0]), [
    "PORT",
    "LEAD_TARGETS",
    "LEAD_RATE_LIMIT",
  ]);
  ok(findings.some(({ check, state }) => check === "kv" && state === "fail"));
  // What is about a faulty variable has been said.
  ok(!findings.some(({ check }) => check === "targets"));
});

Deno.test("a variable that may not be read is missing from the permissions, and not guessed at", async () => {
  const findings = findingsIn(
    await doctor(["--json"], {}, { hidden: ["LEAD_TARGETS", "KV_PATH"] }),
  );
  const [permissions] = findings.filter(({ check }) => check === "permissions");
  equal(permissions!.message, "missing: --allow-env=LEAD_TARGETS,KV_PATH");
  ok(!findings.some(({ check }) => check === "targets" || check === "kv"));
});

Deno.test("colours are for those who see them", async () => {
  const variables = { KV_PATH: ":memory:" };
  ok((await doctor([], variables, { colours: true })).out.includes("\x1b[31mFAIL\x1b[39m  kv: "));
  ok(!(await doctor([], variables)).out.includes("\x1b"));
});

Deno.test("a terminal shows which check is running, and the line is cleared afterwards", () =>
  withReceiver(async ({ url }) => {
    const variables = { LEAD_TARGETS: url, KV_PATH: ":memory:" };
    const { err, out } = await doctor([], variables, { watched: true });
    match(err, /… webhook|… targets/);
    ok(err.endsWith("\r\x1b[K"));
    ok(!out.includes("…"));
    equal((await doctor([], variables)).err, "");
  }, async (_n, request) => {
    if (request.method === "POST") await new Promise((resolve) => setTimeout(resolve, 900));
    return new Response();
  }));

Deno.test("a check that does not come to an end is a failure of its own, and the others are told", async () => {
  const clock = new FakeClock();
  const report = doctor(["--json"], { KV_PATH: "http://kv.invalid" }, {
    clock,
    openKv: () => new Promise(() => {}),
    pages: pagesOf({}), // reading files takes real time
  });
  await until("deadlines are set", () => clock.nextIn !== undefined);
  clock.advance(30_000);
  const findings = findingsIn(await report);
  const [kv] = findings.filter(({ check }) => check === "kv");
  equal(`${kv!.state}: ${kv!.message}`, "fail: not done within 30 s");
  ok(findings.some(({ check, state }) => check === "version" && state === "ok"));
});

Deno.test("a check that breaks is a failure of its own, told by the kind of error", async () => {
  const clock: Clock = {
    now: () => {
      throw new RangeError("secret words");
    },
    after: systemClock.after,
  };
  const { code, out } = await doctor([], { LEAD_TARGETS: "https://a.invalid" }, { clock });
  equal(code, 1);
  match(out, /^FAIL {2}targets: Cannot finish: RangeError\. Report it/m);
  ok(!out.includes("secret words"));
});
