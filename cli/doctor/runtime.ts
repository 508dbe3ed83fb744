/**
 * @module What the service runs on: the version of Deno, and its permissions. The doctor is started
 * with the service's own flags, so that what it may do is what the service may do.
 */

import { dirname } from "node:path";
import { isFile } from "../../config/kv_path.ts";
import { addressOf, connectUrl } from "./address.ts";
import { type Check, type Environment, fail, ok, warn } from "./check.ts";

/** The version that the tests run with; `.ci/run` installs it. */
export const TESTED_DENO = "2.9.6";

/** The version of Deno. */
export const version: Check = {
  name: "version",
  requires: [],
  run({ denoVersion }) {
    const [major = 0, minor = 0] = numbers(denoVersion);
    const [testedMajor = 0, testedMinor = 0] = numbers(TESTED_DENO);
    const distance = (major - testedMajor) * 1000 + (minor - testedMinor);
    if (distance === 0) return [ok("version", `Deno ${denoVersion}`)];
    const message = `Deno ${denoVersion}; the tests run with ${TESTED_DENO}`;
    return [
      distance < 0
        ? fail("version", message, `Install it: npm install --global deno@${TESTED_DENO}.`)
        : warn("version", message, "Run deno task test with this version before you rely on it."),
    ];
  },
};

function numbers(text: string): number[] {
  return text.split(".").map(Number);
}

/** A permission and the flag that gives it. */
interface Need {
  readonly flag: string;
  readonly descriptor: Deno.PermissionDescriptor;
}

/** Permissions that nothing here needs; an attacker inside the process would have them too. */
const BEYOND: readonly Need[] = [
  { flag: "--allow-run", descriptor: { name: "run" } },
  { flag: "--allow-ffi", descriptor: { name: "ffi" } },
  { flag: "--allow-sys", descriptor: { name: "sys" } },
  { flag: "--allow-env without names", descriptor: { name: "env" } },
  { flag: "--allow-read without paths", descriptor: { name: "read" } },
  { flag: "--allow-write without paths", descriptor: { name: "write" } },
];

/** The permissions: what is missing, and what is given beyond need. */
export const permissions: Check = {
  name: "permissions",
  requires: [],
  async run(environment) {
    const { hidden, variables } = environment;
    const missing = [
      ...(hidden.length === 0 ? [] : [`--allow-env=${hidden.join(",")}`]),
      ...await flagsOf(needs(environment), { given: false }),
    ];
    if (missing.length > 0) {
      return [fail(
        "permissions",
        `missing: ${[...new Set(missing)].join(" ")}`,
        "Start the service with the flags of the start task in deno.json, and with these.",
      )];
    }
    const beyond = await flagsOf(BEYOND, { given: true });
    // There all is allowed, and nothing can be taken away.
    if (beyond.length > 0 && !variables["DENO_DEPLOY"]) {
      return [warn(
        "permissions",
        `beyond what is needed: ${beyond.join(", ")}`,
        "Start the service with the flags of the start task in deno.json.",
      )];
    }
    return [ok("permissions", "all that is needed")];
  },
};

function needs({ config }: Environment): Need[] {
  const { host, port, kvPath, leadTargets } = config;
  const urls = [...leadTargets, ...connectUrl(kvPath)];
  const net = [`${host}:${port}`, ...urls.map((url) => addressOf(url)?.host ?? url.host)];
  const folder = isFile(kvPath) ? dirname(kvPath) : undefined;
  return [
    ...net.map((place): Need => ({
      flag: `--allow-net=${place}`,
      descriptor: { name: "net", host: place },
    })),
    {
      flag: "--allow-read=static",
      descriptor: { name: "read", path: new URL("../../static/", import.meta.url) },
    },
    ...(folder === undefined ? [] : (["read", "write"] as const).map((name): Need => ({
      flag: `--allow-${name}=${folder}`,
      descriptor: { name, path: folder },
    }))),
  ];
}

/** The flags of those needs that are given, or of those that are not. */
async function flagsOf(
  needs: readonly Need[],
  { given }: { readonly given: boolean },
): Promise<string[]> {
  const answers = await Promise.all(
    needs.map(({ descriptor }) => Deno.permissions.query(descriptor)),
  );
  return needs.filter((_, at) => (answers[at]!.state === "granted") === given)
    .map(({ flag }) => flag);
}
