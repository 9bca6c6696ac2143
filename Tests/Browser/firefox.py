#!/usr/bin/env python3
"""The window in Firefox: opened, written in, searched, closed; and nothing of it in any file of the browser's profile or the home.

usage: firefox.py PROGRAM FOLDER FIREFOX

PROGRAM is facediary, FOLDER an empty folder for a home, FIREFOX the browser. It is driven by Marionette, which it brings itself.
"""

import glob
import json
import os
import random
import signal
import socket
import stat
import subprocess
import sys
import time

from browser import Home, PASSPHRASE

SECRET = "kingfisher" + str(random.randrange(10**8, 10**9))


class Firefox:
    """Messages of Marionette: a length, a colon, a list as JSON."""

    def __init__(self, port, window):
        self.bytes, self.count = b"", 0
        end = time.time() + 60
        while True:
            try:
                self.socket = socket.create_connection(("127.0.0.1", port))
                break
            except OSError:
                assert window.poll() is None and time.time() < end, window.stderr.read()
                time.sleep(0.2)
        self.receive()
        self.ask("WebDriver:NewSession", capabilities={})

    def receive(self):
        while b":" not in self.bytes:
            self.bytes += self.socket.recv(65536)
        length, rest = self.bytes.split(b":", 1)
        while len(rest) < int(length):
            rest += self.socket.recv(65536)
        self.bytes = rest[int(length):]
        return json.loads(rest[:int(length)])

    def ask(self, name, **parameters):
        self.count += 1
        message = json.dumps([0, self.count, name, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self.receive()
        assert error is None, error
        return result

    def value(self, expression):
        return self.ask("WebDriver:ExecuteScript", script="return " + expression, args=[])["value"]

    def until(self, expression, seconds=30):
        end = time.time() + seconds
        while time.time() < end:
            try:
                if self.value(expression):
                    return
            except AssertionError:
                pass
            time.sleep(0.1)
        raise AssertionError((expression, self.value("document.body.innerText")))

    def find(self, selector):
        return next(iter(self.ask("WebDriver:FindElement", using="css selector", value=selector)["value"].values()))

    def type(self, selector, text):
        self.ask("WebDriver:ElementSendKeys", id=self.find(selector), text=text)

    def click(self, selector):
        self.ask("WebDriver:ElementClick", id=self.find(selector))


def tell(program, folder, browser):
    home = Home(program, folder)

    def places():
        found = []
        for root, _, names in [each for start in (home.path, home.memory) for each in os.walk(start)]:
            for name in names:
                path = os.path.join(root, name)
                try:
                    if stat.S_ISREG(os.lstat(path).st_mode):
                        with open(path, "rb") as file:
                            data = file.read()
                        if SECRET.encode() in data or SECRET.encode("utf-16-le") in data:
                            found.append(path)
                except OSError:
                    pass
        return found

    home.run("init", "--kdf", "interactive", "--passphrase-file", home.secret)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # As the person's own Firefox, with what drives it beside the words that the window gives.
    starter = os.path.join(folder, "firefox")
    with open(starter, "w", encoding="utf-8") as file:
        file.write(
            f"#!/bin/sh\nfor last; do [ \"$before\" = --profile ] && echo 'user_pref(\"marionette.port\", {port});' >> \"$last/user.js\"; before=$last; done\n"
            f"exec '{browser}' --headless --marionette \"$@\" > /dev/null 2>&1\n")
    os.chmod(starter, 0o700)
    window = subprocess.Popen(
        [program, "window", "--json", "--browser", starter], env=home.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, start_new_session=True)
    try:
        json.loads(window.stdout.readline())
        page = Firefox(port, window)
        page.until("document.querySelector('.passphrase input')")
        page.type(".passphrase input", PASSPHRASE + "\ue007")
        page.until("document.querySelector('.frame')")
        page.click(".sign.new")
        page.until("document.querySelector('.writing textarea')")
        page.type(".writing textarea", SECRET + " by the river. 川で。")
        page.type(".tagging input", "birds,")
        page.until("document.querySelectorAll('.chips .chip').length === 1")
        page.until("/\\d:\\d\\d/.test(document.querySelector('.writing .status').textContent)")
        # Its session store is written every fifteen seconds.
        time.sleep(16)
        assert places() == [], places()
        page.click(".writing .tools button.first")
        page.until("document.querySelector('.entry')")
        assert json.loads(home.run("list", "--bodies", "--json"))[0]["tags"] == ["birds"]
        page.click(".entry .tools .sign")
        page.until("document.querySelectorAll('.row').length === 1")
        page.type("header input", SECRET[:12])
        page.until("document.querySelector('mark')")
        home.run("lock")
        page.until("document.querySelector('.passphrase input')")
        assert places() == [], places()
        page.ask("Marionette:Quit", flags=["eForceQuit"])
        assert window.wait(30) == 0, window.stderr.read()
        assert not glob.glob(home.memory + "/facediary-open-*")
    finally:
        if window.poll() is None:
            os.kill(window.pid, signal.SIGTERM)
            window.wait(20)


if __name__ == "__main__":
    # Who runs this may have signals blocked, and programs inherit that.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    tell(*sys.argv[1:])
