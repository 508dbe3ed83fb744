/**
 * @module Adds a copy button to each group of code blocks, and one for a page that links to its markdown.
 * Selects the code where copying is not allowed.
 */

const SHOWN_MS = 2_500;

/** Written by site/layout.ts. */
const { copy: words } = JSON.parse(document.getElementById("script_words")?.textContent ?? "");

const liveRegion = document.createElement("p");
liveRegion.className = "said";
liveRegion.role = "status";
document.querySelector("main")?.append(liveRegion);

for (const group of document.querySelectorAll(".code")) {
  const button = newButton(words.copy);
  // After the first name, so that the order of focus is the visible one.
  group.querySelector("pre")?.before(button);
  button.addEventListener("click", () => {
    const block = [...group.querySelectorAll("pre")].find((one) => one.checkVisibility());
    if (block) copy(block, button);
  });
}

/** @type {HTMLAnchorElement | null} */
const source = document.querySelector(".source a");
if (source) {
  const button = newButton(words.page);
  source.after(button);
  button.addEventListener("click", () => copyPage(source.href, button));
}

/** @param {string} text */
function newButton(text) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = text;
  return button;
}

/**
 * Copies the text of a block, or selects it for the keyboard shortcut.
 *
 * @param {HTMLPreElement} block
 * @param {HTMLButtonElement} button
 */
async function copy(block, button) {
  try {
    await navigator.clipboard.writeText((block.textContent ?? "").trimEnd());
    announce(words.copied, button);
  } catch {
    getSelection()?.selectAllChildren(block);
    announce(words.failed, button);
  }
}

/**
 * Copies a promise: Safari allows writing only in the event, not after a response.
 *
 * @param {string} url of the markdown
 * @param {HTMLButtonElement} button
 */
async function copyPage(url, button) {
  try {
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": readText(url) })]);
    announce(words.copied, button);
  } catch {
    announce(words.unread, button);
  }
}

/** @param {string} url */
async function readText(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`Cannot read the page: ${response.status}`);
  return new Blob([await response.text()], { type: "text/plain" });
}

/** @type {HTMLButtonElement | undefined} */
let latest;

/**
 * @param {string} text
 * @param {HTMLButtonElement} button
 */
function announce(text, button) {
  button.dataset.label ??= button.textContent ?? "";
  button.textContent = text;
  liveRegion.textContent = text;
  latest = button;
  clearTimeout(Number(button.dataset.timer));
  const timer = setTimeout(() => {
    button.textContent = button.dataset.label ?? "";
    if (latest === button) liveRegion.textContent = ""; // else it is another's message
  }, SHOWN_MS);
  button.dataset.timer = String(timer);
}
