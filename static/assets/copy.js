/**
 * @module A copy button for every code block. Without this script, or where copying is not allowed,
 * the text can be selected as ever; what happened is said to assistive technology too.
 */

const WORDS = {
  en: { copy: "Copy", copied: "Copied", failed: "Not copied: the text is selected" },
  de: { copy: "Kopieren", copied: "Kopiert", failed: "Nicht kopiert: Der Text ist markiert" },
};

const SHOWN_MS = 2_500;

const words = document.documentElement.lang === "de" ? WORDS.de : WORDS.en;

const said = document.createElement("p");
said.className = "said";
said.role = "status";
document.querySelector("main")?.append(said);

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
 * Copies the text of a block, or selects it so that a key stroke will.
 *
 * @param {HTMLPreElement} block
 * @param {HTMLButtonElement} button
 */
async function copy(block, button) {
  try {
    await navigator.clipboard.writeText((block.textContent ?? "").trimEnd());
    say(words.copied, button);
  } catch {
    getSelection()?.selectAllChildren(block);
    say(words.failed, button);
  }
}

/**
 * @param {string} text
 * @param {HTMLButtonElement} button
 */
function say(text, button) {
  button.textContent = text;
  said.textContent = text;
  clearTimeout(Number(button.dataset.timer));
  const timer = setTimeout(() => {
    button.textContent = words.copy;
    said.textContent = "";
  }, SHOWN_MS);
  button.dataset.timer = String(timer);
}
