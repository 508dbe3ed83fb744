/** @module The variables of an operator, and the file that lists them. */

import { VARIABLES } from "../../config/config.ts";

export const EXAMPLE = await Deno.readTextFile(new URL("../../.env.example", import.meta.url));

/** Without those that Deno Deploy sets. */
export const NAMES = VARIABLES.filter((name) => !name.startsWith("DENO_"));
