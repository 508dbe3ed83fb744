/**
 * @module Makes the links of a decision buttons, which show in the card the row that each choice
 * makes: the n-th of those in the section that its link leads to. Pressed again, the proposal is back.
 */

for (const choices of document.querySelectorAll(".decision > .choices")) {
  const card = /** @type {HTMLElement} */ (choices.parentElement);
  const state = card.querySelector("figcaption em");
  const waiting = state?.textContent ?? "";
  const entry = document.createElement("p");
  entry.className = "entry";
  entry.role = "status";
  card.querySelector("figcaption")?.after(entry);

  for (const [index, link] of choices.querySelectorAll("a").entries()) {
    const section = link.hash && document.querySelector(link.hash)?.closest("section");
    const row = section && section.querySelectorAll(".rows > li")[index];
    if (!row) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = link.textContent;
    button.ariaPressed = "false";
    button.addEventListener("click", () => {
      const isChosen = button.ariaPressed !== "true";
      card.style.minHeight = `${card.offsetHeight}px`; // the card keeps its size
      for (const other of choices.querySelectorAll("button")) other.ariaPressed = "false";
      button.ariaPressed = String(isChosen);
      entry.replaceChildren(...(isChosen ? row.cloneNode(true).childNodes : []));
      const name = entry.querySelector("strong")?.textContent?.replace(/[.:]$/, "");
      if (state) state.textContent = name ?? waiting;
    });
    link.replaceWith(button);
  }
}
