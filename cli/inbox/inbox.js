// Shows what is new, and each minute how long ago things were, unless the reader is busy with the page.

const seconds = Number(document.currentScript.dataset.every);
const note = document.querySelector("#news");
let seen;
let timer;
let shownAt = Date.now();
let isDown = document.title.includes("does not answer");

const main = () => document.querySelector("main");

async function show() {
  const answer = await fetch(location.href);
  const next = new DOMParser().parseFromString(await answer.text(), "text/html");
  const told = main().querySelector(".notice:is([role=status], [role=alert])");
  if (told && !isDown) next.querySelector("h1").after(told);
  main().replaceWith(next.querySelector("main"));
  document.title = next.title;
  note.textContent = "";
  shownAt = Date.now();
}

function isBusy() {
  return main().contains(document.activeElement) || main().querySelector("details[open]") ||
    !getSelection().isCollapsed;
}

async function look() {
  clearTimeout(timer);
  if (!document.hidden) await ask().catch(() => {});
  timer = setTimeout(look, seconds * 1000);
}

async function ask() {
  const answer = await fetch("/news").catch(() => undefined);
  if (!answer?.ok) {
    isDown = true;
    const isOver = answer?.status === 403;
    note.textContent = isOver ? "Open the printed address again" : "No answer: it tries again";
    return;
  }
  const now = await answer.text();
  const isNew = seen !== undefined && seen !== now;
  const isOld = Date.now() - shownAt > 60_000;
  seen = now;
  if (isDown || ((isNew || isOld) && !isBusy())) await show();
  else if (isNew) {
    const button = document.createElement("button");
    button.textContent = "Show what is new";
    button.onclick = show;
    note.replaceChildren(button);
  }
  isDown = false;
}

look();
document.addEventListener("visibilitychange", look);
