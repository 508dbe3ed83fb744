/**
 * @module `deno task test:flood`: 100,000 posts against the real service, with the figures. Ends with 1
 * where something fell short.
 */

import { flood, shortcomings } from "./flood.ts";
import { takesNoArguments } from "../support/no_arguments.ts";

takesNoArguments(
  "test:flood",
  "Sends 100,000 posts to a service of its own while honest clients go on (30 seconds).",
);

const POSTS = 100_000;

// deno-lint-ignore no-console -- a program that reports
const print = console.log;

const report = await flood(POSTS, print);
const { seconds, honestMs, memory } = report;
for (const [what, times] of Object.entries(report.answers).sort()) print(`${what}: ${times}`);
for (const [status, times] of Object.entries(report.honest)) print(`honest ${status}: ${times}`);
print(
  `honest clients waited ${honestMs.median} ms (median), ${honestMs.p99} ms (99 of 100), ` +
    `${honestMs.longest} ms at most`,
);
print(`memory: ${Math.round(memory.before)} MiB before, ${Math.round(memory.most)} MiB at most`);
print(`${report.posts} posts in ${Math.round(seconds)} s`);
const faults = shortcomings(report);
for (const fault of faults) print(`Fell short: ${fault}`);
Deno.exit(faults.length > 0 ? 1 : 0);
