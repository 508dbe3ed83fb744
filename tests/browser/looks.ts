/** @module Tests of what pages look like. Few files that import others, so that tests share a browser. */

import "./look.ts";
import "./media.ts";
import "./markdown_components.ts";
