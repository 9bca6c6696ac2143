// The list of entries: it holds what is near the eye.

import { call } from "/server.js";
import { app, clock, dayNumber, dayWords, h, icon, marked, sayError, t } from "/parts.js";
import { shared } from "/shared.js";

const page = 60;
const most = 600;

/** The line of an entry in a list. */
function row(entry, open) {
  const kind = shared.kinds.get(entry.kind);
  const facts = [clock(entry.date), entry.journal, entry.location, entry.weather].filter(Boolean).join(" · ");
  const pictures = entry.attachments.filter((file) => file.picture).slice(0, 3);
  return h("li", { class: "row", "data-id": entry.id },
    h("button", { type: "button", onclick: () => open(entry) },
      h("span", { class: "facts" }, facts,
        entry.starred ? h("span", { class: "star", role: "img", "aria-label": t("starred") }, " ", icon("star", true)) : null,
        entry.others ? h("span", { class: "mark" }, " ", t("conflictMark")) : null),
      h("span", { class: entry.title ? "title" : "preview" },
        kind ? h("span", { role: "img", "aria-label": kind.title }, kind.emoji, " ") : null,
        marked(entry.title ?? entry.preview ?? "", entry.titleMarks)),
      entry.excerpt && entry.excerpt !== (entry.title ?? entry.preview)
        ? h("span", { class: "excerpt" }, marked(entry.excerpt, entry.excerptMarks)) : null,
      entry.tags.length ? h("span", { class: "tags" }, entry.tags.flatMap((tag) => [h("bdi", {}, "#" + tag), " "])) : null),
    pictures.length ? h("span", { class: "thumbs", onclick: () => open(entry) }, pictures.map((file) => thumbnail(file))) : null);
}

const waiting = new IntersectionObserver((seen) => {
  for (const { target, isIntersecting } of seen) {
    if (!isIntersecting) continue;
    waiting.unobserve(target);
    draw(target);
  }
}, { rootMargin: "400px" });

/** A small picture, made in memory when it comes into sight. */
export function thumbnail(file) {
  const canvas = h("canvas", { width: 96, height: 96, role: "img", "aria-label": file.name, "data-picture": file.picture });
  waiting.observe(canvas);
  return canvas;
}

export function draw(canvas) {
  const image = new Image();
  image.onload = () => {
    const side = Math.min(image.naturalWidth, image.naturalHeight);
    canvas.getContext("2d").drawImage(image, (image.naturalWidth - side) / 2, (image.naturalHeight - side) / 2, side, side, 0, 0, canvas.width, canvas.height);
    // Emptied, it is no picture that cannot be drawn.
    image.onerror = null;
    image.src = "";
  };
  // What the browser cannot draw is called by its name.
  image.onerror = () => {
    const name = canvas.getAttribute("aria-label");
    canvas.replaceWith(h("span", { class: "broken", title: name }, name));
  };
  image.src = canvas.dataset.picture;
}

