"""Chromium without a window, driven over its DevTools protocol through two pipes."""

import json
import os
import select
import shutil
import subprocess
import time

NAME = next(filter(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome")), None)


class Page:
    """A page in a browser of its own."""

    def __init__(self, folder, url, width=1300, height=900, dark=False, scripts=True):
        self.downloads = folder / "downloads"
        self.downloads.mkdir(exist_ok=True)
        to_read, self._to_write = os.pipe()
        self._to_read, to_write = os.pipe()

        def take_pipes():
            # Both numbers may be those of a pipe.
            ours, theirs = os.dup(to_read), os.dup(to_write)
            os.dup2(ours, 3)
            os.dup2(theirs, 4)

        self._process = subprocess.Popen(
            [NAME, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             f"--user-data-dir={folder}/profile", "--remote-debugging-pipe", "about:blank"],
            close_fds=False, preexec_fn=take_pipes, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env={**os.environ, "HOME": str(folder)})
        os.close(to_read)
        os.close(to_write)
        self._pending = b""
        self._number = 0
        self.requests = []
        self.problems = []
        self.questions = 0
        self._is_loaded = False
        self._url = "about:blank"
        self._session = None
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        scheme = "dark" if dark else "light"
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.requests.clear()
        self.go("Page.navigate", url=url)

    def go(self, method, **params):
        """Goes to a page, or loads it again, and waits until it is there."""
        self._is_loaded = False
        self.call(method, **params)
        self.wait(lambda: self._is_loaded)

    def call(self, method, **params):
        """Calls a method; its result."""
        number = self._send(method, **params)
        while True:
            answer = self._next(60)
            if answer.get("id") == number:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]

    def _send(self, method, **params):
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to_write, json.dumps(message).encode() + b"\0")
        return self._number

    def wait(self, is_so):
        """Waits until something is so."""
        deadline = time.monotonic() + 60
        while not is_so():
            assert time.monotonic() < deadline, "the browser did not do it"
            self._next(0.1)

    def _next(self, seconds):
        while b"\0" not in self._pending:
            if not select.select([self._to_read], [], [], seconds)[0]:
                assert seconds < 1, "the browser does not answer"
                return {}
            more = os.read(self._to_read, 1 << 16)
            assert more, "the browser has ended"
            self._pending += more
        line, self._pending = self._pending.split(b"\0", 1)
        message = json.loads(line)
        method, params = message.get("method"), message.get("params", {})
        if method == "Page.frameNavigated":
            self._url = params["frame"]["url"]
        elif method == "Page.loadEventFired":
            self._is_loaded = self._url != "about:blank"
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.problems.append(str(params["exceptionDetails"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.problems.append(params["entry"]["text"])
        elif method == "Page.javascriptDialogOpening":
            # Only whether to leave a page with something unsaved is asked.
            assert params["type"] == "beforeunload", params
            self.questions += 1
            self._send("Page.handleJavaScriptDialog", accept=True)
        return message

    def ask(self, script):
        """The value of an expression."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, userGesture=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def click(self, selector):
        """Clicks in the middle of an element, as a mouse does, when nothing scrolls any more."""
        box = self.ask("""(async () => {
          const element = document.querySelector(%s);
          element.scrollIntoView({ block: "center", behavior: "instant" });
          const frame = () => new Promise((done) => requestAnimationFrame(done));
          for (let last = ""; ;) {
            const r = element.getBoundingClientRect();
            const here = [r.x + r.width / 2, r.y + r.height / 2], now = here + " " + scrollY;
            if (now === last) return here;
            last = now;
            await frame();
            await frame();
          }
        })()""" % json.dumps(selector))
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def press(self, key, code=None):
        """Presses a key."""
        text = {"text": key} if len(key) == 1 else {}
        number = {"Tab": 9, "Enter": 13, " ": 32}.get(key, ord(key[0].upper()))
        if key == "Enter":
            text = {"text": "\r"}
        common = {"key": key, "code": code or key, "windowsVirtualKeyCode": number}
        self.call("Input.dispatchKeyEvent", type="keyDown", **common, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def type(self, text):
        """Types into what has the focus."""
        self.call("Input.insertText", text=text)

    def select(self, text):
        """Selects a text in the document, by its first occurrence in one node."""
        found = self.ask("""(() => {
          const text = %s, walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
          for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const at = node.data.indexOf(text);
            if (at < 0) continue;
            const range = document.createRange();
            range.setStart(node, at);
            range.setEnd(node, at + text.length);
            // A mouse takes the focus from what is typed into.
            document.activeElement.blur();
            getSelection().removeAllRanges();
            getSelection().addRange(range);
            return new Promise((done) => setTimeout(() => done(true), 50));
          }
          return false;
        })()""" % json.dumps(text))
        assert found, text

    def download(self):
        """The file that was saved last, when all of it is there."""
        def files():
            return [path for path in self.downloads.iterdir() if path.suffix == ".json"]
        self.wait(lambda: files() and all(path.stat().st_size for path in files()))
        return max(files(), key=lambda path: path.stat().st_mtime)

    def close(self):
        """Ends the browser."""
        os.close(self._to_write)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._to_read)
