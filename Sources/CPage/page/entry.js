// One entry: its text, pictures, history, and the texts of two devices side by side.

import { call, file, work } from "/server.js";
import { ask, button, clock, dateWords, dayNumber, dayWords, differences, enlargeable, h, instantWords, keepingFocus, prose, say, sayError, sign, t } from "/parts.js";
import { shared } from "/shared.js";

export async function followLink(link) {
  if (await ask(t("openLinkAsk") + "\n" + link, t("cancel"), t("open"))) {
    call("link", { link }).catch(sayError);
  }
}

function size(bytes) {
  return bytes < 1024 ? `${bytes} B` : bytes < 1 << 20 ? `${(bytes / 1024).toFixed(0)} KiB` : `${(bytes / 1048576).toFixed(1)} MiB`;
}

async function save(entry, attachment) {
  try {
    // The program writes it among the downloads itself, and says where.
    if (attachment.size > shared.sizeLimit) return await work("extract", `${entry.id}/${attachment.name}`);
    const blob = await file(entry.id, attachment.name);
    const address = URL.createObjectURL(blob);
    const link = h("a", { href: address, download: attachment.name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 30000);
  } catch (error) { sayError(error); }
}

export async function entryScreen(id, isTrashed, actions) {
  const element = h("article", { class: "entry", tabIndex: -1, "aria-label": t("entry") });
  let entry = null;
  /** The ids of those that stand beside it in the list. */
  let newer = null;
  let older = null;
  let shownAt = 0;

  async function read() {
    let found;
    [found, newer, older] = await Promise.all([call("entry", { id, trash: isTrashed }), actions.beside(id, false), actions.beside(id, true)]);
    entry = found.entry;
    // Drawn anew, also because another device changed it: the keyboard stays where it is, and what is open stays open.
    const isOpen = element.querySelector(".history")?.open;
    keepingFocus(element, () => render(found.html), "button, summary");
    if (isOpen) element.querySelector(".history")?.toggleAttribute("open", true);
    if (entry.others) showConflict();
  }

  function render(html) {
    const kind = shared.kinds.get(entry.kind);
    const until = entry.until ? (entry.until.slice(0, 10) === entry.date.slice(0, 10) ? clock(entry.until) : `${dateWords(entry.until)} ${clock(entry.until)}`) : null;
    const text = prose(html, followLink);
    const inText = new Set([...text.querySelectorAll("img")].map((image) => image.getAttribute("src")));
    const pictures = entry.attachments.filter((each) => each.picture && !inText.has(each.picture));
    element.replaceChildren(
      h("div", { class: "tools" },
        sign("back", t("back"), actions.back), h("span", { class: "space" }),
        step("up", t("previous"), newer), step("down", t("next"), older),
        isTrashed ? button(t("restore"), restore) : sign("star", entry.starred ? t("unstar") : t("star"), star, { class: "sign star-sign", "aria-pressed": String(Boolean(entry.starred)) }, entry.starred),
        isTrashed ? button(t("purge"), purge) : sign("edit", t("edit"), edit, { class: "sign edit" }),
        isTrashed ? null : sign("trash", t("moveToTrash"), trash)),
      h("p", { class: "date" }, h("time", { dateTime: entry.date }, t("dayAndTime", dayWords(dayNumber(entry.date)), clock(entry.date))), until ? ` – ${until}` : ""),
      entry.title ? h("h1", {}, entry.title) : "",
      h("p", { class: "facts" }, [
        kind ? `${kind.emoji} ${kind.title}` : null, entry.journal, entry.location, entry.weather].filter(Boolean).join(" · ")),
      h("div", { class: "conflict" }), text,
      h("div", { class: "pictures" }, pictures.map((each) => h("figure", {},
        h("img", { src: each.picture, alt: each.name, loading: "lazy" })))),
      entry.tags.length ? h("p", { class: "tags" }, entry.tags.map((tag) => h("button", { type: "button", class: "chip", onclick: () => actions.filter({ tags: [tag] }) }, "#" + tag))) : "",
      entry.attachments.length ? h("section", { class: "files", "aria-label": t("attachments") }, h("h2", {}, t("attachments")),
        h("ul", {}, entry.attachments.map((each) => h("li", {}, button(each.name, () => save(entry, each), { title: t("download", each.name) }), h("span", { class: "quiet" }, " ", size(each.size)))))) : "",
      isTrashed ? "" : h("details", { class: "history", ontoggle: (event) => { if (event.target.open) history(event.target); } },
        h("summary", {}, t("history"), h("span", { class: "quiet" }, ` ${t("revision", entry.revision)} · ${instantWords(entry.modified)}`))));
    enlargeable(element);
  }

  function step(name, label, other) {
    return sign(name, label, () => actions.open(other, isTrashed), { disabled: !other });
  }

  async function star() {
    try {
      await call("star", { id, starred: !entry.starred });
      element.querySelector(".star-sign")?.focus({ preventScroll: true });
      await read();
    } catch (error) { sayError(error); }
  }

  function edit() { actions.write(entry.id); }

  async function trash(event) {
    // The second click of two that saved the entry a moment ago.
    if (event?.detail && performance.now() - shownAt < 700) return;
    try { await call("trash", { ids: [id] }); await actions.moved([id]); } catch (error) { sayError(error); }
  }

  async function restore() {
    try { await call("restore", { ids: [id] }); say(t("restored")); await actions.gone(); } catch (error) { sayError(error); }
  }

  async function purge() {
    if (!(await ask(t("purgeAsk"), t("cancel"), t("purge")))) return;
    try {
      await call("purge", { ids: [id] });
      shared.undo = null;
      say(t("purged"));
      await actions.gone();
    } catch (error) { sayError(error); }
  }

  async function history(place) {
    if (place.querySelector("ol")) return;
    try {
      const { revisions } = await call("history", { id });
      place.append(h("p", { class: "quiet" }, t("historyText")), h("ol", {}, revisions.map((each) => {
        const item = h("li", {}, h("span", {}, `${t("revision", each.revision)} · ${instantWords(each.modified)} `));
        const text = h("div", {});
        item.append(button(t("showRevision"), async () => {
          if (text.firstChild) return text.replaceChildren();
          try {
            const old = await call("entry", { id, revision: each.revision });
            const became = old.entry.body === entry.body ? null : differences(old.entry.body ?? "", entry.body ?? "");
            text.replaceChildren(old.entry.title ? h("h3", {}, old.entry.title) : "", prose(old.html, followLink),
              became ? h("section", { "aria-label": t("changedSince") }, h("h3", { class: "quiet" }, t("changedSince")), became) : "",
              each.revision === entry.revision || entry.others ? "" : button(t("bringBack"), () => bringBack(old)));
          } catch (error) { sayError(error); }
        }), text);
        return item;
      })));
    } catch (error) { sayError(error); }
  }

  async function bringBack(old) {
    try {
      await call("revert", { id, revision: old.entry.revision });
      say(t("saved"));
      await read();
    } catch (error) { sayError(error); }
  }

  async function showConflict() {
    try {
      const { versions } = await call("conflict", { id });
      if (versions.length < 2) return;
      const keep = async (revisions) => {
        try { await call("keepVersion", { id, expected: entry.revision, revisions }); say(t("saved")); await read(); } catch (error) { sayError(error); }
      };
      element.querySelector(".conflict").replaceChildren(h("section", { class: "versions", "aria-label": t("conflictTitle") },
        h("h2", {}, t("conflictTitle")), h("p", {}, t("conflictText")),
        h("div", { class: "sides" }, versions.map((each) => h("div", { class: "side" },
          h("p", { class: "quiet" }, `${each.device ?? t("someDevice")} · ${instantWords(each.modified)}`),
          each.title ? h("h3", {}, each.title) : "", prose(each.html, followLink),
          button(t("keepThis"), () => keep([each.revision]))))),
        button(t("keepBoth"), () => keep(versions.map((each) => each.revision)))));
      element.querySelector(":scope > .prose")?.remove();
    } catch (error) { sayError(error); }
  }

  await read();
  shownAt = performance.now();
  return {
    element,
    /** The entry that files go into which are dropped here. */
    get entry() { return isTrashed ? null : id; },
    get day() { return dayNumber(entry.date); },
    focus: () => element.focus(),
    refresh: () => read().catch(() => actions.gone()),
    keys(event) {
      // Who saved the entry a moment ago may still be typing: that is no command.
      if (event.key.length === 1 && shared.saved.id === id && performance.now() - shared.saved.at < 700) {
        shared.saved.at = performance.now();
        return true;
      }
      const other = (next) => { if (next) actions.open(next, isTrashed); };
      switch (event.key) {
        case "e": if (!isTrashed) edit(); break;
        case "s": if (!isTrashed) star(); break;
        case "Delete": if (isTrashed) purge(); else trash(); break;
        case "j": case "ArrowRight": other(older); break;
        case "k": case "ArrowLeft": other(newer); break;
        default: return false;
      }
      event.preventDefault();
      return true;
    },
  };
}
