/** @module `deno task test:browser`. One file, so that all tests share one browser. */

import "./pages.ts";
import "./look.ts";
import "./media.ts";
import "./markdown_components.ts";
import "./keyboard.ts";
import "./contact_form.ts";
import "./try_panel.ts";
import "./dev.ts";
import "./docs.ts";
import "./inbox.ts";
