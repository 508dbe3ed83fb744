/**
 * @module A certificate for `localhost` and 127.0.0.1, and the authority that signed it, whose key is
 * gone: valid from 2020 to 2099. No client trusts it unless a test tells it to.
 */

/** In PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  /** The authority that signed it. */
  readonly authority: string;
}

const CERT = `-----BEGIN CERTIFICATE-----
MIIBTTCB86ADAgECAhAB7poO6oeXP895pi9Z9HnyMAoGCCqGSM49BAMCMBkxFzAV
BgNVBAMMDlRlc3QgYXV0aG9yaXR5MCIYDzIwMjAwMTAxMDAwMDAwWhgPMjA5OTAx
MDEwMDAwMDBaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABD7SM9QBo4AwJo3Eln73hrYoAVz7p/HVA9mH83VIs0rrWi3ij/p8
jEYgBM5dD/YVvS0S/wDGcLfTifgRHMkhjdWjHjAcMBoGA1UdEQQTMBGCCWxvY2Fs
aG9zdIcEfwAAATAKBggqhkjOPQQDAgNJADBGAiEAyDvzFMUCE9U99ao2T0zO/z70
odyQBmFKsuqR2ZlMbrcCIQDMn3j6m8/uRR3LA17qTYDdti9LL5I/1G7yMafbSzHn
sA==
-----END CERTIFICATE-----
`;

const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgg1OOS1jwLFwQHHfh
napw+M299rmyknCljSwbTKy+FJihRANCAAQ+0jPUAaOAMCaNxJZ+94a2KAFc+6fx
1QPZh/N1SLNK61ot4o/6fIxGIATOXQ/2Fb0tEv8AxnC304n4ERzJIY3V
-----END PRIVATE KEY-----
`;

const AUTHORITY = `-----BEGIN CERTIFICATE-----
MIIBQzCB6qADAgECAhAB5pwgBg36njSX/mw2BhQhMAoGCCqGSM49BAMCMBkxFzAV
BgNVBAMMDlRlc3QgYXV0aG9yaXR5MCIYDzIwMjAwMTAxMDAwMDAwWhgPMjA5OTAx
MDEwMDAwMDBaMBkxFzAVBgNVBAMMDlRlc3QgYXV0aG9yaXR5MFkwEwYHKoZIzj0C
AQYIKoZIzj0DAQcDQgAEd4uTvBIhBrb8HvZc7sYo0hZlYh/nPKzcEoX/88wVRDV2
gBsPcXfBtRN/v3+CjfeiBvkHEY+QnB10HSPqSc+4eqMQMA4wDAYDVR0TBAUwAwEB
/zAKBggqhkjOPQQDAgNIADBFAiAZfTELRfBnUP4G9OYMdBoDUMwL+rc+aBY5wNqO
k2dB7gIhAMyjFQlBQY570/SLeQxZKRbSHIcUOGdAGzk4S4DYRt7W
-----END CERTIFICATE-----
`;

/** The certificate, its key and its authority. */
export function makeCertificate(): Certificate {
  return { cert: CERT, key: KEY, authority: AUTHORITY };
}
