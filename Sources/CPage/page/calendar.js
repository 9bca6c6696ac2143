// The calendar of a month.

import { dayWords, h, keepingFocus, monthWords, sign, t, weekdayNames } from "/parts.js";

/** A month with the days that have entries. */
export function calendar(days, goTo, begin) {
  const opened = new Date();
  let year = opened.getFullYear();
  let month = opened.getMonth();
  const title = h("h2", { "aria-live": "polite" });
  const grid = h("div", { class: "month", role: "group", onkeydown: (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 7, ArrowUp: -7 }[event.key];
    if (!by || event.ctrlKey || event.altKey || event.metaKey) return;
    // Up and down are keys of the list, too.
    event.preventDefault();
    event.stopPropagation();
    const from = document.activeElement;
    const [before, days] = [[year, month], () => [...grid.querySelectorAll("button")]];
    const date = new Date(Date.UTC(year, month, days().indexOf(from) + 1 + by));
    [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
    const isOther = year !== before[0] || month !== before[1];
    if (isOther) render();
    const target = days()[date.getUTCDate() - 1];
    if (!target.disabled) return target.focus();
    // Nobody goes to a day that has not come.
    if (!isOther) return;
    [year, month] = before;
    render();
    days()[+from.textContent - 1].focus();
  } });
  function move(by) {
    const moved = new Date(Date.UTC(year, month + by, 1));
    [year, month] = [moved.getUTCFullYear(), moved.getUTCMonth()];
    render();
  }
  function render() {
    // A window may stay open over midnight.
    const today = new Date();
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
    keepingFocus(grid, () => grid.replaceChildren(...cells));
  }
  const element = h("section", { class: "calendar", "aria-label": t("calendar") },
    h("div", { class: "head" }, sign("backYear", t("previousYear"), () => move(-12)), sign("back", t("previousMonth"), () => move(-1)), title,
      sign("next", t("nextMonth"), () => move(1)), sign("nextYear", t("nextYear"), () => move(12))), grid);
  render();
  return { element, update(newDays) { days = newDays; render(); } };
}
