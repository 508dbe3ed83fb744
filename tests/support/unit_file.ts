/** @module Parses systemd unit and environment files without continuation lines. */

export function unitSection(text: string, section: string): ReadonlyMap<string, string> {
  const [, ...parts] = text.split(/^\[/m);
  const part = parts.find((one) => one.startsWith(`${section}]`));
  if (part === undefined) throw new Error(`Cannot read the unit: it has no [${section}]`);
  return new Map(Object.entries(settings(part.slice(part.indexOf("\n")))));
}

/** `NAME=value` lines without quotes around the value (systemd.exec(5)). */
export function settings(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => /^[A-Z]\w*=/i.test(line));
  return Object.fromEntries(lines.map((line) => {
    const at = line.indexOf("=");
    return [line.slice(0, at), line.slice(at + 1).trim().replace(/^"(.*)"$/, "$1")];
  }));
}
