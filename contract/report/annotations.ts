/** @module Renders findings as annotations of GitHub Actions, which shows ten of each level. */

import type { RunResult } from "../run.ts";
import { type Item, viewOf } from "./view.ts";

const MOST = 10;

export function annotations(result: RunResult): string {
  const { breach, advice, coverage } = viewOf(result);
  const levels = { error: breach, warning: advice, notice: coverage };
  return Object.entries(levels).flatMap(([level, items]) =>
    items.slice(0, MOST).map((item) => annotation(level, item))
  ).join("\n");
}

function annotation(level: string, { check, where, message, line }: Item): string {
  const title = encoded(`${where} (${check})`).replaceAll(":", "%3A").replaceAll(",", "%2C");
  return `::${level} title=${title}::${encoded([message, line ?? []].flat().join("\n"))}`;
}

function encoded(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
