// Journals and trips, kinds, tags and templates: making them, other names for them, and removing them.

import { call } from "/server.js";
import { ask, askAmong, button, dateWords, field, h, keepingFocus, number, say, sayError, sign, t } from "/parts.js";
import { readNames, shared } from "/shared.js";
import { keepWhile } from "/write.js";

/** Days since 1970-01-01 as a browser's control has them. */
const dayText = (day) => (day === null || day === undefined ? "" : new Date(day * 86400000).toISOString().slice(0, 10));
const dayOf = (text) => (text ? Date.parse(text + "T00:00Z") / 86400000 : null);

/**
 * Fields of which some are to be filled, and what is then done with them. What is refused stays, to be mended.
 * - `kept`: keeps what is typed.
 */
function askFor(label, fields, answer, act, kept = null) {
  return new Promise((resolve) => {
    const before = document.activeElement;
    const first = fields.map(([, input]) => input.value);
    const trouble = h("p", { class: "trouble", role: "alert" });
    const submit = h("button", { type: "submit", class: "first" }, answer);
    /** A long text that was typed goes only when somebody says so. */
    async function turnAway(event) {
      if (!fields.some(([, input], place) => input.localName === "textarea" && input.value !== first[place])) return event.type === "cancel" || dialog.close();
      event.preventDefault();
      if (!(await ask(t("discardAsk"), t("keepWriting"), t("discard")))) return;
      kept?.end();
      dialog.close();
    }
    async function use(event) {
      event.preventDefault();
      submit.disabled = true;
      trouble.textContent = "";
      document.getElementById("said").replaceChildren();
      try { await act(); await kept?.end(); dialog.close(); } catch (error) { trouble.textContent = error.message; } finally { submit.disabled = false; }
    }
    // After a first Escape that was turned away, a browser closes the dialog with the next one whatever is said.
    const escape = (event) => {
      if (event.key !== "Escape" || event.isComposing) return;
      event.preventDefault();
      if (!event.repeat) turnAway(event);
    };
    const dialog = h("dialog", { "aria-label": label, onkeydown: escape, oncancel: turnAway, onclose: () => {
      kept?.leave();
      dialog.remove();
      before?.focus?.();
      resolve();
    } },
      h("form", { onsubmit: use, oninput: () => kept?.changed() },
        h("h2", {}, label), fields.map(([name, input]) => field(name, input)), trouble,
        h("div", { class: "choices" }, button(t("cancel"), turnAway), submit)));
    document.body.append(dialog);
    dialog.showModal();
    fields[0][1].focus();
  });
}

const text = (value, maxLength, isNeeded = true) => h("input", { type: "text", value: value ?? "", maxLength, required: isNeeded });

