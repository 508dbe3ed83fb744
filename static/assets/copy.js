/** @module Adds a copy button to each code block; selects the text where copying is not allowed. */

const WORDS = {
  en: { copy: "Copy", copied: "Copied", failed: "Not copied: the text is selected" },
  de: { copy: "Kopieren", copied: "Kopiert", failed: "Nicht kopiert: Der Text ist markiert" },
};

const SHOWN_MS = 2_500;

const words = document.documentElement.lang === "de" ? WORDS.de : WORDS.en;

const liveRegion = document.createElement("p");
liveRegion.className = "said";
liveRegion.role = "status";
document.querySelector("main")?.append(liveRegion);

for (const block of document.querySelectorAll("pre")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = words.copy;
  button.addEventListener("click", () => copy(block, button));
  const frame = document.createElement("div");
  frame.className = "code";
  frame.dataset.language = block.firstElementChild?.className.replace("language-", "") ?? "";
  block.replaceWith(frame);
  frame.append(block, button);
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
 * @param {string} text
 * @param {HTMLButtonElement} button
 */
function announce(text, button) {
  button.textContent = text;
  liveRegion.textContent = text;
  clearTimeout(Number(button.dataset.timer));
  const timer = setTimeout(() => {
    button.textContent = words.copy;
    liveRegion.textContent = "";
  }, SHOWN_MS);
  button.dataset.timer = String(timer);
}
