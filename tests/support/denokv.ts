/** @module Runs denokv on a temporary file. Sets the token for `Deno.openKv(url)` in this process. */

import { start } from "./command.ts";
import { freePort, untilListens } from "./service.ts";

export interface Denokv extends AsyncDisposable {
  readonly url: string;
  /** The variables that a service needs besides KV_PATH, which may name a proxy. */
  readonly env: Readonly<Record<string, string>>;
}

/** denokv requires 12 characters. */
const TOKEN = "a-token-of-the-tests";

/** @param options.withinMs the deadline, for tests that exceed that of {@link start} */
export async function startDenokv(options: { readonly withinMs?: number } = {}): Promise<Denokv> {
  const program = await findDenokv();
  const folder = await Deno.makeTempDir();
  const port = freePort();
  const address = `127.0.0.1:${port}`;
  const line = [program, "--sqlite-path", `${folder}/kv.sqlite`, "serve", "--addr", address];
  const env = { DENO_KV_ACCESS_TOKEN: TOKEN };
  const child = start(line, { env, stdout: "null", ...options });
  await untilListens(port, child);
  Deno.env.set("DENO_KV_ACCESS_TOKEN", TOKEN);
  return {
    url: `http://${address}`,
    env,
    async [Symbol.asyncDispose]() {
      await child.end();
      await Deno.remove(folder, { recursive: true });
    },
  };
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
