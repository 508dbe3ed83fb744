/** @module Which Host and Origin development answers; `tests/process/dev_test.ts` asks a real one. */

import { match, strictEqual as equal } from "node:assert/strict";
import { refusalOf } from "../../cli/dev/visitors.ts";
import { parseConfig } from "../../config/config.ts";

const EVERYWHERE = { HOST: "0.0.0.0" };
const NAMED = { HOST: "devbox", SITE_URL: "https://www.example.com", LOCAL_URL: "http://dev.test" };

const ROWS: readonly (readonly [
  env: Record<string, string>,
  host: string | null,
  origin: string | null,
  isAnswered: boolean,
])[] = [
  ...["localhost", "LOCALHOST:8000", "localhost:9", "127.0.0.1:8000", "[::1]:8000", "a.b.localhost"]
    .map((host) => [{}, host, null, true] as const),
  ...["evil.example", "evil.example:8000", "localhost.evil.example", "notlocalhost", "10.0.0.5", ""]
    .map((host) => [{}, host, null, false] as const),
  ...["192.168.1.7:8000", "[fd00::7]:8000", "0.0.0.0", "localhost"]
    .map((host) => [EVERYWHERE, host, null, true] as const),
  [{ HOST: "::" }, "192.168.1.7", null, true],
  [EVERYWHERE, "evil.example", null, false],
  [{ HOST: "fd00::7" }, "[FD00::7]:8000", null, true],
  ...["devbox", "www.example.com", "dev.test:8000"].map((host) =>
    [NAMED, host, null, true] as const
  ),
  [NAMED, "example.com", null, false],
  [{}, null, null, true],
  [{}, "localhost", "http://localhost:3000", true],
  [NAMED, "localhost", "https://www.example.com", true],
  [{}, "localhost", "https://evil.example", false],
  [{}, "localhost", "null", false],
  [{}, "evil.example", "http://localhost:8000", false],
];

Deno.test("refusalOf() refuses hosts and pages that are not this machine's", () => {
  for (const [env, host, origin, isAnswered] of ROWS) {
    const headers = new Headers();
    if (host !== null) headers.set("host", host);
    if (origin !== null) headers.set("origin", origin);
    const refusal = refusalOf({ url: "http://127.0.0.1:8000/", headers }, parseConfig(env));
    const row = JSON.stringify([env, host, origin]);
    equal(refusal === undefined, isAnswered, row);
    if (!isAnswered) {
      match(refusal!, /^.* does not answer .*\nIt answers localhost, [^]*LOCAL_URL=/);
    }
  }
});
