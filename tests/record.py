#!/usr/bin/env python3
"""Records what the program answers, and says what differs between two records.

    tests/record.py make DIRECTORY [--cli PROGRAM] [--quick]
    tests/record.py compare BEFORE AFTER
    tests/record.py changed [BASE]

`make` runs all commands in all forms with all options over the traces of the repository, and those
of ../shared where it is; commands, forms and options are those of the program's own help. --quick
takes one trace and no options. `compare` lists what differs, and exits with 1 if anything does.
`changed` builds BASE (default: where this branch left main) and this tree, and compares them.
"""
import argparse
import collections
import concurrent.futures
import contextlib
import difflib
import functools
import hashlib
import itertools
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import montage  # noqa: E402

KEPT = 1 << 20  # bytes of an output that are kept, so that a difference can be shown
OF_LARGE = ("overview", "info", "stats", "verify")  # commands for a larger trace.db
FILES = {  # what values of options name
    "palette.csv": "name,colour\nrun,#ff0000\nw*,#00ff00\n",
    "tree.txt": "busy/run\nbusy/send\nidle/*\n", "names.txt": "run\nwait\n",
    "paths.csv": "resource,path\nh2/p0,a/one\nh10/p1,a/two\n*,other/*\n",
    "samples.csv": "clock,time,offset,deviation\nx/p0,1,1,.1\nx/p0,9,1,.1\nx/p0,40,1,.1\n"}
PLACES = {  # what operands of a usage stand for
    "TRACE": "trace.db", "TRACE.db": "trace.db", "FIRST": "trace.db", "SECOND": "second.db",
    "[SECOND]": "second.db", "DIR": "all/", "[DIR]": ".",
    "QUERY": "'SELECT value, count(*) FROM events GROUP BY 1'"}
VALUES = {  # what stands for the value of an option, but for values that the help lists
    "N": "3", "X": "300", "X%": "50%", "T": "1ms", "PATTERN": "w*", "PATH": "h2", "TYPE": "host",
    "PPM": "9", "PART": "1", "NAME": "state", "FILE": "paths.csv", "EVENT": "tick", "LEVEL": "1",
    "KEY": "k", "TEXT": "title", "PATTERN=NAME": "w*=slow", "PATTERN=KIND": "wait=barrier",
    "WHAT": "user", "REGEX": "[0-9]+", "WORDS": "resource,type,value,begin,end", "A=B": "tick=tock",
    "KEY=VALUE": "m=x", "'NAME OP VALUE'": "'size > 9'", "A": "h2/p0,x/p0 --groups apart",
    "COST": "1us", "MODEL": "1us", "LINE": "1us+2ns*KB", "PATTERN=X": "w*=2", "SIZE": "1K",
    "CHANGE": "compute*0.5"}
# For options that take more than a value, or a certain one.
MORE = """--at host | --at proc | --at all | --attribute size |
--metric link-bytes --attribute size | --from 50% --context-level 2 | --depth 1 |
--format pjdump --digits 2 | --durations run | --durations run --over-time 4 |
--in-flight slowdown | --in-flight slowdown --only-above 2 |
--except-resources h10 | --only-resources h2 | --expand h2 | --expand h2,5,20 |
--to 50% --from2 50% | --to 50% --to2 20% | --from 20% | --from @5 | --to 60% |
--from 10% --to 30% | --group h*/p1=slow | --max-duration 2s | --min-duration 1s |
--snap --to 17% | --to 40% --move 100% | --from 50% --move -100% | --to 40% --move 50% |
--only state | --only link | --only proc:mode | --only @names.txt | --p-raw 0.01 | --p 0 |
--p 0.3 | --p 1 | --p auto:finest | --palette palette.csv | --part 0 | --p 0.3 --part 3 --part 1 |
--type state | --type link | --type run | --groups apart --reference h2/p1 |
--samples samples.csv |
--metric variable-mean --scale max | --metric variable-mean --shift | --slices 7 | --slices 200 |
--smallest 9 | --statistic median | --type-tree mpi | --type-tree tree.txt --type-level 1 |
--type-tree tree.txt --type-level auto | --variable load |
--format chrome --with-parts | --cost 1ms --lenient | --what-if 'h2: compute*2' |
--amortise --latency 1ms""".replace("\n", " ").split(" | ")
MISSING = r"(?:no|needs|expected|neither) --([a-z0-9-]+)(?:;| is given| with it| nor)"
CHAINS = (  # commands that go on from what others wrote
    "overview --slices 9 trace.db -o a.svg; --again a.svg --p 0.9 -o b.svg",
    "snapshot --slices 9 trace.db -o all.zip; --again all.zip -o b.svg",
    "clocks --groups apart --tick-factor 10 trace.db -o c.db; causality c.db",
    "info --set machine=x trace.db; info --json trace.db; list --json --where 'machine = x' .",
    "export --format matrix --slices 9 trace.db -o m.csv; overview --json m.csv; stats m.csv",
    *(f"export --format {one} trace.db -o c.{end}; info c.{end}; export c.{end}"
      for one, end in (("chrome", "json"), ("paje", "trace"), ("pjdump", "txt"))))
