/**
 * @module Sends the contact form to /api/lead without leaving the page. The form works without it:
 * what fails before a request is made leaves the submit to the browser.
 *
 * @typedef {object} Words every text, in the language of the page
 * @property {string} locale the one that the API is sent
 * @property {string} sending
 * @property {Record<string, Record<string, string>>} faults by field and rule
 * @property {Record<string, string>} notices
 * @property {{ title: string, text: string }} sent
 */

/** Longer than the service takes, with its database and all targets silent, to know what it holds. */
const PATIENCE_MS = 45_000;

/**
 * What the API is sent: a field left empty is one left out; line breaks are LF.
 * @param {Iterable<[string, unknown]>} fields
 * @param {string} locale
 */
export function leadOf(fields, locale) {
  const filled = [...fields].filter(([, value]) => value !== "");
  const lead = filled.map(([name, value]) => [name, String(value).replaceAll("\r\n", "\n")]);
  return { ...Object.fromEntries(lead), locale };
}

/**
 * A time to wait as people say it: seconds below a minute, else minutes, rounded up.
 * @param {string} locale
 * @param {number} seconds
 */
export function waitText(locale, seconds) {
  const [value, unit] = seconds < 60 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(value);
}

/** @param {HTMLFormElement} form as the server wrote it */
function enhance(form) {
  /** @param {string} id */
  const element = (id) => /** @type {HTMLInputElement} */ (document.getElementById(id));
  const notice = element("form-notice");
  const outcome = element("form-outcome");
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
  const send = button.textContent;
  /** @type {Words} */
  const { locale, sending, faults, notices, sent } = JSON.parse(
    element("contact-words").textContent,
  );
  let busy = false;

  form.addEventListener("submit", (event) => {
    if (busy) return event.preventDefault();
    const answer = fetch("/api/lead", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(leadOf(new FormData(form), locale)),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    event.preventDefault();
    answer.then(outcomeOf).catch(() => notices.unsure).then((text = "") => {
      show({ isBusy: false, text });
    });
    show({ isBusy: true, text: "" });
  });

  /** @param {{ isBusy: boolean, text: string }} state */
  function show({ isBusy, text }) {
    busy = isBusy;
    form.setAttribute("aria-busy", String(busy));
    button.textContent = busy ? sending : send;
    notice.textContent = text;
    if (busy) {
      for (const field of Object.keys(faults)) mark(field);
    } else if (!form.querySelector("[aria-invalid]")) {
      notice.scrollIntoView({ block: "center" });
    }
  }

  /**
   * Acts on the answer and resolves with what is to be noticed.
   * @param {Response} response
   */
  async function outcomeOf(response) {
    if (response.status === 429) {
      // A proxy may leave the header out, or write a date.
      const seconds = Number(response.headers.get("retry-after")) || 60;
      return notices.limited?.replace("{wait}", waitText(document.documentElement.lang, seconds));
    }
    const { ok, error } = await response.json();
    if (ok) return succeed();
    if (error.code === "invalid_lead") return mend(error.details.issues);
    if (error.code === "body_too_large") return notices.tooLarge;
    return error.code === "lead_not_stored" ? notices.notStored : notices.unsure;
  }

  function succeed() {
    const title = document.createElement("h2");
    const text = document.createElement("p");
    title.textContent = sent.title;
    text.textContent = sent.text;
    outcome.replaceChildren(title, text);
    outcome.classList.add("success");
    outcome.tabIndex = -1;
    form.remove(); // and with it all that was written
    outcome.focus();
    return "";
  }

  /** @param {{ path: string, rule: string }[]} issues */
  function mend(issues) {
    const rules = Object.fromEntries(issues.map(({ path, rule }) => [path.slice(1), rule]));
    const marked = Object.keys(faults).filter((field) => {
      return mark(field, faults[field]?.[rules[field] ?? ""]);
    });
    if (marked[0]) element(marked[0]).focus();
    // A visitor does not see the honeypot, which software has filled: send it again without.
    element("website").value = "";
    if (marked[0]) return notices.invalid;
    return "website" in rules ? notices.trap : notices.unreadable;
  }

  /**
   * Says what is wrong with a field; without a text, that nothing is.
   * @param {string} field
   * @param {string} [text]
   */
  function mark(field, text) {
    const control = element(field);
    const fault = `${field}-fault`;
    element(fault)?.remove();
    control.removeAttribute("aria-invalid");
    if (text) {
      const span = document.createElement("span");
      Object.assign(span, { id: fault, className: "fault", textContent: text });
      control.before(span);
      control.setAttribute("aria-invalid", "true");
    }
    control.setAttribute("aria-describedby", `${field}-hint${text ? ` ${fault}` : ""}`);
    return Boolean(text);
  }
}

const form = globalThis.document?.getElementById("contact-form");
if (form) enhance(/** @type {HTMLFormElement} */ (form));
