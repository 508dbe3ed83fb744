/** @module Email addresses, as the lead schema, the configuration and mail targets accept them. */

/** The HTML Standard's expression for an email address (§4.10.5.1.5). */
const EMAIL =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i;

/** Whether a text is an email address of at most 254 characters, the mailbox limit of RFC 5321. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && EMAIL.test(text);
}
