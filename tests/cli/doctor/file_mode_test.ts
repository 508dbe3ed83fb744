/** @module The doctor and a database's file that others can read. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { fileMode } from "../../../cli/doctor/file_mode.ts";
import { linesOf, patient } from "../../support/patient.ts";
import { withFolder } from "../../support/service.ts";

/** Modes of folder and file, and whether others can read it. */
const MODES: readonly (readonly [folder: number, file: number, isOpen: boolean])[] = [
  [0o755, 0o644, true],
  [0o755, 0o640, true],
  [0o711, 0o604, true],
  [0o755, 0o600, false],
  [0o700, 0o644, false],
];

for (const [folderMode, mode, isOpen] of MODES) {
  const [of, octal] = [folderMode, mode].map((one) => one.toString(8));
  Deno.test(`a file of mode ${octal} in a folder of mode ${of}: ${isOpen ? "told" : "fine"}`, () =>
    withFolder(async (folder) => {
      const path = `${folder}/kv.sqlite`;
      await Deno.writeTextFile(path, "");
      await Deno.chmod(path, mode);
      await Deno.chmod(folder, folderMode);
      deepEqual(
        await linesOf(fileMode, patient({ KV_PATH: path })),
        isOpen
          ? [`warn file: ${path} can be read by other users of this machine (mode ${octal})`]
          : [],
      );
    }));
}

Deno.test("where there is no file, nothing is said of one", () =>
  withFolder(async (folder) => {
    for (const KV_PATH of [`${folder}/none`, ":memory:", "https://kv.example"]) {
      deepEqual(await linesOf(fileMode, patient({ KV_PATH })), []);
    }
  }));
