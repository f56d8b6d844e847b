#!/usr/bin/env bash
# Draws every trace below a folder at the program's own choice, and scores the pictures.
#
#     bench/first_look.sh DIR [OPTION...]       OPTIONs are given to ocelotl-cli, as --plain
#
# A line a trace: the share of the commonest colour in the plot, that of white and hatching, parts,
# the loss in percent of the whole's, seconds (import and picture). Colours whose red, green and
# blue agree to a sixteenth are one. OCELOTL_CLI is the program, KEEP a folder that keeps the
# pictures. Archives (.tar.zst) are unpacked first; hostile folders are passed over.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
export OCELOTL_CLI=${OCELOTL_CLI:-$root/build/ocelotl-cli} ROOT=$root
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
dir=$(cd "$1" && pwd)
shift
python3 - "$dir" "$work" "$@" <<'END'
import collections, json, os, pathlib, re, subprocess, sys, time
sys.path.insert(0, os.environ["ROOT"] + "/scripts")
import montage
CLI, KEEP = os.environ["OCELOTL_CLI"], os.environ.get("KEEP")
top, work, options = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
WHOLE = {"ctf", "otf2"}  # formats that are folders


def rows(folder):
    found = json.loads(subprocess.run([CLI, "list", "--json", folder], check=True,
                                      stdout=subprocess.PIPE).stdout)["traces"]
    return [(pathlib.Path(folder, row["name"]), row["format"], row["problem"]) for row in found]


def traces(folder):
    """Paths with their names, in order."""
    for path in sorted(pathlib.Path(folder).glob("*.tar.zst")):
        unpacked = work / path.relative_to(top).parent / path.name[:-8]
        unpacked.mkdir(parents=True)
        subprocess.run(["tar", "--zstd", "-xf", path, "-C", unpacked], check=True)
        row, = rows(unpacked.parent) if len(list(unpacked.parent.iterdir())) == 1 else \
            [r for r in rows(unpacked.parent) if r[0] == unpacked]
        yield from [unpacked] if row[2] is None and row[1] in WHOLE else traces(unpacked)
    known = {path: (format, problem) for path, format, problem in rows(folder)}
    for path in sorted(pathlib.Path(folder).iterdir()):
        format, problem = known.get(path, (None, None))
        if path.name == "hostile" or path.name.endswith(".tar.zst"):
            continue
        if path.is_dir() and not (format in WHOLE and any(
                n.name == "metadata" or n.suffix == ".otf2" for n in path.iterdir())):
            yield from traces(path)
        elif format is not None and problem is None:
            yield path


def plots(svg):
    """The rectangles of the plots: what surrounds their parts."""
    for group in re.findall(r'<g class="(?:parts|columns|cells)".*?(?=<g class="(?:borders|lifetimes|axis|legend|parts)")',
                            svg, re.S):
        boxes = [tuple(map(float, box)) for box in re.findall(
            r'(?: x="|M)([\d.-]+)(?:" y="| )([\d.-]+)(?:" width="|h)([\d.]+)(?:" height="|v)'
            r'([\d.]+)', group)]
        if boxes:
            yield (min(b[0] for b in boxes), min(b[1] for b in boxes),
                   max(b[0] + b[2] for b in boxes), max(b[1] + b[3] for b in boxes))


def score(name):
    svg = (work / "x.svg").read_text()
    pixels = montage.read(work / "x.png")
    seen, white, count = collections.Counter(), 0, 0
    for left, top_, right, bottom in map(lambda b: map(round, b), plots(svg)):
        for row in pixels[top_:bottom]:
            for i in range(left * 3, right * 3, 3):
                r, g, b = row[i:i + 3]
                count += 1
                white += (r > 245 and g > 245 and b > 245) or (r, g, b) == (0xa8, 0xb0, 0xb8)
                seen[r >> 4, g >> 4, b >> 4] += 1
    if KEEP:
        for suffix in "svg", "png":
            os.replace(work / f"x.{suffix}", pathlib.Path(KEEP, f"{name}.{suffix}"))
    figure = lambda key: float(re.search(f"<{key}>([^<]*)", svg).group(1))
    loss = figure("loss") / figure("whole_loss") if figure("whole_loss") > 0 else 0
    return (max(seen.values()) / count if count else 1, white / count if count else 1,
            int(figure("parts")), loss)


print("one colour  white  parts   loss     s  trace")
pictures, failed = [], 0
for path in traces(top):
    base = work if work in path.parents else top
    name = str(path.relative_to(base))
    begun = time.monotonic()
    words = [CLI, path, "--no-defaults", "--no-cache", *options]
    process = subprocess.run([*words, "-o", work / "x.png", "--force"], stderr=subprocess.PIPE,
                             text=True)
    seconds = time.monotonic() - begun
    if process.returncode == 0:
        process = subprocess.run([*words, "-o", work / "x.svg", "--force"], stderr=subprocess.PIPE,
                                 text=True)
    if process.returncode != 0:
        failed += 1
        print(f"{'-':>10} {'-':>6} {'-':>6} {'-':>6} {seconds:5.1f}  {name}: "
              f"{process.stderr.strip().splitlines()[-1][-100:]}")
        continue
    one, white, parts, loss = score(re.sub(r"[^\w.-]", "_", name))
    pictures.append((one, white))
    print(f"{one:10.1%} {white:6.1%} {parts:6} {loss:6.1%} {seconds:5.1f}  {name}", flush=True)
count = max(1, len(pictures))
one = sum(p[0] > .85 for p in pictures)
print(f"{len(pictures)} pictures, {failed} refused: one colour over 85 % in {one} ({one / count:.0%}), "
      f"over 90 % white {sum(p[1] > .9 for p in pictures)}, all white {sum(p[1] > .995 for p in pictures)}")
END
