"""A headless Chromium, driven through ChromeDriver over HTTP: the few commands that our tests need."""
import base64
import json
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request
from pathlib import Path

DRIVER, CHROMIUM = shutil.which("chromedriver"), shutil.which("chromium")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-dev-shm-usage", "--hide-scrollbars", "--force-color-profile=srgb"]
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the name that the W3C gave to references


class Browser:
    """Use with `with`: leaving it ends the browser and the driver and removes their folder."""

    def __init__(self, size=(1400, 1000), script=True):
        self._size, self._script = size, script

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._driver = subprocess.Popen([DRIVER, "--port=0"], stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        self._session = ""
        try:
            line = next(line for line in self._driver.stdout if "successfully on port" in line)
            self._address = f"http://localhost:{line.split()[-1].rstrip('.')}/session"
            options = {"binary": CHROMIUM, "args": [
                *FLAGS, f"--user-data-dir={self._folder.name}",
                "--window-size={},{}".format(*self._size)]}
            if not self._script:
                options["prefs"] = {"profile.managed_default_content_settings.javascript": 2}
            self._session = "/" + self._call("", {"capabilities": {"alwaysMatch": {
                "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})["sessionId"]
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self._session:
            self._call("", method="DELETE")
        self._driver.terminate()
        self._driver.wait(10)
        self._driver.stdout.close()
        self._folder.cleanup()

    def _call(self, path, body=None, method=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._address + self._session + path, data,
                                         {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from error

    def open(self, path):
        self._call("/url", {"url": Path(path).resolve().as_uri()})

    def run(self, script, *arguments):
        """What the body of a function in JavaScript returns."""
        return self._call("/execute/sync", {"script": script, "args": list(arguments)})

    def devtools(self, command, **parameters):
        return self._call("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def find(self, selector):
        return self._call("/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self._call(f"/element/{self.find(selector)}/click", {})

    def type(self, selector, text):
        self._call(f"/element/{self.find(selector)}/value", {"text": text})

    def text(self, selector):
        return self._call(f"/element/{self.find(selector)}/text")

    def point_at(self, selector):
        """Scrolls there and moves the mouse onto the middle."""
        self.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", selector)
        move = {"type": "pointerMove", "duration": 0, "x": 0, "y": 0,
                "origin": {ELEMENT: self.find(selector)}}
        self._call("/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [move]}]})

    def log(self):
        """What the console got since the last call."""
        return self._call("/se/log", {"type": "browser"})

    def screenshot(self, path):
        """The whole page, not only what fits the window."""
        size = self.devtools("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "scale": 1, "width": size["width"], "height": size["height"]}
        shot = self.devtools("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
        Path(path).write_bytes(base64.b64decode(shot["data"]))
