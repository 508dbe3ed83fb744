/**
 * @module The list of mutants, and when one counts as caught. That the proxy changes nothing else is proven
 * by the clean runs of `deno task contract:mutants`.
 */

import {
  deepStrictEqual as deepEqual,
  rejects,
  strictEqual as equal,
  throws,
} from "node:assert/strict";
import { DocumentError } from "../../contract/document/document.ts";
import type { FindingGroup } from "../../contract/oracle/finding.ts";
import { judge, selected } from "../../contract/mutants.ts";
import { type Mutant, readMutants } from "../../contract/mutants/rows.ts";
import { RULES } from "../../contract/lib/rules.ts";
import "../../contract/run/run.ts"; // with the tiers, declares every rule
import "../../contract/service/tiers.ts";
import { run } from "../support/command.ts";

const ROOT = new URL("../../", import.meta.url);

const MUTANTS = await readMutants();

/**
 * Rules about two services, about limits of a foreign one, about the harness itself, and rules that
 * this service cannot break, which the tests of the harness on small services show.
 */
const NOT_BY_A_MUTANT = [
  ...["limit_met", "harness_error", "base_right", "credentials_given"],
  ...["credentials_required", "raw_advice", "never_accepted", "created_is_found"],
  ...[
    "use_after_delete",
    "read_as_written",
    "kept_as_sent",
    "unknown_is_absent",
    "coerced",
    "format_refused",
    "media_refused",
    "undocumented_rule",
  ],
  ...["document_problem", "schema_unknown", "undecodable_survived"],
];

/** The lines of a file of the harness that contain a text, with their places. */
async function placesOf(text: string): Promise<string[]> {
  const { out } = await run(["git", "grep", "-n", "--untracked", text, "--", "contract"], {
    cwd: ROOT,
  });
  return out.trim().split("\n").map((line) => line.split(":", 2).join(":"));
}

Deno.test("every rule of the harness has a mutant that it must catch", async () => {
  const proven = new Set(MUTANTS.flatMap(({ check }) => check ?? []));
  const rules = new Set(RULES.keys()).difference(new Set(NOT_BY_A_MUTANT));
  const unproven = [...rules.difference(proven)].map(async (name) =>
    `${await placesOf(`^  ${name}:`)}: add a row with caught_by: ${name} to contract/mutants/`
  );
  const unknown = [...proven.difference(rules)].map(async (name) =>
    `${await placesOf(`caught_by: ${name}}`)}: declareRules() declares no rule ${name}`
  );
  deepEqual(await Promise.all([...unproven, ...unknown]), []);
  equal(new Set(MUTANTS.map(({ name }) => name)).size, MUTANTS.length);
});

Deno.test("selected() takes mutants by a part of their names", () => {
  const count = (only: string) => selected(only, MUTANTS).length;
  equal(count(""), MUTANTS.length);
  equal(count("counted by /48"), 1);
  equal(count("none"), 0);
  throws(() => count("counted/49"), { name: "UsageError" });
});

const MUTANT: Mutant = { name: "x" };

Deno.test("judge() requires the mutant's own tier and rule", async () => {
  const place = { where: "createLead", message: "it is wrong", findings: [] };
  const open: FindingGroup[] = [
    { ...place, check: "raw", tiers: ["raw"] },
    { ...place, check: "limit_scope", tiers: ["limits"] },
  ];
  const verdictOf = (mutant: Partial<Mutant>, found = open) =>
    judge({ ...MUTANT, ...mutant }, () => Promise.resolve({ open: found }));
  const rows: readonly (readonly [mutant: Partial<Mutant>, isCaught: boolean])[] = [
    [{}, true],
    [{ by: "faults" }, false],
    [{ check: "limit_fields" }, false],
    [{ by: "raw", check: "limit_scope" }, false],
    [{ by: "limits", check: "limit_scope" }, true],
  ];
  for (const [mutant, isCaught] of rows) equal((await verdictOf(mutant)).isCaught, isCaught);
  equal((await verdictOf({}, [])).isCaught, false);
  const { first, caughtBy } = await verdictOf({ check: "limit_scope" });
  deepEqual([first, caughtBy], ["createLead: it is wrong (limit_scope)", ["raw", "limits"]]);
  // An unreadable document counts as caught, any other error does not.
  const failing = (error: Error) => judge(MUTANT, () => Promise.reject(error));
  deepEqual((await failing(new DocumentError("no"))).caughtBy, ["start"]);
  await rejects(failing(new TypeError("a mutant is wrong")), TypeError);
});
