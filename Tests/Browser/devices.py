#!/usr/bin/env python3
"""Two devices of one diary. In the first story nobody has a terminal: windows make the diary, share it and let the other device in. In the
second one of them has a window: the page follows what the other writes, and both texts of an entry are seen before one is saved over them.

usage: devices.py PROGRAM FOLDER STORY

PROGRAM is facediary, FOLDER an empty folder for the homes and the place, STORY the function to call: joins or follows_and_writes.
"""

import json
import os
import signal
import subprocess
import sys
import time

from browser import Browser, dialogs

PASSPHRASE = "a passphrase of two devices"


class Device:
    def __init__(self, program, folder, name):
        self.program = program
        self.home = os.path.join(folder, name)
        os.mkdir(self.home, 0o700)
        self.secret = os.path.join(self.home, "passphrase")
        with open(self.secret, "w", encoding="utf-8", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write(PASSPHRASE)
        self.environment = dict(
            os.environ, HOME=self.home, LANG="en_US.UTF-8", TZ="Europe/Berlin", FACEDIARY_RUNTIME=os.path.join(self.home, "run"))

    def run(self, *words):
        done = subprocess.run([self.program, *words], env=self.environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (words, done)
        return done.stdout

    def owner(self, *words):
        return self.run(*words, "--passphrase-file", self.secret)

    def entry(self, entry):
        return json.loads(self.run("show", entry, "--json"))[0]

    def has_dialogs(self, face):
        """A desktop whose dialogs are answered with the passphrase and with yes, and a camera that shows a face."""
        self.told = os.path.join(self.home, "told")
        program = os.path.join(self.home, "pinentry")
        dialogs(program, self.told, PASSPHRASE)
        os.makedirs(os.path.join(self.home, ".config", "facediary"), 0o700)
        with open(os.path.join(self.home, ".config", "facediary", "config.json"), "w", encoding="utf-8") as file:
            json.dump({"pinentry": program, "probe": "cat " + face}, file)

    def dialogs(self):
        """What its dialogs said."""
        with open(self.told, encoding="utf-8") as file:
            return [line[len("SETDESC "):].strip() for line in file if line.startswith("SETDESC ")]

    def window(self, browser):
        window = subprocess.Popen(
            [self.program, "window", "--json", "--browser", browser.command()], env=self.environment, stdout=subprocess.PIPE, text=True,
            start_new_session=True)
        window.stdout.readline()
        browser.connect()
        return window


def meet(one, other, place):
    one.owner("init", "--kdf", "interactive")
    one.owner("sync", "setup", place)
    with subprocess.Popen(
            [one.program, "sync", "invite", "--yes", "--passphrase-file", one.secret], env=one.environment, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True) as invite:
        code = invite.stdout.readline().strip()
        other.owner("sync", "join", place, code, "--name", "other", "--kdf", "interactive")
        assert invite.wait(60) == 0
    for device in (one, other):
        device.owner("unlock")


def follows(page, one):
    """What comes by itself is seen without a click."""
    entry = one.run("write", "from the other device").strip()
    page.until(f"document.querySelector(\".row[data-id='{entry}']\")")
    page.click(f".row[data-id='{entry}'] button")
    page.until("document.querySelector('.entry')?.textContent.includes('from the other device')")
    one.run("edit", entry, "and changed there")
    page.until("document.querySelector('.entry')?.textContent.includes('and changed there')")
    return entry


def sync(*devices):
    for device in devices:
        device.run("sync")


def begins(page, key):
    """Opens a form with a key, and waits until somebody can type."""
    page.key(key)
    page.until("document.activeElement === document.querySelector('.writing textarea')")


def differ(one, other, entry, number):
    """Both devices write, and then hear of one another."""
    for device, name in ((one, "one"), (other, "two")):
        device.run("edit", entry, f"text {number} of {name}")
    sync(one, other, one)


def ends_conflicts(page, one, other, entry):
    for device in (one, other):
        device.run("sync", "auto", "off")
    differ(one, other, entry, 1)
    page.until("document.querySelectorAll('.versions .side').length === 2")
    begins(page, "e")
    shown = page.value("document.querySelector('.writing textarea').value")
    assert "text 1 of one" in shown and "text 1 of two" in shown, shown
    page.type(" and both")
    page.click("button.first", "Save")
    page.until("document.querySelector('.entry')?.textContent.includes('and both')")
    body = other.entry(entry)["body"]
    assert "text 1 of one" in body and "text 1 of two" in body and body.endswith(" and both"), body
    assert json.loads(other.run("conflicts", "--json")) == []
    sync(other, one)

    # While a form is open that shows neither of them. A key that comes right after saving is still meant for the text.
    time.sleep(1)
    begins(page, "e")
    page.type(" typed before")
    differ(one, other, entry, 2)
    page.click("button.first", "Save")
    page.until("document.querySelector('dialog .other')")
    shown = page.value("document.querySelector('dialog .other').textContent")
    assert "text 2 of one" in shown and "text 2 of two" in shown, shown
    page.click("dialog button:not(.first)")
    page.until("document.querySelector('.entry')?.textContent.includes('typed before')")
    assert json.loads(other.run("conflicts", "--json")) == []
    sync(other, one)
    assert one.entry(entry)["body"].endswith("typed before")


def keeps_journals(page, one, other):
    """A journal that is called otherwise by now is still the one that was chosen, in a form and in a list."""
    one.run("journals", "add", "Izu")
    one.run("write", "in Izu", "--journal", "Izu")
    sync(one, other)
    page.key("Escape")
    page.click(".filters .chip", "Izu")
    page.until("document.querySelectorAll('.row').length === 1")
    begins(page, "n")
    page.type("written meanwhile")
    assert page.value("document.querySelector('.writing select').value") == "Izu"
    one.run("journals", "rename", "Izu", "Izu peninsula")
    sync(one, other)
    page.until("document.querySelector('.writing select').value === 'Izu peninsula'")
    page.click("button.first", "Save")
    page.until("document.querySelector('.entry')?.textContent.includes('written meanwhile')")
    page.key("Escape")
    page.until("document.querySelectorAll('.row').length === 2")
    assert len(json.loads(other.run("list", "--journal", "Izu peninsula", "--json"))) == 2


def agrees(page, one, other):
    """What would remove many entries here waits until somebody says yes in the page, and is said there."""
    one.run("write", "a note that stays")
    sync(one, other, one)
    ids = [each["id"] for each in json.loads(one.run("list", "--json"))]
    one.run("delete", "--yes", *ids)
    one.run("write", "and one more")
    sync(one)
    page.key("g")
    page.click(".devices button", "Sync now")
    page.until("document.querySelector('.devices .trouble')")
    said = page.value("document.querySelector('.devices .trouble').textContent")
    assert f"another device deleted {len(ids)} entries or moved them to the trash" in said, said
    assert len(json.loads(other.run("list", "--json"))) == len(ids)
    # It is said again when the diary opens.
    other.run("lock")
    page.until("!document.querySelector('.frame')")
    other.owner("unlock")
    page.click(".told p button", "Devices")
    page.click(".devices .trouble button", "Remove")
    page.sees(f"Remove {len(ids)} entries on this device, too?")
    page.click("dialog button:not(.first)")
    page.until("!document.querySelector('.devices .trouble')")
    page.until("document.querySelector('.devices')")
    left = [other.entry(each["id"])["body"] for each in json.loads(other.run("list", "--json"))]
    assert left == ["and one more"], left
    # What is said only once stays until it was read.
    entry = json.loads(one.run("list", "--json"))[0]["id"]
    sync(other, one)
    one.run("delete", "--yes", entry)
    one.run("purge", "--yes", entry)
    other.run("edit", entry, "kept here")
    sync(one)
    page.click(".devices button", "Sync now")
    page.until("document.querySelector('.devices .trouble')?.textContent.includes('permanently deleted entry')")
    assert len(json.loads(other.run("sync", "status", "--json"))["troubles"]) == 1
    page.click(".devices button", "Close")
    page.until("!document.querySelector('.devices .trouble')")
    assert json.loads(other.run("sync", "status", "--json"))["troubles"] == []


def joins_at(page, form, place, code):
    page.click(form + " summary")
    page.click(form + " input[placeholder]")
    page.type(place)
    page.click(form + " label:last-of-type input")
    page.type(code)
    page.click(form + " button[type=submit]")


def joins(program, folder):
    """The whole way from no diary to two devices, in two windows and their dialogs."""
    place = os.path.join(folder, "place")
    os.mkdir(place)
    face = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Keys", "faces", "owner-2.json")
    devices = [Device(program, folder, name) for name in ("one", "two")]
    pages = []
    windows = []
    for device in devices:
        device.has_dialogs(face)
        os.mkdir(os.path.join(device.home, "browser"))
        pages.append(Browser(os.path.join(device.home, "browser")))
        windows.append(device.window(pages[-1]))
    try:
        (one, other), (first, second) = devices, pages
        # Three shots, the passphrase, the recovery code; then the face opens the diary that it was made with.
        first.until("document.querySelector('.door .check input') && !document.querySelector('.door .check').hidden")
        first.click(".door button.first", "Create a diary")
        # The page shows the words that its dialogs show.
        first.until("!document.querySelector('.dialog-words').hidden")
        pair = first.value("document.querySelector('.dialog-words').textContent").split(": ")[-1]
        first.until("document.querySelector('.door .circle')", seconds=90)
        assert all(f": {pair}" in each for each in one.dialogs()), (pair, one.dialogs())
        assert first.value("document.querySelector('.dialog-words').hidden")
        first.click(".door button.first")
        first.until("document.querySelector('.frame')", seconds=60)
        one.run("write", "written before the other device came")
        first.key("g")
        first.click(".devices input")
        first.type(place)
        first.click(".devices button[type=submit]", "Share")
        first.click(".devices button", "Add a device")
        first.until("!document.querySelector('.devices > button').hidden")
        code = ""
        for _ in range(600):
            said = [each.split("%0A%0A")[2] for each in one.dialogs() if "pairing code" in each]
            if said:
                code = said[0]
                break
            time.sleep(0.1)
        assert code and code not in first.value("document.documentElement.outerHTML"), one.dialogs()
        # It is broken off, and its code is worth nothing any more.
        first.click(".devices > button", "Stop")
        first.until("document.querySelector('.devices > button').hidden")
        first.click(".devices button", "Add a device")
        while code == said[-1]:
            said = [each.split("%0A%0A")[2] for each in one.dialogs() if "pairing code" in each]
            time.sleep(0.1)
        # At a place where nobody is, it waits until somebody breaks that off. The diary that was made meanwhile joins later.
        empty = os.path.join(folder, "empty")
        os.mkdir(empty)
        joins_at(second, ".door details:nth-of-type(2)", empty, said[-1])
        second.until("document.querySelector('.door > p[role=status]')?.textContent.includes('same symbols')", seconds=60)
        second.click(".door > button", "Stop")
        second.until("document.querySelector('.door .circle')", seconds=60)
        second.sees("Stopped.")
        second.click(".door .asked button")
        second.until("document.querySelector('.frame')", seconds=60)
        second.key("g")
        joins_at(second, ".devices details", place, said[-1])
        second.until("document.querySelector('.devices .status')?.textContent.includes('same symbols')", seconds=60)
        symbols = second.value("document.querySelector('.devices .status').textContent").split(": ")[-1]
        second.until("[...document.querySelectorAll('.devices li')].length === 2", seconds=60)
        assert any(f"{symbols}?%0A%0A" in each for each in one.dialogs()), (symbols, one.dialogs())
        assert not any(said[-1] in page.value("document.documentElement.outerHTML") for page in pages)
        second.key("Escape")
        second.until("document.querySelector('.row')?.textContent.includes('written before')", seconds=60)
        first.until("[...document.querySelectorAll('.devices li')].length === 2", seconds=60)
        for page in pages:
            assert page.errors == [], page.errors
    finally:
        for window, page, device in zip(windows, pages, devices):
            window.send_signal(signal.SIGINT)
            window.wait(30)
            page.end()
            subprocess.run([program, "lock"], env=device.environment, capture_output=True, check=False)


def follows_and_writes(program, folder):
    place = os.path.join(folder, "place")
    os.mkdir(place)
    one, other = (Device(program, folder, name) for name in ("one", "two"))
    page = Browser(folder)
    meet(one, other, "folder:" + place)
    window = other.window(page)
    try:
        page.until("document.querySelector('.frame')")
        entry = follows(page, one)
        ends_conflicts(page, one, other, entry)
        keeps_journals(page, one, other)
        agrees(page, one, other)
        assert page.errors == [], page.errors
    finally:
        window.send_signal(signal.SIGINT)
        window.wait(30)
        page.end()
        for device in (one, other):
            subprocess.run([program, "lock"], env=device.environment, capture_output=True, check=False)
            time.sleep(0.1)


if __name__ == "__main__":
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    {"joins": joins, "follows_and_writes": follows_and_writes}[sys.argv[3]](*sys.argv[1:3])
