# snapshot: every file is what the command of its own writes; a folder that holds something else is
# left alone, and nothing is half-written.
need jq python3

example

# alike WHAT A B: two pictures but for their commands.
alike() {
    cmp -s <(grep -av '<command>' "$2") <(grep -av '<command>' "$3") || fail "$1"
}

# check_snapshot FOLDER TRACE OPTION...
check_snapshot() {
    local folder=$1 trace=$2 p slices
    shift 2
    cli snapshot "$@" "$trace" "$folder" >/dev/null || fail "no snapshot: $*"
    cli overview "$@" "$trace" -o expected.svg 2>/dev/null
    alike "$*: the picture" expected.svg "$folder/overview.svg"
    cli overview "$@" --json "$trace" 2>/dev/null | cmp -s - "$folder/parts.json" ||
        fail "$*: the parts as JSON"
    cli parts $(sed -E 's/--(width|height|theme) [a-z0-9]+//g' <<<"$*") --csv "$trace" 2>/dev/null |
        cmp -s - "$folder/parts.csv" || fail "$*: the parts"
    p=$(jq .p "$folder/parts.json")
    same "$*: p" "$p" "$(jq .p "$folder/parameters.json")"
    same "$*: parts" "$(jq '.parts | length' "$folder/parts.json")" \
        "$(jq .parts "$folder/parameters.json")"
    slices=$(jq .slices "$folder/parameters.json")
    same "$*: slices" $((slices + 1)) "$(wc -l <"$folder/slices.csv")"
    same "$*: the command" "$(cat "$folder/command.txt")" \
        "$(jq -r .command "$folder/parameters.json")"
    same "$*: the same command in the picture" 1 \
        "$(grep -cF "<command>$(cat "$folder/command.txt")</command>" "$folder/overview.svg")"
    python3 - "$folder" <<'END' || fail "$*: broken files"
import struct, sys, xml.etree.ElementTree as tree
for name in ("overview", "curves"):
    tree.parse(f"{sys.argv[1]}/{name}.svg")
with open(f"{sys.argv[1]}/overview.png", "rb") as file:
    head = file.read(24)
width, height = (float(tree.parse(f"{sys.argv[1]}/overview.svg").getroot().get(side))
                 for side in ("width", "height"))
assert head[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", head[16:]) == (width, height), head
END
}
check_snapshot first trace.db --slices 20
check_snapshot second trace.db --slices 30 --p 0.4 --width 900 --height 500 --from 50ms --to 150ms
check_snapshot third trace.db --slices 12 --parts 9 --resource nancy/griffon --theme dark
check_snapshot median trace.db --slices 20 --statistic median
! cmp -s first/parts.csv median/parts.csv || fail "a median is the mean"
cli sweep --csv --slices 20 trace.db | cmp -s - first/levels.csv || fail "the levels"
cli sweep --slices 20 --p "$(jq .p first/parts.json)" -o curves.svg trace.db >/dev/null
alike "the curves" curves.svg first/curves.svg
cli stats --csv trace.db | cmp -s - first/statistics.csv || fail "the statistics"
cli stats --csv --from 50ms --to 150ms trace.db | cmp -s - second/statistics.csv ||
    fail "the statistics of a window"
near "the axis begins" 0.05 "$(sed -n 2p second/slices.csv | cut -d, -f2)" 1e-9
near "the axis ends" 0.15 "$(tail -n 1 second/slices.csv | cut -d, -f3)" 1e-9
[ ! -e first/mine ] && [ -s first/levels.csv ] || fail "files of a snapshot"

# A matrix has no totals, and its slices no time.
printf 'path,type,slice,value\na,x,0,1\na,x,3,2\nb,x,1,3\n' >matrix.csv
cli snapshot matrix.csv matrix >/dev/null
[ ! -e matrix/statistics.csv ] || fail "statistics of a matrix"
same "slices of a matrix" "slice 0 1 2 3" "$(paste -sd ' ' matrix/slices.csv)"

# A zip has the same files, whatever reads it.
cli snapshot --slices 20 trace.db -o first.zip
mkdir unpacked && python3 -c 'import zipfile; z = zipfile.ZipFile("first.zip")
assert z.testzip() is None; z.extractall("unpacked")'
diff -r first unpacked >diff.out || fail "the zip: $(head -c 300 diff.out)"

# Going on from it.
cli --again first --p 0.3 -o again.svg
cli --slices 20 --p 0.3 trace.db -o expected.svg
alike "--again" expected.svg again.svg
cli --again first.zip --p 0.3 -o from-zip.svg
alike "--again of a zip" expected.svg from-zip.svg
python3 - <<'END'
import random, zipfile
with zipfile.ZipFile("packed.zip", "w", zipfile.ZIP_STORED) as packed:  # as others pack a folder
    packed.write("first/parts.csv")
    packed.write("first/overview.svg")
    packed.comment = b"kept"
whole = open("first.zip", "rb").read()
open("cut.zip", "wb").write(whole[:len(whole) // 2])
random.seed(3)
for number in range(40):
    broken = bytearray(whole)
    for _ in range(random.randrange(1, 40)):
        place = random.randrange(len(broken)) if number % 2 else -random.randrange(1, 700)
        broken[place] = random.randrange(256)
    open(f"broken{number}.zip", "wb").write(broken)
with zipfile.ZipFile("other.zip", "w") as other:
    other.writestr("notes.txt", "no picture")
END
cli --again packed.zip --p 0.3 -o packed.svg
alike "--again of a folder that others packed" expected.svg packed.svg
refused 1 'cut.zip: the zip is damaged, expected a snapshot' --again cut.zip -o x.svg
refused 1 'other.zip: the zip has no overview.svg, expected a snapshot' --again other.zip -o x.svg
for number in $(seq 0 39); do
    code=0
    cli --again "broken$number.zip" --p 0.3 -o broken.svg >/dev/null 2>broken.err || code=$?
    [ "$code" -le 1 ] || fail "a broken zip, $number: exit code $code: $(head -c 300 broken.err)"
    [ "$code" -eq 1 ] || alike "a broken zip, $number" expected.svg broken.svg
done
refused 1 'matrix2: is a folder without overview.svg' --again "$(mkdir matrix2 && echo matrix2)"

# An earlier snapshot is replaced as a whole, an empty folder filled; all else is left alone.
mkdir empty && cli snapshot --slices 20 trace.db empty/ >/dev/null && [ -s empty/command.txt ] ||
    fail "an empty folder"
cp -r third replaced
same "what is printed" replaced "$(cli snapshot --slices 20 trace.db replaced)"
diff -r first replaced >diff.out || fail "a snapshot that was replaced: $(head -c 300 diff.out)"
cp -r first mixed && echo mine >mixed/notes.txt && cp -r mixed kept
refused 1 'mixed: holds "notes.txt", which is no file of a snapshot' snapshot trace.db mixed
diff -r kept mixed || fail "a folder of somebody else was changed"
# What somebody changed since is kept, but for --force; a file that is gone is no loss.
for name in command.txt overview.svg overview.png curves.svg levels.csv parts.csv parts.json \
    statistics.csv slices.csv parameters.json; do
    for how in append flip; do
        rm -rf changed && cp -r first changed
        if [ $how = append ]; then
            echo mine >>changed/$name
        else
            python3 -c 'import sys; path = sys.argv[1]; bytes = bytearray(open(path, "rb").read())
bytes[len(bytes) // 2] ^= 1; open(path, "wb").write(bytes)' changed/$name
        fi
        rm -rf kept && cp -r changed kept
        refused 1 "changed: holds \"$name\", which is not what a snapshot wrote" \
            snapshot --slices 20 trace.db changed
        diff -r kept changed || fail "a changed $name was replaced"
    done
done
rm -rf changed && cp -r first changed && rm changed/levels.csv
cp changed/parts.csv changed/curves.svg
refused 1 'changed: holds "curves.svg", which is not' snapshot --slices 20 trace.db changed
cli snapshot --slices 20 --force trace.db changed >/dev/null
diff -r first changed || fail "--force does not replace a changed file"
rm changed/levels.csv && cli snapshot --slices 20 trace.db changed >/dev/null
diff -r first changed || fail "a file that was gone"
refused 1 'mixed: holds "notes.txt", which is no file of a snapshot' snapshot --force trace.db mixed

# A zip is replaced where all in it is as a snapshot wrote it.
cp first.zip replaced.zip
for words in '--slices 12' '--slices 20'; do
    cli snapshot $words trace.db -o replaced.zip || fail "a zip of a snapshot is not replaced"
done
cmp first.zip replaced.zip || fail "the zip that was replaced"
cli snapshot matrix.csv -o matrix.zip && cli snapshot matrix.csv -o matrix.zip ||
    fail "a zip of a matrix is not replaced"
mkdir zips && python3 - <<'END'
import zipfile
with zipfile.ZipFile("first.zip") as first:
    files = {name: first.read(name) for name in first.namelist()}

def pack(zip_name, pairs, comment=b""):
    with zipfile.ZipFile(f"zips/{zip_name}.zip", "w", zipfile.ZIP_DEFLATED) as to:
        for name, content in pairs:
            to.writestr(name, content)
        to.comment = comment

for changed in files:
    for how, content in (("appended", files[changed] + b"mine\n"),
                         ("flipped", bytes([files[changed][0] ^ 1]) + files[changed][1:])):
        pack(f"{how}-{changed}", [(name, content if name == changed else kept)
                                  for name, kept in files.items()])
pack("more", [*files.items(), ("notes.txt", b"mine")])
pack("inside", [*files.items(), ("mine/parts.csv", b"mine")])
pack("unsealed", [pair for pair in files.items() if pair[0] != "parameters.json"])
pack("comment", files.items(), b"mine")
pack("foreign", [("levels.csv", b"mine")])
pack("empty", [])
whole = open("first.zip", "rb").read()
open("zips/cut.zip", "wb").write(whole[:len(whole) // 2])
open("zips/longer.zip", "wb").write(whole + b"\0mine")
END
cp broken*.zip zips/
for theirs in zips/*.zip; do
    cp "$theirs" kept.zip
    refused 1 'is no snapshot as ocelotl-cli wrote it; use --force to replace it' \
        snapshot --slices 20 trace.db -o "$theirs"
    cmp kept.zip "$theirs" || fail "$theirs was replaced"
done
cli snapshot --slices 20 --force trace.db -o zips/more.zip
cmp first.zip zips/more.zip || fail "--force does not replace a zip"

mkdir foreign && echo mine >foreign/levels.csv
refused 1 'foreign: holds files that are no snapshot' snapshot trace.db foreign
same "a foreign file" mine "$(cat foreign/levels.csv)"
refused 1 'trace.db: is a file, expected a folder to write' snapshot trace.db trace.db
refused 1 'none/in/it' snapshot --slices 5 trace.db none/in/it
refused 2 'expected a folder behind the TRACE, or -o X.zip' snapshot trace.db
refused 2 'expected a folder behind the TRACE, or -o X.zip' snapshot trace.db a -o b.zip
[ ! -e never ] || fail "a refused snapshot left a folder"
code=0
cli snapshot no-such-trace.db never >/dev/null 2>&1 || code=$?
[ "$code" -eq 1 ] && [ ! -e never ] || fail "a trace that is not there: $code"
no_rest "snapshots"
