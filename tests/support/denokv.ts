/**
 * @module A denokv server of the test's own: KV over the network, on a SQLite file that is thrown away.
 *
 * Reading from it with `Deno.openKv(url)` needs the token in this process's environment: it is put
 * there.
 */

import { start } from "./command.ts";
import { freePort, withFolder } from "./service.ts";
import { until } from "./until.ts";

/** A running denokv. */
export interface Denokv {
  readonly url: string;
  /** What a service needs to reach it, `KV_PATH` aside: that may lead through a proxy. */
  readonly env: Readonly<Record<string, string>>;
}

/** denokv refuses tokens under 12 characters. */
const TOKEN = "a-token-of-the-tests";

/**
 * Runs a test with a denokv of its own, and ends it by its process id.
 *
 * @param options.withinMs when it is killed, where a test takes longer than {@link start} allows
 */
export async function withDenokv(
  test: (denokv: Denokv) => Promise<void>,
  { withinMs }: { readonly withinMs?: number } = {},
): Promise<void> {
  const program = await findDenokv();
  await withFolder(async (folder) => {
    const address = `127.0.0.1:${freePort()}`;
    const line = [program, "--sqlite-path", `${folder}/kv.sqlite`, "serve", "--addr", address];
    const child = start(line, {
      env: { DENO_KV_ACCESS_TOKEN: TOKEN },
      stdout: "null",
      ...(withinMs === undefined ? {} : { withinMs }),
    });
    try {
      const url = `http://${address}`;
      await until("denokv answers", async () => {
        if (child.hasEnded()) throw new Error(`Cannot start denokv: ${child.output()}`);
        return await answers(url);
      }, 20_000);
      Deno.env.set("DENO_KV_ACCESS_TOKEN", TOKEN);
      await test({ url, env: { DENO_KV_ACCESS_TOKEN: TOKEN } });
    } finally {
      await child.end();
    }
  });
}

async function answers(url: string): Promise<boolean> {
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

/** On PATH, or where cargo puts what it installs. */
async function findDenokv(): Promise<string> {
  const folders = [
    ...(Deno.env.get("PATH") ?? "").split(":"),
    `${Deno.env.get("HOME") ?? ""}/.cargo/bin`,
  ];
  for (const folder of folders) {
    const program = `${folder}/denokv`;
    const found = await Deno.stat(program).catch(() => undefined);
    if (found?.isFile) return program;
  }
  throw new Error(
    "Cannot find denokv, the self-hosted KV server: install it with `cargo install denokv --locked`",
  );
}
