// The timeline: calendar and names at the left, entries in the middle; the frame around every screen of the open diary.

import { call } from "/server.js";
import {
  app, ask, button, clock, dayNumber, dayWords, h, icon, marked, monthWords, number, say, sayError, show, sign, t, weekdayNames, yearsAgo,
} from "/parts.js";
import { entryScreen } from "/entry.js";
import { writeScreen } from "/write.js";
import { careScreen } from "/care.js";
import { settingsScreen } from "/settings.js";
import { photosScreen } from "/photos.js";

const page = 60;
const most = 600;

/** What every screen of the open diary shares. */
export const shared = { names: null, kinds: new Map(), undo: null, state: null, begins: false, ends: new Map(), fileLimit: 0 };

export async function readNames() {
  shared.names = await call("names");
  shared.kinds = new Map(shared.names.kinds.map((kind) => [kind.name, kind]));
}

/** The line of an entry in a list. */
export function row(entry, open) {
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
      entry.tags.length ? h("span", { class: "tags" }, entry.tags.map((tag) => `#${tag} `)) : null),
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
function thumbnail(file) {
  const canvas = h("canvas", { width: 96, height: 96, role: "img", "aria-label": file.name, "data-picture": file.picture });
  waiting.observe(canvas);
  return canvas;
}

export function draw(canvas) {
  const image = new Image();
  image.onload = () => {
    const side = Math.min(image.naturalWidth, image.naturalHeight);
    canvas.getContext("2d").drawImage(image, (image.naturalWidth - side) / 2, (image.naturalHeight - side) / 2, side, side, 0, 0, canvas.width, canvas.height);
    image.src = "";
  };
  image.src = canvas.dataset.picture;
}

