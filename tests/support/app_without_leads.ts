/** @module The app without a database and a port: pages, documents and assets, but no leads. */

import type { Hono } from "@hono/hono";
import { parseConfig } from "../../config/config.ts";
import { type AppDeps, createApp } from "../../routes/app.ts";
import type { Env } from "../../routes/env.ts";
import { knownPathsOf } from "../../site/check.ts";
import { assetFiles, pageFiles } from "../../site/files.ts";
import { SITE_URL } from "../site/fixture.ts";
import { connectionFrom } from "./send.ts";

export const HTML = "text/html; charset=utf-8";
export const MARKDOWN = "text/markdown; charset=utf-8";

interface AppOptions extends Partial<Omit<AppDeps, "config">> {
  readonly env?: Record<string, string>;
}

export async function appWithoutLeads({ env = {}, ...deps }: AppOptions = {}): Promise<{
  readonly app: Hono<Env>;
  request(path: string, init?: RequestInit): Promise<Response>;
}> {
  const app = await createApp({
    config: parseConfig({ SITE_URL, SITE_NAME: "Example", ...env }),
    leads: () => Promise.reject(new Error("Cannot accept leads: there is no database")),
    pages: pageFiles,
    assets: assetFiles,
    log: { info() {}, error() {}, count() {} },
    stopping: new AbortController().signal,
    now: () => 0,
    ...deps,
  });
  return {
    app,
    request: async (path, init) => await app.request(SITE_URL + path, init, connectionFrom()),
  };
}

export function knownPaths(): Promise<string[]> {
  return knownPathsOf(async (pages) => (await appWithoutLeads({ pages })).app);
}
