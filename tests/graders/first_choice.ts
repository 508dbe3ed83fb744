/**
 * @module Loaded ahead of `@vercel/agent-readability`, which draws five pages of the sitemap by lot
 * and asks the first of them for its `.md` sibling by hanging `.md` onto the URL. For the home page
 * that is a host name, so one run in twenty would fail. Without chance it begins with the second
 * page of the sitemap, always the same.
 */

Math.random = () => 0;
