/**
 * @module What the compiler says of programs that use the client, as `deno check` of a stranger who
 * has nothing but its URL: right ones compile, and each wrong one is refused where it is wrong.
 */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { runDeno } from "../../support/command.ts";
import { withFolder, withRunningService } from "../../support/service.ts";

const LEAD = '{ email: "ada@example.invalid", company: "Example Ltd", locale: "en" }';

/** Each uses `client` or what the module exports. */
const RIGHT = [
  "const health: Health = await client.getHealth(); health.status.trim();",
  "(await client.getSiteIndex()).resources['home']?.trim();",
  `const lead: LeadRequest = ${LEAD}; (await client.createLead(lead)).delivered === true;`,
  `await client.createLead({ ...${LEAD}, locale: "de", plan: "hosted", message: "" });`,
  "await client.createLead(lead, { signal: AbortSignal.timeout(5_000) });",
  "Object.keys(await client.getOpenApiJson());",
  "(await client.getOpenApiYaml()).split('\\n');",
  "createClient({ baseUrl: new URL('https://www.example.com'), retries: 0, timeout: 1, fetch });",
  "(error: ApiError) => error.retryAfter === undefined ? error.code : error.retryAfter.toFixed();",
  "(of: paths['/api/lead']['post']['responses']) => of[429].headers['Retry-After'].toFixed();",
];

/** Each with what the compiler has to say. */
const WRONG: readonly (readonly [program: string, complaint: RegExp])[] = [
  [`client.createLead({ ...${LEAD}, plan: "gold" });`, /"gold"' is not assignable to type '"pro"/],
  [`client.createLead({ ...${LEAD}, phone: "1" });`, /'phone' does not exist in type/],
  [`client.createLead({ ...${LEAD}, locale: "fr" });`, /"fr"' is not assignable/],
  [`client.createLead({ email: "a@b.example", locale: "en" });`, /Property 'company' is missing/],
  [`client.createLead({ ...${LEAD}, message: 1 });`, /'number' is not assignable to type 'string/],
  ["client.createLead();", /Expected 1-2 arguments, but got 0/],
  [`(await client.createLead(${LEAD})).id;`, /'id' does not exist on type/],
  ["(await client.getHealth()).delivered;", /'delivered' does not exist on type/],
  ["(await client.getOpenApiYaml()).openapi;", /'openapi' does not exist on type 'string'/],
  ["client.getHealth({ timeout: 1 });", /'timeout' does not exist in type 'CallOptions'/],
  ["client.deleteLead('1');", /'deleteLead' does not exist on type 'Client'/],
  ["createClient();", /Expected 1 arguments, but got 0/],
  ["createClient({ baseUrl: 'https://www.example.com', retry: 1 });", /'retry' does not exist/],
  [
    "(error: ApiError) => error.retryAfter.toFixed();",
    /'error.retryAfter' is possibly 'undefined'/,
  ],
  ["(error: ApiError) => error.details.issues;", /'error.details' is of type 'unknown'/],
];

/** What the compiler says, by the program's place in the list. */
async function complaints(url: string, programs: readonly string[]): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  await withFolder(async (folder) => {
    await Deno.writeTextFile(
      `${folder}/deno.json`,
      '{ "compilerOptions": { "strict": true, "noUncheckedIndexedAccess": true } }',
    );
    await Promise.all(programs.map((program, at) => {
      const text = [
        `import { ApiError, createClient } from "${url}/assets/client.js";`,
        `import type { Health, LeadRequest, paths } from "${url}/assets/client.js";`,
        `const client = createClient({ baseUrl: "${url}" });`,
        program.includes("(lead,") ? `const lead: LeadRequest = ${LEAD};` : "",
        program,
        "export type Used = [ApiError, Health, LeadRequest, paths, typeof client];",
      ].join("\n");
      return Deno.writeTextFile(`${folder}/${at}.ts`, text);
    }));
    const { code, err } = await runDeno(["check", "--allow-import", "--no-lock", "."], {
      cwd: folder,
      env: { DENO_DIR: `${folder}/.deno` },
    });
    for (const part of err.split(/^(?=TS\d+ \[ERROR\])/m).slice(1)) {
      const [, at] = /\/(\d+)\.ts:\d+/.exec(part) ?? [];
      found.set(Number(at), part);
    }
    equal(code, found.size === 0 ? 0 : 1, err);
  });
  return found;
}

Deno.test("what the document allows compiles, and the types come with the client's URL", () =>
  withRunningService(async ({ url }) => {
    deepEqual([...await complaints(url, RIGHT)], []);
  }));

Deno.test("what the document does not allow does not compile", () =>
  withRunningService(async ({ url }) => {
    const found = await complaints(url, WRONG.map(([program]) => program));
    for (const [at, [program, complaint]] of WRONG.entries()) {
      match(found.get(at) ?? "compiles", complaint, program);
    }
  }));

Deno.test("the client uses nothing that browsers do not have", async () => {
  const { code, err } = await runDeno(
    ["check", "--no-lock", "--config", "static/browser.json", "site/client/client.ts"],
    { cwd: new URL("../../../", import.meta.url) },
  );
  equal(code, 0, err);
});