/** A list that holds what is near the eye, and asks for the rest when somebody comes near it. */
export function list(open, changed = () => {}) {
  const items = h("ol", { class: "entries" });
  const scroller = h("div", { class: "scroller", tabIndex: -1 }, items);
  let filter = {};
  let entries = [];
  let ends = { newest: true, oldest: true };
  let isReading = false;
  let turn = 0;
  /** The entry whose row gets the keyboard as soon as it is there. */
  let wanted = null;

  function heading(day) {
    return h("li", { class: "day", role: "presentation", "data-day": day }, h("h2", {}, dayWords(day)));
  }

  /** The lines of some entries; the first one's day has a heading unless it is the one before. */
  function lines(some, day = null) {
    const parts = [];
    for (const entry of some) {
      const now = dayNumber(entry.date);
      if (now !== day) parts.push(heading(now));
      day = now;
      parts.push(row(entry, open));
    }
    return parts;
  }

  const buttons = () => [...items.querySelectorAll(".row > button")];

  /** The keyboard stays where it was: at the same entry, or at the one that stands in the place of one that is gone. */
  function render() {
    const before = document.activeElement?.closest?.(".entries .row");
    const place = before ? buttons().indexOf(before.querySelector("button")) : -1;
    items.replaceChildren(...lines(entries));
    const rows = buttons();
    const target = items.querySelector(`[data-id="${wanted ?? before?.dataset.id}"] button`) ?? (before ? rows[Math.min(place, rows.length - 1)] ?? scroller : null);
    if (wanted && target?.closest(".row").dataset.id === wanted) wanted = null;
    // Somebody may be typing what is listed.
    if (!document.activeElement?.matches?.("input, textarea, select")) target?.focus({ preventScroll: true });
    changed();
  }

  /** Older entries at the end, and as many less at the beginning as are too many. */
  function append(found) {
    items.append(...lines(found, dayNumber(entries.at(-1).date)));
    entries.push(...found);
    for (let extra = entries.length - most; extra > 0; extra--) {
      while (!items.firstChild.classList.contains("row")) items.firstChild.remove();
      items.firstChild.remove();
      entries.shift();
      ends.newest = false;
    }
    if (items.firstChild.classList.contains("row")) items.prepend(heading(dayNumber(entries[0].date)));
  }

  /** Newer entries at the beginning, and as many less at the end. */
  function prepend(found) {
    if (found.length && dayNumber(found.at(-1).date) === dayNumber(entries[0].date)) items.firstChild.remove();
    items.prepend(...lines(found));
    entries.unshift(...found);
    for (; entries.length > most; entries.pop()) {
      items.lastChild.remove();
      if (!items.lastChild.classList.contains("row")) items.lastChild.remove();
      ends.oldest = false;
    }
  }

  async function read(extra, oldestFirst = false) {
    return call("list", { ...filter, ...extra, oldestFirst, limit: page });
  }

  /** Where a row that stays is on the screen, so that it stays there. */
  function keepingPlace(change) {
    const rows = [...items.querySelectorAll(".row")];
    const top = scroller.getBoundingClientRect().top;
    const anchor = rows.find((row) => row.getBoundingClientRect().bottom > top);
    const place = anchor?.getBoundingClientRect().top;
    change();
    const now = anchor && items.querySelector(`[data-id="${anchor.dataset.id}"]`);
    if (now) scroller.scrollTop += now.getBoundingClientRect().top - place;
  }

  async function more(isOlder) {
    if (isReading || (isOlder ? ends.oldest : ends.newest) || !entries.length) return;
    isReading = true;
    const mine = turn;
    try {
      const from = isOlder ? entries.at(-1) : entries[0];
      const found = await read({ after: from.id }, !isOlder);
      if (mine !== turn) return;
      keepingPlace(() => {
        if (isOlder) {
          ends.oldest = !found.more;
          append(found.entries);
        } else {
          ends.newest = !found.more;
          prepend(found.entries.reverse());
        }
        changed();
      });
    } catch (error) { sayError(error); } finally { isReading = false; }
  }

  scroller.addEventListener("scroll", () => {
    const below = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
    if (below < 1200) more(true);
    if (scroller.scrollTop < 800) more(false);
    app().classList.toggle("scrolled", scroller.scrollTop > 40);
  }, { passive: true });

  return {
    element: scroller,
    get entries() { return entries; },
    get hasMore() { return !ends.oldest || !ends.newest; },
    /** The entry that stands beside another one in what is listed; null at either end. */
    async beside(id, isOlder) {
      // One of another list has nothing beside it.
      const found = await call("list", { ...filter, after: id, oldestFirst: !isOlder, limit: 1 }).catch(() => null);
      return found?.entries[0]?.id ?? null;
    },
    /** Gives the keyboard to an entry, now or when it comes. */
    focus(id) {
      wanted = id;
      const row = items.querySelector(`[data-id="${id}"] button`);
      if (!row) return;
      wanted = null;
      row.focus({ preventScroll: true });
      row.scrollIntoView({ block: "nearest" });
    },
    /** Shows what passes; answers whether there is anything. */
    async load(newFilter, fromDay = null) {
      const mine = ++turn;
      [filter, wanted] = [newFilter, null];
      const found = fromDay === null ? await read({}) : await read({ to: Math.min(fromDay, newFilter.to ?? fromDay) });
      if (mine !== turn) return true;
      entries = found.entries;
      ends = { newest: fromDay === null, oldest: !found.more };
      render();
      scroller.scrollTop = 0;
      // What is newer stands above, for whoever scrolls up.
      if (fromDay !== null) more(false);
      return entries.length > 0;
    },
    /** Reads again what is shown, which may have another name by now, and stays where it is. */
    async refresh(newFilter = filter) {
      const mine = ++turn;
      filter = newFilter;
      const count = Math.min(500, Math.max(page, entries.length));
      const first = ends.newest ? null : entries[0];
      const found = await call("list", { ...filter, limit: count, to: first ? Math.min(dayNumber(first.date), filter.to ?? Infinity) : filter.to });
      if (mine !== turn) return;
      keepingPlace(() => {
        entries = found.entries;
        ends.oldest = !found.more;
        render();
      });
    },
    async toOldest() {
      const mine = ++turn;
      const found = await read({}, true);
      if (mine !== turn) return;
      entries = found.entries.reverse();
      ends = { newest: !found.more, oldest: true };
      render();
      scroller.scrollTop = scroller.scrollHeight;
    },
    empty(text) { items.replaceChildren(h("li", { class: "empty" }, text)); },
  };
}
