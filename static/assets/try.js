/**
 * @module Adds a panel to the quick start of the docs that sends real requests to this site's API. Its
 * elements and texts are those of `site/try_panel.ts`.
 *
 * Whatever visitors write, no one gets a lead from it: see {@link reachesNoOne}. Responses are shown
 * as text, never as markup.
 */

const PATIENCE_MS = 30_000;

/** Headers that are shown, in this order. */
const HEADERS = [
  ...["content-type", "lead-test", "ratelimit", "ratelimit-policy", "retry-after"],
  "x-request-id",
];

/** HTTP/2 has no reason phrases. */
const REASONS = /** @type {Record<number, string>} */ ({
  ...{ 200: "OK", 400: "Bad Request", 429: "Too Many Requests" },
  ...{ 500: "Internal Server Error", 502: "Bad Gateway" },
});

/** @typedef {Record<string, FormDataEntryValue>} Lead */

/**
 * What a visitor has entered, kept in the history, so that a reload does not lose it.
 *
 * @typedef {object} Draft
 * @property {Record<string, string>} values of the fields by name
 * @property {Record<string, string>} bodies that were edited, by the request
 */

/**
 * @typedef {object} Words texts in the language of the page
 * @property {string} sending
 * @property {string} refused
 * @property {string} object
 * @property {string} copied
 * @property {string} uncopied
 * @property {string} wait
 * @property {string} failed
 * @property {string} late
 * @property {string} missing the name of a required field
 */

/** @param {object} value */
function pretty(value) {
  return JSON.stringify(value, null, 2);
}

/**
 * The bodies of `POST /api/lead`, by the name of the request.
 * @type {Record<string, (lead: Lead, missing: string) => string>}
 */
const BODIES = {
  valid: pretty,
  locale: (lead) => pretty({ ...lead, locale: "xx" }),
  missing: ({ ...lead }, missing) => {
    delete lead[missing];
    return pretty(lead);
  },
  json: (lead) => pretty(lead).replace(/\n}$/, ",\n}"),
  type: pretty,
};

/**
 * Whether a body makes no lead that anyone gets: its address is under `.invalid`, or the service,
 * which parses JSON in the same way, refuses it.
 * @param {string} body
 */
export function reachesNoOne(body) {
  const lead = parsed(body);
  if (lead === undefined) return true;
  const { email } = lead ?? {};
  return typeof email === "string" && /\.invalid$/i.test(email);
}

