// Writing: a blank page, kept sealed while somebody types.

import { Refusal, call, upload } from "/server.js";
import { app, ask, askAmong, button, field, h, hasFiles, keepingFocus, prose, say, sayError, sign, t, timeNow } from "/parts.js";
import { nameNow, readNames, shared } from "/shared.js";
import { followLink } from "/entry.js";
import { hasCamera, takePhoto } from "/photos.js";

/** The texts that are being written: kept once more when the session ends. */
const open = new Set();

/** - Returns: how many texts are kept and how many could not be, and how many files were still on their way, which are not. */
export async function keepAll() {
  let texts = 0;
  await Promise.all([...open].map((each) => each.keepNow().catch(() => { texts += 1; })));
  return { texts, kept: [...open].filter((each) => each.isKept).length, files: [...open].reduce((count, each) => count + each.fileCount, 0) };
}

/**
 * Keeps something sealed while somebody types it, one time after the other.
 * - `what` gives what is kept, `mayKeep` says whether it still may be, and `onKept` is called whenever it was.
 */
function keeper(what, mayKeep, onKept = () => {}) {
  let timer = 0;
  let keeping = null;
  return {
    draft: newID(),
    /** Whether a draft is kept. */
    isKept: false,
    isUnkept: false,
    pause() {
      clearTimeout(timer);
      timer = 0;
    },
    /** Waits for what is on its way: of two calls the later one may arrive first. */
    arrived: () => keeping?.catch(() => {}),
    async keepNow() {
      this.pause();
      await this.arrived();
      // What was discarded meanwhile is not kept once more.
      if (!this.isUnkept || !mayKeep()) return;
      this.isUnkept = false;
      keeping = call("keep", { draft: this.draft, ...what() });
      try {
        await keeping;
        this.isKept = true;
        onKept();
      } catch (error) {
        this.isUnkept = true;
        throw error;
      }
    },
    /**
     * At once, and then twice a second while somebody types on.
     * - Returns: whether it is the first change since it was kept last.
     */
    changed(onFailure) {
      this.isUnkept = true;
      if (timer) return false;
      timer = setTimeout(() => this.keepNow().catch(onFailure), this.isKept ? 500 : 50);
      return true;
    },
    async discard() {
      await this.arrived();
      await call("discard", { draft: this.draft }).catch(() => {});
    },
  };
}

/**
 * Keeps what stands in a dialog. `end` is for what was saved or discarded, `leave` for a dialog that goes with the session.
 */
export function keepWhile(what) {
  const keeps = keeper(what, () => open.has(self));
  const self = { fileCount: 0, get isKept() { return keeps.isKept; }, keepNow: () => keeps.keepNow() };
  open.add(self);
  const leave = () => { open.delete(self); keeps.pause(); };
  return { leave, changed: () => keeps.changed(sayError), end: () => { leave(); return keeps.discard(); } };
}

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** An id for a new entry: 128 random bits. */
function newID() {
  const bits = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(2).padStart(8, "0")).join("") + "00";
  return bits.match(/.{5}/g).map((five) => alphabet[parseInt(five, 2)]).join("");
}

