/** @module Parses the text of a document, JSON or YAML, and says where it is malformed. */

import { parse, YAMLParseError } from "yaml";

/**
 * Returns the value of a text.
 * @throws {SyntaxError} with the line and column of the fault
 */
export function parseText(text: string): unknown {
  const start = text.trimStart();
  if (start.startsWith("<")) throw new SyntaxError("it is HTML or XML instead of JSON or YAML");
  let fault = "";
  if (/^[{[]/.test(start)) {
    try {
      return JSON.parse(text.replace(/^\uFEFF/, "")); // far faster than YAML, and not recursive
    } catch (error) {
      fault = (error as Error).message;
    }
  }
  try {
    const value = parse(text);
    JSON.stringify(value); // fails if it contains itself, by aliases
    return value;
  } catch (error) {
    const line = error instanceof YAMLParseError ? error.linePos?.[0] : undefined;
    const [message = ""] = (fault || String((error as Error).message)).split(/ at line |:?\n/);
    const place = line === undefined ? "" : ` (line ${line.line}, column ${line.col})`;
    throw new SyntaxError(`it is neither JSON nor YAML: ${message}${fault ? "" : place}`);
  }
}
