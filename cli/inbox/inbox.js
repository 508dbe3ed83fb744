// Shows what is new, unless the reader is busy with the page.

const seconds = Number(document.currentScript.dataset.every);
const note = document.querySelector("#news");
let seen;
let timer;
let isDown = document.title.includes("does not answer");

const main = () => document.querySelector("main");

async function show() {
  const answer = await fetch(location.href);
  const next = new DOMParser().parseFromString(await answer.text(), "text/html");
  const told = main().querySelector(".notice:is([role])");
  if (told && !isDown) next.querySelector("h1").after(told);
  main().replaceWith(next.querySelector("main"));
  document.title = next.title;
  note.textContent = "Updated";
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
    note.textContent = answer?.status === 503 ? "The database does not answer" : "No connection";
    return;
  }
  const now = await answer.text();
  if (isDown || (seen !== undefined && seen !== now)) {
    if (isDown || !isBusy()) await show();
    else {
      const button = document.createElement("button");
      button.textContent = "Show what is new";
      button.onclick = show;
      note.replaceChildren(button);
    }
  }
  isDown = false;
  seen = now;
}

look();
document.addEventListener("visibilitychange", look);