/** @param {string} body undefined if it is not JSON */
function parsed(body) {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** @param {unknown} value */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * @param {Element} section
 * @param {Element} template
 */
function addPanel(section, template) {
  const { lang } = document.documentElement;
  /** @type {Words} */
  const words = JSON.parse(document.getElementById("try_words")?.textContent ?? "{}");
  section.append(/** @type {HTMLTemplateElement} */ (template).content);
  const form = /** @type {HTMLFormElement} */ (section.lastElementChild);
  /** @param {string} selector */
  const element = (selector) => /** @type {HTMLInputElement} */ (form.querySelector(selector));
  const [request, fields] = [element("[name=request]"), element(".fields")];
  const [body, button] = [element("[name=body]"), element("[type=submit]")];
  const sendText = button.textContent;
  const [head, status, response] = [element(".head"), element("[role=status]"), element("pre")];

  /** Whether the request is a `GET` of the chosen path. */
  const isGet = () => request.value.startsWith("/");
  const mediaType = () => request.value === "type" ? "text/plain" : "application/json";

  /** @type {Draft} */
  const draft = history.state?.draft ?? { values: {}, bodies: {} };
  const wanted = new URLSearchParams(location.search).get("try");
  if (wanted && request.querySelector(`[value="${CSS.escape(wanted)}"]`)) {
    draft.values.request = wanted;
  }
  for (const [name, value] of Object.entries(draft.values)) {
    const field = form.elements.namedItem(name); // none if the page has changed
    if (field) Object.assign(field, { value });
  }
  if (wanted !== null) form.scrollIntoView();

  /** Writes the fields into the body, unless it was edited. */
  function update() {
    head.textContent = isGet()
      ? `GET ${request.value}`
      : `POST /api/lead\ncontent-type: ${mediaType()}`;
    const { body: _, ...values } = Object.fromEntries(new FormData(form));
    const { request: __, ...all } = values;
    const lead = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
    const written = BODIES[request.value]?.(lead, words.missing) ?? "";
    body.value = draft.bodies[request.value] ?? written;
    fields.hidden = body.hidden = isGet();
    Object.assign(draft, { values });
    history.replaceState({ ...history.state, draft }, "");
  }

  /** @param {HTMLInputElement} field what an edited body has of it, if that is an object */
  function edit({ name, value }) {
    const edited = parsed(draft.bodies[request.value] ?? "");
    if (!isObject(edited)) return;
    delete edited[name];
    draft.bodies[request.value] = pretty({ ...edited, ...(value !== "" && { [name]: value }) });
  }

  form.addEventListener("input", ({ target }) => {
    if (target === body) draft.bodies[request.value] = body.value;
    else if (target !== request) edit(/** @type {HTMLInputElement} */ (target));
    else {
      response.hidden = true; // it was to another request
      show("");
    }
    update();
  });
  form.addEventListener("reset", () => {
    draft.bodies = {};
    setTimeout(update); // once the fields have their values again
  });
  update();

  element("[name=curl]").addEventListener("click", async () => {
    const url = new URL(isGet() ? request.value : "/api/lead", location.href);
    const data = body.value.replaceAll("'", "'\\''");
    const post = ` \\\n  -H 'Content-Type: ${mediaType()}' \\\n  -d '${data}'`;
    const command = `curl ${url}${isGet() ? "" : post}`;
    try {
      await navigator.clipboard.writeText(command);
      show(words.copied, "ok");
    } catch {
      response.textContent = command;
      response.hidden = false;
      getSelection()?.selectAllChildren(response);
      show(words.uncopied, "failed");
    }
  });

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (form.ariaBusy === "true") return;
    response.hidden = true;
    if (!isGet() && !reachesNoOne(body.value)) {
      return show(isObject(parsed(body.value)) ? words.refused : words.object, "failed");
    }
    form.ariaBusy = "true";
    request.disabled = true;
    button.textContent = words.sending;
    show("");
    try {
      await send();
    } catch (error) {
      const isLate = error instanceof DOMException && error.name === "TimeoutError";
      show(isLate ? words.late : words.failed, "failed");
    }
    form.ariaBusy = "false";
    request.disabled = false;
    button.textContent = sendText;
  });

  async function send() {
    const post = { headers: { "content-type": mediaType() }, body: body.value };
    const since = performance.now();
    const answer = await fetch(isGet() ? request.value : "/api/lead", {
      ...isGet() ? {} : { method: "POST", ...post },
      cache: "no-store",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await answer.text();
    const duration = `${Math.round(performance.now() - since)} ms`;
    const reason = answer.statusText || REASONS[answer.status] || "";
    const seconds = Number(answer.headers.get("retry-after"));
    const unit = { style: "unit", unit: "second", unitDisplay: "long" };
    const wait = new Intl.NumberFormat(lang, /** @type {Intl.NumberFormatOptions} */ (unit));
    show(
      `${answer.status} ${reason} · ${duration}` +
        (seconds > 0 ? ` · ${words.wait.replace("{seconds}", wait.format(seconds))}` : ""),
      answer.ok ? "ok" : "failed",
    );
    const headers = document.createElement("span");
    headers.textContent = HEADERS.filter((name) => answer.headers.has(name))
      .map((name) => `${name}: ${answer.headers.get(name)}\n`).join("");
    response.replaceChildren(headers, "\n", readable(text));
    response.hidden = false;
  }

  /**
   * @param {string} text
   * @param {string} [kind]
   */
  function show(text, kind = "") {
    status.textContent = text;
    status.className = kind;
  }
}

/** @param {string} text */
function readable(text) {
  try {
    return pretty(JSON.parse(text));
  } catch {
    return text;
  }
}

const quickStart = globalThis.document?.querySelector("main section");
const template = globalThis.document?.getElementById("try_panel");
if (quickStart && template) addPanel(quickStart, template);
