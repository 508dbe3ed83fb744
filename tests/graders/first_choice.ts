/** @module Makes agent-readability audit the second page: the home page's URL with `.md` is another host. */

Math.random = () => 0;
