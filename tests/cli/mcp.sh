# mcp answers a client of the Model Context Protocol: with what commands say, never with another
# file, and whatever it is sent.
need python3
example run.db
printf 'resource,category,type,value,begin,end\na,state,S,x,0,1\na,state,S,y,1,2\n' >small.csv
quiet small.csv -o small.db
cat >client.py <<'END'
import base64, json, os, random, subprocess, sys
CLI = os.environ["OCELOTL_CLI"]
class Client:
    """The few messages that a client needs."""
    def __init__(self, *words):
        self.process = subprocess.Popen([CLI, "mcp", *words], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, preexec_fn=self.prepare)
        self.count = 0
    def prepare(self):
        """Some clients leave the server pipes that do not wait."""
        os.set_blocking(0, False)
        os.set_blocking(1, False)
    def send(self, line):
        self.process.stdin.write(line if isinstance(line, bytes) else json.dumps(line).encode())
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()
    def read(self):
        return json.loads(self.process.stdout.readline().decode("utf-8", "strict"))
    def ask(self, method, **params):
        self.count += 1
        self.send({"jsonrpc": "2.0", "id": self.count, "method": method, "params": params})
        answer = self.read()
        assert answer["jsonrpc"] == "2.0" and answer["id"] == self.count, answer
        return answer
    def use(self, tool, **arguments):
        result = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        return result["isError"], result["content"][-1]
    def text(self, tool, **arguments):
        bad, content = self.use(tool, **arguments)
        assert not bad, content
        return content["text"]
    def end(self):
        self.process.stdin.close()
        assert self.process.stdout.read() == b"" and self.process.wait() == 0
def cli(*words):
    return subprocess.run([CLI, *words], check=True, capture_output=True, text=True).stdout

one = Client("run.db", "small.db")
for asked, given in ("2025-03-26",) * 2, ("2024-11-05",) * 2, ("1999-01-01", "2025-11-25"):
    begun = one.ask("initialize", protocolVersion=asked, capabilities={}, clientInfo={})["result"]
    assert begun["protocolVersion"] == given and "tools" in begun["capabilities"], begun
one.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
assert one.ask("ping")["result"] == {}
for file in 0, 1:
    with open(f"/proc/{one.process.pid}/fdinfo/{file}", encoding="ascii") as info:
        flags = next(line for line in info if line.startswith("flags:")).split()[1]
    assert not int(flags, 8) & os.O_NONBLOCK, "the server does not wait for its client"
tools = {tool["name"]: tool for tool in one.ask("tools/list")["result"]["tools"]}
assert list(tools) == ["open", "explain", "brief", "zoom", "parts", "why", "stats", "compare",
                       "picture", "gantt"]
assert tools["open"]["inputSchema"]["properties"]["trace"]["enum"] == ["run.db", "small.db"]
for tool in tools.values():
    assert all(one["description"] for one in tool["inputSchema"]["properties"].values()), tool
assert len(json.dumps(list(tools.values()), separators=(",", ":"))) < 7500

# What commands say.
for tool, arguments, words in [
        ("open", {}, "info"), ("explain", {"sentences": 3}, "explain --sentences 3"),
        ("brief", {"bytes": 3000}, "brief --bytes 3000"),
        ("zoom", {"p": 0.75, "part": 3}, "brief --bytes 8000 --p 0.75 --part 3"),
        ("zoom", {"part": [3], "p": "0.75"}, "brief --bytes 8000 --p 0.75 --part 3"),
        ("parts", {"p": 0.75, "sort": "loss", "resource": ["nancy/griffon"]},
         "parts --p 0.75 --sort loss --resource nancy/griffon"),
        ("why", {"p": 0.75, "why": 3}, "parts --p 0.75 --why 3"),
        ("stats", {"from": "40%", "only": ["PMPI_W*", "PMPI_B*"]},
         "stats --from 40% --only PMPI_W* --only PMPI_B*")]:
    assert one.text(tool, **arguments) == cli(*words.split(), "run.db"), tool
assert one.text("compare", to="50%", from2="50%", bytes=100000) == \
    cli("compare", "--to", "50%", "--from2", "50%", "run.db", "run.db")
