// What every screen is made of: elements, words, dates, messages.

let words = {};
let language = "en";

export function speak(hello) {
  words = hello.words;
  language = hello.language;
  document.documentElement.lang = language;
  document.title = t("appName");
}

/** Words by their name; `{0}` stands for what is given. */
export function t(name, ...values) {
  return (words[name] ?? name).replace(/\{(\d)\}/g, (_, place) => values[place] ?? "");
}

/** Signs that turn the direction of what follows them: in a name they make it look like another one. */
const turns = /[\u202a-\u202e\u2066-\u2069]/g;

/** An element. Properties that begin with `on` are listeners, `data-` and `aria-` are attributes. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name === "title" || name === "aria-label") element.setAttribute(name, value.replace(turns, ""));
    else if (name in element && !name.includes("-") && name !== "list") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  const there = children.flat().filter((child) => child !== null && child !== undefined && child !== false);
  element.append(...there.map((child) => (typeof child === "string" ? child.replace(turns, "") : child)));
  return element;
}

const svgSpace = "http://www.w3.org/2000/svg";

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(svgSpace, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function button(label, action, properties = {}) {
  return h("button", { type: "button", onclick: action, ...properties }, ...[label].flat());
}

const icons = {
  menu: "M4 7h16M4 12h16M4 17h16", plus: "M12 5v14M5 12h14", figures: "M5 20v-9M12 20V4M19 20v-6",
  hide: "M4 4l16 16M10 5.2A9.6 9.6 0 0 1 21.5 12a13 13 0 0 1-2.3 3.2M6 7.4A13 13 0 0 0 2.5 12a9.7 9.7 0 0 0 12.6 6.2",
  close: "M12 3v9M6.5 6.8a8 8 0 1 0 11 0", back: "M14.5 5l-7 7 7 7", next: "M9.5 5l7 7-7 7", backYear: "M12 5l-7 7 7 7M19 5l-7 7 7 7",
  nextYear: "M5 5l7 7-7 7M12 5l7 7-7 7", up: "M6 15l6-6 6 6", down: "M6 9l6 6 6-6",
  star: "M12 3.6l2.6 5.3 5.9.8-4.3 4.1 1.1 5.8-5.3-2.8-5.3 2.8 1.1-5.8-4.3-4.1 5.9-.8z", edit: "M4.5 19.5l1-4.2L16 4.8l3.2 3.2L8.7 18.5z",
  trash: "M5 7h14M9.5 7V4.5h5V7M7 7l.8 12.5h8.4L17 7", remove: "M6.5 6.5l11 11M17.5 6.5l-11 11",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
  photos: "M4 6h16v13H4zM4 16l5-5 4 4 3-2.5 4 3.5M15.5 9.5h.01",
  clip: "M8.5 12.5l5.6-5.6a2.8 2.8 0 0 1 4 4l-7.4 7.4a4.6 4.6 0 0 1-6.5-6.5l6.7-6.7",
};

/** A small drawing that the page brings itself: which fonts a machine has is not known. */
export function icon(name, isFull = false) {
  return svg("svg", { viewBox: "0 0 24 24", class: "icon" + (isFull ? " full" : ""), "aria-hidden": "true" }, svg("path", { d: icons[name] }));
}

/** A button with a drawing, which readers of screens hear in words. */
export function sign(name, label, action, properties = {}, isFull = false) {
  return h("button", {
    type: "button", class: "sign", title: label, "aria-label": label, onclick: action, ...properties,
  }, icon(name, isFull));
}

/** A field with its label above. Browsers keep nothing of it. */
export function field(label, input) {
  input.autocomplete = "off";
  input.spellcheck = false;
  input.setAttribute("autocapitalize", "off");
  input.setAttribute("data-lpignore", "true");
  return h("label", { class: "field" }, h("span", {}, label), input);
}