QUERIES = {  # what an address of the server is asked, beside --slices
    "search": "q=p1", "part": "p=0.3&number=1", "box": "p=0.3&first=0&last=9",
    "records": "p=0.3&look.width=900&look.height=600", "compare": "from2=50%25&to=50%25",
    "frame": "p=0.3&look.width=900&look.height=600", "histogram": "durations=run"}
Case = collections.namedtuple("Case", "source words inputs")  # of a trace; commands; files by name


def output(*words, **more):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, **more).stdout


class Program:
    """What the program's help says of it."""

    def __init__(self, path):
        self.path = str(pathlib.Path(path).resolve())
        self.version = self.say("--version").split()[1].encode()
        self.commands = ["overview", *self.below("Commands:", self.say("--help"))]
        assert len(self.commands) > 9, "no commands in the help"
        self.helps = {command: self.say(command, "--help", "all") for command in self.commands}
        self.stands = dict(pair for command in self.commands for pair in self.options(command)
                           if pair[1])  # for values of options that another help only names

    def say(self, *words):
        return subprocess.run([self.path, *words], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
                              stderr=subprocess.STDOUT, text=True, check=False).stdout

    @staticmethod
    def below(heading, text):
        """The first words of the lines below a heading."""
        lines = text[text.index("\n" + heading):].split("\n\n")[0].split("\n")[2:]
        return [line.split()[0] for line in lines]

    @functools.cache
    def options(self, command):
        """The options of a command, each with what stands for its value."""
        heads = [re.split("   *", line[2:])[0] for line in self.helps[command].split("\n")
                 if re.match("  (-o, )?--", line)]
        return [pair for head in heads
                for pair in re.findall(r"--([a-z][a-z0-9-]*)(?: ('[^']*'|[^ ,\[]+))?", head)]

    @functools.cache
    def operands(self, command):
        """The operands of a command: without those that may be left out, then with each."""
        usage = self.helps[command].split("\n")[0].split("[OPTIONS]")[-1].split("|")[0]
        words = [word.rstrip(".") for word in usage.split()]
        needed = " ".join(PLACES[word] for word in words if word[0] != "[" and word in PLACES)
        return [needed] + [f"{needed} {PLACES[word]}".strip() for word in words
                           if word[0] == "[" and word in PLACES]

    @functools.cache
    def forms(self, command):
        """The words for each form of what a command writes."""
        names = {name for name, _ in self.options(command)}
        forms = [""] + [f"--{name}" for name in ("json", "csv") if name in names]
        if "output" in names:
            refused = self.say(command, *shlex.split(self.operands(command)[0]), "-o", "x.gif")
            forms += [f"-o out{end}"
                      for end in re.findall(r"\.[a-z]+\b", refused.partition("expected")[2])]
        return forms

    def words(self, command, name, value):
        """The words for an option with each of its values."""
        named = self.helps[command if "\nViews" in self.helps[command] else "overview"]
        value = value or self.stands.get(name)
        if name == "view":
            views = re.findall(r"^  (\w+) +(\w+)  ", named[named.index("\nViews"):], re.M)
            return ["--view difference", *(f"--kind {kind} --view {view}" for kind, view in views)]
        if name == "metric":
            return [f"--metric {metric}" for metric in self.below("Metrics", named)]
        if value and (value[0].islower() or "|" in value):
            return [f"--{name} {word}" for word in value.split("|")]
        return [words for words in MORE if f"--{name}" in words.split()] or \
            [f"--{name} {VALUES.get(value, 'x')}" if value else f"--{name}"]

    def asked(self, command):
        """All options with all values; what reads traces alone is asked of import."""
        read = set(self.options("import")) - {("threads", "N")} if command != "import" else set()
        return dict.fromkeys(words for name, value in self.options(command)
                             if name not in ("output", "json", "csv") and (name, value) not in read
                             for words in self.words(command, name, value))

    def cases(self, source, inputs, rich):
        """The cases of a trace: a few; if rich, all forms; if richer, all options, too."""
        large = inputs["trace.db"].stat().st_size > KEPT
        for command in self.commands:
            if command in ("import", "serve") or large and command not in OF_LARGE:
                continue
            cut = "--slices 12 " if ("slices", "N") in self.options(command) else ""
            forms, names = self.forms(command), [name for name, _ in self.options(command)]
            few = [form for form in ("--json", "-o out.json", "-o out.svg") if form in forms]
            few = few[:1] + few[-1:] if few and "format" not in names else [""]
            texts = [cut + form for form in (forms if rich else [""] if large else ["", *few])]
            texts += [f"{cut if '--slices' not in words else ''}{words} {form}"
                      for words in (self.asked(command) if rich > 1 else []) for form in few]
            for operands in self.operands(command):
                for text in dict.fromkeys(texts):
                    yield Case(source, " ".join(f"{command} {text} {operands}".split()), inputs)
        for chain in CHAINS if rich else []:
            yield Case(source, chain, inputs)


