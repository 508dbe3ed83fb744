/** @module The targets by URL scheme: a new kind is one file here and one line below. */

import type { Target } from "./target.ts";
import { createWebhook, type WebhookOptions } from "./webhook.ts";

type Factory = (url: URL, options: WebhookOptions) => Promise<Target>;

const FACTORIES: Record<string, Factory> = {
  "http:": createWebhook,
  "https:": createWebhook,
};

/** @throws {Error} for a scheme that no target answers to; the configuration refuses it earlier */
export function createTargets(
  urls: readonly URL[],
  options: WebhookOptions,
): Promise<Target[]> {
  return Promise.all(urls.map((url) => {
    const factory = FACTORIES[url.protocol];
    if (factory === undefined) throw new Error(`Cannot deliver by ${url.protocol}: unknown scheme`);
    return factory(url, options);
  }));
}
