/**
 * @module Text for a terminal. Leads, pages and settings may contain escape sequences that move the cursor,
 * rename the window or hide a line: they never reach a terminal unchanged.
 */

/** C0, DEL, C1, line separators, and bidirectional controls. */
export const UNSAFE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** The text, with U+FFFD for characters that control a terminal, except tabs and line ends. */
export function forTerminal(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(
    UNSAFE,
    (one) => /[\t\n]/.test(one) ? one : "\u{FFFD}",
  );
}