class Record:
    """What cases give, kept in a directory."""

    def __init__(self, program, directory, work):
        self.program, self.directory, self.work = program, pathlib.Path(directory), work
        (self.directory / "content").mkdir(parents=True)
        self.environment = {"OMP_NUM_THREADS": "1", "TZ": "UTC", "LC_ALL": "C"}
        self.environment |= {name: value for name, value in os.environ.items()
                             if re.match("PATH$|TZ$|OMP_|[A-Z]*SAN_", name)}

    def keep(self, data, folder):
        """Keeps bytes, without what depends on the machine and the day; their name."""
        for pattern, plain in (
                (rb"ocelotl-cli: after \d+ s: [^\n]*\n", b""), (rb"-[0-9a-f]{32}\.db", b"-KEY.db"),
                (re.escape(bytes(folder)), b"FOLDER"), (re.escape(bytes(self.work)), b"WORK"),
                (rb"(?<=ocelotl[ -/])(cli )?" + re.escape(self.program.version), b"VERSION")):
            data = re.sub(pattern, plain, data) if data[:4] != b"\x89PNG" else data
        if re.search(rb"\d \d+ \d+\.\d{9} \d+\.\d{9}\t", data):
            data = b"a trace.db that has inodes and dates of its files\0"
        name = hashlib.sha256(data).hexdigest()
        place = self.directory / "content" / name
        if len(data) <= KEPT and not place.exists():
            with tempfile.NamedTemporaryFile(dir=self.work, delete=False) as file:
                file.write(zlib.compress(data, 1))
            shutil.move(file.name, place)
        return name

    def call(self, folder, words):
        return subprocess.run(["timeout", "300", self.program.path, *words], cwd=folder,
                              env={**self.environment, "HOME": str(folder)}, check=False,
                              stdin=subprocess.DEVNULL, capture_output=True)

    def run(self, case, kept=None):
        """What the commands of a case print, and each file that is there, or another, behind."""
        found, before, rest = {}, {}, case.words.split("; ")
        with tempfile.TemporaryDirectory(dir=self.work) as name:
            folder = pathlib.Path(name)
            for target, path in case.inputs.items():
                (os.symlink if path.is_dir() else shutil.copyfile)(path, folder / target)
            for target, text in FILES.items():
                if target in case.words:
                    (folder / target).write_text(text, encoding="ascii")
            for path in (path for path in folder.iterdir() if path.is_file()):
                os.utime(path, (1000000000, 1000000000))
                before[path] = path.read_bytes()
            for number, words in enumerate(rest, 1):
                done = self.call(folder, shlex.split(words))
                found |= {f"{what} {number}": self.keep(data, folder) for what, data in (
                    ("code", b"%a" % done.returncode), ("stdout", done.stdout),
                    ("stderr", done.stderr))}
                missing = re.search(MISSING, done.stderr.decode(errors="replace"))
                if number == 1 and missing:  # and the same with what is asked for
                    rest.append(f"{words} {self.program.words('overview', missing[1], None)[0]}")
            for path in (path for path in folder.rglob("*") if path.is_file()):
                inside = path.relative_to(folder)
                if inside.parts[0] not in (".cache", "in") and \
                        before.get(path) != (data := path.read_bytes()):
                    found[str(inside)] = self.keep(data, folder)
                    if path.suffix == ".db" and path not in before and kept is None:
                        listed = self.call(folder, ["export", str(inside)]).stdout
                        found[f"{inside}, exported"] = self.keep(listed, folder)
            if kept is not None and (folder / "trace.db").exists():
                shutil.move(folder / "trace.db", kept)
        return f"{case.source}: {case.words}", found


