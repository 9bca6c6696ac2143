// The diary as a whole: figures, ranking, devices.

import { call, work } from "/server.js";
import { ask, button, h, instantWords, number, say, sayError, shortMonth, sign, svg, t, dayWords } from "/parts.js";
import { canShowSecrets, door, folderField, isStopped, joinOther, secretly, stopButton } from "/door.js";
import { readNames, shared } from "/shared.js";

function crown() {
  return svg("svg", { viewBox: "0 0 24 24", class: "icon full", "aria-hidden": "true" }, svg("path", { d: "M4 18h16l1-10-5 4-4-7-4 7-5-4z" }));
}

/** A year as a calendar: a column a week, a row a weekday. */
function yearPicture(year, days) {
  const first = Date.UTC(year, 0, 1) / 86400000;
  const last = Date.UTC(year, 11, 31) / 86400000;
  const blank = new Date(first * 86400000).getUTCDay();
  const most = Math.max(1, ...Object.entries(days).filter(([day]) => +day >= first && +day <= last).map(([, count]) => count));
  const picture = svg("svg", { viewBox: "0 0 640 108", role: "img", class: "year" }, svg("title", {}));
  picture.firstChild.textContent = t("yearPicture", year);
  for (let day = first; day <= last; day++) {
    const place = day - first + blank;
    const count = days[day] ?? 0;
    const level = count === 0 ? 0 : Math.min(4, Math.ceil((count / most) * 4));
    const cell = svg("rect", { x: Math.floor(place / 7) * 12 + 1, y: (place % 7) * 12 + 20, width: 10, height: 10, rx: 2, class: "level" + level }, svg("title", {}));
    cell.firstChild.textContent = `${dayWords(day)}: ${count}`;
    picture.append(cell);
  }
  for (let month = 0; month < 12; month++) {
    const place = Date.UTC(year, month, 1) / 86400000 - first + blank;
    const label = svg("text", { x: Math.floor(place / 7) * 12 + 1, y: 13 });
    label.textContent = shortMonth(month);
    picture.append(label);
  }
  return picture;
}

/** The words of a year's months as bars. */
function monthBars(year, perMonth) {
  const counts = [...Array(12).keys()].map((month) => perMonth.find((each) => each.month === `${String(year).padStart(4, "0")}-${String(month + 1).padStart(2, "0")}`)?.words ?? 0);
  const most = Math.max(1, ...counts);
  const picture = svg("svg", { viewBox: "0 0 640 140", role: "img", class: "bars" }, svg("title", {}));
  picture.firstChild.textContent = t("perMonth") + ": " + counts.map((count, month) => `${shortMonth(month)} ${number(count)}`).join(", ");
  counts.forEach((count, month) => {
    const height = (count / most) * 88;
    picture.append(svg("rect", { x: month * 53 + 4, y: 112 - height, width: 44, height: Math.max(height, 0.5), rx: 3 }));
    const name = svg("text", { x: month * 53 + 26, y: 130, "text-anchor": "middle" });
    name.textContent = shortMonth(month);
    const figure = svg("text", { x: month * 53 + 26, y: 106 - height, "text-anchor": "middle" });
    figure.textContent = count ? number(count) : "";
    picture.append(name, figure);
  });
  return picture;
}

