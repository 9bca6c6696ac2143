// The open diary: calendar and names at the left, the list or a screen above it in the middle.

import { call } from "/server.js";
import {
  app, ask, button, dateWords, h, icon, instantWords, keepingFocus, number, say, sayError, show, sign, t, yearsAgo,
} from "/parts.js";
import { nameNow, readNames, shared } from "/shared.js";
import { calendar } from "/calendar.js";
import { list, thumbnail } from "/list.js";
import { screenStack } from "/screens.js";
import { entryScreen } from "/entry.js";
import { writeScreen } from "/write.js";
import { careScreen } from "/care.js";
import { settingsScreen } from "/settings.js";
import { photosScreen } from "/photos.js";
import { namesScreen } from "/names.js";

/** The open diary. */
export function diary() {
  let filter = {};
  let detail = null;
  let isOver = false;

  const search = h("input", { type: "search", placeholder: t("search"), "aria-label": t("search"), title: t("searchHint"), autocomplete: "off", spellcheck: false });
  const entries = list((entry) => open(entry.id, Boolean(entry.trashed)), drawCount);
  const months = calendar({}, (day) => jump(day), (day) => write(null, day));
  const filters = h("nav", { class: "filters", "aria-label": t("tags") });
  const strip = h("section", { class: "strip", hidden: true, "aria-label": t("photos") });
  let shownPhotos = "";
  const memories = h("section", { class: "memories", hidden: true, "aria-label": t("onThisDay") });
  const kept = h("section", { class: "kept drafts", hidden: true, "aria-label": t("drafts") });
  const told = h("section", { class: "kept told", hidden: true, role: "alert" }, button(t("close"), closeTold));
  const chosen = h("section", { class: "kept chosen", hidden: true });
  let drawnChosen = null;
  const count = h("p", { class: "count-found quiet", role: "status", hidden: true });
  const left = h("aside", {}, strip, months.element, memories, filters);
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
  // Whoever uses the keyboard need not go through the calendar.
  const skip = button(t("toEntries"), () => (detail?.focus ? detail.focus() : (firstRow() ?? entries.element).focus()), { class: "skip" });
  const firstRow = () => entries.element.querySelector(".row > button");
  const frame = h("div", { class: "frame" }, skip, left, shade, h("div", { class: "column" }, header, h("div", { class: "bars-above" }, told, kept, chosen, count), center), clockLeft);

  /** What is listed, with the words that are searched for. */
  const wanted = () => ({ ...filter, query: search.value.trim() || undefined });

  /** Where the list was, and what was opened from it. */
  let listTop = 0;
  let opened = null;
  let openedDay = null;

  function place(screen, scroll, isBack = false) {
    const at = entries.entries.findIndex((entry) => entry.id === opened);
    app().classList.remove("menu", "alone");
    app().classList.toggle("reading", screen !== null);
    if (!screen) return showList(isBack, at);
    if (entries.element.isConnected) listTop = entries.element.scrollTop;
    app().classList.remove("scrolled");
    detail = screen;
    openedDay = screen.day ?? openedDay;
    center.replaceChildren(screen.element);
    screen.focus?.();
    center.scrollTop = scroll;
  }

  function showList(isBack, at) {
    const wasAway = !entries.element.isConnected;
    detail = null;
    if (!wasAway) return;
    center.replaceChildren(entries.element);
    entries.element.scrollTop = listTop;
    // Who went from entry to entry may have left what was listed.
    if (isBack && opened && at < 0 && openedDay !== null) entries.load(wanted(), openedDay).then((any) => (any ? entries.focus(opened) : load(true))).catch(sayError);
    else if (isBack) { entries.focus(opened); load(false).then(() => goOn(at)); }
  }

  /** The keyboard goes on from what stands where an entry was that is gone. */
  function goOn(at) {
    if (detail || document.activeElement !== document.body) return;
    const rows = [...entries.element.querySelectorAll(".row > button")];
    (rows[Math.min(Math.max(at, 0), rows.length - 1)] ?? entries.element).focus({ preventScroll: true });
  }

  const screens = screenStack({
    scroller: center, show: place,
    // Asks when a text is half typed.
    mayLeave: async () => (detail?.leaving ? detail.leaving() : true),
    isOver: () => Boolean(detail?.isOver),
  });
  onpopstate = (event) => screens.steps(event).catch(sayError);

  const actions = {
    back: screens.back,
    open: (id, isTrashed) => open(id, isTrashed),
    write: (base) => write(base),
    /** - form: the one whose entry is shown now, if it is still there. */
    saved: async (id, form) => {
      try { await entries.refresh(); } catch (error) { sayError(error); }
      // Written it is, whether it can be shown or not.
      if (form && detail === form && (await open(id)) === undefined) await actions.gone();
    },
    /** What is listed under a name goes on under its new one. */
    renamed: (before, now) => { if (JSON.stringify(filter) === JSON.stringify(before)) filter = now; },
    beside: (id, isOlder) => entries.beside(id, isOlder),
    moved: async (ids) => {
      shared.undo = async () => {
        shared.undo = null;
        await call("restore", { ids });
        say(t("restored"));
        entries.focus(ids[0]);
        await load(false);
      };
      say(t("movedToTrash"), t("undo"), () => shared.undo?.().catch(sayError));
      await actions.gone();
    },
    /** What was shown is there no more. */
    gone: async () => {
      const at = entries.entries.findIndex((entry) => entry.id === opened);
      await screens.toList(false);
      load(false).then(() => goOn(at));
    },
    filter: async (extra, words = "") => {
      if (!(await screens.toList())) return;
      filter = extra;
      search.value = words;
      load(true);
      readAside();
    },
    search: (words) => actions.filter({}, words),
    chosen: () => ({ journal: filter.journal, tags: filter.tags }),
    settings: () => go("settings", settingsScreen),
    names: () => go("names", namesScreen),
  };

  /**
   * Shows another screen.
   * - Returns: null where a half typed text is to be kept on; undefined where it failed.
   */
  async function go(kind, screen, ...words) {
    try { return await screens.open(kind, words[0] ?? null, () => screen(...words, actions)); } catch (error) { sayError(error); return undefined; }
  }

  const open = async (id, isTrashed = false) => {
    const before = opened;
    opened = id;
    const shown = await go("entry", entryScreen, id, isTrashed);
    if (!shown) opened = before;
    return shown;
  };
  const write = (base, day) => go("write", writeScreen, base ?? null, day ?? null);
  const care = () => go("care", careScreen);

  async function jump(day) {
    if (!(await screens.toList())) return;
    [filter, search.value] = [{}, ""];
    app().classList.remove("menu");
    drawChosen();
    count.hidden = true;
    try { await entries.load(filter, day); } catch (error) { sayError(error); }
    readAside();
  }

  /** What is half typed is kept, not asked for. */
  function lock() {
    call("lock").catch(sayError);
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
    const { trash, starred, attachments, journal, tags, kind } = filter;
    const label = trash ? t("trash") : starred ? t("starred") : attachments ? t("withPhotos") : kind ? shared.kinds.get(kind)?.title ?? kind : journal ?? tags?.map((tag) => "#" + tag).join(" ");
    chosen.hidden = !label;
    const count = trash ? shared.names?.trashed : 0;
    // What is as it was stays: somebody may be about to click on it.
    const now = JSON.stringify([label, count, kind]);
    if (now === drawnChosen) return;
    drawnChosen = now;
    chosen.classList.toggle("always", Boolean(count));
    chosen.replaceChildren(h("h2", {}, label ?? ""), h("span", { class: "row-of" },
      count ? button(t("emptyTrash"), () => emptyTrash(count).catch(sayError)) : "", button(t("allEntries"), () => actions.filter({}))));
  }

  async function emptyTrash(count) {
    if (!(await ask(t("emptyTrashAsk", number(count)), t("cancel"), t("purge")))) return;
    await call("emptyTrash", { count });
    await actions.filter({});
  }

  async function load(isNew) {
    drawChosen();
    try {
      const listed = wanted();
      const any = isNew ? await entries.load(listed) : (await entries.refresh(listed), entries.entries.length > 0);
      drawCount();
      if (!any) entries.empty(listed.query ? t("nothingFound") : Object.keys(filter).length ? t("nothingHere") : t("firstEntry"));
    } catch (error) { sayError(error); }
  }

  function drawCount() {
    const found = entries.entries.length;
    // The list itself says that there is nothing.
    count.hidden = !search.value.trim() || !found;
    count.textContent = count.hidden ? "" : t("foundCount", number(found) + (entries.hasMore ? "+" : ""));
  }

  let typing = 0;
  search.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(async () => {
      if (detail && !(await screens.toList())) { search.value = ""; return; }
      await load(true);
    }, 40);
  });

  /** What is listed under a name goes on under the one that it has now, whoever gave it. */
  function followNames() {
    const now = { ...filter };
    if (filter.journal) now.journal = nameNow("journals", filter.journal);
    if (filter.kind) now.kind = nameNow("kinds", filter.kind);
    // The trash is empty now, so that nothing leads out of it.
    if (filter.trash && !shared.names.trashed) delete now.trash;
    if (JSON.stringify(now) === JSON.stringify(filter)) return;
    filter = now;
    if (!detail) load(false);
  }

  async function readAside() {
    try {
      await readNames();
      detail?.fillNames?.();
      followNames();
      const [statistics, tallies, remembered, unsaved, newest] = await Promise.all([
        call("statistics"), call("tallies"), call("onThisDay"), call("kept"), call("list", { attachments: true, limit: 8 })]);
      if (isOver) return;
      months.update(statistics.days);
      drawFilters(tallies);
      drawChosen();
      drawMemories(remembered.entries);
      drawKept(unsaved.drafts);
      drawStrip(newest.entries);
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
    const count = new Map(tallies.journals.map((each) => [each.name, each.count]));
    keepingFocus(filters, () => filters.replaceChildren(
      h("ul", {}, chip(t("allEntries"), {}, names.entries), chip([icon("star"), " ", t("starred")], { starred: true }), chip([icon("clip"), " ", t("withPhotos")], { attachments: true }),
        h("li", {}, button(h("span", {}, icon("photos"), " ", t("photos")), () => go("photos", photosScreen), { class: "chip" })),
        h("li", {}, button(h("span", {}, icon("edit"), " ", t("names")), actions.names, { class: "chip" })),
        h("li", {}, button(h("span", {}, icon("settings"), " ", t("settings")), actions.settings, { class: "chip" })),
        names.trashed ? chip(t("trash"), { trash: true }, names.trashed) : null),
      names.journals.length ? h("h2", {}, t("journals")) : "",
      names.journals.length ? h("ul", {}, names.journals.map((journal) => chip([journal.emoji, journal.name].filter(Boolean).join(" "), { journal: journal.name }, count.get(journal.name) ?? 0))) : "",
      tallies.kinds.length ? h("h2", {}, t("kinds")) : "",
      tallies.kinds.length ? h("ul", { class: "cloud" }, tallies.kinds.map((each) => {
        const kind = shared.kinds.get(each.name);
        return chip([kind?.emoji, kind?.title ?? each.name].filter(Boolean).join(" "), { kind: each.name }, each.count);
      })) : "",
      tallies.tags.length ? h("h2", {}, t("tags")) : "",
      h("ul", { class: "cloud" }, tallies.tags.slice(0, 40).map((tag) => chip("#" + tag.name, { tags: [tag.name] }, tag.count)),
        tallies.tags.length > 40 ? h("li", {}, button(t("allTags", number(tallies.tags.length)), actions.names, { class: "chip" })) : null)));
  }

  /** The newest photos. */
  function drawStrip(found) {
    const photos = found.flatMap((entry) => entry.attachments.filter((file) => file.picture).map((file) => ({ entry, file }))).slice(0, 4);
    strip.hidden = !photos.length;
    const now = photos.map(({ file }) => file.picture).join();
    // Each is read and drawn once.
    if (now === shownPhotos) return;
    shownPhotos = now;
    strip.replaceChildren(...photos.map(({ entry, file }) => {
      const words = [dateWords(entry.date), entry.title ?? entry.preview].filter(Boolean).join(", ");
      return h("button", { type: "button", title: words, "aria-label": words, onclick: () => open(entry.id) }, thumbnail(file));
    }));
  }

  function drawMemories(found) {
    memories.hidden = found.length === 0;
    const year = new Date().getFullYear();
    keepingFocus(memories, () => memories.replaceChildren(h("h2", {}, t("onThisDay")), h("ul", {}, found.map((entry) => h("li", {}, h("button", {
      type: "button", onclick: () => open(entry.id),
    }, h("span", { class: "quiet" }, yearsAgo(year - +entry.date.slice(0, 4))), " ", entry.title ?? entry.preview ?? ""))))));
  }

  /** What was written and not saved: each of them with its first words. */
  function drawKept(drafts) {
    kept.hidden = drafts.length === 0;
    keepingFocus(kept, () => kept.replaceChildren(h("h2", {}, t("drafts")), h("ul", {}, drafts.map((draft) => h("li", {},
      h("span", { class: "words" }, h("span", { class: "quiet" },
        [t(draft.kind === "edit" ? "draftOfEdit" : draft.kind === "template" ? "draftOfTemplate" : "draftOfNew"), instantWords(draft.kept)].join(" · ")),
        " ", draft.title ?? draft.text ?? ""),
      h("span", { class: "row-of" }, draft.kind === "unreadable" ? "" : button(t("recover"), () => recover(draft.name).catch(sayError)),
        button(t("discard"), () => discard(draft).catch(sayError))))))));
  }

  async function recover(name) {
    const { entry, trouble, isNew } = await call("recover", { name });
    say(trouble ?? t(isNew ? "recoveredAsNew" : "recovered"));
    await Promise.all([load(true), readAside()]);
    // What was half typed is gone on with.
    if (entry && !detail) write(entry);
  }

  async function discard(draft) {
    if (!(await ask([t("discardKept"), draft.title ?? draft.text].filter(Boolean).join("\n"), t("cancel"), t("discard")))) return;
    await call("discardKept", { name: draft.name });
    await readAside();
  }

  /** What ended while its screen is not shown. */
  function leftOver(ended) {
    if (["preview", "importing", "faces", "enroll"].includes(ended.work)) shared.ends.set(ended.work, ended);
    if (["export", "extract"].includes(ended.work) && ended.exitCode === 0) tellOwner(t("exportMade", ended.output));
    else if (ended.work !== "preview" && ended.words) tellOwner(ended.words);
  }

  function closeTold() {
    told.hidden = true;
    for (const each of told.querySelectorAll("p")) each.remove();
  }

  function tellOwner(words, more = "") {
    told.hidden = false;
    told.append(h("p", {}, words, " ", more));
  }

  /** What of the sync a person has to know or to decide, when the diary opens. */
  async function tellSync() {
    const { removed, troubles } = await call("devices");
    const words = [removed, ...troubles.map((trouble) => trouble.words)].filter(Boolean);
    if (words.length) tellOwner(words.join("\n"), button(t("devices"), () => { closeTold(); care(); }));
  }

  function keys(event) {
    if (!document.querySelector("dialog, .veil") && detail?.shortcut?.(event)) return;
    if (event.key.toLowerCase() === "s" && (event.ctrlKey || event.metaKey)) event.preventDefault();
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog, .veil")) return;
    const isTyping = event.target.closest?.("input, textarea, select");
    // A key that is held goes on through the list; it deletes, stars and leaves one thing, not what comes after it.
    if (event.repeat && (event.key === "Escape" || !isTyping) && !/^[jk]$|^Arrow/.test(event.key)) return;
    if (event.key === "Escape") {
      // The question that it may open would be answered by it, too.
      event.preventDefault();
      if (app().classList.contains("menu")) { app().classList.remove("menu"); menu.focus(); }
      else if (app().classList.contains("alone")) app().classList.remove("alone");
      else if (event.target === search && search.value) { search.value = ""; load(true); }
      else if (detail) actions.back();
      else if (isTyping) entries.element.focus();
      return;
    }
    if (isTyping || detail?.keys?.(event)) return;
    const rows = [...center.querySelectorAll(".row > button")];
    const at = rows.indexOf(document.activeElement);
    const step = (place) => { rows[Math.min(rows.length - 1, Math.max(0, place))]?.focus(); };
    const row = detail ? null : document.activeElement.closest?.(".row");
    const entry = row && entries.entries.find((each) => each.id === row.dataset.id);
    switch (event.key) {
      case "s": if (!entry || entry.trashed) return; call("star", { id: entry.id, starred: !entry.starred }).then(() => load(false)).catch(sayError); break;
      case "e": if (!entry || entry.trashed) return; write(entry.id); break;
      case "Delete": if (!entry || entry.trashed) return; call("trash", { ids: [entry.id] }).then(() => actions.moved([entry.id])).catch(sayError); break;
      case "n": write(); break;
      case "/": search.focus(); search.select(); break;
      case "j": case "ArrowDown": if (detail) return; step(at + 1); break;
      case "k": case "ArrowUp": if (detail) return; step(at - 1); break;
      case "Home": if (detail) return; load(true).then(() => center.querySelector(".row > button")?.focus()); break;
      case "End": if (detail) return; entries.toOldest().then(() => [...center.querySelectorAll(".row > button")].at(-1)?.focus()).catch(sayError); break;
      case "u": shared.undo?.().catch(sayError); break;
      case "h": hide(); break;
      case "g": care(); break;
      case "p": go("photos", photosScreen); break;
      case ",": go("settings", settingsScreen); break;
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
  document.onpaste = (event) => {
    const files = [...event.clipboardData.files];
    if (!files.length || !detail?.add || document.querySelector("dialog")) return;
    // Words that were copied in an office program come with a picture of themselves.
    if (files.length === 1 && files[0].name === "image.png" && event.clipboardData.types.includes("text/plain")) return;
    event.preventDefault();
    detail.add(files);
  };
  onblur = () => { if (!document.hasFocus()) document.body.classList.add("away"); };
  onfocus = () => document.body.classList.remove("away");

  show(frame);
  center.replaceChildren(entries.element);
  // Kinds and journals first: rows are drawn with them.
  readNames().catch(sayError).then(() => Promise.all([load(true), readAside()])).then(() => {
    if (!detail && document.activeElement === document.body) entries.element.focus({ preventScroll: true });
    return tellSync();
  }).catch(sayError);
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
      if (state.isEnding) { isOver = true; clearInterval(ticking); document.onkeydown = document.onpaste = onpopstate = null; }
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
