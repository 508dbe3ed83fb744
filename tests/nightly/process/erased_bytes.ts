/** @module erase, purge and reseal leave no byte in the database files, and keep all other leads. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { keys } from "../../../leads/kv/keys.ts";
import { createKvStore } from "../../../leads/kv/create.ts";
import { createLeadIds } from "../../../leads/lead_id.ts";
import { NEW_CLIENT } from "../../../leads/rate_limit.ts";
import { Sealer } from "../../../leads/sealing.ts";
import type { Ended } from "../../support/command.ts";
import { runLeads } from "../../support/start_task.ts";
import { postLead } from "../../support/post_lead.ts";
import { withReceiver } from "../../support/receiver.ts";
import { startService, withFolder } from "../../support/service.ts";
import { LEAD } from "../../support/test_app.ts";
import { until } from "../../support/until.ts";

const FILE = ".data/frontdoor.sqlite";
const HOUR = 3_600_000;
const LATIN1 = new TextDecoder("latin1");

/** V8 stores Latin-1 text in one byte a letter, any other in two. */
const PERSON = {
  email: "erika.unverwechselbar@example.com",
  company: "Grüßenswerte Größen GmbH",
  message: "これは消されるべき秘密の言葉です",
};
const WORDS = Object.values(PERSON);

async function bytesOf(folder: string): Promise<string> {
  let text = "";
  for await (const { name } of Deno.readDir(`${folder}/.data`)) {
    text += LATIN1.decode(await Deno.readFile(`${folder}/.data/${name}`));
  }
  return text;
}

async function remains(folder: string): Promise<string[]> {
  const text = await bytesOf(folder);
  return WORDS.filter((word) => encodings(word).some((form) => text.includes(form)));
}

function encodings(word: string): string[] {
  const utf16 = new Uint8Array(Uint16Array.from(word, (unit) => unit.charCodeAt(0)).buffer);
  return [word, LATIN1.decode(new TextEncoder().encode(word)), LATIN1.decode(utf16)];
}

async function companies(folder: string): Promise<string[]> {
  const out = await outputOf(runLeads(["list", "--json"], { folder }));
  return out.trimEnd().split("\n").map((line) => JSON.parse(line).company).sort();
}

async function outputOf(ended: Promise<Ended>): Promise<string> {
  const { code, out, err } = await ended;
  deepEqual([code, err], [0, ""]);
  return out;
}

async function mustStore(url: string, lead: unknown): Promise<void> {
  const response = await postLead(url, lead);
  equal(response.status, 200, await response.text());
}

/** SQLite's own check; no process may have the file open. */
function problemsOf(folder: string): unknown {
  using db = new DatabaseSync(`${folder}/${FILE}`);
  return db.prepare("PRAGMA integrity_check").get()?.["integrity_check"];
}

Deno.test("erase removes every byte of a person while leads arrive and are attempted", () =>
  withReceiver((receiver) =>
    withFolder(async (folder) => {
      const env = {
        LEAD_TARGETS: ["a", "b", "c"].map((path) => `${path}=${receiver.url}/${path}`).join(" "),
        LEAD_RATE_LIMIT: "10000/1m",
        LEAD_ATTEMPT_LIMIT: "10000/1m",
      };
      const service = await startService(folder, env);
      const others = Array.from({ length: 40 }, (_, n) => `Company ${n}`).sort();
      for (const [n, company] of others.entries()) {
        await mustStore(service.url, { ...LEAD, company });
        if (n === 20) await mustStore(service.url, { ...LEAD, ...PERSON });
      }
      // Each attempt rewrites the lead.
      await receiver.arrived(3 * 41);
      await until("all words are in the file", async () =>
        (await remains(folder)).length === WORDS.length);

      let isErased = false;
      const erased = outputOf(runLeads(["erase", PERSON.email, "--yes"], { folder }));
      erased.finally(() =>
        isErased = true
      ).catch(() => {});
      while (!isErased) {
        const company = `Company ${others.length}`;
        await mustStore(service.url, { ...LEAD, company });
        others.push(company);
      }
      match(await erased, /^1 lead of .* erased\n$/);
      deepEqual(await remains(folder), []);
      deepEqual(await companies(folder), others.sort());

      equal(await service.end(), 0);
      deepEqual(await remains(folder), []);
      equal(problemsOf(folder), "ok");
      // Failures in a row would pause a target, and its leads would wait.
    }), (n) => new Response(null, { status: n % 2 === 0 ? 500 : 204 })));

