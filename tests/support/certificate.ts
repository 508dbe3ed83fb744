/** @module A certificate for `localhost` and 127.0.0.1 by an authority that no client trusts by default. */

const read = (name: string) =>
  Deno.readTextFileSync(new URL(`certificate/${name}.pem`, import.meta.url));

export function makeCertificate(): { cert: string; key: string; authority: string } {
  return { cert: read("cert"), key: read("key"), authority: read("authority") };
}
