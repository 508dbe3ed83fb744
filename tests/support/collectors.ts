/** @module OpenTelemetry collectors as the service may meet them: one that answers, hangs or is away. */

import { withRawReceiver } from "./raw_receiver.ts";
import { withReceiver } from "./receiver.ts";
import { freePort } from "./service.ts";

/** Runs a test with the URL of a collector. */
type WithCollector = (test: (url: string) => Promise<void>) => Promise<void>;

/** Each kind of collector. */
export const COLLECTORS = {
  answers: (test) => withReceiver(({ url }) => test(url)),
  hangs: (test) => withRawReceiver(({ port }) => test(`http://127.0.0.1:${port}`)),
  refuses: (test) => test(`http://127.0.0.1:${freePort()}`),
} as const satisfies Record<string, WithCollector>;
