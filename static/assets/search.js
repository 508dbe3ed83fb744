/**
 * @module The search of the documentation, over the text of all pages in its language: a button above the
 * contents opens a dialog. The index (`site/search_index.ts`) is loaded when that opens for the first time.
 */

/** Written by site/layout.ts. */
const { search: words } = JSON.parse(document.getElementById("script_words")?.textContent ?? "");

const MOST_RESULTS = 20;

/** How much of a text is shown before what was found, and in all. */
const EXCERPT = { before: 50, length: 160 };

/** @typedef {Readonly<Record<"href" | "page" | "heading" | "text", string>>} Part */

/** @returns {Promise<Part[]>} */
async function readIndex() {
  /** @type {HTMLLinkElement | null} */
  const index = document.querySelector("link[rel=describedby]"); // beside it
  const response = await fetch(new URL("search.json", index?.href));
  if (!response.ok) throw new Error(`Cannot read the index: ${response.status}`);
  /** @type {[path: string, parts: [heading: string, text: string, id?: string][]][]} */
  const pages = await response.json();
  return pages.flatMap(([path, parts]) =>
    parts.map(([heading, text, id = anchorOf(heading)]) => {
      return { href: `${path}#${id}`, page: parts[0]?.[0] ?? "", heading, text };
    })
  );
}

/** @param {string} heading whose id the index leaves out */
function anchorOf(heading) {
  const spelt = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };
  return heading.toLowerCase()
    .replace(/[äöüß]/g, (letter) => spelt[/** @type {keyof spelt} */ (letter)])
    .replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}

/** @param {string} text for an expression that finds it */
function escaped(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/**
 * How well a text matches: 2 at the beginning of a word, 1 within one, or 0.
 *
 * @param {string} text
 * @param {string} term
 */
function matchOf(text, term) {
  if (RegExp(`(?:^|[^\\p{L}\\d])${escaped(term)}`, "iu").test(text)) return 2;
  return text.toLowerCase().includes(term) ? 1 : 0;
}

/**
 * The parts that have every term, those first that have it in their names.
 *
 * @param {readonly Part[]} parts
 * @param {readonly string[]} terms in lower case
 */
function find(parts, terms) {
  return parts.map((part) => {
    const { heading, page, text } = part;
    const scores = terms.map((term) =>
      8 * matchOf(heading, term) + 3 * matchOf(page, term) + matchOf(text, term)
    );
    return { part, score: scores.includes(0) ? 0 : scores.reduce((sum, one) => sum + one, 0) };
  }).filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score)
    .map(({ part }) => part);
}

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Partial<HTMLElementTagNameMap[Name]>} [properties]
 * @param {(string | Node)[]} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/**
 * @param {Part} part
 * @param {readonly string[]} terms
 */
function resultOf({ href, page, heading, text }, terms) {
  const pattern = terms.map(escaped).join("|");
  const marked = (/** @type {string} */ text) =>
    text.split(RegExp(`(${pattern})`, "i")).map((piece, at) =>
      at % 2 ? element("mark", {}, piece) : piece
    );
  const found = Math.max(0, text.search(RegExp(pattern, "i")));
  const from = found > EXCERPT.before ? text.indexOf(" ", found - EXCERPT.before) + 1 : 0;
  const isCut = text.length > from + EXCERPT.length;
  const excerpt = text.slice(
    from,
    isCut ? text.lastIndexOf(" ", from + EXCERPT.length) : undefined,
  );
  const name = heading === page ? [] : [element("small", {}, page)];
  return element(
    "li",
    {},
    element(
      "a",
      { href },
      ...name,
      element("strong", {}, ...marked(heading)),
      element(
        "span",
        {},
        from > 0 ? "… " : "",
        ...marked(excerpt),
        isCut ? " …" : "",
      ),
    ),
  );
}

/** @param {Element} contents */
function addSearch(contents) {
  const field = element("input", { type: "search", ariaLabel: words.search, autocomplete: "off" });
  const close = element("button", { type: "button" }, words.close);
  const status = element("p", { role: "status" });
  const results = element("ol");
  const head = element("form", {}, field, close);
  const dialog = element("dialog", { className: "search", ariaLabel: words.search });
  dialog.append(head, status, results);
  const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
  const hint = element("kbd", { ariaHidden: "true" }, isMac ? "⌘ K" : "Ctrl K");
  const opener = element(
    "button",
    { type: "button", className: "opens-search" },
    words.search,
    hint,
  );
  opener.setAttribute("aria-keyshortcuts", isMac ? "Meta+K" : "Control+K");
  contents.prepend(opener);
  document.body.append(dialog);

  /** @type {Promise<Part[]> | undefined} */
  let index;

  async function update() {
    const terms = field.value.toLowerCase().split(/\s+/).filter((term) => term !== "");
    try {
      const parts = await (index ??= readIndex());
      const found = terms.length === 0 ? [] : find(parts, terms);
      results.replaceChildren(...found.slice(0, MOST_RESULTS).map((part) => resultOf(part, terms)));
      status.textContent = terms.length === 0
        ? ""
        : words.found.replace("{found}", String(found.length));
    } catch {
      index = undefined; // the next letter tries again
      status.textContent = words.failed;
    }
  }

  function open() {
    if (!dialog.open) dialog.showModal();
    field.select();
    update();
  }

  opener.addEventListener("click", open);
  close.addEventListener("click", () => dialog.close());
  field.addEventListener("input", update);
  head.addEventListener("submit", (event) => {
    event.preventDefault();
    results.querySelector("a")?.click();
  });
  dialog.addEventListener("click", ({ target }) => {
    const isOutside = target === dialog;
    if (isOutside || (target instanceof Element && target.closest("a"))) dialog.close();
  });
  dialog.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    const stops = [field, ...results.querySelectorAll("a")];
    const at = stops.findIndex((stop) => stop === document.activeElement);
    stops[Math.min(Math.max(at + step, 0), stops.length - 1)]?.focus();
    event.preventDefault(); // or the list scrolls as well
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "k" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    open();
  });
}

const contents = document.querySelector(".contents");
if (contents) addSearch(contents);
