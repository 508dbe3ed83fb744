/**
 * @module Runs a denokv server on a temporary SQLite file. `Deno.openKv(url)` reads the token from this
 * process's environment, where it is set.
 */

import { start } from "./command.ts";
import { freePort, withFolder } from "./service.ts";
import { until } from "./until.ts";

export interface Denokv {
  readonly url: string;
  /** The variables that a service needs besides KV_PATH, which may name a proxy. */
  readonly env: Readonly<Record<string, string>>;
}

/** denokv requires 12 characters. */
const TOKEN = "a-token-of-the-tests";

/** @param options.withinMs the deadline, for tests that exceed that of {@link start} */
export async function withDenokv(
  test: (denokv: Denokv) => Promise<void>,
  options: { readonly withinMs?: number } = {},
): Promise<void> {
  const program = await findDenokv();
  await withFolder(async (folder) => {
    const address = `127.0.0.1:${freePort()}`;
    const line = [program, "--sqlite-path", `${folder}/kv.sqlite`, "serve", "--addr", address];
    const env = { DENO_KV_ACCESS_TOKEN: TOKEN };
    const child = start(line, { env, stdout: "null", ...options });
    try {
      const url = `http://${address}`;
      await until("denokv responds", () => {
        if (child.hasEnded()) throw new Error(`Cannot start denokv: ${child.output()}`);
        return responds(url);
      }, 20_000);
      Deno.env.set("DENO_KV_ACCESS_TOKEN", TOKEN);
      await test({ url, env });
    } finally {
      await child.end();
    }
  });
}

async function responds(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify({ supportedVersions: [1, 2, 3] }),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/** On PATH, or where cargo installs it. */
async function findDenokv(): Promise<string> {
  const path = `${Deno.env.get("PATH")}:${Deno.env.get("HOME")}/.cargo/bin`;
  for (const folder of path.split(":")) {
    const found = await Deno.stat(`${folder}/denokv`).catch(() => undefined);
    if (found?.isFile) return `${folder}/denokv`;
  }
  throw new Error("Cannot find denokv: install it with `cargo install denokv --locked`");
}
