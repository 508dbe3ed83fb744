/**
 * @module The list of mutants as a whole, which of them are run, and what is made of the findings
 * about one.
 */

import {
  deepStrictEqual as deepEqual,
  match,
  rejects,
  strictEqual as equal,
  throws,
} from "node:assert/strict";
import type { FindingGroup } from "../../contract/finding.ts";
import type { Mutant } from "../../contract/mutants/mutant.ts";
import { MUTANTS } from "../../contract/mutants/mutants.ts";
import { parseMutantOptions } from "../../contract/mutants/options.ts";
import { figures, isNeeded, judge, spread, type Verdict } from "../../contract/mutants/verdict.ts";
import { DocumentError } from "../../contract/document.ts";
import { UsageError } from "../../contract/options.ts";
import { CHECKS } from "../../contract/oracle/oracle.ts";
import type { RunResult } from "../../contract/run.ts";
import { TIERS } from "../../contract/tiers/tiers.ts";

/**
 * What compares two services is no matter of one with a fault, and only a service that the harness
 * has not started is limited where limits are not tested (`session_test.ts`).
 */
const NOT_BY_A_MUTANT = ["differential", "limit_met"];

/** The rules that the sources of the harness name, beside those of the oracle. */
async function rules(): Promise<string[]> {
  const found = new Set(CHECKS.map(({ name }) => name));
  async function read(folder: URL): Promise<void> {
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      if (isDirectory && name !== "mutants") await read(new URL(`${name}/`, folder));
      if (!name.endsWith(".ts")) continue;
      const text = await Deno.readTextFile(new URL(name, folder));
      const names = /(?:\bcheck: |\bsay\(\s*|^ {4}name: )"([a-z]+(?:_[a-z]+)*)"/gm;
      if (/\b(?:report|say|push|note)\(|Property \{/.test(text)) {
        for (const [, rule] of text.matchAll(names)) found.add(rule!);
      }
    }
  }
  await read(new URL("../../contract/", import.meta.url));
  return [...found].filter((rule) => !NOT_BY_A_MUTANT.includes(rule)).toSorted();
}

Deno.test("every rule of the harness has a mutant that it has to find", async () => {
  const wanted = new Set(MUTANTS.flatMap(({ check }) => check ?? []));
  const all = await rules();
  equal(all.length > 40, true);
  deepEqual(all.filter((rule) => !wanted.has(rule)), []);
  deepEqual([...wanted].filter((rule) => !all.includes(rule)), []);
});

Deno.test("no two mutants have the same name or say the same", () => {
  for (const key of ["name", "fault"] as const) {
    const all = MUTANTS.map((mutant) => mutant[key]);
    deepEqual(all.filter((one, index) => all.indexOf(one) !== index), []);
  }
});

Deno.test("without options every mutant meets the tiers that it needs, and the clean service all", () => {
  const { mutants, tiers, full, clean, atOnce } = parseMutantOptions([]);
  deepEqual([mutants.length, tiers, full, clean, atOnce], [MUTANTS.length, TIERS, false, 20, 3]);
});

Deno.test("mutants and tiers are chosen by their names", () => {
  const line = ["--only", "prefix-48, limit-503", "--tiers", "raw,limits"];
  const { mutants, tiers } = parseMutantOptions(line);
  deepEqual(mutants.map(({ name }) => name).toSorted(), ["limit-503", "prefix-48"]);
  deepEqual(tiers.map(({ name }) => name), ["raw", "limits"]);
  deepEqual(parseMutantOptions(["--only", "none"]).mutants, []);
  const listed = parseMutantOptions(["--only", "help"]);
  deepEqual([listed.list, listed.mutants.length], [true, MUTANTS.length]);
});

// Without a mutant or a lane nothing would be missed, and all would seem to be well.
Deno.test("a command line by which nothing would be tried is refused with the option's name", () => {
  const senseless: readonly (readonly [args: readonly string[], says: RegExp])[] = [
    [["--only", "prefix-49"], /--only knows no prefix-49/],
    [["--only", ""], /--only knows no/],
    [["--tiers", "raw,row"], /--tiers knows no row/],
    [["--at-once", "0"], /--at-once/],
    [["--at-once", "many"], /--at-once/],
    [["--clean", "-1"], /clean/],
    [["--examples", "x"], /--examples/],
    [["--exclude", "raw"], /exclude/],
  ];
  for (const [args, says] of senseless) {
    throws(() => parseMutantOptions(args), (error: Error) => {
      equal(error instanceof UsageError, true, args.join(" "));
      match(error.message, says);
      return true;
    });
  }
});

Deno.test("a slow tier is run for the faults that only it can see", () => {
  const mutant: Mutant = { name: "x", fault: "x", breaks: "limits" };
  equal(isNeeded("cases", mutant), true);
  equal(isNeeded("limits", mutant), false);
  equal(isNeeded("limits", { ...mutant, by: "limits" }), true);
  equal(isNeeded("cases", { ...mutant, by: "limits" }), false);
  equal(isNeeded("raw", { ...mutant, by: "limits" }), false);
  equal(isNeeded("raw", { ...mutant, by: "matrix" }), true);
});

Deno.test("mutants that wait for a slow tier are spread among the others, and none is lost", () => {
  const order = spread(MUTANTS);
  deepEqual(order.map(({ name }) => name).toSorted(), MUTANTS.map(({ name }) => name).toSorted());
  const half = order.slice(0, order.length / 2).filter(({ by }) => by).length;
  const all = order.filter(({ by }) => by).length;
  equal(Math.abs(2 * half - all) <= 2, true);
});

Deno.test("figures tell what each tier catches, what it catches alone, and what gets through", () => {
  const verdict = (
    name: string,
    caughtBy: readonly string[],
    bySchemathesis: boolean,
  ): Verdict => ({
    name,
    fault: `the fault ${name}`,
    breaks: "limits",
    caughtBy,
    isCaught: caughtBy.length > 0,
    bySchemathesis,
    first: "",
    ms: 1,
  });
  const verdicts = [
    verdict("a", ["http", "cases"], true),
    verdict("b", ["cases"], false),
    verdict("c", [], true),
  ];
  deepEqual(figures(verdicts, ["http", "cases", "raw"]), [
    "2 of 3 mutants caught",
    "  http         catches   1, alone 0",
    "  cases        catches   2, alone 1",
    "  Schemathesis catches 2 of 3 on its own, 1 of them that the tiers do not",
    "✗ c: the fault c",
  ]);
});

/** A finding of a tier by a rule. */
function group(check: string, tier: string): FindingGroup {
  return { check, where: "createLead", message: "it is wrong", tiers: [tier], findings: [] };
}

Deno.test("a mutant is caught where the tier and the rule that it names have found it", async () => {
  const verdictOf = (mutant: Partial<Mutant>, ...open: FindingGroup[]) =>
    judge({ name: "x", fault: "x", breaks: "limits", ...mutant }, {
      attempt: () => Promise.resolve({ open } as unknown as RunResult),
      schemathesis: undefined,
    });
  const found = [group("raw", "raw"), group("limit_scope", "limits")];
  equal((await verdictOf({})).isCaught, false);
  equal((await verdictOf({}, ...found)).isCaught, true);
  equal((await verdictOf({ by: "faults" }, ...found)).isCaught, false);
  equal((await verdictOf({ check: "limit_fields" }, ...found)).isCaught, false);
  const right = await verdictOf({ by: "limits", check: "limit_scope" }, ...found);
  deepEqual([right.isCaught, right.caughtBy], [true, ["raw", "limits"]]);
  equal(right.first, "createLead: it is wrong (limit_scope)");
  equal((await verdictOf({ by: "raw", check: "limit_scope" }, ...found)).isCaught, false);
});

Deno.test("a document that cannot be read is noticed at once; what else goes wrong is not", async () => {
  const [mutant] = MUTANTS;
  const throwing = (error: Error) =>
    judge(mutant!, { attempt: () => Promise.reject(error), schemathesis: undefined });
  deepEqual((await throwing(new DocumentError("no"))).caughtBy, ["start"]);
  await rejects(throwing(new TypeError("a mutant is wrong")), TypeError);
});
