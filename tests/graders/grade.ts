/**
 * @module What a grader said of the site, and what of it is not good enough. A check that does not
 * pass counts, whatever it costs in points, unless it is refused by name and for a reason.
 */

/** What a grader says of one thing that it looks at. */
export interface GraderCheck {
  readonly name: string;
  readonly outcome: "pass" | "warn" | "fail" | "skip";
  readonly detail: string;
}

/** What a grader says of the site. */
export interface Grade {
  readonly grader: string;
  /** Of 100. */
  readonly score: number;
  readonly checks: readonly GraderCheck[];
}

/** A check that is not to pass here: what it says instead, and why that is right. */
export interface Refusal {
  readonly outcome: Exclude<GraderCheck["outcome"], "pass">;
  readonly because: string;
}

/** What a grade is held against. */
export interface Bar {
  readonly leastScore: number;
  /** By the name of the check. */
  readonly refused: Readonly<Record<string, Refusal>>;
}

/** Lists why a grade does not reach its bar; nothing when it does. */
export function shortfallsOf(
  { grader, score, checks }: Grade,
  { leastScore, refused }: Bar,
): string[] {
  const low = score < leastScore ? [`${grader} gives ${score}, and ${leastScore} are wanted`] : [];
  const unexpected = checks
    .filter(({ name, outcome }) => outcome !== "pass" && outcome !== refused[name]?.outcome)
    .map(({ name, outcome, detail }) => `${grader}: ${name}: ${outcome}: ${detail}`);
  // A refusal that nothing stands behind any more would hide what comes next under that name.
  const outdated = Object.keys(refused)
    .filter((name) => !checks.some((check) => check.name === name && check.outcome !== "pass"))
    .map((name) => `${grader}: ${name} is refused, but it passes or is no longer asked for`);
  return [...low, ...unexpected, ...outdated];
}

/** The grade as a table, with the reason beside each check that is refused. */
export function tableOf({ grader, score, checks }: Grade, { refused }: Bar): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const rows = checks.map(({ name, outcome, detail }) => {
    const refusal = refused[name];
    const reason = refusal?.outcome === outcome ? ` (refused: ${refusal.because})` : "";
    return `  ${outcome.padEnd(4)}  ${name.padEnd(width)}  ${detail}${reason}`;
  });
  return [`${grader}: ${score} of 100`, ...rows].join("\n");
}