/** Draws an element anew; the keyboard stays where it was in it. */
export function keepingFocus(element, draw, selector = "button") {
  const controls = () => [...element.querySelectorAll(selector)];
  const at = controls().indexOf(document.activeElement);
  const count = controls().length;
  const label = document.activeElement?.textContent;
  draw();
  if (at < 0) return;
  const now = controls();
  // The same one where others came or went before it: the nearest of its words.
  const same = now.flatMap((each, place) => (each.textContent === label ? [place] : []));
  const near = same.sort((one, other) => Math.abs(one - at) - Math.abs(other - at))[0];
  now[now.length === count || near === undefined ? Math.min(at, now.length - 1) : near]?.focus({ preventScroll: true });
}

/** Whether files are dragged: words go where they are dropped. */
export function hasFiles(event) {
  return event.dataTransfer.types.includes("Files");
}

export function app() {
  return document.getElementById("app");
}

export function show(...children) {
  app().replaceChildren(...children);
}

// MARK: Messages

let saidTimer = 0;

/** Says something for a while, with at most one thing to do about it. */
export function say(text, label, action) {
  const place = document.getElementById("said");
  clearTimeout(saidTimer);
  place.replaceChildren(h("span", { onclick: () => place.replaceChildren() }, text));
  if (label) {
    place.append(button(label, () => {
      place.replaceChildren();
      action();
    }));
  }
  saidTimer = setTimeout(() => place.replaceChildren(), label ? 10000 : 6000);
}

export function sayError(error) {
  say(error.message || t("failed"));
}

/**
 * A dialog with several answers.
 * - Parameters: the answers, of which the first is the safe one, and something to show below the text.
 * - Returns: the number of the answer; 0 for whoever turns away.
 */
export function askAmong(text, answers, shown = null) {
  return new Promise((resolve) => {
    const before = document.activeElement;
    const dialog = h("dialog", { "aria-label": text, onclose: () => {
      dialog.remove();
      before?.focus?.();
      resolve(Number(dialog.returnValue));
    } },
      h("p", {}, text), shown,
      h("div", { class: "choices" },
        answers.map((answer, number) => button(answer, () => dialog.close(`${number}`), number ? {} : { class: "first" }))));
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** A question with two answers. - Returns: whether it was answered with the second. */
export const ask = async (text, safe, other, shown) => (await askAmong(text, [safe, other], shown)) === 1;

/** Shows a picture as large as the window; the arrow keys and a click lead to the next one. */
export function enlarge(images, first) {
  const before = document.activeElement;
  let at = first;
  const image = h("img", {});
  const go = (by) => {
    at = (at + by + images.length) % images.length;
    image.src = images[at].src;
    image.alt = images[at].alt;
    dialog.setAttribute("aria-label", images[at].alt || t("photo"));
  };
  const dialog = h("dialog", { class: "large", onclose: () => { dialog.remove(); before?.focus?.(); }, onkeydown: (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, " ": 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    // The screen behind has keys of its own.
    event.stopPropagation();
    if (by) { event.preventDefault(); go(by); }
  }, onclick: (event) => { if (event.target === image && images.length > 1) go(1); else dialog.close(); } }, image, sign("remove", t("close"), () => dialog.close()));
  go(0);
  document.body.append(dialog);
  dialog.showModal();
}

/** Has the pictures in an element enlarged by a click or by the Enter key. */
export function enlargeable(element) {
  const images = [...element.querySelectorAll("img")].filter((each) => !each.closest("a"));
  images.forEach((each, place) => {
    each.tabIndex = 0;
    each.setAttribute("role", "button");
    each.title = t("enlarge");
    each.addEventListener("click", () => enlarge(images, place));
    each.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      event.stopPropagation();
      enlarge(images, place);
    });
  });
}

// MARK: Dates

/** The time of an entry as it stood on the clock where it was written. */
export function civil(text) {
  return new Date(Date.UTC(+text.slice(0, 4), +text.slice(5, 7) - 1, +text.slice(8, 10), +text.slice(11, 13), +text.slice(14, 16)));
}

const formats = new Map();

function format(options) {
  const key = language + JSON.stringify(options);
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(language, { timeZone: "UTC", ...options }));
  return formats.get(key);
}

/** Days since 1970-01-01. */
export function dayNumber(text) {
  return Math.floor(civil(text).getTime() / 86400000);
}

export function dayWords(number) {
  return format({ weekday: "long", year: "numeric", month: "long", day: "numeric" }).format(new Date(number * 86400000));
}

