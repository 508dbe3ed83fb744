/**
 * @module Documentation with script: marks the current section in the contents, and shows the same language
 * in all groups of code, on this page and the next.
 */

/** A heading is current once it has passed this distance from the top. */
const TOP_PX = 120;

/** @param {Element} contents */
function followScroll(contents) {
  /** @type {HTMLAnchorElement[]} */
  const links = [...contents.querySelectorAll("a")];
  const headings = links.map(({ hash }) => document.getElementById(hash.slice(1)));
  const mark = () => {
    const isEnd = scrollY > 0 && scrollY + innerHeight >= document.body.scrollHeight - 2;
    const current = isEnd
      ? links.length - 1
      : headings.findLastIndex((heading) =>
        heading && heading.getBoundingClientRect().top < TOP_PX
      );
    for (const [index, link] of links.entries()) {
      if (index !== current) link.removeAttribute("aria-current");
      else if (!link.hasAttribute("aria-current")) {
        link.setAttribute("aria-current", "location");
        if (!link.checkVisibility()) continue; // closed
        const { top, bottom } = link.getBoundingClientRect();
        const frame = contents.getBoundingClientRect();
        // Not scrollIntoView, which would scroll the page as well.
        if (top < frame.top || bottom > frame.bottom) {
          contents.scrollTop += top - frame.top - frame.height / 2;
        }
      }
    }
  };
  addEventListener("scroll", mark, { passive: true });
  mark();
}

/** The member of the query that names the language of examples. */
const LANGUAGE = "code";

/** The pages that have examples, in any language. */
const HAS_CODE = /^(?:\/[a-z]{2})?\/(?:docs|developers)(?:\/|$)/;

/** @param {string} language as the tabs name it */
function showLanguage(language) {
  let isFirst = false;
  for (const tab of document.querySelectorAll("[class=tab]")) {
    const radio = tab.querySelector("input");
    if (!radio || tab.textContent !== language) continue;
    radio.checked = true;
    isFirst ||= tab.matches(":first-child");
  }
  const withLanguage = (/** @type {string} */ href) => {
    const url = new URL(href);
    if (isFirst) url.searchParams.delete(LANGUAGE);
    else url.searchParams.set(LANGUAGE, language);
    return url.href;
  };
  history.replaceState(history.state, "", withLanguage(location.href));
  for (const link of document.links) {
    const isOther = !link.getAttribute("href")?.startsWith("#");
    if (isOther && link.origin === location.origin && HAS_CODE.test(link.pathname)) {
      link.href = withLanguage(link.href);
    }
  }
}

const contents = document.querySelector(".contents");
if (contents) {
  followScroll(contents);
  const list = contents.querySelector("details");
  // The stylesheet shows it there without; axe takes its links for hidden.
  if (list && matchMedia("(width >= 64rem)").matches) list.open = true;
}

const wanted = new URLSearchParams(location.search).get(LANGUAGE);
if (wanted) showLanguage(wanted);

document.querySelector("main")?.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.matches("[class=tab] > [type=radio]")) {
    return;
  }
  showLanguage(target.parentElement?.textContent ?? "");
});
