/** @module Tests of every page, as it is read and walked through. */

import "./pages.ts";
import "./keyboard.ts";