def sources(work, quick):
    """The traces by name; archives are unpacked. What is no trace is refused, which counts, too."""
    trees = {"made": work / "made"}
    trees["made"].mkdir()
    for seed in (7, 8):
        text = output(sys.executable, ROOT / "tests/mixed_maker.py", str(seed))
        (trees["made"] / f"mixed-{seed}.trace").write_bytes(text)
    if not quick:
        trees |= {one: ROOT / one for one in ("examples", "tests/data", "tests/fuzz/regressions")}
        shared = (ROOT / "../shared/traces").resolve()
        trees |= {"shared": shared, "unpacked": work / "unpacked"} if shared.is_dir() else {}
        for archive in shared.rglob("*.tar.zst"):
            target = work / "unpacked" / archive.name.removesuffix(".tar.zst")
            target.mkdir(parents=True)
            output("tar", "--zstd", "-xf", archive, "-C", target)
    for name, tree in trees.items():
        for path in sorted(tree.rglob("*")):
            folder = path.is_dir() and any(one.is_file() for one in path.iterdir())
            if folder or path.is_file() and not re.search(
                    r"\.(c|h|py|md|R|ipynb|tar\.zst)$|CMakeLists", path.name):
                yield f"{name}/{path.relative_to(tree)}", path


def make(directory, cli, quick):
    with tempfile.TemporaryDirectory() as name, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        work, program = pathlib.Path(name), Program(cli)
        record = Record(program, directory, work)
        imports = [(Case(source, f"import in/{shlex.quote(path.name)} -o trace.db",
                         {"in": path.parent}), work / f"{number}.db", path)
                   for number, (source, path) in enumerate(sources(work, quick))]
        cases = dict(pool.map(record.run, *zip(*(one[:2] for one in imports))))
        traces = {case.source: trace for case, trace, _ in imports if trace.exists()}
        second = traces["made/mixed-8.trace"]
        rich = {"made/mixed-7.trace": 1 if quick else 2, "tests/data/otf2/whole/run.otf2": 1,
                "examples/smpi-stencil-96.trace.zst": 1}
        follow = [Case("help", f"{command} --help all", {}) for command in program.commands]
        for case, _, path in [] if quick else imports:
            small = case.source in traces and path.is_file() and path.stat().st_size < 1 << 17
            follow += [case._replace(words=f"{case.words} {words}")
                       for words in (program.asked("import") if small else ["--lenient"])]
        for source, trace in traces.items():
            if trace != second or not quick:
                follow += program.cases(source, {"trace.db": trace, "second.db": second},
                                        rich.get(source, 0))
        cases.update(pool.map(record.run, follow))
        if not quick:
            cases.update(served(record, {"a.db": traces["made/mixed-7.trace"], "b.db": second}))
    (record.directory / "cases.json").write_text(json.dumps(cases, indent=0, sort_keys=True))
    print(f"{directory}: {len(cases)} cases")
    return 0


def served(record, inputs):
    """What each address of the server answers; their names are in its sources."""
    rows = "".join(path.read_text() for path in sorted((ROOT / "server").glob("*.c")))
    names = re.findall(r'^    \{"([a-z.]+)", \w*answer_\w+,(?!(?:[^}]|}\},)*\.method)', rows, re.M)
    assert len(names) > 9, "the addresses of the server are not found"
    with tempfile.TemporaryDirectory(dir=record.work) as folder:
        for name, trace in inputs.items():
            shutil.copyfile(trace, f"{folder}/{name}")
        with subprocess.Popen([record.program.path, "serve", "--idle", "1min", *inputs],
                              env={**record.environment, "HOME": folder}, cwd=folder, text=True,
                              stdout=subprocess.PIPE) as server:
            base, _, key = server.stdout.readline().split(" ")[0].strip().partition("/#k=")
            for query in (f"{name}?slices=30&{QUERIES.get(name, '')}" for name in names if key):
                body = b'"more":true'  # until all levels are found
                while b'"more":true' in body:
                    head, _, body = output("curl", "-sgi", "-H", f"X-Ocelotl-Key: {key}",
                                           f"{base}/api/v1/{query}").partition(b"\r\n\r\n")
                head = b"\n".join(re.findall(rb"HTTP.*|Content-Type.*|Ocelotl-Command.*", head))
                body = re.sub(rb'"run":"[^"]*"', rb'"run":""', body)
                yield f"served: serve {query}", {"head": record.keep(head, folder.encode()),
                                                 "body": record.keep(body, folder.encode())}
            server.terminate()


