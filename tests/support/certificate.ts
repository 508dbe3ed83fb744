/**
 * @module Certificates for tests: an authority of the test's own and a certificate for `localhost`
 * signed by it (X.509, RFC 5280, in DER). Knows just enough of ASN.1 for that.
 */

import { Buffer } from "node:buffer";
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

/** In PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  /** The authority that signed it. */
  readonly authority: string;
}

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OID = 0x06;
const UTF8_STRING = 0x0c;
const GENERALIZED_TIME = 0x18;
const EXPLICIT = 0xa0;
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;

const ECDSA_WITH_SHA256 = der(SEQUENCE, der(OID, Buffer.from("2a8648ce3d040302", "hex")));
const TRUE = Buffer.from("0101ff", "hex");

/** A new certificate for `localhost` and 127.0.0.1, signed by a new authority. */
export function makeCertificate(): Certificate {
  const authority = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const server = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const issuer = "Test authority";
  return {
    authority: certificate({
      issuer,
      subject: issuer,
      publicKey: authority.publicKey,
      signer: authority.privateKey,
      // basicConstraints: an authority
      extensions: [extension("551d13", der(SEQUENCE, TRUE))],
    }),
    cert: certificate({
      issuer,
      subject: "localhost",
      publicKey: server.publicKey,
      signer: authority.privateKey,
      // subjectAltName
      extensions: [extension(
        "551d11",
        der(
          SEQUENCE,
          der(DNS_NAME, Buffer.from("localhost")),
          der(IP_ADDRESS, Buffer.from([127, 0, 0, 1])),
        ),
      )],
    }),
    key: server.privateKey.export({ type: "pkcs8", format: "pem" }) as string,
  };
}

function certificate({ issuer, subject, publicKey, signer, extensions }: {
  readonly issuer: string;
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly signer: KeyObject;
  readonly extensions: readonly Buffer[];
}): string {
  const serial = crypto.getRandomValues(Buffer.alloc(16));
  serial[0] = 1; // positive
  const content = der(
    SEQUENCE,
    der(EXPLICIT, der(INTEGER, Buffer.from([2]))), // version 3
    der(INTEGER, serial),
    ECDSA_WITH_SHA256,
    name(issuer),
    der(SEQUENCE, time("20200101000000Z"), time("20990101000000Z")),
    name(subject),
    publicKey.export({ type: "spki", format: "der" }) as Buffer,
    der(EXPLICIT + 3, der(SEQUENCE, ...extensions)),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign("sha256", content, signer)]);
  const whole = der(SEQUENCE, content, ECDSA_WITH_SHA256, der(BIT_STRING, signature));
  const lines = whole.toString("base64").match(/.{1,64}/g)!;
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

function name(commonName: string): Buffer {
  const type = der(OID, Buffer.from("550403", "hex"));
  return der(SEQUENCE, der(SET, der(SEQUENCE, type, der(UTF8_STRING, Buffer.from(commonName)))));
}

function time(text: string): Buffer {
  return der(GENERALIZED_TIME, Buffer.from(text));
}

function extension(oid: string, value: Buffer): Buffer {
  return der(SEQUENCE, der(OID, Buffer.from(oid, "hex")), der(OCTET_STRING, value));
}

/** Tag, length and content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const lengthBytes = length < 0x80
    ? [length]
    : length < 0x100
    ? [0x81, length]
    : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content]);
}
