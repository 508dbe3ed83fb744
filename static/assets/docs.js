/**
 * @module Documentation with script: marks the current section in the contents, filters them, and shows the
 * same language in all groups of code.
 */

/** Written by site/layout.ts. */
const { docs: words } = JSON.parse(document.getElementById("script_words")?.textContent ?? "");

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
        if (!link.checkVisibility()) continue; // filtered out
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

/**
 * The filter also finds what has no entry of its own: the codes and fields that name rows of tables.
 *
 * @param {Element} contents
 */
function addFilter(contents) {
  const field = document.createElement("input");
  field.type = "search";
  field.placeholder = field.ariaLabel = words.filter;
  const status = document.createElement("p");
  status.role = "status";
  const list = contents.querySelector("details > ul");
  list?.before(field, status);
  const sections = [...contents.querySelectorAll("li")];
  const names = document.querySelectorAll("td:nth-child(-n + 2) > code:only-child");
  const rows = [...names].map(entryOf);
  list?.append(...rows);
  const all = [...sections, ...rows];

  function filter() {
    const text = field.value.trim().toLowerCase();
    const has = (/** @type {Element} */ item) => item.textContent?.toLowerCase().includes(text);
    for (const row of rows) row.hidden = text === "" || !has(row);
    for (const item of sections) {
      // A section that has the text itself is shown with all its entries.
      const above = item.parentElement?.closest("li")?.querySelector("a");
      item.hidden = !has(item) && !(above && has(above));
    }
    const found = all.filter((item) => !item.hidden).length;
    status.textContent = text === "" ? "" : words.found.replace("{found}", String(found));
  }
  field.addEventListener("input", filter);
  field.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    field.value = "";
    filter();
  });
}

/**
 * Names the row after its section, as `error-codes-rate_limited`, so that links to it stay valid.
 *
 * @param {Element} name of a row
 */
function entryOf(name) {
  const row = /** @type {Element} */ (name.closest("tr"));
  const section = headings.findLast((heading) =>
    heading.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING
  );
  row.id ||= rowId(section?.id, name);
  const link = document.createElement("a");
  link.href = `#${row.id}`;
  link.append(name.cloneNode(true));
  const item = document.createElement("li");
  item.hidden = true;
  item.append(link);
  return item;
}

/**
 * @param {string | undefined} section
 * @param {Element} name of a row in it
 */
function rowId(section, name) {
  return `${section}-${name.textContent?.replace(/\W+/g, "-")}`;
}

/** Leads links to a section that name one of its rows, and the address of the page, to the row. */
function linkRows() {
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll("td a:has(> code:only-child)");
  for (const link of links) {
    const id = rowId(link.hash.slice(1), link);
    if (document.getElementById(id)) link.setAttribute("href", `#${id}`); // media.css prints others
  }
  const { hash } = location;
  if (!document.querySelector(":target") && document.getElementById(hash.slice(1))) {
    location.replace(hash);
  }
}

const headings = [...document.querySelectorAll("main :is(h2, h3, h4)")];
const contents = document.querySelector(".contents");
if (contents) {
  followScroll(contents);
  addFilter(contents);
  const list = contents.querySelector("details");
  // The stylesheet shows it there without; axe takes its links for hidden.
  if (list && matchMedia("(width >= 64rem)").matches) list.open = true;
  linkRows();
}

document.querySelector("main")?.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.matches("[class=tab] > [type=radio]")) {
    return;
  }
  const language = target.parentElement?.textContent;
  for (const tab of document.querySelectorAll("[class=tab]")) {
    const radio = tab.querySelector("input");
    if (radio && tab.textContent === language) radio.checked = true;
  }
});
