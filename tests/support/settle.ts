/** @module How long recovery may take; `machines.ts` has it. */

export { RECOVERY_MS } from "./machines.ts";