/** A list that holds what is near the eye, and asks for the rest when somebody comes near it. */
function list(open) {
  const items = h("ol", { class: "entries" });
  const scroller = h("div", { class: "scroller", tabIndex: -1 }, items);
  let filter = {};
  let entries = [];
  let ends = { newest: true, oldest: true };
  let isReading = false;
  let turn = 0;

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

  function render() {
    const before = document.activeElement?.closest?.(".row")?.dataset.id;
    items.replaceChildren(...lines(entries));
    if (before) items.querySelector(`[data-id="${before}"] button`)?.focus({ preventScroll: true });
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
    get hasMore() { return !ends.oldest; },
    /** Shows what passes; answers whether there is anything. */
    async load(newFilter, fromDay = null) {
      const mine = ++turn;
      filter = newFilter;
      const found = fromDay === null ? await read({}) : await read({ to: Math.min(fromDay, newFilter.to ?? fromDay) });
      if (mine !== turn) return true;
      entries = found.entries;
      ends = { newest: fromDay === null, oldest: !found.more };
      render();
      scroller.scrollTop = 0;
      return entries.length > 0;
    },
    /** Reads again what is shown, and stays where it is. */
    async refresh() {
      const mine = ++turn;
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

/** A month with the days that have entries. */
function calendar(days, goTo, begin) {
  const today = new Date();
  let year = today.getFullYear();
  let month = today.getMonth();
  const title = h("h2", { "aria-live": "polite" });
  const grid = h("div", { class: "month", role: "grid" });
  function move(by) {
    const moved = new Date(Date.UTC(year, month + by, 1));
    [year, month] = [moved.getUTCFullYear(), moved.getUTCMonth()];
    render();
  }
  function render() {
    title.textContent = monthWords(year, month);
    const firstDay = Date.UTC(year, month, 1) / 86400000;
    const count = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
    const now = Date.UTC(today.getFullYear(), today.getMonth(), today.getDate()) / 86400000;
    const cells = weekdayNames().map((name) => h("span", { class: "weekday", "aria-hidden": "true" }, name));
    const blank = new Date(firstDay * 86400000).getUTCDay();
    for (let place = 0; place < blank; place++) cells.push(h("span", {}));
    for (let place = 0; place < count; place++) {
      const day = firstDay + place;
      const has = days[day];
      cells.push(h("button", {
        type: "button", class: (has ? "has" : "") + (day === now ? " today" : ""), disabled: !has && day > now,
        "aria-label": t(has ? "goToDay" : "writeOnDay", dayWords(day)), onclick: () => (has ? goTo : begin)(day),
      }, String(place + 1)));
    }
    grid.replaceChildren(...cells);
  }
  const element = h("section", { class: "calendar", "aria-label": t("calendar") },
    h("div", { class: "head" }, sign("back", t("previousMonth"), () => move(-1)), title, sign("next", t("nextMonth"), () => move(1))), grid);
  render();
  return { element, update(newDays) { days = newDays; render(); } };
}

/** The open diary. */
export function diary() {
  let filter = {};
  let detail = null;
  let isOver = false;

  const search = h("input", { type: "search", placeholder: t("search"), "aria-label": t("search"), title: t("searchHint"), autocomplete: "off", spellcheck: false });
  const entries = list((entry) => open(entry.id));
  const months = calendar({}, (day) => jump(day), (day) => write(null, day));
  const filters = h("nav", { class: "filters", "aria-label": t("tags") });
  const memories = h("section", { class: "memories", hidden: true, "aria-label": t("onThisDay") });
  const kept = h("section", { class: "kept", hidden: true, role: "status" });
  const told = h("section", { class: "kept told", hidden: true, role: "alert" }, button(t("close"), () => {
    told.hidden = true;
    for (const each of told.querySelectorAll("p")) each.remove();
  }));
  const chosen = h("section", { class: "kept chosen", hidden: true });
  const count = h("p", { class: "count-found quiet", role: "status", hidden: true });
  const left = h("aside", {}, months.element, memories, filters);
  const clockLeft = h("p", { class: "timeleft", role: "timer" });
  const center = h("main", { tabIndex: -1 });
  const menu = sign("menu", t("openMenu"), () => {
    if (app().classList.toggle("menu")) left.querySelector("button")?.focus();
  }, { class: "sign menu-sign", "aria-expanded": "false" });
  // It is closed in many ways.
  new MutationObserver(() => menu.setAttribute("aria-expanded", String(app().classList.contains("menu")))).observe(app(), { attributeFilter: ["class"] });
  const header = h("header", {},
    menu,
    search,
    sign("plus", t("newEntry"), () => write(), { class: "sign new" }),
    sign("figures", t("care"), () => care()),
    sign("hide", t("hide"), hide),
    sign("close", t("lockNow"), lock));
  const shade = h("div", { class: "shade", onclick: () => app().classList.remove("menu") });
  const frame = h("div", { class: "frame" }, left, shade, h("div", { class: "column" }, header, h("div", { class: "bars-above" }, told, kept, chosen, count), center), clockLeft);

  /** Where the list was, and what was opened from it. */
  let listTop = 0;
  let opened = null;

  function showList() {
    const wasAway = !entries.element.isConnected;
    detail = null;
    center.replaceChildren(entries.element);
    app().classList.remove("reading", "alone");
    if (!wasAway) return;
    entries.element.scrollTop = listTop;
    entries.element.querySelector(`[data-id="${opened}"] button`)?.focus({ preventScroll: true });
  }

  function place(screen) {
    if (entries.element.isConnected) listTop = entries.element.scrollTop;
    app().classList.remove("scrolled");
    detail = screen;
    app().classList.remove("menu", "alone");
    app().classList.add("reading");
    center.replaceChildren(screen.element);
    center.scrollTop = 0;
    screen.focus?.();
  }

  const rowOf = (id) => entries.element.querySelector(`[data-id="${id}"] button`);

  /** The keyboard goes on from what stands where an entry was that is gone. */
  function goOn(at) {
    if (document.activeElement !== document.body) return;
    const rows = [...entries.element.querySelectorAll(".row > button")];
    (rows[Math.min(Math.max(at, 0), rows.length - 1)] ?? entries.element).focus({ preventScroll: true });
  }

  const actions = {
    back: () => {
      const at = entries.entries.findIndex((entry) => entry.id === opened);
      showList();
      load(false).then(() => goOn(at));
    },
    open: (id) => open(id),
    write: (base) => write(base),
    saved: async (id, opensIt) => {
      try { await entries.refresh(); } catch (error) { sayError(error); }
      if (opensIt) open(id);
    },
    around: (id, by) => {
      const place = entries.entries.findIndex((entry) => entry.id === id);
      return place < 0 ? null : entries.entries[place + by] ?? null;
    },
    moved: (ids) => {
      shared.undo = async () => {
        shared.undo = null;
        await call("restore", { ids });
        say(t("restored"));
        await load(false);
        rowOf(ids[0])?.focus();
      };
      say(t("movedToTrash"), t("undo"), () => shared.undo?.().catch(sayError));
      actions.back();
    },
    filter: async (extra) => {
      if (!(await leaving())) return;
      filter = extra;
      search.value = "";
      showList();
      load(true);
      readAside();
    },
    trash: () => Boolean(filter.trash),
    chosen: () => ({ journal: filter.journal, tags: filter.tags }),
    settings: () => go(settingsScreen),
  };

  /** Shows another screen, unless a half typed text is to be kept on. */
  async function go(screen, ...words) {
    if (!(await leaving())) return;
    try { place(await screen(...words, actions)); } catch (error) { sayError(error); }
  }

  const open = (id) => { opened = id; return go(entryScreen, id); };
  const write = (base, day) => go(writeScreen, base ?? null, day ?? null);
  const care = () => go(careScreen);

  async function jump(day) {
    if (!(await leaving())) return;
    [filter, search.value] = [{}, ""];
    showList();
    app().classList.remove("menu");
    drawChosen();
    try { await entries.load(filter, day); } catch (error) { sayError(error); }
    readAside();
  }

  /** What is half typed is kept, not asked for. */
  function lock() {
    call("lock").catch(sayError);
  }

  /** Asks when a text is half typed. */
  async function leaving() {
    return detail?.leaving ? detail.leaving() : true;
  }

  function hide() {
    if (document.querySelector(".veil")) return;
    const veil = h("div", { class: "veil", tabIndex: 0, role: "dialog", "aria-label": t("hidden"), onclick: unhide, onkeydown: unhide }, h("p", {}, t("hidden")));
    const before = document.activeElement;
    function unhide(event) {
      event.preventDefault();
      event.stopPropagation();
      veil.remove();
      app().classList.remove("veiled");
      app().inert = false;
      before?.focus?.();
    }
    app().classList.add("veiled");
    app().inert = true;
    document.body.append(veil);
    veil.focus();
  }

  /** Which entries are listed, where the menu does not show it. */
  function drawChosen() {
    const { trash, starred, attachments, journal, tags } = filter;
    const label = trash ? t("trash") : starred ? t("starred") : attachments ? t("withPhotos") : journal ?? tags?.map((tag) => "#" + tag).join(" ");
    chosen.hidden = !label;
    chosen.replaceChildren(h("h2", {}, label ?? ""), button(t("allEntries"), () => actions.filter({})));
  }

  async function load(isNew) {
    drawChosen();
    try {
      const words = search.value.trim();
      const any = isNew ? await entries.load({ ...filter, query: words || undefined }) : (await entries.refresh(), entries.entries.length > 0);
      count.hidden = !words;
      count.textContent = !words ? "" : any ? t("foundCount", number(entries.entries.length) + (entries.hasMore ? "+" : "")) : t("nothingFound");
      if (!any) entries.empty(words ? t("nothingFound") : Object.keys(filter).length ? t("nothingHere") : t("firstEntry"));
    } catch (error) { sayError(error); }
  }

  let typing = 0;
  search.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(async () => {
      if (detail) {
        if (!(await leaving())) { search.value = ""; return; }
        showList();
      }
      load(true);
    }, 40);
  });

  async function readAside() {
    try {
      await readNames();
      const [statistics, tallies, remembered, unsaved] = await Promise.all([
        call("statistics"), call("tallies"), call("onThisDay"), call("kept")]);
      if (isOver) return;
      months.update(statistics.days);
      drawFilters(tallies);
      drawMemories(remembered.entries);
      drawKept(unsaved.count);
    } catch (error) { sayError(error); }
  }

  function chip(label, wanted, count) {
    const isOn = JSON.stringify(filter) === JSON.stringify(wanted);
    return h("li", {}, h("button", {
      type: "button", class: "chip" + (isOn ? " on" : ""), "aria-pressed": String(isOn),
      onclick: () => { app().classList.remove("menu"); actions.filter(wanted); },
    }, h("span", {}, label), count === undefined ? null : h("span", { class: "count" }, number(count))));
  }

  function drawFilters(tallies) {
    const { names } = shared;
    const hadFocus = filters.contains(document.activeElement);
    const count = new Map(tallies.journals.map((each) => [each.name, each.count]));
    filters.replaceChildren(
      h("ul", {}, chip(t("allEntries"), {}, names.entries), chip([icon("star"), " ", t("starred")], { starred: true }), chip([icon("clip"), " ", t("withPhotos")], { attachments: true }),
        h("li", {}, button(h("span", {}, icon("photos"), " ", t("photos")), () => go(photosScreen), { class: "chip" })),
        h("li", {}, button(h("span", {}, icon("settings"), " ", t("settings")), () => go(settingsScreen), { class: "chip" })),
        names.trashed ? chip(t("trash"), { trash: true }, names.trashed) : null),
      names.journals.length ? h("h2", {}, t("journals")) : "",
      names.journals.length ? h("ul", {}, names.journals.map((journal) => chip([journal.emoji, journal.name].filter(Boolean).join(" "), { journal: journal.name }, count.get(journal.name) ?? 0))) : "",
      tallies.tags.length ? h("h2", {}, t("tags")) : "",
      h("ul", { class: "cloud" }, tallies.tags.slice(0, 40).map((tag) => chip("#" + tag.name, { tags: [tag.name] }, tag.count))));
    if (hadFocus) filters.querySelector(".chip.on")?.focus({ preventScroll: true });
  }

  function drawMemories(found) {
    memories.hidden = found.length === 0;
    const year = new Date().getFullYear();
    memories.replaceChildren(h("h2", {}, t("onThisDay")), h("ul", {}, found.slice(0, 5).map((entry) => h("li", {}, h("button", {
      type: "button", onclick: () => open(entry.id),
    }, h("span", { class: "quiet" }, yearsAgo(year - +entry.date.slice(0, 4))), " ", entry.title ?? entry.preview ?? "")))));
  }

  function drawKept(count) {
    kept.hidden = count === 0;
    kept.replaceChildren(h("span", {}, t("keptTexts", count)), button(t("recover"), async () => {
      try {
        const { saved, entry, trouble } = await call("recover");
        say(trouble ?? t("recovered", saved));
        await Promise.all([load(true), readAside()]);
        // One that was half typed is gone on with.
        if (entry && !detail) write(entry);
      } catch (error) { sayError(error); }
    }), button(t("discard"), async () => {
      if (!(await ask(t("discardKept"), t("cancel"), t("discard")))) return;
      try { await call("discardKept"); await readAside(); } catch (error) { sayError(error); }
    }));
  }

  /** What ended while its screen is not shown. */
  function leftOver(ended) {
    if (["preview", "importing", "faces", "enroll"].includes(ended.work)) shared.ends.set(ended.work, ended);
    if (ended.work === "export" && ended.exitCode === 0) tellOwner(t("exportMade", ended.output));
    else if (ended.work !== "preview" && ended.work !== "sync" && ended.words) tellOwner(ended.words);
  }

  function tellOwner(words) {
    told.hidden = false;
    told.append(h("p", {}, words));
  }

  function keys(event) {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog, .veil")) return;
    const isTyping = event.target.closest?.("input, textarea, select");
    if (event.key === "Escape") {
      // The question that it may open would be answered by it, too.
      event.preventDefault();
      if (app().classList.contains("menu")) { app().classList.remove("menu"); menu.focus(); }
      else if (app().classList.contains("alone")) app().classList.remove("alone");
      else if (event.target === search && search.value) { search.value = ""; load(true); }
      else if (detail) leaving().then((may) => { if (may) actions.back(); });
      else if (isTyping) entries.element.focus();
      return;
    }
    if (isTyping || detail?.keys?.(event)) return;
    const rows = [...center.querySelectorAll(".row > button")];
    const at = rows.indexOf(document.activeElement);
    const step = (place) => { rows[Math.min(rows.length - 1, Math.max(0, place))]?.focus(); };
    switch (event.key) {
      case "n": write(); break;
      case "/": search.focus(); search.select(); break;
      case "j": case "ArrowDown": if (detail) return; step(at + 1); break;
      case "k": case "ArrowUp": if (detail) return; step(at - 1); break;
      case "Home": if (detail) return; load(true).then(() => center.querySelector(".row > button")?.focus()); break;
      case "End": if (detail) return; entries.toOldest().then(() => [...center.querySelectorAll(".row > button")].at(-1)?.focus()).catch(sayError); break;
      case "u": shared.undo?.().catch(sayError); break;
      case "h": hide(); break;
      case "g": care(); break;
      case "p": go(photosScreen); break;
      case ",": go(settingsScreen); break;
      case "?": say(t("keysText")); break;
      default: return;
    }
    event.preventDefault();
  }
  /** Files that are dropped go into the text that is written, or into the entry that is read, or begin a new one. */
  async function take(files) {
    if (!detail?.add) await write(detail?.entry ?? null);
    detail?.add?.(files);
  }
  frame.addEventListener("drop", (event) => {
    const files = [...event.dataTransfer.files];
    if (event.defaultPrevented || !files.length) return;
    event.preventDefault();
    take(files).catch(sayError);
  });
  document.onkeydown = keys;
  onblur = () => { if (!document.hasFocus()) app().classList.add("away"); };
  onfocus = () => app().classList.remove("away");

  show(frame);
  showList();
  // Kinds and journals first: rows are drawn with them.
  readNames().catch(sayError).then(() => Promise.all([load(true), readAside()])).then(() => {
    if (!detail && document.activeElement === document.body) entries.element.focus({ preventScroll: true });
  });
  if (shared.begins) { shared.begins = false; write(); }

  let idle = null;
  const ticking = setInterval(() => {
    if (idle === null) return;
    const seconds = Math.round((idle - Date.now()) / 1000);
    clockLeft.textContent = seconds < 60 ? t("timeLeft", Math.max(0, seconds)) : "";
  }, 1000);

  return {
    follow(state) {
      detail?.follow?.(state);
      shared.state = state;
      if (state.idle !== undefined) idle = Date.now() + Math.min(state.idle, state.life) * 1000;
      if (state.isEnding) { isOver = true; clearInterval(ticking); document.onkeydown = null; }
      if (state.ended && state.ended.number !== shared.ended) {
        shared.ended = state.ended.number;
        // What was said at the door, or has to be known, stays until somebody has read it.
        if (!detail?.ended?.(state.ended)) leftOver(state.ended);
      }
    },
    refresh() {
      if (!detail) load(false);
      else detail.refresh?.();
      readAside();
    },
  };
}
