/** @module Whether this process, which has the flags of the start task, has the service's permissions. */

import { dirname } from "node:path";
import { VARIABLES } from "../../config/config.ts";
import { isFile } from "../../config/kv_path.ts";
import { type Environment, fail, type Finding, ok } from "./finding.ts";
import { hostOf } from "./targets.ts";

/** A permission, and the flag that gives it. */
type Need = readonly [flag: string, descriptor: Deno.PermissionDescriptor];

/** The permissions, in one finding. */
export async function checkPermissions({ config }: Environment): Promise<Finding[]> {
  const { host, port, kvPath, leadTargets } = config;
  const hosts = new Set([`${host}:${port}`, ...leadTargets.map(hostOf)]);
  const folder = isFile(kvPath) ? [dirname(kvPath)] : [];
  const needs: Need[] = [
    ...VARIABLES.map((variable): Need => [`--allow-env=${variable}`, { name: "env", variable }]),
    ...[...hosts].map((host): Need => [`--allow-net=${host}`, { name: "net", host }]),
    ["--allow-read=static", { name: "read", path: new URL("../../static/", import.meta.url) }],
    ...folder.map((path): Need => [`--allow-read=${path}`, { name: "read", path }]),
    ...folder.map((path): Need => [`--allow-write=${path}`, { name: "write", path }]),
  ];
  const missing: string[] = [];
  for (const [flag, descriptor] of needs) {
    const { state } = await Deno.permissions.query(descriptor);
    if (state !== "granted") missing.push(flag);
  }
  if (missing.length === 0) return [ok("permissions", "all that is needed")];
  const fix = "Start the service with the flags of the start task in deno.json, and with these.";
  return [fail("permissions", `missing: ${missing.join(" ")}`, fix)];
}