export async function namesScreen(actions) {
  const element = h("section", { class: "care names", tabIndex: -1, "aria-label": t("names") });
  let tallies = null;
  let templates = [];
  let drawn = "";

  const act = (label, action, properties) => button(label, () => action().then(() => read()).catch(sayError), properties);
  const change = (change) => call("changeNames", change);

  // MARK: Journals and kinds

  /** A journal that is made or changed: its name, its days, its emoji. */
  function journal(known) {
    const [name, emoji] = [text(known?.name, 200), text(known?.emoji, 20, false)];
    const [from, to] = [h("input", { type: "date", value: dayText(known?.from) }), h("input", { type: "date", value: dayText(known?.to) })];
    const fields = [[t("journalName"), name], [t("emojiField"), emoji], [t("fromField"), from], [t("toField"), to]];
    return askFor(t(known ? "edit" : "addJournal"), fields, t(known ? "save" : "add"), async () => {
      const rest = { days: { from: dayOf(from.value), to: dayOf(to.value) }, emoji: emoji.value };
      if (!known) return change({ action: "addJournal", name: name.value, ...rest });
      await change({ action: "editJournal", name: known.name, ...rest });
      if (name.value.trim() === known.name) return null;
      await change({ action: "renameJournal", name: known.name, to: name.value });
      return actions.renamed({ journal: known.name }, { journal: name.value.trim() });
    });
  }

  async function removeJournal(known, count) {
    const others = shared.names.journals.filter((other) => other.name !== known.name);
    const heir = h("select", {}, others.map((other) => h("option", { value: other.name }, other.name)));
    const asked = t("removeJournalAsk", known.name, number(count));
    const answer = await askAmong(asked, [t("cancel"), t("entriesToTrash"), ...(others.length ? [t("entriesToJournal")] : [])],
      others.length ? field(t("journalField"), heir) : null);
    if (answer === 0) return;
    await change({ action: "removeJournal", name: known.name, to: answer === 2 ? heir.value : null });
    actions.renamed({ journal: known.name }, {});
    say(t(answer === 2 ? "saved" : "movedToTrash"));
  }

  function addKind() {
    const [name, emoji] = [text("", 200), text("", 20)];
    return askFor(t("addKind"), [[t("nameField"), name], [t("emojiField"), emoji]], t("add"), () => change({ action: "addKind", name: name.value, emoji: emoji.value }));
  }

  function renameKind(kind) {
    const name = text(kind.name, 200);
    return askFor(t("rename"), [[t("nameField"), name]], t("rename"), async () => {
      await change({ action: "renameKind", name: kind.name, to: name.value });
      actions.renamed({ kind: kind.name }, { kind: name.value.trim() });
    });
  }

  async function removeKind(kind) {
    if (await ask(t("removeKindAsk", kind.title), t("cancel"), t("remove"))) await change({ action: "removeKind", name: kind.name });
  }

  // MARK: Tags

  function renameTag(tag) {
    const name = text(tag.name, 200);
    return askFor(t("rename"), [[t("nameField"), name]], t("rename"), () => renameTo(tag, name.value.trim().replace(/^[#＃]+/, "")));
  }

  async function renameTo(tag, to) {
    if (!to || to === tag.name) return;
    let isMerged = false;
    let done = 0;
    for (;;) {
      const { changed, more, known } = await call("renameTag", { name: tag.name, to, merge: isMerged });
      if (known) {
        if (!(await ask(t("mergeTagsAsk", tag.name, known), t("cancel"), t("mergeTags")))) return;
        isMerged = true;
        continue;
      }
      // The rest of them goes to a tag that is there by now.
      [done, isMerged] = [done + changed, true];
      say(t("entriesChanged", number(done)));
      if (!more) return actions.renamed({ tags: [tag.name] }, { tags: [to] });
    }
  }

  // MARK: Templates

  function template(known) {
    const name = text(known?.name, 200);
    name.readOnly = Boolean(known);
    let expected = known?.body;
    const what = () => ({ name: name.value.trim(), body: body.value, expected });
    async function set() {
      try { await call("setTemplate", what()); } catch (error) {
        // Changed or removed elsewhere: what was typed may become another one.
        if (["not-found", "conflict"].includes(error.code)) [name.readOnly, expected] = [false, undefined];
        throw error;
      }
    }
    const body = h("textarea", { rows: 10, value: known?.body ?? "", required: true });
    return askFor(t(known ? "edit" : "addTemplate"), [[t("nameField"), name], [t("bodyField"), body]], t("save"),
      set, keepWhile(() => ({ template: what() })));
  }

  async function removeTemplate(known) {
    if (await ask(t("removeTemplateAsk", known.name), t("cancel"), t("remove"))) await call("setTemplate", { name: known.name, body: null });
  }

  // MARK: The screen

  const line = (words, quiet, ...buttons) => h("li", {}, h("span", { class: "words" }, words, " ", h("span", { class: "quiet" }, quiet)), h("span", { class: "row-of" }, buttons));
  const part = (label, lines, add) => h("section", {}, h("h2", {}, label), h("ul", {}, lines.length ? lines : h("li", { class: "quiet" }, t("none"))), add);

  function draw() {
    const counts = new Map(tallies.journals.map((each) => [each.name, each.count]));
    const days = (each) => [each.from, each.to].map((day) => (day === null || day === undefined ? "" : dateWords(dayText(day) + "T00:00"))).join(" – ");
    keepingFocus(element, () => element.replaceChildren(
      h("div", { class: "tools" }, sign("back", t("back"), actions.back)), h("h1", {}, t("names")),
      part(t("journals"), shared.names.journals.map((each) => {
        const count = counts.get(each.name) ?? 0;
        const when = each.from === null && each.to === null ? "" : " · " + days(each);
        return line([each.emoji, each.name].filter(Boolean).join(" "), number(count) + when,
          act(t("edit"), () => journal(each)), act(t("remove"), () => removeJournal(each, count)));
      }), act(t("addJournal"), () => journal(null))),
      part(t("tags"), tallies.tags.map((each) => line(button("#" + each.name, () => actions.filter({ tags: [each.name] }), { class: "plain" }), number(each.count), act(t("rename"), () => renameTag(each)))), ""),
      part(t("templates"), templates.map((each) => line(each.name, each.body.trim().split("\n")[0].slice(0, 60),
        act(t("edit"), () => template(each)), act(t("remove"), () => removeTemplate(each)))), act(t("addTemplate"), () => template(null))),
      part(t("kinds"), shared.names.kinds.map((each) => line(`${each.emoji} ${each.title}`, "",
        ...(each.isBuiltIn ? [] : [act(t("rename"), () => renameKind(each)), act(t("remove"), () => removeKind(each))]))), act(t("addKind"), addKind))));
  }

  async function read() {
    [tallies, { templates }] = await Promise.all([call("tallies"), call("templates"), readNames()]);
    // What is as it was stays: somebody may be about to click on it.
    const now = JSON.stringify([tallies, templates, shared.names]);
    if (now !== drawn) draw();
    drawn = now;
  }

  await read();
  return {
    element,
    focus: () => element.focus(),
    refresh: () => { if (!document.querySelector("dialog")) read().catch(sayError); },
  };
}
