"""Drives Chromium by the WebDriver protocol (W3C), with nothing but Python's own library."""
import base64
import json
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

LONG = 300  # seconds, of a machine with much else to do; a test that passes never waits so long
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c", "Backspace": "\ue003",
        "Home": "\ue011", "Left": "\ue012", "Up": "\ue013", "Right": "\ue014", "Down": "\ue015"}


class Browser:
    """A browser that ends with its `with` block; each has a profile of its own."""

    def __init__(self, width=1440, height=1200, arguments=()):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        port = None
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                port = int(line.rstrip(". \n").split()[-1])
                break
        assert port is not None, "chromedriver does not start"
        self.base = f"http://127.0.0.1:{port}"
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu",
                            "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
                            "--disable-background-networking",
                            f"--user-data-dir={self.profile.name}",
                            f"--window-size={width},{height}", *arguments]}
        made = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options,
            "timeouts": {"script": LONG * 1000, "pageLoad": LONG * 1000},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}})
        self.base += "/session/" + made["sessionId"]
        self.debugger = made["capabilities"]["goog:chromeOptions"]["debuggerAddress"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("DELETE", "")
        except OSError:
            pass
        self.driver.terminate()
        self.driver.wait()
        self.profile.cleanup()

    def call(self, method, path, body=None):
        data = None if body is None and method != "POST" else json.dumps(body or {}).encode()
        request = urllib.request.Request(self.base + path, data=data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=LONG) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(json.load(error)["value"]["message"]) from None

    def tell(self, command, **parameters):
        """Gives a command of the DevTools protocol."""
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def size(self, width, height):
        """What the page has of the window, to the pixel."""
        self.tell("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def prefer(self, **features):
        """What the reader prefers, as prefers_color_scheme; nothing takes all of it back."""
        self.tell("Emulation.setEmulatedMedia",
                  features=[{"name": name.replace("_", "-"), "value": value}
                            for name, value in features.items()])

    def go(self, address):
        self.call("POST", "/url", {"url": address})

    def run(self, script, *arguments):
        """Runs a script in the page; what it returns comes back."""
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def until(self, condition):
        """Waits until an expression is true in the page, and gives its value. What it reads
        may not be there yet."""
        end = time.monotonic() + LONG
        wrong = ""
        while True:
            try:
                value = self.run("return " + condition)
                if value:
                    return value
            except AssertionError as error:
                if "javascript error" not in str(error):
                    raise
                wrong = f" ({error})"
            assert time.monotonic() < end, f"never true: {condition}{wrong}"
            time.sleep(0.05)

    def find(self, selector):
        self.until(f"document.querySelector({json.dumps(selector)}) !== null")
        return self.call("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.call("POST", f"/element/{self.find(selector)}/click")

    def type(self, selector, text):
        """Goes into a field, selects what it has, and types over it, as a person does."""
        self.until(f"document.querySelector({json.dumps(selector)}) !== null")
        self.run("const field = document.querySelector(arguments[0]);"
                 "field.focus(); field.select()", selector)
        self.press(*text)

    def add(self, text):
        """Types on where the focus is."""
        self.press(*text)

    def value(self, selector):
        return self.run("return document.querySelector(arguments[0]).value", selector)

    def press(self, *keys):
        """Presses keys one after the other, where the focus is."""
        actions = []
        for key in keys:
            value = KEYS.get(key, key)
            actions += [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        self.call("POST", "/actions",
                  {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def point(self, *steps):
        """Moves the pointer: (x, y) to go there, "down" and "up" to press and release."""
        actions = []
        for step in steps:
            if step in ("down", "up"):
                actions.append({"type": "pointerDown" if step == "down" else "pointerUp",
                                "button": 0})
            else:
                actions.append({"type": "pointerMove", "duration": 20, "origin": "viewport",
                                "x": int(step[0]), "y": int(step[1])})
        self.call("POST", "/actions", {"actions": [
            {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"},
             "actions": actions}]})

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("GET", "/screenshot")))

    def console(self):
        """What the page has written to the console since it was asked last."""
        return self.call("POST", "/se/log", {"type": "browser"})

    def requests(self):
        """The addresses that the browser has requested since the last call of this."""
        found = []
        for entry in self.call("POST", "/se/log", {"type": "performance"}):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(message["params"]["request"]["url"])
        return found
