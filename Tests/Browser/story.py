#!/usr/bin/env python3
"""The window from its door to its end, in a real browser: what a person sees and does, and what is left afterwards.

usage: story.py PROGRAM FOLDER LANGUAGE [PICTURES]

PROGRAM is facediary, FOLDER an empty folder for a home, LANGUAGE en or ja; PICTURES a folder for pictures of the screens.
"""

import glob
import json
import os
import random
import shutil
import signal
import stat
import subprocess
import sys
import time

from browser import Browser, Lost, dialogs

PASSPHRASE = "correct horse"
# What is written into the page, and is to be found nowhere afterwards.
TURN = str(random.randrange(10**8, 10**9))
BIRD, HALF, PHOTO = ("kingfisher" + TURN, "halftyped" + TURN, "photo" + TURN)
# So long that it does not fit beside anything.
THEN = ", and then" + " it went on" * 9
SECRETS = [BIRD, "翡翠鳥" + TURN, HALF, PHOTO]
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000002000000020802000000fdd49a73000000164944415478da63fccfc0f09f818181898181810100"
    "0d1d0103a6d2d4a20000000049454e44ae426082")

WORDS = {
    "en": {"wrong": "passphrase", "save": "Save", "saved": "The entry is saved.", "closed": "The diary is closed", "recover": "Save and continue",
           "undo": "Undo", "empty": "The diary is empty", "again": "This page was reloaded", "preview": "Preview", "figures": "Statistics",
           "backup": "Back up now", "back": "The diary was restored", "import": "Import", "export": "Export", "faces": "Show faces", "enroll": "Add my face", "remove": "Remove",
           "code": "New recovery code", "make": "Create a diary", "way": "Recovery code", "forgot": "Use the recovery code", "all": "All entries",
           "names": "Journals and tags", "trash": "Trash", "empty trash": "Empty the trash"},
    "ja": {"wrong": "パスフレーズ", "save": "保存", "saved": "記録を保存しました", "closed": "日記は閉じています", "recover": "保存して続ける",
           "undo": "元に戻す", "empty": "日記はまだ空です", "again": "ページが再読み込みされた", "preview": "プレビュー", "figures": "統計",
           "backup": "今すぐバックアップ", "back": "日記を復元しました", "import": "取り込む", "export": "書き出す", "faces": "登録した顔を一覧表示", "enroll": "自分の顔を登録", "remove": "削除",
           "code": "新しい復旧コード", "make": "日記を作る", "way": "復旧コード", "forgot": "復旧コードを使う", "all": "すべての記録",
           "names": "日記帳とタグ", "trash": "ごみ箱", "empty trash": "ごみ箱を空にする"},
}


# The texts on the page that stand out from what is behind them by less than the WCAG's level AA asks for, 4.5 to 1 or 3 for large ones, and
# rules that a program can check: names, ids, headings in order, what is hidden and can be reached all the same.
AUDIT = """
(() => {
  const found = [];
  const parse = (text) => {
    const parts = (text.match(/-?[\\d.]+%?/g) ?? []).map((part) => part.endsWith("%") ? parseFloat(part) / 100 : parseFloat(part));
    if (text.startsWith("color(srgb")) return [parts[0] * 255, parts[1] * 255, parts[2] * 255, parts[3] ?? 1];
    return [parts[0], parts[1], parts[2], parts[3] ?? 1];
  };
  const over = (top, below) => [0, 1, 2].map((place) => top[place] * top[3] + below[place] * (1 - top[3])).concat(1);
  const light = (colour) => {
    const [red, green, blue] = colour.slice(0, 3).map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (element) => {
    const layers = [];
    for (let each = element; each; each = each.parentElement) {
      const colour = parse(getComputedStyle(each).backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.textContent.trim() || !element.checkVisibility() || element.closest(":disabled, option, title, script")) continue;
    const style = getComputedStyle(element);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && parseInt(style.fontWeight) >= 700);
    const ground = behind(element);
    const text = element.closest("svg") ? parse(style.fill) : parse(style.color);
    const [one, other] = [light(over(text, ground)), light(ground)].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (other + 0.05);
    if (ratio < (isLarge ? 3 : 4.5)) found.push(`contrast ${ratio.toFixed(2)}: ${node.textContent.trim().slice(0, 40)}`);
  }
  const ids = [...document.querySelectorAll("[id]")].map((each) => each.id);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) found.push(`two elements are ${id}`);
  for (const each of document.querySelectorAll("button, input:not([hidden]), select, textarea, canvas, img, [role=img], [role=dialog], dialog")) {
    if (each.checkVisibility() && !(each.ariaLabel || each.alt || each.textContent.trim() || each.labels?.length || each.placeholder || each.querySelector("title"))) found.push(`no name: ${each.outerHTML.slice(0, 80)}`);
  }
  for (const each of document.querySelectorAll("[aria-hidden=true]")) {
    if (each.matches("button, input, select, textarea, a") || each.querySelector("button, input, select, textarea, a[href]")) found.push(`hidden and reachable: ${each.outerHTML.slice(0, 80)}`);
  }
  if (document.querySelectorAll("main").length !== 1) found.push("not one main");
  let level = 0;
  for (const each of document.querySelectorAll("main h1, main h2, main h3, main h4")) {
    if (!each.checkVisibility() || each.closest(".prose")) continue;
    const now = parseInt(each.tagName[1]);
    if (level && now > level + 1) found.push(`h${now} after h${level}: ${each.textContent.slice(0, 40)}`);
    level = now;
  }
  for (const each of document.querySelectorAll("button, input, .column > *")) {
    if (each.checkVisibility() && each.getBoundingClientRect().right > innerWidth + 1) found.push("beyond the window: " + each.outerHTML.slice(0, 80));
  }
  for (const each of document.querySelectorAll("[tabindex]")) if (each.tabIndex > 0) found.push("an order of its own: " + each.outerHTML.slice(0, 80));
  return found;
})()
"""


