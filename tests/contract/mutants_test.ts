/** @module The list of mutants, the tiers that run for each, and when a mutant counts as caught. */

import {
  deepStrictEqual as deepEqual,
  rejects,
  strictEqual as equal,
  throws,
} from "node:assert/strict";
import { DocumentError } from "../../contract/document.ts";
import type { FindingGroup } from "../../contract/finding.ts";
import type { Mutant } from "../../contract/mutants/mutant.ts";
import { MUTANTS } from "../../contract/mutants/mutants.ts";
import { parseMutantOptions } from "../../contract/mutants/options.ts";
import { interleave, judge } from "../../contract/mutants/verdict.ts";
import { CHECKS } from "../../contract/oracle/oracle.ts";
import type { RunResult } from "../../contract/run.ts";

/** Rules about two services and about limits of a foreign one; and `replay`, the name of a tier. */
const NOT_BY_A_MUTANT = ["differential", "limit_met", "replay"];

async function ruleNames(): Promise<string[]> {
  const found = new Set(CHECKS.map(({ name }) => name));
  async function read(folder: URL): Promise<void> {
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      if (isDirectory && name !== "mutants") await read(new URL(`${name}/`, folder));
      if (!name.endsWith(".ts")) continue;
      const text = await Deno.readTextFile(new URL(name, folder));
      const names = /(?:\bcheck: |\breport\(\s*|^ {4}name: )"([a-z]+(?:_[a-z]+)*)"/gm;
      if (/\b(?:report|push|note)\(|Property \{/.test(text)) {
        for (const [, rule] of text.matchAll(names)) found.add(rule!);
      }
    }
  }
  await read(new URL("../../contract/", import.meta.url));
  return [...found].filter((rule) => !NOT_BY_A_MUTANT.includes(rule)).toSorted();
}

Deno.test("every rule of the harness has a mutant that it must catch", async () => {
  const names = await ruleNames();
  equal(names.length > 40, true);
  deepEqual([...new Set(MUTANTS.flatMap(({ check }) => check ?? []))].toSorted(), names);
  equal(new Set(MUTANTS.map(({ name }) => name)).size, MUTANTS.length);
  deepEqual(new Set(interleave(MUTANTS)), new Set(MUTANTS));
});

Deno.test("parseMutantOptions() selects mutants by a part of their names", () => {
  const selected = (...args: string[]) => parseMutantOptions(args).mutants.length;
  equal(selected(), MUTANTS.length);
  equal(selected("--only", "counted by /48"), 1);
  equal(selected("--only", "none"), 0);
  throws(() => selected("--only", "counted/49"), { name: "UsageError" });
});

const MUTANT: Mutant = { name: "x" };

Deno.test("judge() requires the mutant's own tier and rule", async () => {
  const place = { where: "createLead", message: "it is wrong", findings: [] };
  const open: FindingGroup[] = [
    { ...place, check: "raw", tiers: ["raw"] },
    { ...place, check: "limit_scope", tiers: ["limits"] },
  ];
  const verdictOf = (mutant: Partial<Mutant>, found = open) =>
    judge({ ...MUTANT, ...mutant }, () => Promise.resolve({ open: found } as unknown as RunResult));
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
