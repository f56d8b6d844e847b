# Ctrl-C, SIGTERM and a hang-up end every command soon, by the signal, with its target absent or
# whole and nothing left beside it. OCELOTL_TEST_SIGNALS=EVENTS,ROUNDS enlarges the trace and the
# number of signals.
need python3 zstd

cat >signals.py <<'END'
import itertools, os, paje, random, re, resource, shlex, shutil, signal, subprocess, sys, time

events, rounds = (int(number) for number in os.environ.get("OCELOTL_TEST_SIGNALS", "100000,1").split(","))
random.seed(11)
cli, failures, worst, ended = os.environ["OCELOTL_CLI"], 0, 0, 0
os.environ["TMPDIR"] = os.path.abspath("tmp")
os.mkdir("tmp")

# The caller of this test may ignore signals; the program would then ignore them, too.
for number in (signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_DFL)

SIGNALS = itertools.cycle([signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE])
RESOURCES = 64
with open("run.trace", "w") as file:
    file.write(paje.head("DefineContainerType DefineStateType CreateContainer SetState") + "\n")
    file.write("0 H 0 host\n1 S H state\n")
    file.writelines(f"2 0 h{i} H 0 h{i}\n" for i in range(RESOURCES))
    ticks = 0
    for event in range(events):
        ticks += random.randrange(1, 9)
        file.write(f"3 {ticks / 1e6:.6f} S h{event % RESOURCES} v{random.randrange(8)}\n")
subprocess.run(["zstd", "-q", "-1", "run.trace"], check=True)
subprocess.run([cli, "import", "run.trace", "-o", "run.db"], check=True, stdout=subprocess.DEVNULL)

COMMANDS = """import run.trace -o out.db
import run.trace.zst -o out.db
info run.trace.zst
--no-cache run.db -o out.svg
--no-cache run.db -o out.png
--no-cache run.db -o out.json
--no-cache run.db -o out.html
--no-cache run.trace.zst --hierarchy auto -o out.svg
sweep --no-cache --all run.db
stats --from 10% --to 90% run.db
gantt run.db -o out.svg
snapshot run.db out
snapshot run.db -o out.zip
series run.db -o out.csv
compare --no-cache run.db run.db -o out.svg
export run.db -o out.csv
export --format pjdump run.db
sql run.db 'SELECT count(*), sum(duration) FROM events'""".split("\n")

def rest():
    return [os.path.join(folder, name) for folder, folders, names in os.walk(".") for name in names + folders
            if ".partial-" in name or "uncached" in name]

def fail(*what):
    global failures
    failures += 1
    print("FAILED:", *what, file=sys.stderr)

def remove(name):
    if name and os.path.exists(name):
        os.remove(name)

def content(name):
    """What is in a file, without what each run makes anew: dates, identities."""
    with open(name, "rb") as file:
        found = file.read()
    if found.startswith(b"SQLite"):
        return subprocess.run([cli, "export", name], check=True, capture_output=True).stdout
    return re.sub(rb"/CreationDate.*", b"", found)

def start(words, **streams):
    return subprocess.Popen([cli, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **streams)

def spent(process):
    """The seconds of work of all children, this one as well, which has not ended: those of a clock
    say more of what else the machine does."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        with open(f"/proc/{process.pid}/stat") as file:
            own = sum(int(ticks) for ticks in file.read().rsplit(")", 1)[1].split()[11:13])
    except FileNotFoundError:
        own = 0
    return before.ru_utime + before.ru_stime + own / os.sysconf("SC_CLK_TCK")

def end(process, words, number):
    """Asks it to end; how it did. What only a stuck program takes is allowed: tests may share the machine."""
    global worst
    process.send_signal(number)
    asked = spent(process)
    try:
        error = process.communicate(timeout=300)[1]
    except subprocess.TimeoutExpired:
        fail(words, "goes on after", number)
        process.kill()
        error = process.communicate()[1]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    worst = max(worst, after.ru_utime + after.ru_stime - asked)
    if process.returncode not in (0, -number):
        fail(words, number, "exit code", process.returncode, error[:300])
    left = rest()
    if left:
        fail(words, number, "left", [[name, os.listdir(name) if os.path.isdir(name) else 0] for name in left])
        for name in left:
            subprocess.run(["rm", "-rf", name], check=True)

def check(command):
    """Whenever the signal comes, the target is the old one, or the new one and the program is done."""
    global ended
    words = shlex.split(command)
    target = words[words.index("-o") + 1] if "-o" in words else None
    words += ["--force"] if target or words[0] == "snapshot" else []
    begun = time.monotonic()
    subprocess.run([cli, *words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    longest, whole = time.monotonic() - begun, target and content(target)
    for number in itertools.islice(SIGNALS, 2 * rounds):
        if target:
            with open(target, "w") as file:
                file.write("old")
        process = start(words, stdin=subprocess.DEVNULL)
        try:
            process.wait(longest * random.choice([random.uniform(0, 1), random.uniform(0.8, 1)]))
        except subprocess.TimeoutExpired:
            pass
        end(process, words, number)
        ended += process.returncode != 0
        if target and process.returncode != 0 and content(target) != b"old":
            fail(words, number, "replaced its target, with exit code", process.returncode)
        elif target and process.returncode == 0 and content(target) != whole:
            fail(words, number, "is done, with a target that is not whole")

def stuck(signals):
    """Nobody reads what is said once the target is in its place."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    try:
        while os.write(writer, bytes(4096)):
            pass
    except BlockingIOError:
        os.set_blocking(writer, True)
    before = os.stat("out.db").st_ino
    process = subprocess.Popen([cli, "import", "--force", "run.trace", "-o", "out.db"], stdout=writer)
    os.close(writer)
    while os.stat("out.db").st_ino == before and process.poll() is None:
        time.sleep(0.01)
    for number in signals:
        time.sleep(0.1)
        process.send_signal(number)
    if len(signals) == 1:
        with open(reader, "rb") as said:
            if b"out.db" not in said.read():
                fail("what is done was not said")
    process.wait(timeout=300)
    if process.returncode != 0 or rest():
        fail("stuck", signals, process.returncode, rest())

for command in COMMANDS:
    check(command)
stuck([signal.SIGTERM])
stuck([signal.SIGINT, signal.SIGINT])

# Input that does not come, and input that never ends; what is ignored stays so.
os.mkfifo("quiet")
for words in (["info", "-"], ["import", "quiet", "-o", "out.db"]):
    remove("out.db")
    process = start(words, stdin=subprocess.PIPE)
    time.sleep(0.3)
    end(process, words, signal.SIGTERM)
    if process.returncode == 0:
        fail(words, "is done without input")
with open("/dev/zero", "rb") as zeros:
    process = start(["info", "-"], stdin=zeros)
    time.sleep(0.3)
    end(process, ["info", "-"], signal.SIGINT)
process = start(["info", "run.db"], preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
process.send_signal(signal.SIGHUP)
process.communicate()
if process.returncode != 0:
    fail("nohup:", process.returncode)

if ended < len(COMMANDS) * rounds / 2:
    fail("only", ended, "commands were ended")
if worst > 2:
    fail("it took", worst, "seconds of work to end")
print(f"{ended} commands were ended, after {worst:.3f} s of work at most")
sys.exit(failures > 0)
END
python3 signals.py || fail "signals"
