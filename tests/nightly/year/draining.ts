/** @module How fast processes drain a queue together, and how often they deliver a lead twice. */

import { NEW_CLIENT } from "../../../leads/rate_limit.ts";
import { newRound } from "../../../leads/lead.ts";
import { createLeadIds } from "../../../leads/lead_id.ts";
import { groupingAt } from "../../../leads/kv/group_commit.ts";
import { recordOf } from "../../support/delivering.ts";
import { startDenokv } from "../../support/denokv.ts";
import { storeOn } from "../../support/kv_with.ts";
import { startReceiver } from "../../support/receiver.ts";
import { pause } from "../../support/until.ts";
import type { DrainerCounts, DrainerOptions } from "./drainer.ts";

/** Splits into lines. */
class TextLineStream extends TransformStream<string, string> {
  constructor() {
    let rest = "";
    super({
      transform(text, stream) {
        const lines = (rest + text).split("\n");
        rest = lines.pop()!;
        for (const line of lines) stream.enqueue(line);
      },
    });
  }
}

const DRAINER = new URL("drainer.ts", import.meta.url).pathname;
const CONFIG = new URL("../../deno.json", import.meta.url).pathname;
const TARGET = "crm";

/** Stores leads that are due. */
export async function fill(kv: Deno.Kv, leads: number, target = TARGET): Promise<void> {
  const store = storeOn(kv, { grouping: { flights: 4, most: 5 } });
  const newId = createLeadIds();
  const now = Date.now();
  for (let done = 0; done < leads; done += 500) {
    await Promise.all(Array.from({ length: Math.min(500, leads - done) }, () => {
      const id = newId(now);
      const record = {
        ...recordOf({ company: id }),
        ...{ id, receivedAt: now, expiresAt: now + 86_400_000, index: { same: id, email: id } },
        deliveries: { [target]: newRound(now - 1) },
      };
      return store.accept({ client: id, state: NEW_CLIENT, seen: null }, record);
    }));
  }
}

export interface Drained {
  readonly seconds: number;
  readonly perSecond: number;
  readonly commits: number;
  /** The share of commits that lost their race. */
  readonly lost: number;
  /** Leads that the target got more than once. */
  readonly duplicates: number;
}

/** Drains leads with a process for each entry of `skewsMs`, on one denokv. */
export async function drain(
  { leads, skewsMs, latencyMs, file }: {
    readonly leads: number;
    readonly skewsMs: readonly number[];
    readonly latencyMs: number;
    /** Instead of denokv. */
    readonly file?: string;
  },
): Promise<Drained> {
  await using denokv = file === undefined ? await startDenokv() : undefined;
  const path = file ?? denokv!.url;
  using kv = await Deno.openKv(path);
  await fill(kv, leads);
  const seen = new Map<string, number>();
  let last = 0;
  await using receiver = startReceiver(async (_, { headers }) => {
    const id = headers["webhook-id"]!;
    seen.set(id, (seen.get(id) ?? 0) + 1);
    last = performance.now();
    if (latencyMs > 0) await pause(latencyMs);
    return new Response(null, { status: 204 });
  });
  const env = { KV_PATH: path, LEAD_TARGETS: `${TARGET}=${receiver.url}` };
  const began = performance.now();
  const children = skewsMs.map((skewMs) => {
    const words = JSON.stringify({ env, skewMs } satisfies DrainerOptions);
    const args = ["run", "-A", "-q", "--config", CONFIG, DRAINER, words];
    return new Deno.Command(Deno.execPath(), {
      args,
      env: { ...denokv?.env },
      stdin: "piped",
      stdout: "piped",
    }).spawn();
  });
  const drainers = children.map((child) => ({
    input: child.stdin.getWriter(),
    lines: child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream())
      .getReader(),
  }));
  await Promise.all(drainers.map(({ lines }) => lines.read()));
  for (const { input } of drainers) await input.write(new Uint8Array(1));
  let first = 0;
  while (seen.size < leads) {
    await pause(50);
    if (seen.size > 0 && first === 0) first = performance.now();
    if (performance.now() - began > 120_000) break;
  }
  const seconds = (last - first) / 1_000;
  const delivered = seen.size;
  await pause(1_000);
  const counts = await Promise.all(drainers.map(async ({ input, lines }) => {
    await input.close();
    return JSON.parse((await lines.read()).value!) as DrainerCounts;
  }));
  await Promise.all(children.map((child) => child.status));
  const commits = counts.reduce((sum, one) => sum + one.commits, 0);
  const lost = counts.reduce((sum, one) => sum + one.lost, 0) / commits;
  const duplicates = [...seen.values()].filter((times) => times > 1).length;
  return { seconds, perSecond: delivered / seconds, commits, lost, duplicates };
}
if (import.meta.main) {
  const [leads, skews, latency, file] = Deno.args;
  console.log(
    JSON.stringify(
      await drain({
        leads: Number(leads),
        skewsMs: skews!.split(",").map(Number),
        latencyMs: Number(latency),
        ...(file ? { file } : {}),
      }),
    ),
  );
}
