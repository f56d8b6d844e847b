"""What Chromium says of its own work: the tasks of the page's thread, in time of the processor."""
import base64
import json
import os
import socket
import struct
import urllib.request

CATEGORIES = ["devtools.timeline", "blink.user_timing", "toplevel"]
TASKS = {"RunTask", "ThreadControllerImpl::RunTask"}
SCRIPTS = {"FunctionCall", "EvaluateScript", "RunMicrotasks"}


class Socket:
    """A WebSocket (RFC 6455) to the DevTools of a browser."""

    def __init__(self, address):
        host, path = address.removeprefix("ws://").split("/", 1)
        name, port = host.split(":")
        self.socket = socket.create_connection((name, int(port)))
        self.file = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\n"
                            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
                            "Sec-WebSocket-Version: 13\r\n\r\n".encode())
        assert b" 101 " in self.file.readline(), "no WebSocket"
        while self.file.readline() != b"\r\n":
            pass

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        head = bytes([0x81, 0x80 | min(len(data), 126)])
        if len(data) >= 126:
            head += struct.pack(">H", len(data))
        self.socket.sendall(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def receive(self):
        text, last = b"", False
        while not last:
            first, size = self.file.read(2)
            if size >= 126:
                size = int.from_bytes(self.file.read(2 if size == 126 else 8), "big")
            data = self.file.read(size)
            if first & 0x0f < 3:
                text, last = text + data, first & 0x80 != 0
        return text


class Tracing:
    """Traces a browser as long as the block lasts; what it found is in `events` then."""

    def __init__(self, browser):
        with urllib.request.urlopen(f"http://{browser.debugger}/json/version") as answer:
            self.socket = Socket(json.load(answer)["webSocketDebuggerUrl"])
        self.events = []

    def tell(self, number, command, **parameters):
        self.socket.send(json.dumps({"id": number, "method": command, "params": parameters}))

    def __enter__(self):
        self.tell(1, "Tracing.start", traceConfig={"includedCategories": CATEGORIES})
        while json.loads(self.socket.receive()).get("id") != 1:
            pass
        return self

    def __exit__(self, *_):
        self.tell(2, "Tracing.end")
        while True:
            message = json.loads(self.socket.receive())
            if message.get("method") == "Tracing.dataCollected":
                self.events += message["params"]["value"]
            if message.get("method") == "Tracing.tracingComplete":
                return

    def marks(self, name):
        """When the page marked something, and its thread."""
        return [(event["ts"], event["pid"], event["tid"]) for event in self.events
                if event["name"] == name and "blink.user_timing" in event["cat"]]

    def longest(self, begin, end):
        """Milliseconds of a processor that the longest task between two marks took, and of that
        its longest script: what else there is to do on the machine is left out."""
        (first, process, thread), last = self.marks(begin)[-1], self.marks(end)[-1][0]
        own = sorted((event for event in self.events
                      if event["ph"] == "X" and event["pid"] == process and
                      event["tid"] == thread and first <= event["ts"] <= last),
                     key=lambda event: (event["ts"], -event.get("dur", 0)))
        tasks, scripts, over = [], [], 0
        for event in own:
            took = event.get("tdur", event.get("dur", 0)) / 1000
            if event["name"] in TASKS:
                tasks.append(took)
            elif event["name"] in SCRIPTS and event["ts"] >= over:
                scripts.append(took)
                over = event["ts"] + event.get("dur", 0)
        return max(tasks, default=0), max(scripts, default=0)
