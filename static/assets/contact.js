/**
 * @module Sends the contact form to /api/lead, and shows on the page that follows which address gets
 * the reply. An error before the request leaves the submit to the browser: the form also works
 * without script.
 *
 * Also offers the form to the browser's agent (WebMCP, a draft): the agent fills it in, the visitor
 * sends it. Validators know none of these attributes, and browsers that do run scripts.
 *
 * @typedef {object} Words texts in the language of the page
 * @property {string} locale of the lead
 * @property {string[]} blank names of fields that the API requires, even if they are empty
 * @property {string} sending
 * @property {string} tool what the form does, for agents
 * @property {Record<string, Record<string, string>>} errors by field and rule, or `other`
 * @property {string[]} honeypots names of fields that must stay empty
 * @property {{ sent: string, test: string }} pages where the form leads
 * @property {Record<string, string>} notices
 */

/** Longer than the service takes to answer when its database and all targets time out. */
const PATIENCE_MS = 45_000;

/**
 * Returns the body for the API: without empty fields, unless it requires them, and with LF as line
 * breaks.
 * @param {Iterable<[string, unknown]>} fields
 * @param {Pick<Words, "locale" | "blank">} words
 */
export function leadOf(fields, { locale, blank }) {
  const filled = [...fields].filter(([name, value]) => value !== "" || blank.includes(name));
  const lead = filled.map(([name, value]) => [name, String(value).replaceAll("\r\n", "\n")]);
  return { ...Object.fromEntries(lead), locale };
}

/**
 * Formats a waiting time: seconds below a minute, otherwise minutes, rounded up.
 * @param {string} locale
 * @param {number} seconds
 */
export function waitText(locale, seconds) {
  const [value, unit] = seconds < 60 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(value);
}

/** @param {HTMLFormElement} form */
function enhance(form) {
  /** @param {string} id */
  const element = (id) => /** @type {HTMLInputElement} */ (document.getElementById(id));
  /** @param {string} field */
  const control = (field) => element(`field_${field}`);
  const notice = element("form_notice");
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
  const send = button.textContent;
  /** @type {Words} */
  const words = JSON.parse(element("contact_words").textContent);
  const { sending, tool, errors, honeypots, notices, pages } = words;
  let busy = false;

  form.setAttribute("toolname", "fill_in_enquiry");
  form.setAttribute("tooldescription", tool);
  for (const field of Object.keys(errors)) {
    const texts = form.querySelectorAll(`[for=field_${field}], #field_${field}_hint`);
    const description = [...texts].map(({ textContent }) => textContent).join(": ");
    control(field).setAttribute("toolparamdescription", description);
  }

  form.addEventListener("submit", (event) => {
    // The browser gives the page that follows to its agent.
    if ("agentInvoked" in event && event.agentInvoked) return;
    if (busy) return event.preventDefault();
    const response = fetch("/api/lead", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(leadOf(new FormData(form), words)),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    event.preventDefault();
    response.then(noticeOf).catch(() => notices.unsure).then((text) => {
      if (text !== undefined) show({ isBusy: false, text });
    });
    show({ isBusy: true, text: "" });
  });

  /** @param {{ isBusy: boolean, text: string }} state */
  function show({ isBusy, text }) {
    busy = isBusy;
    form.setAttribute("aria-busy", String(busy));
    button.textContent = busy ? sending : send;
    if (busy) { for (const field of Object.keys(errors)) mark(field); }
    notice.replaceChildren(text, ...summary());
    if (!busy && !form.querySelector("[aria-invalid]")) {
      notice.scrollIntoView({ block: "center" });
    }
  }

  /** Returns a list with a link to each marked field, if there is one. */
  function summary() {
    const items = [...form.querySelectorAll(".error")].map(({ id, textContent }) => {
      const href = `#${id.replace(/_error$/, "")}`;
      const item = document.createElement("li");
      item.append(Object.assign(document.createElement("a"), { href, textContent }));
      return item;
    });
    const list = document.createElement("ul");
    list.append(...items);
    return items.length > 0 ? [list] : [];
  }

  /**
   * Handles the response and returns the notice to show; none if another page follows.
   * @param {Response} response
   */
  async function noticeOf(response) {
    if (response.status === 429) {
      // A proxy may leave the header out, or write a date.
      const seconds = Number(response.headers.get("retry-after")) || 60;
      return notices.limited?.replace("{wait}", waitText(document.documentElement.lang, seconds));
    }
    const { ok, error } = await response.json();
    if (ok) return leaveFor(response.headers.has("lead-test") ? pages.test : pages.sent);
    if (error.code === "invalid_lead") return showErrors(error.details.issues);
    if (error.code === "body_too_large") return notices.tooLarge;
    return error.code === "lead_not_stored" ? notices.notStored : notices.unsure;
  }

  /**
   * Hands the address over in `history.state`, so that no URL has it and nothing stores it. Only a
   * reload keeps the state for another page (Chromium drops that of `navigation.navigate`).
   * @param {string} page
   */
  function leaveFor(page) {
    history.replaceState({ email: control("email").value }, "", page);
    location.reload();
  }

  /** @param {{ path: string, rule: string }[]} issues */
  function showErrors(issues) {
    const rules = Object.fromEntries(issues.map(({ path, rule }) => [path.slice(1), rule]));
    const marked = Object.keys(errors).filter((field) => {
      const rule = rules[field];
      return mark(field, rule && (errors[field]?.[rule] ?? errors[field]?.other));
    });
    if (marked[0]) control(marked[0]).focus();
    // Visitors cannot see a honeypot that software has filled: empty it for the next attempt.
    for (const name of honeypots) control(name).value = "";
    if (marked[0]) return notices.invalid;
    return honeypots.some((name) => name in rules) ? notices.trap : notices.unreadable;
  }

  /**
   * Marks a field as invalid with a text, or as valid without one.
   * @param {string} field
   * @param {string} [text]
   */
  function mark(field, text) {
    const input = control(field);
    const error = `${input.id}_error`;
    element(error)?.remove();
    input.removeAttribute("aria-invalid");
    if (text) {
      const span = document.createElement("span");
      Object.assign(span, { id: error, className: "error", textContent: text });
      input.before(span);
      input.setAttribute("aria-invalid", "true");
    }
    const notes = input.parentElement?.querySelectorAll(".hint, .error") ?? [];
    input.setAttribute("aria-describedby", [...notes].map(({ id }) => id).join(" "));
    return Boolean(text);
  }
}

/** Puts the address in place of the first bold words, and forgets it. */
function showAddress() {
  const words = document.querySelector("h1 + p > strong");
  if (words && history.state?.email) words.textContent = history.state.email;
  history.replaceState(null, "");
}

const form = globalThis.document?.getElementById("contact_form");
if (form) enhance(/** @type {HTMLFormElement} */ (form));
else if (globalThis.document) showAddress();