assert one.text("open", trace="small.db").startswith("name       small\n")
long = one.text("parts", p=0.1, bytes=1000)
assert len(long) <= 1000 and long.endswith("; ask for a part, a window, or more bytes)\n"), long
for tool in "picture", "gantt":
    bad, content = one.use(tool, p=0.75, part=3)
    drawn = base64.b64decode(content["data"], validate=True)
    assert content["mimeType"] == "image/png" and drawn[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(drawn[16:20], "big") == 1000

# What is wrong is said in a line.
for tool, arguments, message in [
        ("brief", {"bytes": 7}, "--bytes is 7, expected at least 500"),
        ("zoom", {"p": 0.75}, "argument part is missing"),
        ("zoom", {"p": 0.75, "part": 99}, "--part is 99, expected one"),
        ("stats", {"hierarchy": "/etc/passwd"}, "unknown argument hierarchy, expected one of trace from"),
        ("stats", {"output": "x.csv"}, "unknown argument output"),
        ("stats", {"resource": ["@/etc/passwd"]}, 'has no resource "@/etc/passwd"'),
        ("stats", {"resource": {}}, "argument resource: expected texts in a list"),
        ("stats", {"from": [1]}, "argument from: expected a text or a number"),
        ("open", {"trace": "/etc/passwd"}, "argument trace is none of the traces"),
        ("compare", {"second": "other.db"}, "argument second is none of the traces"),
        ("compare", {"second": "small.db"}, "smpi-stencil-96 and small have no type in common"),
        ("compare", {}, "a trace differs in nothing from itself: expected another one as second"),
        ("compare", {"second": "run.db"}, "a trace differs in nothing from itself")]:
    bad, content = one.use(tool, **arguments)
    assert bad and message in content["text"] and "\n" not in content["text"], (tool, content)
for message, code, sent in [
        ({"jsonrpc": "2.0", "id": "a\u20ac", "method": "nothing"}, -32601, "a\u20ac"),
        ({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "rm"}}, -32602, 7),
        ({"jsonrpc": "2.0", "id": 8, "method": "tools/call"}, -32602, 8),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, -32600, None),
        ({"jsonrpc": "2.0", "id": 1}, -32600, None), ([], -32600, None), (3, -32700, None),
        (b'{"a":', -32700, None), (b"[" * 900000, -32700, None), (b"x" * 3000000, -32700, None),
        (b'"\xff\xfe' * 9, -32700, None)]:
    one.send(message)
    answer = one.read()
    assert answer["error"]["code"] == code and answer["id"] == sent, (answer, code)
one.send([{"jsonrpc": "2.0", "id": 1, "method": "ping"}, {"method": "ping"}, 5,
          {"jsonrpc": "2.0", "id": -2.5, "method": "ping"}, {"id": 3, "result": {}}])
assert [answer["id"] for answer in one.read()] == [1, None, -2.5]
one.send(b'{"id":1e999,"method":"pi\\u006eg"}')
assert one.read()["id"] is None
one.send(b'{"id":"\xff","method":"tools\\/call","params":{"name":"brief","arguments":[1]}}')
assert "the arguments are no object" in one.read()["result"]["content"][0]["text"]
assert one.ask("ping")["result"] == {}
one.end()

# Bytes that are changed at random.
random.seed(3)
two = Client("small.db", "--bytes", "600", "--threads", "1")
whole = [json.dumps({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {
    "name": tool, "arguments": {"p": 0.5, "part": [0], "why": 1, "bytes": 700, "only": ["x", "*"],
                                "from": "10%", "resource": ["a\u00e9\\"]}}}).encode()
         for tool in tools if tool not in ("picture", "gantt")]
whole.append(b'[{"id":1,"method":"ping"},{"id":"x","method":"tools/list"}]')
for _ in range(400):
    line = bytearray(random.choice(whole))
    for _ in range(random.randrange(1, 5)):
        at = random.randrange(len(line))
        line[at:at + random.randrange(3)] = random.choice(
            [bytes([random.randrange(256)]), b'"', b"{", b"[", b"]", b"\\u0000", b"null", b"-1e9"])
    two.send(bytes(line).replace(b"\n", b" "))
    two.send(b'{"id":"end","method":"ping"}')
    while (answer := two.read()) != {"jsonrpc": "2.0", "id": "end", "result": {}}:
        pass
two.end()

# The protocol's own library, where it is installed.
try:
    import anyio
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client
except ImportError:
    sys.exit()
async def talk():
    async with stdio_client(StdioServerParameters(command=CLI, args=["mcp", "run.db"])) as way:
        async with ClientSession(*way) as session:
            await session.initialize()
            assert [tool.name for tool in (await session.list_tools()).tools] == list(tools)
            said = await session.call_tool("brief", {"bytes": 3000})
            assert said.content[-1].text == cli("brief", "--bytes", "3000", "run.db")
            assert (await session.call_tool("picture", {})).content[-1].type == "image"
anyio.run(talk)
END
python3 client.py 2>client.err || fail "$(tail -n 3 client.err)"
refused 2 'standard input has the questions' mcp -
refused 1 'none.db' mcp none.db