def pixels(*pictures):
    """How many pixels of two PNGs differ."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder, name) for name in ("one", "other")]
        rows = [path.write_bytes(data) and montage.read(path)
                for path, data in zip(paths, pictures)]
    return sum(a[i:i + 3] != b[i:i + 3] for a, b in itertools.zip_longest(*rows, fillvalue=b"")
               if a != b for i in range(0, max(len(a), len(b)), 3))


@functools.cache
def difference(one, other):
    """A few lines on how two outputs differ, which are in files; None: there is none."""
    if one is None or other is None:
        return "is new" if one is None else "is gone"
    if not one.exists() or not other.exists():
        return "differs, and is too large to be kept"
    one, other = (zlib.decompress(path.read_bytes()) for path in (one, other))
    if one.startswith(b"\x89PNG") and other.startswith(b"\x89PNG"):
        with contextlib.suppress(zlib.error, AssertionError, IndexError):
            return f"picture differs: {pixels(one, other)} pixels"
    if b"\0" in one + other or one.startswith(b"%PDF"):
        return f"differs: {len(one)} and {len(other)} bytes"
    with contextlib.suppress(ValueError):  # of JSON, a line for each member
        one, other = (json.dumps(json.loads(data), indent=1).encode() for data in (one, other))
    lines = (data.decode("utf-8", "backslashreplace").split("\n") for data in (one, other))
    found = list(difflib.unified_diff(*lines, lineterm="", n=1))[2:]
    rest = [f"... {len(found) - 24} more lines"] if len(found) > 24 else []
    return "\n    ".join([line[:240] for line in found[:24]] + rest)


def compare(before, after):
    """Prints what differs; cases of a command that differ alike, together."""
    was, now = (json.loads(pathlib.Path(one, "cases.json").read_text()) for one in (before, after))
    counts, alike = collections.Counter(), collections.defaultdict(set)
    for key in (key for key in sorted(was | now) if was.get(key) != now.get(key)):
        command, one, other = key.split(": ", 1)[1].split()[0], was.get(key), now.get(key)
        counts[command] += 1
        if one is None or other is None:
            alike[command, f"the case is {'new' if one is None else 'gone'}"].add(key)
            continue
        for what in (what for what in sorted(one | other) if one.get(what) != other.get(what)):
            files = [source.get(what) and pathlib.Path(directory, "content", source[what])
                     for directory, source in ((before, one), (after, other))]
            alike[command, f"{what}: {difference(*files)}"].add(key)
    for (_, text), keys in sorted(alike.items()):
        print(f"{min(keys)}{f' (and {len(keys) - 1} more)' if len(keys) > 1 else ''}\n    {text}\n")
    for command, count in sorted(counts.items()):
        print(f"{command}: {count} cases differ")
    print(f"{sum(counts.values())} of {len(was | now)} cases differ")
    return 1 if counts else 0


def changed(base=None):
    base = base or output("git", "-C", ROOT, "merge-base", "main", "HEAD", text=True).strip()
    with tempfile.TemporaryDirectory() as work:
        os.mkdir(tree := pathlib.Path(work, "base"))
        output("tar", "-x", "-C", tree, input=output("git", "-C", ROOT, "archive", base))
        for name, root in (("before", tree), ("after", ROOT)):
            output(root / "scripts/build.sh", "build", env={**os.environ, "TARGET": "ocelotl-cli"})
            make(f"{work}/{name}", root / "build/ocelotl-cli", False)
        return compare(f"{work}/before", f"{work}/after")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n", 1)[1])
    parser.add_argument("mode", choices=("make", "compare", "changed"))
    parser.add_argument("names", nargs="*")
    parser.add_argument("--cli", default=ROOT / "build/ocelotl-cli")
    parser.add_argument("--quick", action="store_true")
    asked = parser.parse_args()
    return {"make": functools.partial(make, cli=asked.cli, quick=asked.quick),
            "compare": compare, "changed": changed}[asked.mode](*asked.names)


if __name__ == "__main__":
    sys.exit(main())
