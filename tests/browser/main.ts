/**
 * @module The site in Chromium: `deno task test:browser`. One file, so that all tests share one browser;
 * its name ends without `_test` because `deno task test` must not need a browser.
 */

import "./pages.ts";
import "./keyboard.ts";
import "./contact_form.ts";
