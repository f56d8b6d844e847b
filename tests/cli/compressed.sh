# Every text format, compressed in every way and called anything: the same trace as of the plain
# file. What is cut says where; --lenient reads what is whole.
# shellcheck source=common.inc disable=SC2154
. "$(dirname "$0")/common.inc"
need python3

# A zip of files by Python's zipfile, an independent writer: zip HOW TARGET FILE...
pack_zip() {
    python3 - "$@" <<'PYTHON'
import sys, zipfile
how, target, names = sys.argv[1], sys.argv[2], sys.argv[3:]
class Pipe:  # cannot seek: sizes follow the data
    def __init__(self, file): self.file = file
    def write(self, data): return self.file.write(data)
    def flush(self): self.file.flush()
with open(target, "wb") as file:
    method = zipfile.ZIP_STORED if how == "stored" else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(Pipe(file) if how == "pipe" else file, "w", method) as packed:
        for name in names:
            packed.write(name)
PYTHON
}

pack() { # WAY FILE
    case "$1" in
    gz) gzip -c "$2" ;;
    zst) zstd -qc "$2" ;;
    xz) xz -c "$2" ;;
    bz2) bzip2 -c "$2" ;;
    *) pack_zip "$1" packed.zip "$2" && cat packed.zip && rm packed.zip ;;
    esac
}

mkdir texts
zstd -qdc "$OCELOTL_ROOT/examples/smpi-stencil-96.trace.zst" >whole.trace
head -n 3000 whole.trace >texts/run.trace
python3 "$OCELOTL_ROOT/examples/pytorch_ranks.py" 1 . >/dev/null
gzip -dc rank0.json.gz >texts/run.json
seq 0 999 | awk 'BEGIN { print "#Paraver (21/01/22 at 16:37):9000_ns:1(2):1:2(1:1,1:1)" }
    { print "1:1:1:1:1:" 9 * $1 ":" 9 * $1 + 9 ":" $1 % 7 }' >texts/run.prv
seq 0 999 | awk 'BEGIN { print "time,resource,type,value" }
    { print $1 "," $1 % 3 ",S," $1 * $1 % 7 }' >texts/run.csv

ways='gz zst xz bz2 stored deflated pipe'
for text in run.trace run.json run.prv run.csv; do
    cli import "texts/$text" --name run -o plain.db >plain.out 2>&1
    uid=$(cli info plain.db --json | jq -r .uid)
    for way in $ways; do
        case "$way" in
        gz) program=gzip ;;
        zst) program=zstd ;;
        xz) program=xz ;;
        bz2) program=bzip2 ;;
        *) program=python3 ;;
        esac
        command -v $program >/dev/null || continue
        (cd texts && pack "$way" "$text") >some.file
        if ! cli import some.file --name run -o packed.db >/dev/null 2>packed.err; then
            grep -q "Debian's lib.*-dev" packed.err || fail "$text $way: $(cat packed.err)"
            continue
        fi
        same "$text as $way" "$uid" "$(cli info packed.db --json | jq -r .uid)"
        rm packed.db
        size=$(stat -c %s some.file)
        head -c $((size - 20 - size / 9)) some.file >cut.file
        refused 1 'the compressed data ends too early, expected the rest of its ' \
            import cut.file -o none.db
        grep -q "cut.file[:0-9]*: .* behind byte [0-9]" refused.err ||
            fail "$text $way: $(cat refused.err)"
        [ "$text" != run.prv ] || continue # has its names beside it, where it is no pipe
        cli import - --name run -o packed.db <some.file >/dev/null 2>&1
        same "$text as $way in a pipe" "$uid" "$(cli info packed.db --json | jq -r .uid)"
        rm packed.db
    done
    rm plain.db
done

# What is whole of a cut one, with a warning that says where it is cut.
cp texts/run.json rank.json
for way in gz zst bz2 pipe; do
    pack $way rank.json >rank.file
    head -c $(($(stat -c %s rank.file) / 2)) rank.file >cut.file
    cli import cut.file --lenient -o cut.db >lenient.out 2>&1 || continue # not in this build
    cli info cut.db --json >info.json
    holds "$way, lenient" info.json '[.event_types[].count] | add > 20'
    holds "$way, where" info.json \
        '.warnings | any(.detail | test("^cut.file:[0-9]+: the compressed data ends too early"))'
    rm cut.db
done

(cd texts && pack_zip deflated ../two.zip run.trace run.csv)
refused 1 'the zip archive holds a second file, expected one alone; --lenient imports what' \
    import two.zip -o none.db
finish
