/** @module Security headers (Content-Security-Policy Level 3; HSTS, RFC 6797; CORP, Fetch). */

const TWO_YEARS = { "strict-transport-security": "max-age=63072000" };

/** Headers of every answer; HSTS only if the site is on https. */
function commonHeaders(siteUrl: string): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    ...(siteUrl.startsWith("https://") && TWO_YEARS),
  };
}

/** For documents and assets: nothing may run, and any origin may read, since all is public. */
export function apiSecurityHeaders(siteUrl: string): Record<string, string> {
  return {
    ...commonHeaders(siteUrl),
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "cross-origin",
    "access-control-allow-origin": "*",
  };
}

/** For pages about this request or this moment. */
export function uncachedPage(siteUrl: string, language: string): Record<string, string> {
  return {
    "content-type": "text/html; charset=utf-8",
    "content-language": language,
    "cache-control": "no-store",
    ...pageSecurityHeaders(siteUrl),
  };
}

/** For pages: styles, fonts, scripts, images, forms and fetches of the same origin only, nothing inline. */
export function pageSecurityHeaders(siteUrl: string): Record<string, string> {
  return {
    ...commonHeaders(siteUrl),
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; " +
      "img-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; " +
      "frame-ancestors 'none'; manifest-src 'self'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  };
}