export function monthWords(year, month) {
  return format({ year: "numeric", month: "long" }).format(new Date(Date.UTC(year, month, 1)));
}

export function shortMonth(month) {
  return format({ month: "short" }).format(new Date(Date.UTC(2026, month, 1)));
}

export function clock(text) {
  return format({ hour: "numeric", minute: "2-digit" }).format(civil(text));
}

/** The time on this machine's clock. */
export function timeNow() {
  return new Intl.DateTimeFormat(language, { hour: "numeric", minute: "2-digit" }).format(new Date());
}

export function dateWords(text) {
  return format({ year: "numeric", month: "short", day: "numeric" }).format(civil(text));
}

/** An instant, on this machine's clock. */
export function instantWords(text) {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(text));
}

export function weekdayNames() {
  // A Sunday first in English, a Sunday first in Japanese, too.
  return [...Array(7).keys()].map((day) => format({ weekday: "narrow" }).format(new Date(Date.UTC(2026, 10, 1 + day))));
}

export function yearsAgo(count) {
  return new Intl.RelativeTimeFormat(language).format(-count, "year");
}

export function number(value) {
  return new Intl.NumberFormat(language).format(value);
}

// MARK: Texts

/** A text with the places marked that were searched for. */
export function marked(text, marks) {
  if (!marks?.length) return [text ?? ""];
  const parts = [];
  let at = 0;
  for (let place = 0; place + 1 < marks.length; place += 2) {
    parts.push(text.slice(at, marks[place]), h("mark", {}, text.slice(marks[place], marks[place + 1])));
    at = marks[place + 1];
  }
  parts.push(text.slice(at));
  return parts;
}

/**
 * What became of a text: the words that went and those that came, among those that stayed.
 * - Returns: null where the texts are too different to be compared.
 */
export function differences(before, now) {
  const words = (text) => [...new Intl.Segmenter(language, { granularity: "word" }).segment(text)].map((part) => part.segment);
  let [gone, come] = [words(before), words(now)];
  let [start, end] = [0, 0];
  const least = Math.min(gone.length, come.length);
  while (start < least && gone[start] === come[start]) start++;
  while (end < least - start && gone.at(-1 - end) === come.at(-1 - end)) end++;
  const [head, tail] = [gone.slice(0, start), gone.slice(gone.length - end)];
  [gone, come] = [gone.slice(start, gone.length - end), come.slice(start, come.length - end)];
  if (gone.length * come.length > 4e6) return null;
  // Of each pair of places, how many words both texts have in common from there on.
  const width = come.length + 1;
  const common = new Uint16Array((gone.length + 1) * width);
  for (let i = gone.length - 1; i >= 0; i--) {
    for (let j = come.length - 1; j >= 0; j--) {
      common[i * width + j] = gone[i] === come[j] ? common[(i + 1) * width + j + 1] + 1 : Math.max(common[(i + 1) * width + j], common[i * width + j + 1]);
    }
  }
  const parts = [];
  const put = (tag, word) => {
    if (parts.at(-1)?.tag === tag) parts.at(-1).text += word;
    else parts.push({ tag, text: word });
  };
  for (let i = 0, j = 0; i < gone.length || j < come.length;) {
    if (i < gone.length && j < come.length && gone[i] === come[j]) { put(null, gone[i++]); j++; }
    else if (j >= come.length || (i < gone.length && common[(i + 1) * width + j] >= common[i * width + j + 1])) put("del", gone[i++]);
    else put("ins", come[j++]);
  }
  const around = 24;
  return h("p", { class: "differences" },
    head.length > around ? "…" : "", head.slice(-around).join(""), parts.map(({ tag, text }) => (tag ? h(tag, {}, text) : text)),
    tail.slice(0, around).join(""), tail.length > around ? "…" : "");
}

/** The text of an entry, made of its Markdown by the program, which escapes everything. */
export function prose(html, followLink) {
  const place = h("div", { class: "prose" });
  place.innerHTML = html;
  for (const link of place.querySelectorAll("a")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      followLink(link.href);
    });
    link.addEventListener("auxclick", (event) => event.preventDefault());
  }
  return place;
}
