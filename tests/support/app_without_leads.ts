/** @module The app without a database and a port: pages, documents and assets, but no leads. */

import type { Hono } from "@hono/hono";
import { parseConfig } from "../../config/config.ts";
import { createAppWithoutLeads } from "../../cli/app_without_leads.ts";
import type { AppDeps } from "../../routes/app.ts";
import type { Env } from "../../routes/env.ts";
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
  const config = parseConfig({ SITE_URL, SITE_NAME: "Example", ...env });
  const app = await createAppWithoutLeads(config, deps);
  return {
    app,
    request: async (path, init) => await app.request(SITE_URL + path, init, connectionFrom()),
  };
}
