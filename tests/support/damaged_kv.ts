/** @module A database file whose entries a test can damage, as a failing disk does. */

import { DatabaseSync } from "node:sqlite";
import { withFolder } from "./service.ts";

export interface DamagedKv {
  readonly kv: Deno.Kv;
  readonly file: string;
  damage(key: Deno.KvKey): void;
  /** When KV deletes an entry by itself, in epoch milliseconds. */
  expiryOf(key: Deno.KvKey): number;
}

export function withDamagedKv(test: (damaged: DamagedKv) => Promise<void>): Promise<void> {
  return withFolder(async (folder) => {
    const file = `${folder}/kv.sqlite`;
    using kv = await Deno.openKv(file);
    using database = new DatabaseSync(file, { timeout: 5_000 });
    const update = database.prepare("update kv set v = ? where k = ?");
    const select = database.prepare("select expiration_ms from kv where k = ?");
    await test({
      kv,
      file,
      damage(key) {
        const { changes } = update.run(new Uint8Array([255, 16, 111, 34, 9]), encoded(key));
        if (changes !== 1) throw new Error(`There is no entry ${JSON.stringify(key)}`);
      },
      expiryOf: (key) => Number(select.get(encoded(key))!["expiration_ms"]),
    });
  });
}

/** A key of text and numbers above 0, as Deno stores it. */
function encoded(key: Deno.KvKey): Uint8Array {
  return Uint8Array.from(key.flatMap((part) => {
    if (typeof part === "string") return [2, ...new TextEncoder().encode(part), 0];
    const bytes = new DataView(new ArrayBuffer(8));
    bytes.setFloat64(0, Number(part));
    bytes.setUint8(0, bytes.getUint8(0) ^ 128); // so that positive numbers sort
    return [0x21, ...new Uint8Array(bytes.buffer)];
  }));
}
