/** @module The harness's commands as its README has them, on services and files of the test's own. */

import { match, ok, strictEqual as equal } from "node:assert/strict";
import { startService } from "../support/service.ts";
import { documented } from "./document.ts";
import { isRunInCi } from "./tasks.ts";
import { withTerminal } from "./terminal.ts";

const ROOMY = { LEAD_RATE_LIMIT: "900000/1h", LEAD_ATTEMPT_LIMIT: "900000/1h" };

/** What a run leaves behind for a finding. */
const COUNTER_EXAMPLE = JSON.stringify({
  check: "status",
  where: "createLead",
  message: "a lead of that kind was refused once",
  seed: 42,
  steps: [{
    method: "POST",
    path: "/api/lead",
    headers: [["content-type", "application/json"]],
    body: JSON.stringify({ email: "a@a.invalid", company: "", locale: "en" }),
    want: { status: "2XX" },
  }],
});

Deno.test("the harness's README: each command of its list", async () => {
  const commands = await documented("contract/README.md", "The contract harness");
  await withTerminal({}, async (terminal) => {
    const holds = async (line: string) => {
      const { code, out, err } = await terminal.run(line);
      equal(code, 0, `${line}: ${out}${err}`);
      return out + err;
    };
    const [one, other] = [`${terminal.folder}/one`, `${terminal.folder}/other`];
    for (const folder of [one, other]) await Deno.mkdir(folder);
    const live = await startService(one);
    try {
      ok(await isRunInCi(commands.take("deno task contract")));
      const inProduction = commands.take("deno task contract --url https://www.example.com --live");
      match(await holds(inProduction.replace("https://www.example.com", live.url)), /^Held: /m);
      match(await holds(commands.take("deno task contract --only help")), /cases/);
      const reporting = commands.take("deno task contract --report report");
      ok(await isRunInCi(reporting.replace(/ report$/, " report/contract")), "with that option");
      await Deno.writeTextFile(`${terminal.folder}/contract/corpus/FILE.json`, COUNTER_EXAMPLE);
      match(await holds(commands.take("deno task contract --replay ")), /^Held: /m);
    } finally {
      equal(await live.end(), 0);
    }

    const site = { SITE_URL: "https://www.example.com", LOCAL_URL: "http://localhost:8000" };
    const [first, second] = [
      await startService(one, { ...ROOMY, ...site }),
      await startService(other, { ...ROOMY, ...site }),
    ];
    try {
      const alike = commands.take("deno task contract --url URL --against OTHER_URL");
      const line = alike.replace("OTHER_URL", second.url).replace("URL", first.url);
      match(await holds(line), /^Held: /m);
      const document = await (await fetch(`${first.url}/openapi.json`)).text();
      await Deno.writeTextFile(`${terminal.folder}/OLD.json`, document);
      await holds(commands.take("deno task contract:diff OLD.json"));
    } finally {
      for (const service of [first, second]) equal(await service.end(), 0);
    }
    ok(await isRunInCi(commands.take("deno task contract:mutants")));
    ok(await isRunInCi(commands.take("deno task fuzz")));
    commands.end();
  });
});