async function putOld(folder: string, changes = (_: Deno.Kv) => Promise.resolve()): Promise<void> {
  await Deno.mkdir(`${folder}/.data`);
  using kv = await Deno.openKv(`${folder}/${FILE}`);
  const now = () => Date.now() - 2 * HOUR;
  const open = () => Promise.resolve(kv);
  const store = createKvStore({ open, now, sealer: new Sealer([]), retentionMs: Infinity });
  await store.secret();
  await store.accept({ client: "somebody", state: NEW_CLIENT, seen: null }, {
    id: createLeadIds()(now()),
    receivedAt: now(),
    expiresAt: Date.now() + 24 * HOUR,
    lead: { ...LEAD, ...PERSON },
    deliveries: {},
    index: { same: "content", email: "person" },
  });
  await changes(kv);
}

/** Leaves the words only in free pages, as a command killed before the rewrite. */
async function removeAll(kv: Deno.Kv): Promise<void> {
  for (let n = 0; n < 50; n++) await kv.set(["more", n], PERSON);
  for await (const { key } of kv.list({ prefix: [] })) {
    if (key[1] !== "secret") await kv.delete(key);
  }
}

const COMMANDS = [
  ["purge", undefined, /^1 lead purged\n$/],
  ["purge", removeAll, /^0 leads purged\n$/],
  [`erase ${PERSON.email} --yes`, removeAll, /^0 leads of .* erased\n$/],
] as const;

Deno.test("purge leaves no byte; erase and purge clear the file even if the lead is already gone", async () => {
  for (const [words, changes, says] of COMMANDS) {
    await withFolder(async (folder) => {
      await putOld(folder, changes);
      equal((await remains(folder)).length, WORDS.length);
      const ended = runLeads(words.split(" "), { folder, env: { LEAD_RETENTION: "1h" } });
      match(await outputOf(ended), says);
      deepEqual(await remains(folder), []);
      equal(problemsOf(folder), "ok");
    });
  }
});

const OLD_KEY = `2026:${btoa("o".repeat(32))}`;
const NEW_KEY = `2027:${btoa("n".repeat(32))}`;

async function sealedIn(folder: string): Promise<string> {
  using kv = await Deno.openKv(`${folder}/${FILE}`);
  const [lead] = await Array.fromAsync(
    kv.list<{ content: { data: Uint8Array } }>({ prefix: keys.leads() }),
  );
  return LATIN1.decode(lead!.value.content.data);
}

Deno.test("reseal leaves no byte of the text, and after a rotation none of the old ciphertext, while the service runs", () =>
  withFolder(async (folder) => {
    const given = { LEAD_ENCRYPTION_KEYS: OLD_KEY };
    const plain = await startService(folder);
    await mustStore(plain.url, { ...LEAD, ...PERSON });
    equal((await remains(folder)).length, WORDS.length);
    equal(await plain.end(), 0);
    const service = await startService(folder, given);
    await mustStore(service.url, LEAD);
    const reseal = (env: Record<string, string>) => outputOf(runLeads(["reseal"], { folder, env }));
    equal(await reseal(given), "1 lead of 2 resealed\n");
    deepEqual(await remains(folder), []);
    const old = await sealedIn(folder);
    ok((await bytesOf(folder)).includes(old));
    equal(await service.end(), 0);
    equal(
      await reseal({ LEAD_ENCRYPTION_KEYS: `${NEW_KEY} ${OLD_KEY}` }),
      "2 leads of 2 resealed\n",
    );
    ok(!(await bytesOf(folder)).includes(old));
    ok(await sealedIn(folder) !== old);
    equal(problemsOf(folder), "ok");
  }));

Deno.test("the service clears the file once a day", () =>
  withFolder(async (folder) => {
    await putOld(folder, async (kv) => void await kv.set(keys.rewrite(), Date.now() - 1));
    equal((await remains(folder)).length, WORDS.length);
    // With a target, maintenance runs at the start.
    const env = { LEAD_RETENTION: "1h", LEAD_TARGETS: "http://127.0.0.1:2/" };
    const service = await startService(folder, env);
    await mustStore(service.url, LEAD);
    await until("the file is rewritten", () => service.output().includes("leads.file_rewritten"));
    ok(service.output().includes('"event":"leads.purged","leads":1'));
    deepEqual(await remains(folder), []);
    deepEqual(await companies(folder), [LEAD.company]);
    equal(await service.end(), 0);
    equal(problemsOf(folder), "ok");
  }));