/** Tags as chips, and a field that completes those there are. Commas part them, also those of a Japanese keyboard. */
function tagField(changed) {
  let chosen = [];
  const known = h("datalist", { id: "known-tags" });
  const input = h("input", { type: "text", placeholder: t("addTag"), list: "known-tags", maxLength: 20000 });
  const chips = h("span", { class: "chips" });

  function draw() {
    chips.replaceChildren(...chosen.map((tag) => h("span", { class: "chip" }, "#" + tag,
      sign("remove", t("removeFile", tag), () => { chosen = chosen.filter((other) => other !== tag); draw(); changed(); input.focus(); }, {
        // The field would be left by it, and take what was typed before the click arrives.
        onmousedown: (event) => event.preventDefault(), class: "sign",
      }))));
  }

  function typed() {
    return (input.value.match(/"[^"]*"|[^,、，]+/g) ?? []).map((tag) => tag.trim().replace(/^"(.*)"$/, "$1").replace(/^[#＃]+/, "")).filter(Boolean);
  }

  function take() {
    chosen = [...new Set([...chosen, ...typed()])];
    input.value = "";
    draw();
  }

  input.addEventListener("input", (event) => {
    changed();
    // A comma, or one of those offered.
    if (!event.isComposing && (/[,、，]$/.test(input.value) && (input.value.match(/"/g) ?? []).length % 2 === 0 || event.inputType === "insertReplacementText")) take();
  });
  // The last input of a composition comes before its end.
  input.addEventListener("compositionend", () => { if (/[,、，]$/.test(input.value)) take(); });
  input.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" && input.value.trim()) { event.preventDefault(); take(); }
    if (event.key === "Backspace" && !event.repeat && !input.value && chosen.length) { chosen.pop(); draw(); changed(); }
  });
  input.addEventListener("blur", take);
  call("tallies").then(({ tags }) => known.replaceChildren(...tags.slice(0, 500).map((tag) => h("option", { value: /[,、，]/.test(tag.name) ? `"${tag.name}"` : tag.name }))), () => {});
  return {
    element: h("div", { class: "tagging" }, field(t("tagsField"), input), chips, known),
    set: (tags) => { chosen = [...tags]; draw(); },
    list: () => [...new Set([...chosen, ...typed()])],
  };
}

/** A time on this machine's clock; a browser's control has all of it but the seconds. */
function localTime(time) {
  const two = (value) => String(value).padStart(2, "0");
  return `${String(time.getFullYear()).padStart(4, "0")}-${two(time.getMonth() + 1)}-${two(time.getDate())}T${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

/** - base: the id of an entry to change; null for a new one.
 * - day: the day of a new one, counted from 1970; null for now. */
export async function writeScreen(base, day, actions) {
  await readNames();
  // Of a form: two of them keep two texts, also of one entry.
  /** The entry; null until it is saved. */
  let entryID = base;
  let filled = null;
  let expected = null;
  /** Whether every text of an entry that devices gave several was shown here. */
  let endsConflict = false;
  let given = null;
  let files = [];
  let detached = [];
  let isChanged = false;

  const title = h("input", { type: "text", class: "title", placeholder: t("titleField"), "aria-label": t("titleField"), autocomplete: "off", spellcheck: false });
  const body = h("textarea", { class: "body", placeholder: t("bodyHint"), "aria-label": t("bodyField"), autocomplete: "off", spellcheck: false });
  const date = h("input", { type: "datetime-local" });
  const until = h("input", { type: "datetime-local" });
  const [journal, kind] = [h("select", {}), h("select", {})];
  function fillNames() {
    const fill = (select, what, choices) => {
      const chosen = nameNow(what, select.value);
      // One that is there no more stays until another one is chosen.
      const gone = chosen && !choices.some(([value]) => value === chosen) ? [[chosen, chosen]] : [];
      select.replaceChildren(...[["", t("none")], ...choices, ...gone].map(([value, label]) => h("option", { value }, label)));
      select.value = chosen;
    };
    fill(journal, "journals", shared.names.journals.map((each) => [each.name, [each.emoji, each.name].filter(Boolean).join(" ")]));
    fill(kind, "kinds", shared.names.kinds.map((each) => [each.name, `${each.emoji} ${each.title}`]));
  }
  fillNames();
  const place = h("input", { type: "text" });
  const weather = h("input", { type: "text" });
  const templates = base ? [] : (await call("templates")).templates;
  /** The template that the text was begun with: nobody has written anything yet. */
  let template = "";
  /** The text before the last template was put in, where that was, and the text after it. */
  let inserted = null;
  let isByKey = false;
  const begin = h("select", { onkeydown: () => { isByKey = true; }, onpointerdown: () => { isByKey = false; }, onchange: () => {
    const chosen = templates.find((each) => each.name === begin.value)?.body ?? "";
    // Arrow keys go through the templates one by one: each takes the place of the one before, and nothing else.
    const { before, at } = inserted?.after === body.value ? inserted : { before: body.value, at: body.selectionEnd };
    // It does not stick to a word.
    const gap = chosen && /\S$/.test(before.slice(0, at)) ? "\n\n" : "";
    if (!before.trim() || before === template) body.value = template = chosen;
    else body.value = before.slice(0, at) + gap + chosen + before.slice(at);
    inserted = { before, at, after: body.value };
    changed();
    if (isByKey) return;
    body.focus();
    body.setSelectionRange(at + gap.length + chosen.length, at + gap.length + chosen.length);
  } }, h("option", { value: "" }, t("none")), templates.map((each) => h("option", { value: each.name }, each.name)));
  const isBodyBlank = () => !body.value.trim() || body.value === template;
  const tags = tagField(changed);
  const status = h("p", { class: "status" });
  /** What is heard of it: not twice a second that something is kept. */
  const aloud = h("p", { class: "aloud", role: "status" });
  const pictures = h("ul", { class: "attached" });
  const preview = h("div", { class: "preview", hidden: true });
  const refused = h("p", { class: "refused", role: "alert", hidden: true });
  const choose = h("input", { type: "file", multiple: true, hidden: true, onchange: () => { add([...choose.files]); choose.value = ""; } });
  let starred = false;

  if (base) {
    const found = await call("entry", { id: base });
    fill(found);
    title.value = given.title ?? "";
    body.value = given.body ?? "";
    if (given.others) {
      // All of them, one below the other: what is saved takes their place.
      body.value = (await call("conflict", { id: base })).together;
      endsConflict = true;
    }
    date.value = found.dateText;
    until.value = found.untilText ?? "";
    journal.value = given.journal ?? "";
    kind.value = given.kind ?? "";
    place.value = given.location ?? "";
    weather.value = given.weather ?? "";
    tags.set(given.tags);
    starred = given.starred;
    drawFiles();
  }

  /** The form goes on from what is saved. */
  function fill(found) {
    given = found.entry;
    filled = expected = given.revision;
  }

  /** What nobody changed here stands as it was saved: another device may have changed it. What was typed stays as it was typed. */
  function refill(found, sent) {
    const saved = {
      title: given.title ?? "", body: given.body ?? "", date: found.dateText, until: found.untilText || null, journal: given.journal || null,
      kind: given.kind || null, location: given.location ?? "", weather: given.weather ?? "",
    };
    const now = fields();
    for (const [name, control] of Object.entries({ title, body, date, until, journal, kind, location: place, weather })) {
      if (sent[name] !== begunWith[name] || now[name] !== sent[name] || saved[name] === sent[name]) continue;
      const value = saved[name] ?? "";
      control.value = value;
      // A name that was given elsewhere a moment ago.
      if (control.value !== value && control.options) { control.append(h("option", { value }, value)); control.value = value; }
    }
    if (JSON.stringify(now.tags) === JSON.stringify(sent.tags)) tags.set(given.tags);
    starred = given.starred;
    begunWith = fields();
  }

  // What is written while a journal or a tag is shown belongs to it.
  const preset = base ? {} : actions.chosen();
  if (preset.journal) journal.value = preset.journal;
  if (preset.tags) tags.set(preset.tags);
  const presetTags = tags.list().join();

  // Two entries of one minute keep their order by the seconds, which nobody types.
  const opened = base || day !== null ? null : localTime(new Date());
  if (day !== null) date.value = new Date(day * 86400000).toISOString().slice(0, 11) + "12:00";
  else if (opened) date.value = opened.slice(0, 16);
  const begun = date.value;

  function fields() {
    return {
      title: title.value, body: body.value, date: (opened && date.value === begun ? opened : date.value) || null, until: until.value || null, journal: journal.value || null,
      kind: kind.value || null, location: place.value, weather: weather.value, tags: tags.list(), starred,
    };
  }

  /** What stood here before anybody typed, or when it was saved. */
  let begunWith = fields();
  const isBlank = () => date.value === begun && isBodyBlank() && ![title, until, kind, place, weather].some((control) => control.value.trim()) && journal.value === (preset.journal ?? "")
    && tags.list().join() === presetTags && !files.length;

  const keeps = keeper(() => ({
    id: entryID ?? undefined, base: filled ?? undefined, fields: fields(), detach: detached,
    uploads: files.filter((each) => each.progress === 1).map((each) => each.upload),
  }), () => !sending && open.has(self) && (entryID || !isBlank()), () => {
    status.textContent = t("keptAt", timeNow());
    aloud.textContent ||= status.textContent;
  });

  function changed() {
    isChanged = true;
    if (keeps.changed((error) => { aloud.textContent = status.textContent = t("keepFailed", error.message); })) status.textContent = t("unsaved");
    grow();
  }

  function grow() {
    if (CSS.supports("field-sizing", "content")) return;
    const scroller = drop.parentElement;
    const top = scroller?.scrollTop;
    body.style.setProperty("height", "auto");
    body.style.setProperty("height", `${body.scrollHeight}px`);
    if (scroller) scroller.scrollTop = top;
  }

  for (const control of [title, body, date, until, journal, kind, place, weather]) control.addEventListener("input", changed);

  // MARK: Files

  /** The files that the entry has and keeps. */
  function staying() {
    return (given?.attachments ?? []).filter((each) => !detached.includes(each.name));
  }

  function drawFiles() {
    const hadFocus = pictures.contains(document.activeElement);
    keepingFocus(pictures, () => pictures.replaceChildren(
      ...(given?.attachments ?? []).map((each) => (detached.includes(each.name)
        ? item(each.name, each.picture, () => { detached = detached.filter((name) => name !== each.name); changed(); drawFiles(); }, undefined, true)
        : item(each.name, each.picture, () => { detached = [...detached, each.name]; changed(); drawFiles(); }))),
      ...files.map((each) => item(each.name, each.address, () => {
        files = files.filter((other) => other !== each);
        if (each.upload) call("drop", { draft: each.upload }).catch(() => {});
        if (each.address) URL.revokeObjectURL(each.address);
        changed();
        drawFiles();
      }, each.progress))));
    // The keyboard stays in the form.
    if (hadFocus && document.activeElement === document.body) body.focus({ preventScroll: true });
  }

  /** - leaves: whether it goes when the form is saved; until then it can be taken back. */
  function item(name, address, act, progress, leaves = false) {
    const words = () => h("span", { class: "name" }, name);
    return h("li", {}, h("span", { class: leaves ? "leaves" : "" }, address ? h("img", { src: address, alt: name, onerror: (event) => event.target.replaceWith(words()) }) : words()),
      progress !== undefined && progress < 1 ? h("progress", { value: progress, max: 1, "aria-label": t("uploading", name) }) : null,
      leaves ? button(t("undo"), act) : sign("remove", t("removeFile", name), act));
  }

  let adding = Promise.resolve();
  let failures = 0;

  /** - Returns: whether every file that was added is there. */
  async function arrived() {
    const before = failures;
    let last = null;
    while (last !== adding) { last = adding; await last; }
    return failures === before;
  }

  async function photograph() {
    try {
      const photo = await takePhoto();
      if (photo) add([photo]);
    } catch (error) { say(t("cameraRefused", error.message)); }
  }

  function add(list) {
    adding = Promise.all([adding, take(list)]);
    return adding;
  }

  /** Takes as many as an entry may have; what there is no room for is said until something is added again. */
  async function take(list) {
    const room = Math.max(0, shared.fileLimit - staying().length - files.length);
    refused.hidden = list.length <= room;
    refused.textContent = t("filesRefused", list.length - room, shared.fileLimit);
    for (const each of list.slice(0, room)) {
      const one = { name: each.name || t("photo"), address: /^image\/(jpeg|png|gif|webp)$/.test(each.type) ? URL.createObjectURL(each) : null, progress: 0 };
      files = [...files, one];
      changed();
      drawFiles();
      try {
        one.upload = await upload(each, (done) => { one.progress = done; drawFiles(); });
        if (!open.has(self)) { call("drop", { draft: one.upload }).catch(() => {}); return; }
        one.progress = 1;
        changed();
        // A file that is here is kept without delay.
        keeps.keepNow().catch(() => {});
      } catch (error) {
        files = files.filter((other) => other !== one);
        failures += 1;
        sayError(error instanceof Refusal ? new Refusal({ message: `${one.name}: ${error.message}` }) : error);
      }
      drawFiles();
    }
  }

  // MARK: Ending

  /** What the form is to do next with what was written. */
  const after = { open: 0, stay: 1, leave: 2 };

  /**
   * Saves once every file has arrived.
   * - Returns: whether it is saved.
   */
  async function save(then = after.open) {
    // One after the other: what is asked for last is what happens.
    while (running) {
      await running;
      if (!open.has(self)) return true;
    }
    running = saveNow(then);
    try { return await running; } finally { running = null; }
  }

  let running = null;
  /** What is on its way and is saved or refused in a moment: nothing of it is kept any more. */
  let sending = null;
  /** Whether to leave a text that is half typed. */
  let question = null;

  async function saveNow(then) {
    // A browser gives a date that is typed in part as none.
    const unfinished = [date, until].find((control) => control.validity.badInput);
    if (unfinished) {
      say(t("dateUnfinished"));
      unfinished.focus();
      return false;
    }
    if (files.some((each) => !each.upload)) aloud.textContent = status.textContent = t("savesAfterFiles");
    let isDone = false;
    try {
      isDone = await arrived() && (!detached.length || await ask(t("detachAsk", detached.join("\n")), t("keepWriting"), t("detachNow")));
      // Who is asked whether to leave answers first, and a text that was discarded meanwhile is not saved.
      await question;
      isDone &&= open.has(self) && await send(then);
    } finally {
      body.readOnly = title.readOnly = false;
      if (isChanged && open.has(self)) { keeps.isUnkept = true; keeps.keepNow().catch(() => {}); }
    }
    return isDone;
  }

  async function send(then) {
    // Who goes on typing in a form that is about to close would write into nothing.
    body.readOnly = title.readOnly = then !== after.stay;
    keeps.pause();
    let sent;
    async function sendNow() {
      await keeps.arrived();
      sent = { fields: fields(), files, detached };
      return call("save", {
        id: entryID ?? undefined, base: filled ?? undefined, expected: expected ?? undefined, endsConflict: endsConflict || undefined, draft: keeps.draft, fields: sent.fields,
        uploads: sent.files.map((each) => each.upload), detach: sent.detached,
      });
    }
    try {
      sending = sendNow().finally(() => { sending = null; });
      const { id, revision } = await sending;
      if (then === after.stay) await goOn(id, revision, sent);
      else close();
      say(t("savedEntry"));
      if (then === after.open) shared.saved = { id, at: performance.now() };
      await actions.saved(id, then === after.open && self);
      return true;
    } catch (error) {
      return refusedBy(error, then);
    }
  }

  /** Saved, and written on: from now on it is an edit of what was saved. */
  async function goOn(id, revision, sent) {
    for (const each of sent.files) if (each.address) URL.revokeObjectURL(each.address);
    // What came meanwhile is still to be saved.
    files = files.filter((each) => !sent.files.includes(each));
    detached = detached.filter((name) => !sent.detached.includes(name));
    [entryID, filled, expected, endsConflict, keeps.draft, keeps.isKept] = [id, revision, revision, false, newID(), false];
    isChanged = keeps.isUnkept = files.length + detached.length > 0 || JSON.stringify(fields()) !== JSON.stringify(sent.fields);
    // The text that was saved, not the newest: what another device wrote since is asked about when this is saved again.
    const found = await call("entry", { id, revision });
    fill(found);
    refill(found, sent.fields);
    status.textContent = t("savedAt", timeNow());
    drawFiles();
  }

  /** The entry was changed, moved to the trash or removed elsewhere: what was written here need not be lost. */
  async function refusedBy(error, then) {
    const known = async (trash) => (await call("entry", { id: entryID, trash }).catch(() => null));
    const now = entryID ? await known(false) : null;
    const hasSeveral = Boolean(now?.entry.others);
    if (now && error.code === "conflict" && (now.entry.revision !== expected || hasSeveral !== endsConflict)) {
      const texts = hasSeveral ? (await call("conflict", { id: entryID })).versions : [{ title: now.entry.title, html: now.html }];
      const shown = h("div", { class: "other" }, h("h2", {}, t("saysNow")),
        texts.flatMap((each) => [each.title ? h("h3", {}, each.title) : "", prose(each.html, followLink)]));
      if ((await askAmong(t("conflictSave"), [t("keepWriting"), t("saveAnyway")], shown)) !== 1) return false;
      // What was changed in this form goes on top of what others changed.
      [expected, endsConflict] = [now.entry.revision, hasSeveral];
      return send(then);
    }
    if (!entryID || now) { sayError(error); return false; }
    const isTrashed = Boolean(await known(true));
    const answer = await askAmong(t(isTrashed ? "trashedSave" : "goneSave"), [t("keepWriting"), t("saveAsNew"), ...(isTrashed ? [t("restoreAndSave")] : [])]);
    if (answer === 0) return false;
    if (answer === 2) await call("restore", { ids: [entryID] });
    else [entryID, filled, expected, endsConflict, given, detached] = [null, null, null, false, null, []];
    return send(then);
  }

  function close() {
    open.delete(self);
    keeps.pause();
    isChanged = false;
    for (const each of files) if (each.address) URL.revokeObjectURL(each.address);
    files = [];
  }

  async function leaving() {
    // What is on its way is saved in a moment.
    if (sending) await running.catch(() => {});
    if (!open.has(self)) return true;
    if (!isChanged || (isBlank() && !entryID)) { await forget(); return true; }
    question = askAmong(t("discardAsk"), [t("keepWriting"), t("save"), t("discard")]);
    const answer = await question;
    question = null;
    if (answer === 1) return save(after.leave);
    if (answer !== 2) { body.focus(); return false; }
    await forget();
    return true;
  }

  async function forget() {
    const [had, unused] = [isChanged, files];
    close();
    if (had) await keeps.discard();
    for (const each of unused) if (each.upload) call("drop", { draft: each.upload }).catch(() => {});
  }

  let before = 0;

  async function togglePreview() {
    if (preview.hidden) before = drop.parentElement.scrollTop;
    preview.hidden = !preview.hidden;
    body.hidden = !preview.hidden;
    look.textContent = preview.hidden ? t("preview") : t("write");
    if (!preview.hidden) preview.replaceChildren(prose((await call("render", { text: body.value })).html, followLink));
    else { body.focus({ preventScroll: true }); drop.parentElement.scrollTop = before; }
  }

  const look = button(t("preview"), () => togglePreview().catch(sayError));
  const drop = h("section", {
    class: "writing", "aria-label": base ? t("edit") : t("newEntry"),
    ondragover: (event) => { if (hasFiles(event)) { event.preventDefault(); drop.classList.add("over"); } },
    ondragleave: () => drop.classList.remove("over"),
    ondrop: (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      drop.classList.remove("over");
      add([...event.dataTransfer.files]);
    },
  },
    h("div", { class: "tools" },
      sign("back", t("back"), actions.back), h("span", { class: "space" }), status, aloud,
      button(t("textOnly"), () => { app().classList.toggle("alone"); body.focus(); }, { class: "text-only" }), look, button(t("save"), () => save().catch(sayError), { class: "first" })),
    title, body, preview, pictures, refused,
    h("div", { class: "meta" },
      field(t("dateField"), date), field(t("untilField"), until), field(t("journalField"), journal), field(t("kindField"), kind),
      field(t("placeField"), place), field(t("weatherField"), weather), templates.length ? field(t("templateField"), begin) : null), tags.element,
    h("div", { class: "tools" }, button(t("addPhotos"), () => choose.click()), hasCamera ? button(t("takePhoto"), photograph, { class: "lens" }) : null, choose));

  const self = {
    element: drop,
    get isKept() { return keeps.isKept; },
    /** Files that are still on their way, which cannot be kept. */
    get fileCount() { return files.filter((each) => each.progress < 1).length; },
    add,
    /** At the end, where somebody goes on. */
    focus: () => { grow(); body.setSelectionRange(body.value.length, body.value.length); body.focus(); },
    leaving,
    /** Whether it was left: it keeps and saves nothing more. */
    get isOver() { return !open.has(self); },
    // What is refused is kept once more.
    keepNow: async () => { await sending?.catch(() => {}); await keeps.keepNow(); },
    fillNames,
    /** Keys that count wherever the keyboard is. */
    shortcut: (event) => {
      const then = event.ctrlKey || event.metaKey ? { enter: after.open, s: after.stay }[event.key.toLowerCase()] : undefined;
      if (then === undefined || event.isComposing) return false;
      event.preventDefault();
      save(then).catch(sayError);
      return true;
    },
  };
  open.add(self);
  return self;
}
