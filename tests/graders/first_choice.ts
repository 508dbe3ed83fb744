/**
 * @module Preloaded into `@vercel/agent-readability`, which selects pages of the sitemap at random
 * and appends `.md` to the URL of the first. For the home page that would be a different host name;
 * without randomness it is always the second page.
 */

Math.random = () => 0;
