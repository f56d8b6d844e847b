# Every text format, compressed in every way, called anything, and with the lines of Windows: the
# same trace as of the plain file. What is cut says where; --lenient reads what is whole.
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
zstd -qdc "$sample" >whole.trace
head -n 3000 whole.trace >texts/run.trace
python3 "$OCELOTL_ROOT/examples/pytorch_ranks.py" 1 . >/dev/null
gzip -dc rank0.json.gz >texts/run.json
echo '{"shared":{"frames":[{"name":"a"},{"name":"b"}]},"profiles":[' >texts/run.scope
seq 0 999 | awk '{ print ($1 ? "," : "") "{\"type\":\"sampled\",\"name\":\"p" $1 "\","
    print "\"samples\":[[0],[0,1]],\"weights\":[" 1 + $1 * $1 % 977 ",7]}" } END { print "]}" }' \
    >>texts/run.scope
seq 0 999 | awk 'BEGIN { print "#Paraver (21/01/22 at 16:37):9000_ns:1(2):1:2(1:1,1:1)" }
    { print "1:1:1:1:1:" 9 * $1 ":" 9 * $1 + 9 ":" $1 % 7 }' >texts/run.prv
seq 0 999 | awk 'BEGIN { print "time,resource,type,value" }
    { print $1 "," $1 % 3 ",S," $1 * $1 % 7 }' >texts/run.csv
seq 100000 100999 | awk '{ print "run 1/1 [000] 1." $1 ": cpu-clock: " $1 * $1 % 7 " main (run)" }' \
    >texts/run.perf
seq 100000 100999 | awk '{ print " run-1 [000] 1." $1 ": sample: " $1 * $1 % 7 }' >texts/run.ftrace
seq 100000 100999 | awk '{ print "0:00:01.000" $1 " 100 0x2192200 INFO G a.c:1:f: text " $1 * $1 }' \
    >texts/run.log
seq 0 999 | awk '{ print "-3 " 1 + $1 * $1 % 7, $1 / 1000, "0 0 0" }' >texts/run.picl
seq 0 999 | awk '{ print $1, 9 * $1, $1 % 7, 40 + $1 % 5, "4 -1 -1 4 -1 -1 1 1 1 1 1 -1 -1 -1" }' \
    >texts/run.swf
seq 1 1000 | awk '{ print $1 / 20 ",run-" $1 % 3 "," $1 * $1 % 7 ",,cycles,100,100.00,," }' \
    >texts/run.stat
seq 0 999 | awk '{ print "@", $1, "7 run\n00400000 default N" $1 % 3 "=" 1 + $1 * $1 % 7 }' >texts/run.pages
{ printf '%s\n' 'v 10400 3' 'X run' 's 4 work' 'i 1 0 1' 't 1 0' 'a 10 1' && seq 0 999 |
    awk '{ printf "c %x\n+ 0\nR %x\n", 10 * $1, 1 + $1 * $1 % 7 }'; } >texts/run.heap
{ echo 'Container, 0, 0, 0, 999, 999, 0' && seq 0 998 |
    awk '{ print "State, 0, S, " $1 ", " $1 + 1 ", 1, 0, v" $1 * $1 % 7 }'; } >texts/run.dump

# One reader of files serves all formats: in all, each of them is packed in some ways.
for text in run.trace run.json run.scope run.prv run.csv run.perf run.ftrace run.log run.picl \
    run.swf run.pages run.stat run.heap run.dump; do
    for way in gz zst xz bz2 stored deflated pipe; do echo "$text $way"; done
done | thin 3 >packed
while read -r text way; do
    quiet "texts/$text" --name run -o plain.db
    program=$(sed 's/^gz$/gzip/; s/^zst$/zstd/; s/^bz2$/bzip2/; s/^[sdp].*/python3/' <<<"$way")
    command -v "$program" >/dev/null || continue
    (cd texts && pack "$way" "$text") >some.file
    if ! cli import --force some.file --name run -o packed.db >/dev/null 2>packed.err; then
        like packed.err "Debian's lib.*-dev"
        continue
    fi
    same "$text as $way" "$(uid plain.db)" "$(uid packed.db)"
    size=$(stat -c %s some.file)
    head -c $((size - 20 - size / 9)) some.file >cut.file
    refused 1 'the compressed data ends too early, expected the rest of its ' \
        import cut.file -o none.db
    like refused.err "cut.file[:0-9]*: .* behind byte [0-9]"
    [ "$text" != run.prv ] || continue # has its names beside it, where it is no pipe
    quiet - --name run -o packed.db <some.file
    same "$text as $way in a pipe" "$(uid plain.db)" "$(uid packed.db)"
done <packed
for text in texts/*; do
    quiet "$text" --name run -o plain.db
    sed 's/$/\r/' "$text" >some.file
    quiet some.file --name run -o packed.db
    same "$text with lines of Windows" "$(exported plain.db)" "$(exported packed.db)"
done

# What is whole of a cut one, with a warning that says where it is cut.
while read -r text way; do
    pack "$way" "texts/$text" >rank.file
    head -c $(($(stat -c %s rank.file) / 2)) rank.file >cut.file
    cli import --force cut.file --lenient -o cut.db >/dev/null 2>&1 || continue # not in this build
    cli info cut.db --json >info.json
    holds "$text, $way, lenient" info.json '[.event_types[].count] | add > 20'
    holds "$text, $way, where" info.json \
        '.warnings | any(.detail | test("cut.file:[0-9]+: the compressed data ends too early"))'
done <<'END'
run.json gz
run.json zst
run.json bz2
run.scope gz
run.json pipe
run.perf gz
run.log gz
run.picl gz
run.swf gz
run.pages gz
run.stat gz
run.heap zst
END

(cd texts && pack_zip deflated ../two.zip run.trace run.csv)
refused 1 'the zip archive holds a second file, expected one alone; --lenient imports what' \
    import two.zip -o none.db