class Story:
    def __init__(self, program, folder, language, pictures=None):
        self.program, self.folder, self.language, self.pictures = program, folder, language, pictures
        self.words = WORDS[language]
        self.home = os.path.join(folder, "home")
        self.memory = os.path.join(folder, "memory")
        self.programs = os.path.join(folder, "programs")
        for path in (self.home, self.memory, self.programs):
            os.makedirs(path, 0o700)
        # What stands for the desktop's dialog that asks for a folder: once somebody thinks better of it.
        self.folder_dialog = os.path.join(self.programs, "zenity")
        self.chosen = os.path.join(folder, "backups")
        with open(self.folder_dialog, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n[ -e '{folder}/asked' ] || {{ touch '{folder}/asked'; exit 1; }}\necho '{self.chosen}'\n")
        os.chmod(self.folder_dialog, 0o700)
        self.environment = {
            "HOME": self.home, "PATH": self.programs + ":" + os.environ["PATH"], "TZ": "Europe/Berlin", "LANG": "ja_JP.UTF-8" if language == "ja" else "en_US.UTF-8",
            "XDG_RUNTIME_DIR": self.memory, "FACEDIARY_RUNTIME": os.path.join(folder, "run"),
        }
        self.photo = os.path.join(folder, PHOTO + ".png")
        self.secret = os.path.join(folder, "passphrase")
        with open(self.secret, "w", encoding="utf-8") as file:
            file.write(PASSPHRASE)

    def run(self, *words, status=0, given=None):
        done = subprocess.run([self.program, *words], env=self.environment, capture_output=True, text=True, check=False, input=given)
        assert done.returncode == status, (words, done)
        return done.stdout

    def picture(self, name):
        """Each screen in light and dark, wide and narrow, which is checked, and kept as a picture when that is asked for."""
        for width, height in ((1280, 800), (390, 844)):
            for dark in (False, True):
                self.browser.size(width, height)
                self.browser.call("Emulation.setEmulatedMedia", features=[
                    {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                    {"name": "prefers-reduced-motion", "value": "reduce"}])
                faults = self.browser.value(AUDIT)
                assert faults == [], (name, width, dark, faults)
                if not self.pictures:
                    continue
                time.sleep(0.15)
                self.browser.picture(os.path.join(
                    self.pictures, f"{name}-{self.language}-{width}{'-dark' if dark else ''}.png"))
        self.browser.size(1280, 800)
        self.browser.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "light"}, {"name": "prefers-reduced-motion", "value": "reduce"}])

    def start(self, *words):
        self.browser = Browser(self.folder)
        # A camera that shows a film of its own, and that nobody has to allow.
        command = self.browser.command(self.language, ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"))
        self.window = subprocess.Popen(
            [self.program, "window", "--json", "--browser", command, *words], env=self.environment, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.address = json.loads(self.window.stdout.readline())["address"]
        self.browser.connect()

    def children(self):
        with open(f"/proc/{self.window.pid}/task/{self.window.pid}/children", encoding="ascii") as file:
            return [int(each) for each in file.read().split()]

    # What is checked.

    def door(self):
        page = self.browser
        page.until("document.querySelector('.passphrase input')")
        # The file that led here is gone, and the token is no part of the address or of any argument.
        assert not self.directories("/open.html")
        assert page.value("location.hash") == "" and page.value("history.length") <= 2
        for child in self.children():
            with open(f"/proc/{child}/cmdline", "rb") as file:
                assert b"#" not in file.read()
        self.picture("door")
        page.click(".passphrase input")
        page.type("not this one")
        page.key("Enter")
        page.until(f"document.querySelector('.door .status').textContent.includes({json.dumps(self.words['wrong'])})")
        page.until("!document.querySelector('.passphrase input').disabled")
        page.click(".passphrase input")
        page.type(PASSPHRASE)
        page.key("Enter")
        page.until("document.querySelector('.frame')")
        page.sees(self.words["empty"])

    def confined(self):
        """The process that serves the page has given up what it does not need."""
        for child in self.children():
            with open(f"/proc/{child}/cmdline", "rb") as file:
                if b"__window" not in file.read():
                    continue
            with open(f"/proc/{child}/status", encoding="ascii") as file:
                status = file.read()
            assert "NoNewPrivs:\t1" in status and "Seccomp:\t2" in status, status
            return
        raise AssertionError("nobody serves the page")

    def writes(self):
        page = self.browser
        with open(self.photo, "wb") as file:
            file.write(PIXEL)
        page.key("n")
        page.until("document.activeElement === document.querySelector('.writing textarea')")
        page.type(f"Saw a **{BIRD}** by the river. 川で翡翠鳥{TURN}を見た。\n\n<img src=x onerror=\"window.taken=1\"><script>window.taken=2</script>\n\n"
                  "[a link](javascript:window.taken=3)")
        page.click(".writing input.title")
        page.type("Morning walk")
        page.click(".tagging input")
        page.type("birds, \"by the river\"")
        page.choose("input[type=file]", [self.photo])
        page.until("document.querySelector('.attached img')?.naturalWidth === 2")
        page.until("!document.querySelector('.attached progress')")
        page.until("/\\d:\\d\\d/.test(document.querySelector('.writing .status').textContent)")
        self.picture("write")
        page.click(".tools button", self.words["preview"])
        page.until("document.querySelector('.writing .preview strong')?.textContent === '" + BIRD + "'")
        # All of it, not the two lines that a list has room for.
        page.until("document.querySelector('.writing .preview').clientHeight === document.querySelector('.writing .preview').scrollHeight")
        # Twice, as people do: what stands in the same place afterwards moves the entry to the trash.
        page.click("button.first", self.words["save"], times=2)
        page.sees(self.words["saved"])
        page.until("document.querySelector('.entry h1')?.textContent === 'Morning walk'")
        page.until("document.querySelector('.pictures img')?.naturalWidth === 2")
        page.click(".pictures img")
        page.until("document.querySelector('dialog.large[open] img')?.naturalWidth === 2")
        page.key("ArrowRight")
        page.key("Escape")
        page.until("!document.querySelector('dialog') && document.querySelector('.entry')")
        assert page.value("window.taken") is None
        assert page.value("[...document.querySelectorAll('.prose img, .prose script')].length") == 0
        assert page.value("[...document.querySelectorAll('.entry .tags .chip')].map((each) => each.textContent)") == ["#birds", "#by the river"]
        self.picture("entry")
        entry = json.loads(self.run("show", "@last", "--json"))[0]
        assert entry["title"] == "Morning walk" and "翡翠鳥" + TURN in entry["body"] and entry["attachments"][0]["size"] == len(PIXEL), entry
        # No text waits to be recovered: it is saved.
        assert self.run("write", "--recover", status=6) == ""

    def changes(self):
        page = self.browser
        time.sleep(0.8)
        page.key("s")
        page.until("document.querySelector('.entry .icon.full') && document.activeElement.matches('.star-sign')")
        page.key("e")
        page.until("document.querySelector('.writing textarea')?.value.includes('" + BIRD + "')")
        page.value("document.querySelector('.writing textarea').setSelectionRange(0, 0)")
        page.type("Changed. ")
        page.key("Enter", modifiers=2)
        page.until("document.querySelector('.entry .prose')?.textContent.startsWith('Changed. Saw')")
        page.click(".history summary")
        page.until("document.querySelectorAll('.history li').length === 3")
        # What was changed since: two words came, and nothing went.
        page.click(".history li:last-child button")
        page.until("document.querySelector('.differences ins')?.textContent === 'Changed. ' && !document.querySelector('.differences del')")
        page.until("document.querySelector('.differences').textContent.includes('Saw a **')")
        self.picture("history")
        page.click(".history li:last-child button")
        page.until("!document.querySelector('.differences')")
        page.key("Delete")
        page.click("#said button", self.words["undo"])
        page.until("document.querySelectorAll('.row').length === 1")
        # The row may be the one from before: the entry comes back in a moment.
        end = time.monotonic() + 30
        while len(json.loads(self.run("list", "--json"))) != 1:
            assert time.monotonic() < end
            time.sleep(0.1)

    def is_closed_and_recovers(self):
        """The page forgets what was half typed; who comes back takes it up again."""
        page = self.browser
        self.run("lock")
        page.until(f"document.body.innerText.includes({json.dumps(self.words['closed'])})")
        page.until("document.querySelector('.passphrase input')")
        assert page.value("document.documentElement.outerHTML.includes('" + HALF + "')") is False
        page.click(".passphrase input")
        page.type(PASSPHRASE)
        page.key("Enter")
        page.until("document.querySelector('.kept.drafts button')?.checkVisibility()")
        self.picture("drafts")
        page.click(".kept button", self.words["recover"])

    def half_typed(self):
        """The session ends while a sentence is half typed: the page forgets it, the diary does not."""
        page = self.browser
        page.key("n")
        page.until("document.activeElement === document.querySelector('.writing textarea')")
        page.type(HALF + THEN)
        page.choose("input[type=file]", [self.photo])
        page.until("document.querySelector('.attached img') && !document.querySelector('.attached progress')")
        page.until("/\\d:\\d\\d/.test(document.querySelector('.writing .status').textContent)")
        # The photo, too, is kept in a moment.
        time.sleep(1)
        self.is_closed_and_recovers()
        # The one that was half typed is gone on with.
        page.until("document.querySelector('.writing textarea')?.value.includes('" + HALF + "')")
        page.key("Escape")
        page.until("document.querySelector('.kept:not(.told)').hidden && document.querySelectorAll('.row').length === 2")
        # With its photo, which is gone from the diary with it: one photo is what the others count on.
        found = [each for each in json.loads(self.run("list", "--bodies", "--json")) if each["body"] == HALF + THEN]
        assert len(found) == 1 and [each["size"] for each in found[0]["attachments"]] == [len(PIXEL)], found
        self.run("detach", found[0]["id"], found[0]["attachments"][0]["name"])

    def pressed(self):
        """A button counts that is drawn anew while it is pressed: something comes from elsewhere just then."""
        page = self.browser
        chip = f"[...document.querySelectorAll('.filters .chip')].find((each) => each.textContent.includes({json.dumps(self.words['names'])}))"
        place = page.until(f"(() => {{ const each = {chip}; each.scrollIntoView({{block: 'center'}}); window.chip = each;"
                           "const box = each.getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]; })()")
        page.call("Input.dispatchMouseEvent", type="mousePressed", x=place[0], y=place[1], button="left", clickCount=1)
        self.run("edit", "@last", "--star")
        page.until("!window.chip.isConnected")
        page.call("Input.dispatchMouseEvent", type="mouseReleased", x=place[0], y=place[1], button="left", clickCount=1)
        page.until("document.querySelector('.names')")
        page.key("Escape")
        page.until("!document.querySelector('.names')")
        self.run("edit", "@last", "--no-star")

    def half_typed_template(self):
        """So it is with a template."""
        page = self.browser
        page.click(".filters .chip", self.words["names"])
        page.until("document.querySelector('.names')")
        page.click(".names section:nth-of-type(3) > button")
        page.until("document.activeElement?.matches('dialog input')")
        page.type("weekly")
        page.click("dialog textarea")
        page.type(HALF + "?")
        time.sleep(1)
        self.is_closed_and_recovers()
        page.until("document.querySelector('.kept:not(.told)').hidden")
        templates = json.loads(self.run("templates", "--json"))
        assert [(each["name"], each["body"]) for each in templates] == [("weekly", HALF + "?")], templates
        self.run("templates", "remove", "weekly", "--yes")

    def stays(self):
        """What is typed is left only by its writer's wish; a refused entry keeps its photo; an edit is kept like a new text."""
        page = self.browser
        count = page.value("document.querySelectorAll('.row').length")
        page.key("n")
        page.until("document.activeElement === document.querySelector('.writing textarea')")
        page.type("refused at first")
        page.choose("input[type=file]", [self.photo])
        page.until("document.querySelector('.attached img')?.naturalWidth === 2 && !document.querySelector('.attached progress')")
        page.click(".filters .chip", "#birds")
        page.until("document.querySelector('dialog')")
        page.click("dialog button.first")
        page.until("!document.querySelector('dialog') && document.querySelector('.writing textarea').value === 'refused at first'")
        for place, date in ((1, "2024-03-02T10:00"), (2, "2024-03-01T10:00")):
            page.value(f"(() => {{ const each = document.querySelector('.meta label:nth-child({place}) input'); each.value = '{date}';"
                       "each.dispatchEvent(new Event('input', {bubbles: true})); })()")
        page.click("button.first", self.words["save"])
        page.until("document.querySelector('#said span')?.textContent.includes('2024')")
        # Kept all the same.
        page.until("/\\d:\\d\\d/.test(document.querySelector('.writing .status').textContent)")
        page.value("(() => { const each = document.querySelector('.meta label:nth-child(2) input'); each.value = '2024-03-03T10:00';"
                   "each.dispatchEvent(new Event('input', {bubbles: true})); })()")
        page.click("button.first", self.words["save"])
        page.until("document.querySelector('.entry .pictures img')?.naturalWidth === 2")
        # Letters that come right after saving belonged to the text.
        page.key("e")
        time.sleep(0.8)
        assert page.value("document.querySelector('.entry') !== null")
        page.key("e")
        page.until("document.activeElement === document.querySelector('.writing textarea')")
        page.type("Edited " + HALF + ". ")
        time.sleep(0.3)
        self.run("lock")
        page.until("document.querySelector('.passphrase input')")
        page.click(".passphrase input")
        page.type(PASSPHRASE)
        page.key("Enter")
        page.click(".kept button", self.words["recover"])
        # The one that was half typed is gone on with.
        page.until("document.querySelector('.writing textarea')?.value.includes('" + HALF + "')")
        page.key("Escape")
        # The entry is there already: it is saved when nothing is offered any more.
        page.until("document.querySelector('.kept:not(.told)').hidden")
        page.until(f"document.querySelectorAll('.row').length === {count + 1}")
        bodies = [each["body"] for each in json.loads(self.run("list", "--bodies", "--json"))]
        assert any("Edited " + HALF in body and "refused at first" in body for body in bodies), bodies
        self.leaves_saved(count + 1)
        entry = json.loads(self.run("list", "--on", "2024-03-02", "--json"))[0]["id"]
        self.changed_elsewhere(entry)
        self.goes_on(entry)
        self.is_given_up()
        self.holds()
        self.run("delete", json.loads(self.run("list", "--on", "2024-03-02", "--json"))[0]["id"], "--yes")
        page.until(f"document.querySelectorAll('.row').length === {count}")

    def leaves_saved(self, count):
        """Who leaves a text may save it then."""
        page = self.browser
        page.key("n")
        page.until("document.activeElement === document.querySelector('.writing textarea')")
        page.type("saved on leaving")
        page.key("Escape")
        page.click("dialog button:nth-child(2)", self.words["save"])
        page.until(f"!document.querySelector('.writing') && document.querySelectorAll('.row').length === {count + 1}")
        found = [each for each in json.loads(self.run("list", "--bodies", "--json")) if each["body"] == "saved on leaving"]
        assert len(found) == 1
        self.run("delete", found[0]["id"], "--yes")
        page.until(f"document.querySelectorAll('.row').length === {count}")

    def changed_elsewhere(self, entry):
        """Who saves over what was written elsewhere has seen it."""
        page = self.browser
        page.click(f".row[data-id='{entry}'] button")
        page.until("document.querySelector('.entry')")
        page.key("e")
        page.until("document.activeElement === document.querySelector('.writing textarea')")
        page.type(" Mine, too.")
        self.run("edit", entry, "what the terminal wrote")
        page.click("button.first", self.words["save"])
        page.until("document.querySelector('dialog .other')?.textContent.includes('what the terminal wrote')")
        page.click("dialog button.first")
        page.until("!document.querySelector('dialog') && document.querySelector('.writing textarea').value.includes('Mine, too.')")
        page.click("button.first", self.words["save"])
        page.click("dialog button:not(.first)")
        page.until("document.querySelector('.entry')?.textContent.includes('Mine, too.')")
        assert "Mine, too." in json.loads(self.run("show", entry, "--json"))[0]["body"]
        page.key("Escape")
        page.until("document.querySelector('.row')")

    def goes_on(self, entry):
        """Who saves and writes on loses nothing that was written elsewhere meanwhile, whether it was seen or not."""
        page = self.browser
        page.click(f".row[data-id='{entry}'] button")
        page.until("document.querySelector('.entry')")
        time.sleep(0.8)
        page.key("e")
        page.until("document.activeElement === document.querySelector('.writing textarea')")
        self.run("edit", entry, "--title", "Named elsewhere", "text from elsewhere")
        # Nothing was changed here: there is nothing to ask yet.
        page.key("s", modifiers=2)
        page.until(f"document.querySelector('#said span')?.textContent.startsWith({json.dumps(self.words['saved'])})")
        page.type(" Written on.")
        page.key("s", modifiers=2)
        page.until("document.querySelector('dialog .other')?.textContent.includes('text from elsewhere')")
        page.click("dialog button:not(.first)")
        # The title, which nobody changed here, is the new one from now on.
        page.until("!document.querySelector('dialog') && document.querySelector('.writing .title').value === 'Named elsewhere'")
        page.type(" And on.")
        page.key("Enter", modifiers=2)
        page.until("document.querySelector('.entry .prose')?.textContent.includes('Written on. And on.')")
        now = json.loads(self.run("show", entry, "--json"))[0]
        assert now["title"] == "Named elsewhere" and now["body"].endswith("Mine, too. Written on. And on."), now
        time.sleep(0.8)
        page.key("Escape")
        page.until("document.querySelector('.row')")

    def is_given_up(self):
        """A screen that cannot be shown leaves no text behind that keeps nothing."""
        page = self.browser
        page.key("n")
        page.until("document.activeElement === document.querySelector('.writing textarea')")
        page.type("given up")
        page.value("window.sent = fetch; window.fetch = (path, ...rest) => path === '/call/statistics'"
                   " ? Promise.resolve(new Response(JSON.stringify({ message: 'not now' }), { status: 500 })) : window.sent(path, ...rest);")
        page.click("header button:nth-of-type(3)")
        page.click("dialog button:nth-child(3)")
        page.sees("not now")
        page.until("!document.querySelector('.writing, dialog') && document.querySelector('.row')")
        page.value("window.fetch = window.sent")
        assert self.run("write", "--recover", status=6) == ""

    def holds(self):
        """A key that is held deletes one entry, not the next ones."""
        page = self.browser
        count = page.value("document.querySelectorAll('.row').length")
        page.value("document.querySelector('.row > button').focus()")
        for held in (False, True, True, True):
            page.call("Input.dispatchKeyEvent", type="keyDown", key="Delete", code="Delete", windowsVirtualKeyCode=46, autoRepeat=held)
            time.sleep(0.3)
        page.call("Input.dispatchKeyEvent", type="keyUp", key="Delete", code="Delete")
        page.until(f"document.querySelectorAll('.row').length === {count - 1}")
        page.key("u")
        page.until(f"document.querySelectorAll('.row').length === {count}")

    def begins_from_what_is_shown(self):
        """What is written while a tag is shown has it; files beyond what an entry may have are refused before they are read, and told of."""
        page = self.browser
        page.click(".filters .chip", "#birds")
        page.until("document.activeElement.matches('.filters .chip.on')")
        page.key("n")
        page.until("document.querySelector('.writing .tagging .chip')?.textContent === '#birds'")
        # Nobody has typed anything: nothing is asked.
        page.key("Escape")
        page.until("!document.querySelector('.writing, dialog')")
        page.click(".filters .chip", self.words["all"])
        page.key("n")
        page.until("document.activeElement === document.querySelector('.writing textarea')")
        page.type("many")
        files = []
        for number in range(66):
            files.append(os.path.join(self.folder, f"{number}.txt"))
            with open(files[-1], "w", encoding="utf-8") as file:
                file.write(str(number))
        page.choose("input[type=file]", files)
        page.until("document.querySelectorAll('.attached li').length === 64 && !document.querySelector('.attached progress')")
        page.until("!document.querySelector('.refused').hidden && /2.*64/.test(document.querySelector('.refused').textContent)")
        page.key("Escape")
        page.click("dialog button:nth-child(3)")
        page.until("!document.querySelector('.writing, dialog')")
        # What cannot be read is refused by its name, and nothing else ends with it; a name that an entry may not have becomes one.
        page.key("n")
        page.until("document.activeElement === document.querySelector('.writing textarea')")
        page.type("dropped")
        holiday, odd = os.path.join(self.folder, "holiday"), os.path.join(self.folder, "new\nline.txt")
        os.makedirs(holiday, exist_ok=True)
        with open(odd, "w", encoding="utf-8") as file:
            file.write("odd")
        for kind in ("dragEnter", "dragOver", "drop"):
            page.call("Input.dispatchDragEvent", type=kind, x=600, y=300, data={"items": [], "files": [holiday, odd], "dragOperationsMask": 1})
        page.sees("holiday: ")
        page.until("document.querySelectorAll('.attached li').length === 1 && !document.querySelector('.attached progress')")
        page.type(" and kept")
        page.until("/\\d:\\d\\d/.test(document.querySelector('.writing .status').textContent)")
        page.key("Escape")
        page.click("dialog button:nth-child(3)")
        page.until("!document.querySelector('.writing, dialog')")

    def looks_back(self):
        page = self.browser
        page.key("/")
        page.type(BIRD.upper())
        page.until("document.querySelectorAll('.row').length === 1 && document.querySelector('.excerpt mark')?.textContent === '" + BIRD + "'")
        self.picture("search")
        page.key("Escape")
        page.until("document.querySelectorAll('.row').length === 2")
        page.key("Escape")
        # Changed elsewhere: it is there at once.
        self.run("write", "from a terminal", "--tag", "birds")
        page.until("document.querySelectorAll('.row').length === 3")
        self.picture("timeline")
        page.key("g")
        page.until("document.querySelector('.care svg.year') && document.querySelector('.ranking li')?.textContent.includes('birds')")
        assert page.value("document.querySelector('.figures dd').textContent") == "3"
        self.picture("care")
        page.key("Escape")
        page.until("document.querySelectorAll('.row').length === 3")
        page.key("h")
        page.until("document.querySelector('.veil') && document.getElementById('app').inert")
        page.key("x")
        page.until("!document.querySelector('.veil')")

    def saves(self):
        """Saving in the middle of a sentence interrupts nobody; photos go only when somebody says so; what another window moved away is saved all the same."""
        page = self.browser
        page.click(".filters .chip", self.words["trash"])
        page.until("!document.querySelector('.chosen').hidden")
        # Also while the trash is shown.
        page.key("n")
        page.until("document.activeElement === document.querySelector('.writing textarea')")
        page.type("One")
        page.key("s", modifiers=2)
        page.until(f"document.querySelector('#said span')?.textContent.startsWith({json.dumps(self.words['saved'])})")
        page.type(", and two.")
        page.choose("input[type=file]", [self.photo])
        page.until("document.querySelector('.attached img')?.naturalWidth === 2")
        page.key("Enter", modifiers=2)
        page.until("document.querySelector('.entry .prose')?.textContent.trim() === 'One, and two.' && document.querySelector('.pictures img')?.naturalWidth === 2")
        entry = json.loads(self.run("show", "@last", "--json"))[0]
        assert (entry["body"], entry["revision"], len(entry["attachments"])) == ("One, and two.", 2, 1), entry
        time.sleep(0.8)
        page.key("e")
        page.until("document.activeElement === document.querySelector('.writing textarea')")
        page.click(".attached button")
        page.until("document.querySelector('.attached .leaves')")
        page.key("Enter", modifiers=2)
        page.click("dialog button.first")
        page.until("!document.querySelector('dialog')")
        page.click(".attached button", self.words["undo"])
        page.until("!document.querySelector('.attached .leaves')")
        page.value("document.querySelector('.writing textarea').focus()")
        page.type(" Three.")
        self.run("delete", entry["id"], "--yes")
        page.key("Enter", modifiers=2)
        page.click("dialog .choices button:nth-child(3)")
        page.until("document.querySelector('.entry .prose')?.textContent.trim() === 'One, and two. Three.'")
        time.sleep(0.8)
        page.key("e")
        page.until("document.activeElement === document.querySelector('.writing textarea')")
        page.type(" Four.")
        self.run("delete", entry["id"], "--yes")
        self.run("purge", entry["id"], "--yes")
        page.key("Enter", modifiers=2)
        page.click("dialog .choices button:nth-child(2)")
        page.until("document.querySelector('.entry .prose')?.textContent.trim() === 'One, and two. Three. Four.'")
        again = json.loads(self.run("show", "@last", "--json"))[0]
        assert again["id"] != entry["id"] and again["revision"] == 1, again
        page.click(".filters .chip", self.words["all"])
        self.run("delete", again["id"], "--yes")
        self.run("purge", again["id"], "--yes")
        page.until("document.querySelectorAll('.row').length === 3")
        assert self.run("write", "--recover", status=6) == ""
        time.sleep(0.5)
        # What is discarded while a file is on its way is not saved, and the next text has its peace.
        page.call("Network.enable")
        page.call("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=50_000)
        page.key("n")
        page.until("document.activeElement === document.querySelector('.writing textarea')")
        page.type("never mind")
        page.value("""(() => { const files = new DataTransfer(); files.items.add(new File([new Uint8Array(900000)], 'slow.bin'));
            document.querySelector('.writing').dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true })); })()""")
        page.until("document.querySelector('.attached progress')")
        page.value("document.querySelector('.writing textarea').focus()")
        page.key("Enter", modifiers=2)
        page.key("Escape")
        page.click("dialog button:nth-child(3)")
        page.until("document.querySelectorAll('.row').length === 3 && !document.querySelector('.writing, dialog')")
        page.key("n")
        page.until("document.activeElement === document.querySelector('.writing textarea')")
        page.type("the next text")
        page.call("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)
        page.call("Network.disable")
        time.sleep(2)
        page.until("document.querySelector('.writing textarea').value === 'the next text' && !document.querySelector('dialog')")
        assert len(json.loads(self.run("list", "--json"))) == 3
        # What is too large for a page the program writes itself.
        large = os.path.join(self.folder, "-film .bin")
        with open(large, "wb") as file:
            file.truncate(70 << 20)
        other = json.loads(self.run("write", "with a film", "--attach", large, "--json"))["id"]
        page.until("document.querySelectorAll('.row').length === 4 || document.querySelector('.writing')")
        found = page.value(f"import('/server.js').then((server) => server.work('extract', '{other}/-film .bin'))")
        for _ in range(300):
            made = glob.glob(self.home + "/import*") + glob.glob(self.home + "/-film*") + glob.glob(self.home + "/*film*")
            if made and os.path.getsize(made[0]) == 70 << 20:
                break
            time.sleep(0.1)
        assert made and os.path.getsize(made[0]) == 70 << 20, (found, os.listdir(self.home))
        os.unlink(made[0])
        os.unlink(large)
        page.until("!document.querySelector('.told').hidden")
        page.click(".told button")
        self.run("delete", other, "--yes")
        self.run("purge", other, "--yes")
        # Wherever the keyboard is.
        page.value("document.querySelector('main').focus()")
        page.key("s", modifiers=2)
        page.until("document.querySelector('.writing .status').textContent && !document.querySelector('#said').textContent.includes('undefined')")
        saved = self.listed("the next text")
        page.key("Escape")
        page.until("document.querySelectorAll('.row').length === 4")
        self.run("delete", saved, "--yes")
        self.run("purge", saved, "--yes")
        page.until("document.querySelectorAll('.row').length === 3")

    def listed(self, text):
        """The id of the entry with a text, once it is there."""
        for _ in range(50):
            for entry in json.loads(self.run("list", "--bodies", "--json")):
                if entry["body"] == text:
                    return entry["id"]
            time.sleep(0.1)
        raise AssertionError(text)

    def goes_back(self):
        """The browser's own way back leads from screen to screen and never out of the page; what is half typed is asked about."""
        page = self.browser
        back = "history.back()"
        page.click(".row:last-child button")
        page.until("document.querySelector('.entry h1')?.textContent === 'Morning walk'")
        page.key("e")
        page.until("document.activeElement === document.querySelector('.writing textarea')")
        page.type("gone again")
        page.value(back)
        page.click("dialog button.first")
        page.until("!document.querySelector('dialog') && document.querySelector('.writing textarea').value.includes('gone again') && document.activeElement.matches('textarea')")
        page.value(back)
        page.click("dialog button:nth-child(3)")
        page.until("document.querySelector('.entry h1')?.textContent === 'Morning walk'")
        page.value(back)
        page.until("document.querySelector('.row') && document.activeElement.closest('.row:last-child')")
        page.value("history.forward()")
        page.value(back)
        page.value(back)
        # Steps that follow one another quickly make the browser break off what is under way.
        for _ in range(4):
            page.value("history.back(); history.forward(); setTimeout(() => { history.back(); history.forward(); }, 10)")
            time.sleep(0.3)
        page.until("document.querySelectorAll('.row').length === 3 && !document.querySelector('.frame .entry')")
        page.key("p")
        page.until("document.querySelector('.grid canvas')")
        page.click(".grid button")
        page.until("document.querySelector('.entry')")
        # A step that is gone with its screen is no step of the browser's any more.
        page.click(".filters .chip", self.words["all"])
        page.until("document.querySelectorAll('.row').length === 3 && !document.querySelector('.entry')")
        page.value(back)
        page.key(",")
        page.until("document.querySelector('.settings')")
        page.key("Escape")
        page.until("document.querySelectorAll('.row').length === 3 && document.activeElement.closest('.row')")
        # One tab leads past the calendar.
        time.sleep(0.5)
        page.value("document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex')")
        page.key("Tab")
        page.until("document.activeElement.matches('.skip')")
        page.key("Enter")
        page.until("document.activeElement.closest('.row:nth-child(2)')")

    def sorts(self):
        """Journals, tags and templates are made, named and removed; an entry begins from a template; the trash is emptied."""
        page = self.browser

        def dialog(fields, answer="button[type=submit]", ends=True):
            page.until("document.querySelector('dialog')")
            for place, text in fields.items():
                page.value(f"(() => {{ const each = document.querySelectorAll('dialog input, dialog textarea')[{place}]; each.value = {json.dumps(text)}; }})()")
            page.click("dialog " + answer)
            if ends:
                page.until("!document.querySelector('dialog')")

        part = ".names section:nth-of-type({})".format
        page.click(".filters .chip", self.words["names"])
        page.until("document.querySelector('.names')")
        page.click(part(1) + " > button")
        dialog({0: "Izu", 1: "🚃", 2: "2026-05-01", 3: "2026-05-03"})
        page.until(f"document.querySelector('{part(1)} li')?.textContent.includes('Izu')")
        self.picture("names")
        page.click(part(1) + " li button")
        dialog({0: "Izu peninsula", 3: "2026-05-04"})
        page.until(f"document.querySelector('{part(1)} li')?.textContent.includes('peninsula')")
        journal = json.loads(self.run("journals", "--json"))[0]
        assert (journal["name"], journal["to"], journal["emoji"]) == ("Izu peninsula", "2026-05-04", "🚃"), journal
        page.click(part(1) + " li button:nth-child(2)")
        dialog({}, ".choices button:nth-child(2)")
        page.until(f"!document.querySelector('{part(1)} li button')")
        for old, new, merged in (("birds", "feathers", False), ("by the river", "feathers", True), ("feathers", "birds", False)):
            page.click(part(2) + f" li:nth-child({[each['name'] for each in json.loads(self.run('tags', '--json'))].index(old) + 1}) .row-of button")
            dialog({0: new}, ends=not merged)
            if merged:
                dialog({}, "~ dialog .choices button:nth-child(2)")
            page.until(f"document.querySelector('{part(2)}').textContent.includes({json.dumps('#' + new)}) && !document.querySelector('{part(2)}').textContent.includes({json.dumps('#' + old)})")
        assert [(each["name"], each["count"]) for each in json.loads(self.run("tags", "--json"))] == [("birds", 2)]
        page.click(part(3) + " > button")
        dialog({0: "evening", 1: "What was good today?"})
        page.until(f"document.querySelector('{part(3)} li')?.textContent.includes('evening')")
        # What is refused stays to be mended, a long text goes only when somebody says so, and the way back leads out of a dialog first.
        page.click(part(3) + " > button")
        dialog({0: "evening", 1: "a long text"}, ends=False)
        page.until("document.querySelector('dialog .trouble').textContent && document.querySelector('dialog textarea').value === 'a long text'")
        for leave in (lambda: page.key("Escape"), lambda: page.value("history.back()")):
            leave()
            page.click("dialog ~ dialog button.first")
            page.until("document.querySelectorAll('dialog').length === 1 && document.querySelector('dialog textarea').value === 'a long text'")
        page.value("history.back()")
        page.click("dialog ~ dialog button:not(.first)")
        page.until("!document.querySelector('dialog') && document.querySelector('.names')")
        page.key("n")
        page.until("document.activeElement === document.querySelector('.writing textarea')")
        page.value("(() => { const each = document.querySelector('.meta label:last-child select'); each.value = 'evening'; each.dispatchEvent(new Event('change')); })()")
        page.until("document.querySelector('.writing textarea').value === 'What was good today?'")
        # Nobody has written anything yet.
        page.key("Escape")
        page.until("document.querySelector('.names')")
        self.templates(part(3))
        page.click(part(3) + " li button:nth-child(2)")
        dialog({}, "button:not(.first)")
        page.until(f"!document.querySelector('{part(3)} li button')")
        assert json.loads(self.run("templates", "--json")) == []
        page.key("Escape")
        page.until("document.querySelectorAll('.row').length === 3")
        assert json.loads(self.run("trash", "--json"))
        page.click(".filters .chip", self.words["trash"])
        page.click(".chosen button", self.words["empty trash"])
        page.click("dialog button:not(.first)")
        page.until("document.querySelector('.chosen').hidden && document.querySelectorAll('.row').length === 3")
        assert json.loads(self.run("trash", "--json")) == []

    def templates(self, part):
        """A template takes nobody's words, one that is removed elsewhere is saved all the same, and a date that is typed in part is no date."""
        page = self.browser
        page.value("import('/server.js').then((server) => server.call('setTemplate', { name: 'morning', body: 'Slept?' }))")
        page.until(f"document.querySelectorAll('{part} li').length === 2")
        page.key("n")
        page.until("document.activeElement === document.querySelector('.writing textarea')")
        page.type("my words. ")
        page.value("document.querySelector('.writing textarea').select()")
        for name, text in (("evening", "What was good today?"), ("morning", "Slept?"), ("", "")):
            page.value(f"(() => {{ const each = document.querySelector('.meta label:last-child select'); each.value = '{name}'; each.dispatchEvent(new Event('change')); }})()")
            page.until(f"document.querySelector('.writing textarea').value === 'my words. {text}'")
        page.value("document.querySelector('.meta input').focus()")
        page.key("Backspace", number=8)
        page.until("document.querySelector('.meta input').validity.badInput")
        page.key("Enter", modifiers=2)
        page.until("document.querySelector('#said span')?.textContent && document.querySelector('.writing')")
        page.key("Escape")
        page.click("dialog button:nth-child(3)")
        page.until("document.querySelector('.names') && !document.querySelector('dialog')")
        page.click(f"{part} li button")
        page.until("document.querySelector('dialog textarea')")
        page.value("document.querySelector('dialog textarea').focus()")
        page.type(" And bad?")
        page.key("Escape")
        page.until("document.querySelectorAll('dialog').length === 2")
        page.key("Escape")
        page.until("document.querySelectorAll('dialog').length === 1")
        page.key("Escape")
        page.until("document.querySelectorAll('dialog').length === 2")
        page.click("dialog ~ dialog button.first")
        page.until("document.querySelectorAll('dialog').length === 1 && document.querySelector('dialog textarea').value.includes('And bad?')")
        self.run("templates", "remove", "evening", "--yes")
        page.click("dialog button[type=submit]")
        page.until("document.querySelector('dialog .trouble').textContent && !document.querySelector('dialog input').readOnly")
        page.click("dialog button[type=submit]")
        page.until("!document.querySelector('dialog')")
        found = {each["name"]: each["body"] for each in json.loads(self.run("templates", "--json"))}
        assert found["evening"].endswith("And bad?") and len(found) == 2, found
        self.run("templates", "remove", "morning", "--yes")
        page.until(f"document.querySelectorAll('{part} li').length === 1")

    def photographs(self):
        """A photo is taken with the camera of this machine, which is let go of, also by who thinks better of it."""
        page = self.browser
        rows = page.value("document.querySelectorAll('.row').length")
        page.key("n")
        page.until("document.activeElement === document.querySelector('.writing textarea')")
        for answer in (1, 2):
            page.click(".writing .lens")
            page.until("document.querySelector('dialog video')?.videoWidth > 0")
            page.value("window.lens = document.querySelector('dialog video').srcObject.getVideoTracks()[0]")
            if answer == 1:
                self.picture("camera")
            page.click(f"dialog button:nth-child({answer})")
            page.until("!document.querySelector('dialog') && window.lens.readyState === 'ended'")
        page.until("document.querySelectorAll('.attached img').length === 1 && document.querySelector('.attached img').naturalWidth > 100")
        page.until("!document.querySelector('.attached progress')")
        page.click("button.first", self.words["save"])
        page.until("document.querySelector('.pictures img')?.naturalWidth > 100")
        entry = json.loads(self.run("show", "@last", "--json"))[0]
        name = entry["attachments"][0]["name"]
        assert name.startswith("photo-") and name.endswith(".jpg") and entry["attachments"][0]["size"] > 1000, entry
        self.run("delete", entry["id"], "--yes")
        self.run("purge", entry["id"], "--yes")
        page.until(f"document.querySelectorAll('.row').length === {rows}")

    def is_usable(self):
        """What a reader of screens needs: every control has a name, the page its landmarks, and all of it is reached by keys."""
        page = self.browser
        nameless = page.value(
            "[...document.querySelectorAll('button, input:not([hidden]), select, textarea')].filter((each) => each.checkVisibility() &&"
            " !(each.ariaLabel || each.textContent.trim() || each.labels?.length || each.placeholder)).map((each) => each.outerHTML)")
        assert nameless == [], nameless
        for landmark in ("main", "header", "aside", "nav", "[role=status]"):
            assert page.value(f"document.querySelectorAll({json.dumps(landmark)}).length") >= 1, landmark
        assert page.value("document.documentElement.lang") == self.language
        assert page.value("[...document.querySelectorAll('input, textarea')].every((each) => each.autocomplete === 'off' || each.type === 'file')")
        assert page.value("localStorage.length + sessionStorage.length") == 0
        page.key("j")
        page.until("document.activeElement.closest('.row')")
        page.key("Enter")
        page.until("document.querySelector('.entry')")
        page.key("Escape")
        page.until("document.querySelector('.entries')")

    def directories(self, name):
        """What there is in the window's own directory, wherever that is in memory."""
        children = {str(each) for each in self.children()} if self.window.poll() is None else set()
        found = glob.glob(self.memory + "/facediary-open-*" + name)
        for child in children:
            with open(f"/proc/{child}/cmdline", "rb") as file:
                words = file.read().decode().split("\0")
            for word in words:
                if word.startswith("--user-data-dir="):
                    found += glob.glob(os.path.dirname(word[16:]) + name)
        return sorted(set(found))

    def faces(self):
        """A program that shows a face is the camera: a stranger stays out, its owner comes in, and a wrong session ends at the door."""
        samples = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Keys", "faces")
        shown = os.path.join(self.folder, "shown.npy")
        self.run("enroll", "--model", "sface", "--passphrase-file", self.secret, *(
            os.path.join(samples, name) for name in ("owner-1.npy", "owner-2.json", "owner-3.csv")))
        os.makedirs(os.path.join(self.home, ".config", "facediary"), 0o700)
        with open(os.path.join(self.home, ".config", "facediary", "config.json"), "w", encoding="utf-8") as file:
            json.dump({"probe": "cat " + shown}, file)
        shutil.copy(os.path.join(samples, "stranger-1.npy"), shown)
        self.start()
        page = self.browser
        page.click(".door button.first")
        page.until("document.querySelector('.door .status').textContent.includes('4')")
        shutil.copy(os.path.join(samples, "owner-4.npy"), shown)
        self.picture("face")
        page.click(".door button.first")
        page.until("document.querySelectorAll('.row').length === 3")
        self.settings()
        # A button closes it, as the command does. The door says nothing of what went on behind it.
        page.click("header button:last-child")
        page.until("document.querySelector('.door button.first')")
        assert "private notes" not in page.value("document.documentElement.outerHTML")
        self.end("browser")

    def settings(self):
        """Backups, import with a look at it first, export, faces: what only an owner may do asks for the passphrase."""
        page = self.browser
        page.value("document.activeElement.blur()")
        page.key(",")
        page.until("document.querySelectorAll('.settings section:last-child li').length >= 3")
        folder = self.chosen
        for chosen in ("", folder):
            page.click(".settings section:nth-of-type(1) button")
            page.until(f"document.activeElement.matches('.settings input') && document.activeElement.value === {json.dumps(chosen)}")
            page.value("document.activeElement.blur()")
        page.click(".settings section button", self.words["backup"])
        page.until("document.querySelector('.settings section:nth-of-type(1) .quiet').textContent !== ''")
        assert len(glob.glob(folder + "/facediary-*.facediary")) == 1
        self.picture("settings")
        # An import is looked at first; what is there already comes no second time.
        brought = os.path.join(self.folder, "other diary.jsonl")
        with open(brought, "w", encoding="utf-8") as file:
            for day in (1, 2):
                print(json.dumps({"date": f"2020-05-0{day}T12:00:00Z", "body": f"from elsewhere {day}"}), file=file)
        for arrives in (2, 0):
            page.choose(".settings input[type=file]", [brought])
            page.until(f"document.querySelector('.found .told')?.textContent.includes('{arrives}')")
            assert len(json.loads(self.run("list", "--json"))) == (3 if arrives else 5)
            page.click(".found button.first", self.words["import"])
            page.until("document.querySelector('.found .told') && !document.querySelector('.found button')")
            assert len(json.loads(self.run("list", "--json"))) == 5
        assert not glob.glob(self.memory + "/facediary-open-*/import/*")
        # What cannot be read is named by its own name, and nothing of it stays.
        with open(os.path.join(self.folder, "private notes.jsonl"), "w", encoding="utf-8") as file:
            file.write("{nothing}")
        page.choose(".settings input[type=file]", [file.name])
        page.until("document.querySelector('.found .trouble')?.textContent.startsWith('private notes.jsonl')")
        assert not glob.glob(self.memory + "/facediary-open-*/import/*")
        # A look at an import waits for whoever leaves.
        page.choose(".settings input[type=file]", [brought])
        page.until("document.querySelector('.found button')")
        page.key("Escape")
        page.until("document.querySelectorAll('.row').length === 5")
        page.key(",")
        page.click(".found button:not(.first)")
        page.until("!document.querySelector('.found button')")
        # A backup that is made says so, whatever becomes of the configuration.
        configuration = os.path.join(self.home, ".config", "facediary", "config.json")
        with open(configuration, encoding="utf-8") as file:
            before = file.read()
        with open(configuration, "w", encoding="utf-8") as file:
            file.write("{")
        page.value("document.querySelector('.settings section:nth-of-type(1) input').value = ''")
        page.click(".settings section:nth-of-type(1) input")
        page.type(folder + "-2")
        page.click(".settings section button", self.words["backup"])
        page.until("document.querySelector('#said span')?.textContent.includes('config.json')")
        assert glob.glob(folder + "-2/facediary-*.facediary")
        with open(configuration, "w", encoding="utf-8") as file:
            file.write(before)
        page.value("document.querySelector('.settings select').value = 'json'")
        page.click(".settings section button", self.words["export"])
        page.click("dialog button:not(.first)")
        page.until("/facediary-\\d.*json/.test(document.querySelector('#said span')?.textContent)")
        exported = glob.glob(self.home + "/facediary-*.json")
        with open(exported[0], encoding="utf-8") as file:
            assert len(json.load(file)["entries"]) == 5
        for path in glob.glob(self.home + "/facediary-*"):
            shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)
        # Faces are the owner's.
        for secret, count in (("not this one", 0), (PASSPHRASE, 3)):
            page.click(".settings button", self.words["faces"])
            page.click("dialog input")
            page.type(secret)
            page.key("Enter")
            page.until("!document.querySelector('dialog')")
            if count:
                page.until(f"document.querySelectorAll('.faces button').length === {count}")
            else:
                page.until(f"document.querySelector('.faces .trouble')?.textContent.includes({json.dumps(self.words['wrong'])})")
        page.click(".faces button", self.words["remove"])
        page.click("dialog button:not(.first)")
        page.click("dialog input")
        page.type(PASSPHRASE)
        page.key("Enter")
        page.until("!document.querySelector('dialog') && document.querySelectorAll('.faces button').length === 0 && !document.querySelector('.settings button:disabled')")
        assert len(json.loads(self.run("faces", "--json", "--passphrase-file", self.secret))) == 2
        page.click(".settings button", self.words["enroll"])
        page.click("dialog input")
        page.type(PASSPHRASE)
        page.key("Enter")
        page.until("document.querySelector('.faces .told')", seconds=60)
        assert len(json.loads(self.run("faces", "--json", "--passphrase-file", self.secret))) == 3
        page.key("Escape")
        page.until("document.querySelectorAll('.row').length === 5")
        # A picture that the browser cannot draw has its name, in the list and among the photos.
        broken = os.path.join(self.folder, "broken.png")
        with open(broken, "wb") as file:
            file.write(b"\x89PNG\r\n\x1a\n" + bytes(100))
        entry = json.loads(self.run("write", "no picture", "--attach", broken, "--json"))["id"]
        page.until("document.querySelector('.thumbs .broken')?.textContent === 'broken.png'")
        page.key("p")
        page.until("document.querySelectorAll('.grid canvas').length === 1 && document.querySelector('.grid .broken')?.textContent === 'broken.png'")
        self.picture("photos")
        page.key("Escape")
        self.run("delete", entry, "--yes")
        self.run("purge", entry, "--yes")
        page.until("document.querySelectorAll('.row').length === 5")

    def first(self):
        """Somebody without a terminal makes a diary: dialogs ask for the passphrase, and show the code."""
        self.home = os.path.join(self.folder, "second")
        told = os.path.join(self.folder, "told")
        program = os.path.join(self.folder, "pinentry")
        dialogs(program, told, PASSPHRASE)
        os.makedirs(os.path.join(self.home, ".config", "facediary"), 0o700)
        with open(os.path.join(self.home, ".config", "facediary", "config.json"), "w", encoding="utf-8") as file:
            json.dump({"pinentry": program}, file)
        self.environment["HOME"] = self.home
        self.start("--write")
        page = self.browser
        page.until("document.querySelector('.door button.first')")
        self.picture("first")
        page.click(".door button.first", self.words["make"])
        page.until("document.querySelector('.door .circle')", seconds=60)
        with open(told, encoding="utf-8") as file:
            commands = file.read()
        code = commands.split("SETDESC")[-1].split("%0A%0A")[2].split("\n")[0]
        assert "CONFIRM" in commands and code not in page.value("document.documentElement.outerHTML"), commands
        page.click(".door button")
        # It was to begin with a new entry.
        page.until("document.activeElement === document.querySelector('.writing textarea')")
        page.key("Escape")
        page.until("document.querySelector('.empty')")
        page.key(",")
        page.click(".settings button", self.words["code"])
        page.until(f"[...document.querySelectorAll('.settings section:last-child li')].filter((each) => each.textContent.startsWith({json.dumps(self.words['way'])})).length === 2")
        # The first one stays.
        page.until("!document.querySelector('.settings section:last-child li:last-child button').disabled")
        page.click(".settings section:last-child li:last-child button", self.words["remove"])
        page.click("dialog button:not(.first)")
        page.until(f"[...document.querySelectorAll('.settings section:last-child li')].filter((each) => each.textContent.startsWith({json.dumps(self.words['way'])})).length === 1")
        self.end("browser")
        self.run("list", "--recovery-file", "/dev/stdin", given=code)
        self.run("lock")

    def is_brought_back(self):
        """On a machine that has no diary, the newest of the backups becomes it."""
        self.home = os.path.join(self.folder, "third")
        os.makedirs(self.home, 0o700)
        self.environment["HOME"] = self.home
        self.start()
        page = self.browser
        page.until("document.querySelector('.door summary')")
        page.click(".door summary")
        self.picture("backup")
        page.click(".door details button[type=button]")
        page.until(f"document.querySelector('.door input[type=text]').value === {json.dumps(self.chosen)}")
        for secret, isRight in (("not this one", False), (PASSPHRASE, True)):
            page.until("!document.querySelector('.door details [type=submit]').disabled")
            page.click(".door input[type=password]")
            page.type(secret)
            page.key("Enter")
            if isRight:
                page.until("document.querySelector('.door .circle')", seconds=60)
                page.sees(self.words["back"])
            else:
                page.until(f"document.querySelector('.door [role=status]').textContent.includes({json.dumps(self.words['wrong'])})", seconds=60)
        page.click(".passphrase input")
        page.type(PASSPHRASE)
        page.key("Enter")
        page.until("document.querySelectorAll('.row').length > 1")
        # It stays open as long as is said here; for that it closes.
        page.key(",")
        page.until("document.querySelector('.settings')")
        assert page.value("[...document.querySelectorAll('.settings option')].find((each) => each.value === '5m').parentElement.value") == "5m"
        page.value("[...document.querySelectorAll('.settings option')].find((each) => each.value === '15m').parentElement.value = '15m'")
        page.value("[...document.querySelectorAll('.settings option')].find((each) => each.value === '15m').closest('.adding').querySelector('button').click()")
        page.click("dialog input")
        page.type(PASSPHRASE)
        page.key("Enter")
        page.until("document.querySelector('.door .circle')", seconds=60)
        # The diary is closed first, then the setting is changed.
        end = time.monotonic() + 60
        while json.loads(self.run("policy", "--json", "--passphrase-file", self.secret))["idle"] != 900:
            assert time.monotonic() < end
            time.sleep(0.2)
        page.until("!document.querySelector('.passphrase input').disabled")
        page.click(".passphrase input")
        page.type(PASSPHRASE)
        page.key("Enter")
        page.until("document.querySelectorAll('.row').length > 1")
        # A page that somebody else wrote puts no backup into the place of a diary.
        page.value(f"import('/server.js').then((server) => server.work('bringBack', {json.dumps(self.chosen)}))")
        page.until("import('/server.js').then((server) => server.call('wait', { seen: 0 })).then(({ ended }) => ended?.work === 'bringBack' && ended.exitCode === 1)")
        self.end("browser")
        assert self.places([self.memory, self.home]) == []

    def places(self, folders):
        """Files that hold a word which was written."""
        found = []
        for folder in folders:
            for root, _, names in os.walk(folder):
                for name in names:
                    path = os.path.join(root, name)
                    if path == self.photo:
                        continue
                    try:
                        if not stat.S_ISREG(os.lstat(path).st_mode):
                            continue
                        with open(path, "rb") as file:
                            data = file.read()
                    except OSError:
                        continue
                    for word in SECRETS:
                        if word.encode() in data or word.encode("utf-16-le") in data or word in name:
                            found.append((path, word))
        return found

    def leaves_nothing(self):
        """In no file of the browser's profile while it runs, and of the home."""
        profile = self.directories("/profile")
        assert len(profile) == 1 and os.listdir(profile[0]), profile
        assert stat.S_IMODE(os.lstat(os.path.dirname(profile[0])).st_mode) == 0o700
        assert self.places([self.memory, self.home, "/dev/shm"]) == [], self.places([self.memory, self.home, "/dev/shm"])

    def comes_back(self, code):
        """The window has closed the diary that it opened, and the recovery code opens it, too. Ctrl-C loses nothing that is half typed."""
        self.run("list", status=3)
        self.start()
        page = self.browser
        page.click(".door button", self.words["forgot"])
        page.until("document.activeElement === document.querySelectorAll('.passphrase input')[1]")
        page.type(code)
        page.key("Enter")
        page.until("document.querySelectorAll('.row').length === 3")
        page.key("n")
        page.until("document.activeElement === document.querySelector('.writing textarea')")
        page.type("at the very end of " + HALF)
        self.end("signal")
        self.run("list", status=3)
        self.run("write", "--recover", "--passphrase-file", self.secret)
        # One that somebody else has open needs no door, and stays open.
        self.run("unlock", "--passphrase-file", self.secret)
        assert json.loads(self.run("list", "--bodies", "--json", "--limit", "1"))[0]["body"] == "at the very end of " + HALF
        self.start()
        self.browser.until("document.querySelectorAll('.row').length === 4")
        self.end("signal")
        self.run("list")
        self.run("delete", "@last", "--yes")
        self.run("lock")

    def is_loaded_again(self):
        """A page that is loaded again goes on with the diary, and with what was half typed; one that is opened anew has no secret."""
        page = self.browser
        page.key("n")
        page.until("document.activeElement === document.querySelector('.writing textarea')")
        page.type("typed before the page is loaded again")
        before = page.value("history.state.again")
        page.reload()
        page.until("document.querySelector('.kept.drafts')?.textContent.includes('typed before the page')")
        assert page.value("history.state.again") not in (before, None)
        assert page.value("document.querySelectorAll('.row').length") > 0
        page.click(".kept.drafts button")
        page.until("document.querySelector('.writing textarea')?.value.includes('typed before the page')")
        # The screen above the list is a step of the new page's history.
        page.key("Escape")
        page.until("!document.querySelector('.writing')")
        self.run("delete", "@last", "--yes")
        page.reload()
        page.until("document.querySelector('.row')")
        # Another page that pairs, as a tab that was duplicated does: this one shows nothing any more, and hears nothing.
        page.value(
            "fetch('/pair', {method: 'POST', body: history.state.again, headers: {'content-type': 'application/json'}})"
            ".then((answer) => answer.json()).then((made) => { window.next = made.again; })")
        page.until("!document.querySelector('.row') && !document.querySelector('.frame') && window.next")
        page.value("history.replaceState({again: window.next}, '', '/')")
        page.reload()
        page.until("document.querySelector('.row')")
        page.value("history.replaceState(null, '', '/')")
        page.open(self.address)
        page.sees(self.words["again"])

    def end(self, by):
        if by == "browser":
            self.browser.end()
        else:
            os.kill(self.window.pid, signal.SIGINT)
        status = self.window.wait(30)
        assert status == (0 if by == "browser" else 130), (status, self.window.stderr.read())
        assert not self.directories(""), self.directories("")
        self.browser.closed()
        for path in self.browser.paths:
            os.unlink(path)

    def tell(self):
        made = self.run("init", "--kdf", "interactive", "--passphrase-file", self.secret, "--json")
        self.start()
        try:
            for step in (
                self.door, self.confined, self.writes, self.changes, self.half_typed, self.pressed, self.half_typed_template, self.stays, self.looks_back,
                self.begins_from_what_is_shown, self.saves, self.goes_back, self.sorts, self.photographs, self.is_usable, self.leaves_nothing,
            ):
                step()
            assert self.browser.errors == [], self.browser.errors
            self.is_loaded_again()
            self.end("browser")
            self.comes_back(json.loads(made)["recoveryCode"])
            self.faces()
            assert self.places([self.memory, self.home]) == []
            self.first()
            self.is_brought_back()
        except (AssertionError, Lost):
            time.sleep(1)
            if self.window.poll() is not None:
                print("the window:", self.window.returncode, self.window.stderr.read(), file=sys.stderr)
            else:
                print("on the page:", self.browser.text(), self.browser.errors, file=sys.stderr)
            raise
        finally:
            if self.window.poll() is None:
                os.kill(self.window.pid, signal.SIGTERM)
                self.window.wait(20)


if __name__ == "__main__":
    # Who runs this may have signals blocked, and programs inherit that.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    Story(*sys.argv[1:]).tell()
