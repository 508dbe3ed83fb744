/** @module Tiers that start their own instances, configured by `instances.yaml`. */

import { z } from "zod";
import { BEHAVIOURS } from "./receiver.ts";
import type { LimitRules } from "../../oracle/profile.ts";
import type { Session, Tier } from "../../run/session.ts";
import { readYaml } from "../../lib/yaml_file.ts";

const Instances = z.strictObject({
  /** The environment variables of the limits, written `20/600s`, and of the trusted proxies. */
  settings: z.strictObject({ accepted: z.string(), attempts: z.string(), proxies: z.string() }),
  /** Headers that must not change which client a request counts for. */
  forged: z.array(z.string().regex(/^[\w-]+: .*$/, "is not a header")),
  /** Behind one trusted proxy: X-Forwarded-For fields of the same client and of others. */
  clients: z.array(z.strictObject({
    client: z.string(),
    same: z.array(z.string()),
    other: z.array(z.string()),
  })),
  /** JSON Pointer to `delivered` in the response to a lead. */
  delivered: z.string(),
  /** What makes a valid body one that is stored and delivered; the member `by` selects the target's behaviour. */
  stored: z.strictObject({ body: z.record(z.string(), z.unknown()), by: z.string() }),
  /** Instances with faults around them, and leads that are sent to each in turn. */
  failing: z.array(z.strictObject({
    how: z.string(),
    /** Variables; `<receiver>` is a target that does what the lead says, `<silent>` never answers. */
    env: z.record(z.string(), z.string()),
    leads: z.array(z.strictObject({
      does: z.enum(BEHAVIOURS),
      /** The status, and whether the lead is reported as delivered. */
      want: z.string().regex(/^\d{3}(?: delivered| stored)?$/),
      /** The receiver must have got the lead in the end. */
      arrives: z.literal("once").optional(),
      again: z.literal(true).optional(),
      /** The shortest and the longest time of the answer, in seconds. */
      takes: z.tuple([z.number(), z.number()]).default([0, Infinity]),
    })),
  })),
  /** A broken file, the paths that then answer 500, and those that still work. */
  broken: z.strictObject({
    file: z.string(),
    text: z.string(),
    fails: z.array(z.string()),
    works: z.array(z.string()),
    code: z.string(),
    hidden: z.array(z.string()),
    id: z.string(),
  }),
});

export type Instances = z.infer<typeof Instances>;

export interface Scenario {
  readonly env: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  check(session: Session): Promise<void>;
}

interface Context {
  readonly instances: Instances;
  readonly rules: LimitRules;
  /** What the scenarios need beside their instances. */
  readonly beside: AsyncDisposableStack;
}

export function instanceTier(
  about: Pick<Tier, "name" | "tries">,
  scenarios: (context: Context) => readonly Scenario[],
): Tier {
  return {
    ...about,
    live: false,
    startsInstances: true,
    unable({ launcher, contract }) {
      if (contract.profile.limits === undefined) return "the profile names no limited operation";
      const needs = "needs its own instances, and the harness did not start the service";
      return launcher === undefined ? needs : undefined;
    },
    async run(session) {
      const { cases, launcher, contract: { profile } } = session;
      const instances = await readYaml(new URL("instances.yaml", cases), Instances);
      if (instances === undefined) return session.note("there is no instances.yaml");
      await using beside = new AsyncDisposableStack();
      const all = scenarios({ instances, rules: profile.limits!, beside });
      let done = 0;
      await Promise.all(all.map(async ({ env, files, check }) => {
        const instance = await launcher!.start(env, files);
        await check(session.at(instance.url));
        await instance.stop();
        session.progress(++done, all.length);
      }));
    },
  };
}
