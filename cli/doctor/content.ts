/** @module Checks what the site says: nothing of the sample, texts of the owner, valid sources. */

import { assetFiles } from "../../site/files.ts";
import { assetProblems } from "../../site/check_assets.ts";
import { siteProblems } from "../app_without_leads.ts";
import { knownFiles, SAMPLE_NAME } from "../init/sample.ts";
import { type Environment, fail, type Finding, ok, warn } from "./finding.ts";
import { isPublic } from "./settings.ts";

const LEGAL = /\/(?:imprint|privacy)\.md$/;

export async function checkTexts({ config }: Environment): Promise<Finding[]> {
  // A file that cannot be read is reported with the pages.
  const { sample, made, common } = await knownFiles()
    .catch(() => ({ sample: [], made: [], common: [] }));
  const left = [...config.siteName === SAMPLE_NAME ? ["SITE_NAME"] : [], ...sample];
  const starters = made.filter((path) => path.endsWith(".md") && !path.endsWith("/changelog.md"));
  const legal = common.filter((path) => LEGAL.test(path));
  const sampleState = left.length === 0 ? ok("sample", "nothing is left of it") : {
    ...warn("sample", `still the sample's: ${left.join(", ")}`, "Run deno task init."),
    ...isPublic(config.siteUrl) && { state: "fail" as const },
  };
  const found = [
    sampleState,
    starters.length > 0 &&
    warn("texts", `as init wrote them: ${starters.join(", ")}`, "Write your own text there."),
    legal.length > 0 && warn(
      "legal",
      `not adapted to you yet: ${legal.join(", ")}`,
      "Check that they are true of you and enough where you are; set `updated` to that day.",
    ),
  ];
  return found.filter((one) => typeof one === "object");
}

export async function checkPages({ config }: Environment): Promise<Finding[]> {
  const problems = [...await siteProblems(config), ...await assetProblems(assetFiles)];
  if (problems.length === 0) return [ok("pages", "every source is valid")];
  const fix = "Correct the file; deno task check:pages checks pictures and colours too.";
  return problems.map((problem) => fail("pages", problem, fix));
}
