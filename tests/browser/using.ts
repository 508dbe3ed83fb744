/** @module Tests of what visitors, authors and operators use. */

import "./contact_form.ts";
import "./try_panel.ts";
import "./docs.ts";
import "./dev.ts";