export async function careScreen(actions) {
  await readNames();
  const statistics = await call("statistics");
  const element = h("section", { class: "care", tabIndex: -1, "aria-label": t("care") });
  const years = h("span", {});
  const figures = h("div", {});
  const ranking = h("ol", { class: "ranking" });
  const subjects = [["tags", "rankTags"], ["journals", "rankJournals"], ["kinds", "rankKinds"], ["words", "rankWords"]];
  const devices = h("section", { class: "devices" });
  const thisYear = new Date().getFullYear();
  const lastYear = statistics.lastDay === null ? thisYear : new Date(statistics.lastDay * 86400000).getUTCFullYear();
  let year = Math.min(lastYear, thisYear);
  let subject = "tags";

  function drawYear() {
    years.textContent = String(year);
    figures.replaceChildren(yearPicture(year, statistics.days), h("h3", {}, t("perMonth")), monthBars(year, statistics.perMonth));
  }

  function entriesOf(subject, name) {
    if (subject === "words") return actions.search(name);
    return actions.filter(subject === "tags" ? { tags: [name] } : subject === "journals" ? { journal: name } : { kind: name });
  }

  let turn = 0;

  async function drawRanking() {
    const [mine, asked] = [++turn, subject];
    try {
      const { rows } = await call("rank", { subject: asked, year });
      if (mine !== turn) return;
      // A place that is shared by many is no podium.
      const isCrowned = (row) => row.rank <= 3 && rows.filter((other) => other.rank <= row.rank).length <= 3;
      ranking.replaceChildren(...rows.map((row) => h("li", {},
        h("span", { class: "rank" }, isCrowned(row) ? crown() : "", String(row.rank)),
        h("span", { class: "name" }, button(asked === "kinds" ? shared.kinds.get(row.name)?.title ?? row.name : row.name, () => entriesOf(asked, row.name), { class: "plain" })),
        h("span", { class: "count" }, number(row.count)),
        h("span", { class: "movement" }, row.movement === null ? t("rankNew") : row.movement > 0 ? `▲ ${row.movement}` : row.movement < 0 ? `▼ ${-row.movement}` : "–"))));
      if (!rows.length) ranking.replaceChildren(h("li", { class: "quiet" }, t("nothingHere")));
    } catch (error) { sayError(error); }
  }

  /** - told: the words of what was found once and somebody has read. */
  async function drawDevices(told = []) {
    const found = await call("devices", { told });
    const once = found.troubles.filter((trouble) => trouble.isKept).map((trouble) => trouble.words);
    devices.replaceChildren(h("h2", {}, t("devices")),
      found.shared ? h("ul", {}, found.devices.map((each) => h("li", {}, each.name, " ", h("span", { class: "quiet" },
        each.own ? t("thisDevice") : t("lastHeard", each.heard ? instantWords(each.heard) : t("never"))))))
        : h("p", { class: "quiet" }, t("noDevices")),
      found.conflicts ? h("p", {}, t("conflictsCount", found.conflicts)) : "",
      ...found.troubles.map((trouble) => h("p", { class: "trouble" }, trouble.words, trouble.next ? h("span", { class: "quiet" }, trouble.next) : "")),
      once.length ? button(t("close"), () => drawDevices(once).catch(sayError)) : "",
      found.removals ? h("p", { class: "trouble" }, found.removed, " ", button(t("remove"), async () => {
        if (await ask(found.removeAsk, t("no"), t("yes"))) await begin("syncRemoving", String(found.removals));
      })) : "",
      found.shared ? h("div", { class: "row-of" }, button(t("syncNow"), () => begin("sync")), secretly("invite", "facediary sync invite", (label) => button(label, () => begin("invite", undefined, t("busy"))))) : sharing(),
      found.shared && canShowSecrets() ? h("p", { class: "quiet" }, t("inviteText")) : "", status, stop.element);
  }

  const status = h("p", { class: "status", role: "status" });
  const stop = stopButton("invite", "join");
  const place = folderField(t("sharedFolder"));
  const other = joinOther();

  /** How the diary comes to be on several devices. */
  function sharing() {
    return secretly("share", "facediary sync setup", (label) => h("div", {}, h("form", { onsubmit: (event) => { event.preventDefault(); begin("share", place.value, t("busy")); } },
      h("p", {}, t("shareText")), h("div", { class: "adding" }, place.elements, h("button", { type: "submit" }, label))), other.element));
  }

  async function begin(kind, word, words = t("syncing")) {
    try { await work(kind, word); say(words); } catch (error) { sayError(error); }
  }

  function move(by) {
    year += by;
    drawYear();
    drawRanking();
  }

  element.append(
    h("div", { class: "tools" }, sign("back", t("back"), actions.back), h("span", { class: "space" }), button(t("names"), actions.names), button(t("settings"), actions.settings)),
    h("h1", {}, t("statistics")),
    h("dl", { class: "figures" }, [
      ["entriesCount", statistics.entries], ["wordsCount", statistics.words], ["daysCount", Object.keys(statistics.days).length],
      ["streakNow", statistics.currentStreak], ["streakLongest", statistics.longestStreak],
    ].map(([name, value]) => h("div", {}, h("dt", {}, t(name)), h("dd", {}, number(value))))),
    h("div", { class: "head" }, sign("back", String(year - 1), () => move(-1)), h("h2", {}, years), sign("next", String(year + 1), () => move(1))),
    figures,
    h("h2", {}, t("ranking")),
    h("div", { class: "tabs", role: "group", "aria-label": t("ranking") }, subjects.map(([name, label]) => button(t(label), (event) => {
      subject = name;
      for (const each of event.target.parentNode.children) each.setAttribute("aria-pressed", String(each === event.target));
      drawRanking();
    }, { class: "chip", "aria-pressed": String(name === subject) }))),
    ranking,
    devices,
    h("h2", {}, t("keys")), h("p", { class: "quiet" }, t("keysText")));
  drawYear();
  drawRanking();
  drawDevices().catch(sayError);
  return {
    element,
    focus: () => element.focus(),
    follow({ work: now, said }) {
      const isOfDevices = ["share", "invite", "join"].includes(now);
      status.textContent = isOfDevices ? said || t(door.means.terminal ? "inTerminal" : "inDialog") : "";
      for (const each of [stop, place, other]) each.follow(now);
    },
    ended(ended) {
      if (ended.work === "chooseFolder") {
        for (const each of [place, other]) each.chosen(ended.output.trim());
        return true;
      }
      if (["share", "invite", "join"].includes(ended.work)) {
        drawDevices().catch(sayError);
        say(isStopped(ended) ? t("stopped") : ended.words || t(ended.exitCode === 0 ? "saved" : "failed"));
        return true;
      }
      if (!["sync", "syncRemoving"].includes(ended.work)) return false;
      drawDevices().catch(sayError);
      const lines = ended.words.split("\n").filter(Boolean).length;
      const isDone = ended.exitCode === 0;
      if (isDone || !lines) say(t(isDone ? "synced" : "failed"));
      // What was found once stands here, and so does the question for removals that wait, which is two lines.
      return isDone || !lines || (ended.exitCode === 2 && lines <= 2);
    },
  };
}
