# One line names what is wrong with the input or the request. The exit code is right, no file is
# half-written, and nothing crashes.
need xmllint

cp "$sample" run.trace.zst
unpack run.trace.zst >run.trace
cli import run.trace -o good.db >/dev/null
printf 'path,type,slice,value\na,x,0,1\nb,x,1,2\n' >good.csv
mkdir folder folder.svg folder.json folder.db

# --- What the input is

# no_input MESSAGE NAME: whichever command is given it.
no_input() {
    refused 1 "$1" import "$2" -o out.db
    refused 1 "$1" --slices 10 "$2" -o out.svg
    refused 1 "$1" sweep "$2" -o out.json
    refused 1 "$1" info "$2"
    [ ! -e out.db ] && [ ! -e out.svg ] && [ ! -e out.json ] || fail "$2 left a file"
}

no_input 'nosuch.trace: cannot open: No such file or directory' nosuch.trace
no_input 'folder/nosuch.db: cannot open: No such file or directory' folder/nosuch.db
no_input 'folder: is a directory, expected a file' folder/../folder
: >empty.trace
no_input 'empty.trace: is empty, expected a trace' empty.trace
gzip -c empty.trace >empty.trace.gz
no_input 'empty.trace.gz: is empty, expected a trace' empty.trace.gz
refused 1 'standard input: is empty, expected a trace' import - -o out.db </dev/null
printf 'Hello, world.\n' >text.trace
no_input 'text.trace: is of no format that is known' text.trace
head -c 5000 /dev/zero >zero.trace
no_input 'zero.trace: is of no format that is known' zero.trace
head -c 20000 run.trace.zst | tail -c 19000 >noise.trace
no_input 'noise.trace: is of no format that is known' noise.trace
printf '\n\n' >blank.trace
no_input 'blank.trace: ' blank.trace

# Cut off in the middle: of a plain one that is known where a line is cut (salvage.sh has others).
gzip -c run.trace >run.trace.gz
{ head -c 40000 run.trace.gz && printf 'XXXXXXXX' &&
    tail -c +40009 run.trace.gz; } >damaged.trace.gz
# The damage may show in a line before it does in the sum at the end.
no_input 'damaged.trace.gz:' damaged.trace.gz
head -n 20 run.trace >cut.trace
no_input 'cut.trace:20: ' cut.trace
awk '{ print } NR == 1500 { exit }' run.trace | head -c -12 >cut.trace
no_input 'cut.trace:1500: ' cut.trace
# A trace cut between two lines looks whole: its lines are read, and open states end with it.
head -n 1500 run.trace >between.trace
cli import between.trace -o between.db >/dev/null 2>&1 || fail "a trace that ends between two lines"

# --- A trace.db that cannot be used

if command -v sqlite3 >/dev/null; then
    cp good.db version.db
    sqlite3 version.db 'PRAGMA user_version = 99'
    bad_db() {
        refused 1 "$1" --slices 10 "$2" -o out.svg
        refused 1 "$1" sweep "$2"
        refused 1 "$1" info "$2"
        [ ! -e out.svg ] || fail "$2 left a picture"
    }
    bad_db 'version.db: ' version.db
    has refused.err '99'
    sqlite3 foreign.db 'CREATE TABLE t(x); INSERT INTO t VALUES (1)'
    bad_db 'foreign.db: ' foreign.db
    cp good.db hollow.db
    sqlite3 hollow.db 'DROP TABLE chunk'
    refused 1 'hollow.db: ' --slices 10 hollow.db -o out.svg
    cp good.db meta.db
    sqlite3 meta.db 'DELETE FROM meta'
    bad_db 'meta.db: ' meta.db
    for length in 20 100 4096 20000 100000; do
        head -c $length good.db >cut.db
        bad_db 'cut.db: ' cut.db
    done
fi

# --- A trace without what is drawn

paje_definitions SetState DefineVariableType SetVariable DestroyContainer >header.trace
stateless() { # MESSAGE ARGUMENT...
    local message=$1
    shift
    cli import stateless.trace -o stateless.db >/dev/null ||
        fail "a trace without a state is not imported"
    refused 1 "stateless.db: $message" "$@" stateless.db -o out.svg
    refused 1 "stateless.db: $message" sweep "$@" stateless.db
    cli info stateless.db >/dev/null || fail "no info of a trace without a state"
    rm stateless.db
}
no_input 'header.trace: holds definitions alone, expected events' header.trace
{ cat header.trace && printf '0 N 0 Node\n2 0 n N 0 "node 1"\n2 0 m N 0 "node 2"\n'; } \
    >stateless.trace
stateless 'holds no event that could be drawn; it holds 2 resources'
{ cat header.trace && printf \
    '0 N 0 Node\n2 0 n N 0 "node 1"\n4 V N Power\n5 1 V n 3\n5 2.5 V n 4\n'; } >stateless.trace
stateless 'has no state for the metric state-duration, expected one of event-count, variable-mean' \
    --metric state-duration

# --- Names

# Letters are drawn, or an error names those that no font here has, and no picture is written.
drawn_or_lacking() { # NAME PICTURE
    rm -f "$2"
    if cli --slices 5 --p 0 strange.db -o "$2" 2>lacking.err; then
        [ -s "$2" ] || fail "the name $1 is not drawn in $2"
    else
        has lacking.err 'no installed font has the character'
        [ ! -e "$2" ] || fail "$2 is there, though no font has the letters of $1"
    fi
}

# A tiny trace whose resource, state and value have strange names, in a file with another.
strange() { # NAME
    {
        cat header.trace
        printf '0 N 0 "%s"\n1 S N "%s"\n2 0 n N 0 "%s"\n2 0 m N 0 plain\n' "$1" "$1" "$1"
        printf '3 0 S n "%s"\n3 1 S n other\n3 0 S m other\n3 1 S m "%s"\n3 4 S m other\n6 5 N n\n6 5 N m\n' "$1" "$1"
    } >"$1.trace"
    cli import "$1.trace" -o strange.db >/dev/null || fail "the name $1 is not imported"
    cli --slices 5 --p 0 strange.db -o strange.svg || fail "the name $1 is not drawn"
    xmllint --noout strange.svg 2>xml.err || fail "the name $1: $(head -2 xml.err)"
    drawn_or_lacking "$1" strange.png
    drawn_or_lacking "$1" strange.pdf
    cli --slices 5 --p 0 --json strange.db >strange.json
    if command -v jq >/dev/null; then
        holds "the name $1" strange.json '.parts | length > 1'
        cli info --json strange.db >info.json
        holds "info of the name $1" info.json '.events == 5'
    fi
    (cd folder && picture=$(cli --slices 5 ../strange.db) && [ -s "$picture" ]) ||
        fail "the default output of $1"
    rm -f folder/* strange.*
}
strange '<&'\'
strange $'not \xff\xfe UTF-8 \xc3'
strange $'controls \x01\x1b[31m\x7f'
strange $'wide \xe6\xb5\x8b\xe8\xaf\x95 \xf0\x9f\xa6\x81'
strange '..'
strange '%2F % %%s %n'
strange "$(printf '%0200d' 7)"
strange ']]> --> \n'
# In the names of resources a slash is no folder.
{ cat header.trace && printf \
    '0 N 0 Node\n1 S N State\n2 0 n N 0 "a/b"\n2 0 m N 0 c\n3 0 S n "x/y"\n3 1 S n z\n3 0 S m z\n6 2 N n\n'; } >slash.trace
cli import --name 'some/where <&">' slash.trace -o slash.db >/dev/null 2>&1
same "a default output with a slash" 'some_where <&">.svg' "$(cli --slices 2 slash.db)"
xmllint --noout 'some_where <&">.svg' || fail "a default output with a slash"
cli --slices 2 --p 0 --json slash.db | grep -q '"node":"a%2Fb"' || fail "a slash in a path"

# --- Requests

# wrong CODE MESSAGE ARGUMENT...: of the overview, of a trace.
wrong() {
    local code=$1 message=$2
    shift 2
    refused "$code" "$message" "$@" good.db -o out.svg
    [ ! -e out.svg ] || fail "$* left a picture"
}

wrong 2 '--p is 1.01, expected a number in [0, 1]' --p 1.01
wrong 2 '--p is -0.5, expected a number in [0, 1]' --p -0.5
wrong 2 '--p is nan, expected a number in [0, 1]' --p nan
wrong 2 '--p is inf, expected a number in [0, 1]' --p inf
wrong 2 '--p-raw is 2, expected a number in [0, 1]' --p-raw 2
wrong 2 '--p is "much", expected a number' --p much
wrong 2 '--p is "0.5x", expected a number' --p 0.5x
wrong 2 '--p is "", expected a number' --p ''
wrong 2 '--slices is 0, expected at least 1' --slices 0
wrong 2 '--slices is "-5", expected a whole number' --slices -5
wrong 2 '--slices is "1.5", expected a whole number' --slices 1.5
wrong 2 '--slices is "99999999999999999999", expected a whole number' --slices 99999999999999999999
wrong 1 'good.db: 289214 slices of 289213 ticks, expected at most one a tick' --slices 289214
wrong 1 'MiB of memory' --slices 100000
wrong 1 'MiB of memory' --slices 100000 --kind temporal
refused 1 'MiB of memory' sweep --slices 100000 good.db
wrong 2 '--kind is "other", expected spatiotemporal, temporal or spatial' --kind other
wrong 2 '--nesting is "x", expected innermost or inclusive' --nesting x
wrong 2 '--untraced is "x", expected type or ignore' --untraced x
wrong 1 'good.db: has no states of a type "Other", expected "MPI_STATE"' --state-type Other
for command in stats gantt export; do
    refused 1 'good.db: has no event type "mpi_stat"; the nearest is "MPI_STATE"' "$command" \
        --type mpi_stat good.db
done
wrong 2 '--threads is 0, expected at least 1' --threads 0
wrong 1 'threads are too many' --threads 100000000
wrong 2 '--width is 5, expected 320 to 20000' --width 5
wrong 2 '--height is 1e9, expected 320 to 20000' --height 1e9
wrong 2 '--width is nan, expected 320 to 20000' --width nan
wrong 2 '--width is "wide", expected a number' --width wide
refused 2 '"fortnight", expected s, ms, us or ns' import --time-unit fortnight run.trace -o out.db

# More slices than fit even before they are solved: refused with an estimate, not killed. The limit
# on memory protects the machine; the address sanitizer cannot live with it.
{ cat header.trace && printf \
    '0 N 0 Node\n1 S N State\n2 0.000000001 n N 0 n\n3 0.1 S n x\n3 1 S n y\n6 2 N n\n'; } \
    >fine.trace
cli import fine.trace -o fine.db >/dev/null
if ! grep -q '^OCELOTL_SANITIZE:BOOL=ON' "$OCELOTL_BUILD/CMakeCache.txt"; then
    for kind in spatiotemporal temporal spatial; do
        (failures=0; ulimit -v 6000000 &&
            refused 1 "MiB of memory" --kind $kind --slices 1500000000 fine.db -o out.svg &&
            finish) || fail "1500000000 slices, $kind"
    done
fi

# --- Usage

usage() { refused 2 "$@"; }

usage 'no command and no TRACE given; see ocelotl-cli --help'
usage 'no TRACE given; see ocelotl-cli overview --help' --p 0.5
usage 'no TRACE given' --
usage 'no TRACE given' import -o out.db
usage 'no file to write given, expected -o TRACE.db' import run.trace
usage 'the name of the TRACE is empty' ''
usage '"second.db" is one TRACE too many' good.db second.db
usage '"second.db" is one TRACE too many' sweep good.db second.db
usage '"treemop" is neither a command nor a file; the nearest command is treemap; see ocelotl-cli --help' treemop good.db
usage '"swep" is neither a command nor a file; the nearest command is sweep; see' swep
usage '"over" is neither a command nor a file; the nearest command is overview; see' over
usage '"nonsense" is neither a command nor a file; see ocelotl-cli --help' nonsense
usage 'unknown option --bogus; see ocelotl-cli overview --help' --bogus good.db
usage 'unknown option --bogus; see ocelotl-cli sweep --help' sweep --bogus=3 good.db
usage 'unknown option -x' -x good.db
usage 'unknown option -x' --json -xy good.db
usage 'unknown option -\xff' -$'\xff' good.db
usage 'unknown option --slices, which overview, sweep, parts and others have' info --slices 3 good.db
usage 'unknown option -p; the nearest is --p; see ocelotl-cli overview --help' -p 0.5 good.db
usage 'unknown option --part, which overview, sweep, parts and others have' treemap --part 3 good.db
usage 'unknown option --slces; the nearest is --slices; see ocelotl-cli overview --help' --slces=3 \
    good.db
usage 'unknown option --jsno; the nearest is --json; see ocelotl-cli info --help' info \
    --jsno good.db
usage 'unknown option --state-types; the nearest is --state-type; see ocelotl-cli stats' stats \
    --state-types good.db
usage "unknown option --$(printf 'x%.0s' {1..5000})" "--$(printf 'x%.0s' {1..5000})" good.db
usage 'option --on is cut too short: it may be --only or --only-resources; see ocelotl-cli sweep' \
    sweep --on x good.db
usage 'option --p needs a value' good.db --p
usage 'option --output needs a value' good.db --output
usage 'option -o needs a value' good.db -o
usage 'option --json takes no value' --json=yes good.db
usage 'option --help takes no value' sweep --help=me
usage '"more" is not expected' formats more
for command in '' overview import info sweep formats; do
    cli $command --help >help.txt 2>&1 || fail "$command --help"
    like help.txt '^Usage: ocelotl-cli'
    cli $command -h | cmp -s help.txt - || fail "$command -h is not --help"
done
# What looks like an option after -- is a name.
(cd folder && cp ../good.csv ./--p && cli --json -- --p >/dev/null) || fail "a TRACE called --p"
same "options in one word" "$(cli --p 0.2 --json good.csv)" \
    "$(cli good.csv --p=0.2 -oword.json && cat word.json)"

# --- Where to write

# keeps CODE NAME ARGUMENT...: refused, and the file that is there stays as it is.
keeps() {
    local code=$1 name=$2 message=$3 mine=mine
    shift 3
    case $name in
    *.svg) mine='<svg xmlns:o="urn:ocelotl:parameters"/>' ;;
    *.json) mine='{"kind":"spatial",}' ;;
    *.txt) mine='name       mine' ;;
    esac
    printf '%s' "$mine" >"$name"
    refused "$code" "$message" "$@" -o "$name"
    same "$name after $*" "$mine" "$(cat "$name")"
}
keeps 2 kept.svg '--p is 7' --p 7 good.db
keeps 1 kept.svg 'text.trace: ' text.trace
keeps 1 kept.json 'text.trace: ' text.trace
keeps 1 kept.db 'exists already' import run.trace
keeps 1 kept.db 'text.trace: ' import --force text.trace
keeps 1 kept.db 'cut.trace:1500: ' import --force cut.trace
keeps 1 kept.txt 'hollow' sweep hollow.db

: >file
for name in file/out nosuch/folder/out; do
    refused 1 "$name.svg: cannot write: " good.db -o $name.svg
    refused 1 "$name.png: cannot write: " good.db -o $name.png
    refused 1 "$name.json: cannot write: " good.db -o $name.json
    refused 1 "$name.txt: cannot write: " sweep good.db -o $name.txt
    refused 1 "$name.db: cannot write: " import run.trace -o $name.db
done
refused 1 'folder.svg: is a directory, expected the name of a file to write' good.db -o folder.svg
refused 1 'folder.json: is a directory, expected the name of a file to write' good.db -o folder.json
refused 1 'folder.json: is a directory, expected the name of a file to write' sweep good.db \
    -o folder.json
refused 1 'folder.db: is a directory, expected the name of a file to write' import \
    --force run.trace -o folder.db
refused 2 'the name of the file to write is empty' sweep good.db -o ''
# A device is written to, and not replaced.
same "the table to a device" "$(cli sweep good.csv)" "$(cli sweep good.csv -o /dev/stdout | cat)"
if [ -w /dev/full ]; then
    code=0
    cli sweep good.csv >/dev/full 2>full.err || code=$?
    same "the exit code when standard output is full" 1 $code
    has full.err 'standard output: cannot write: No space left'
fi

# --- Matrices

# matrix MESSAGE LINE...
matrix() {
    local message=$1
    shift
    printf '%s\n' 'path,type,slice,value' "$@" >bad.csv
    refused 1 "$message" bad.csv -o out.svg
    refused 1 "$message" sweep bad.csv
    [ ! -e out.svg ] || fail "$message left a picture"
}
matrix 'bad.csv:3: ' 'a,x,0,1' 'a,x,1,-1'
matrix 'bad.csv:2: ' 'a,x,0,inf'
matrix 'bad.csv:2: ' 'a,x,0,1e999'
matrix 'bad.csv:2: ' 'a,x,0,nan'
matrix 'bad.csv:2: ' 'a,x,0,one'
matrix 'bad.csv:2: ' 'a,x,0,'
matrix 'bad.csv:2: ' 'a,x,-1,1'
matrix 'bad.csv:2: ' 'a,x,1.5,1'
matrix 'bad.csv:2: ' 'a,x,4294967295,1'
matrix 'bad.csv:2: ' 'a,x,99999999999999999999,1'
matrix 'bad.csv:2: ' 'a,x,0'
matrix 'bad.csv:2: ' 'a,x,0,1,2'
matrix 'bad.csv:4: ' 'a,x,0,1' 'b,x,0,1' 'a,"x",0,2'
has refused.err 'line 2'
matrix 'bad.csv:4: ' 'a,x,0,0' 'b,x,0,1' 'a,x,0,0'
matrix 'bad.csv' 'a,x,0,"1'
matrix 'bad.csv'
# Where slices are many and values few, they are refused or solved, not tried.
if ! grep -q '^OCELOTL_SANITIZE:BOOL=ON' "$OCELOTL_BUILD/CMakeCache.txt"; then
    (ulimit -v 6000000 && matrix 'MiB of memory' 'a,x,0,1' 'a,x,999999,1' && finish) ||
        fail "1000000 slices of a matrix"
fi
printf 'path,type,slice,value\n"a%%2Fb/<&>",x,0,1e307\n"\xff",x,1,1e-308\n' >large.csv
cli large.csv -o large.svg || fail "large values"
xmllint --noout large.svg || fail "the picture of large values"
if command -v jq >/dev/null; then
    cli --p 0.5 --json large.csv | jq . >/dev/null || fail "the JSON of large values"
    for command in overview sweep parts treemap; do
        cli $command --json large.csv >large.json || fail "$command of large values"
        holds "$command of large values" large.json \
            '[.. | objects | select(has("gain")) | .gain, .loss] | length > 0 and all(. != null)'
    done
fi
# Gains that no number holds are refused.
matrix 'give them in a larger unit' 'a,x,0,1.7e308' 'a,x,1,1e308' 'b,x,0,3' 'b,x,1,1.2e308'

# Recordings of other programs: each says what it is, and what makes something to read of it.
printf '\027\010\104tracing6\0' >trace.dat
printf '[12:00:01.000000001] (+0.000000123) host a:b: { cpu_id = 0 }, { x = 1 }\n' >bt2.txt
printf 'FLR\0\0\002' >x.jfr
printf 'PERFILE2\0' >perf.data
printf 'any bytes' | tee x.nsys-rep >x.qdrep
python3 - <<'END'
import sqlite3
tables = {"rocpd": "rocpd_string_1", "nsys": "StringIds", "other.db": "x"}
for name, table in tables.items():
    with sqlite3.connect(name) as file:
        file.execute(f"CREATE TABLE {table} (a)")
END
gzip rocpd nsys
printf '\n\4\b\1\20\2\n\4\b\3\20\4\0' | gzip >pprof.gz
printf 'go 1.22 trace\0\0\0' >go.out
python3 -c 'import cProfile; cProfile.run("sum([1])", "python.prof")'
printf '# callgrind format\nversion: 1\n' >callgrind.out
printf 'tr\375P\1\4' >tracy1
printf 'tlZ\4abc' >tracy2
printf '3.41\0\0\0\0\067\065\144\0\0\0\0\0' >darshan1
printf '3.41\0\0\0\0\0\0\0\0\0\144\065\067' >darshan2
printf '__rec=node,id=12,attr=10,data=276,parent=3\n' >caliper
printf 'HPCTOOLKITtrce\4\0' >hpctoolkit
printf '\140\352\0\0\0\0\0\0\3\0\0\0' >tau.trc
printf '34 dynamic_trace_events\n# FunctionId Group Tag\n' >tau.edf
printf 'CLOG-02.44' >clog2
printf '\0\012SLOG 2.0.6' >slog2
{ head -c 72 /dev/zero && printf '\2\0\2\300\0\1\0\0\0'; } >etw
printf x >anchor.xml && tar -cf cube anchor.xml
mkdir -p instruments && : >instruments/form.template
while IFS='|' read -r name what advice; do
    for command in info 'import -o no.db'; do
        refused 1 "$name: is $what, which cannot be read, expected $advice" $command "$name"
    done
    cli list --others --csv . | grep -F "$name" | grep -qF "is $what" || fail "list: $name"
done <<'END'
bt2.txt|a CTF trace as text of babeltrace2|the folder of the CTF trace itself
x.jfr|a recording of Java's flight recorder|the JSON
perf.data|a recording of perf|the text that `perf script` prints
x.nsys-rep|a report of Nsight Systems|the database that `nsys export
x.qdrep|a report of Nsight Systems|the database
nsys.gz|a database of Nsight Systems|the whole file, neither compressed
rocpd.gz|a database of rocprofv3|the whole file
other.db|a SQLite database, but not a trace.db|one of the formats
pprof.gz|a profile of pprof|a trace: a profile adds up
go.out|a trace of Go|the JSON that `go tool trace
python.prof|a profile of Python|a trace: a profile adds up
callgrind.out|a profile of Valgrind|a trace: a profile adds up
tracy1|a recording of Tracy|the table that `tracy-csvexport -u FILE` prints
tracy2|a recording of Tracy|the table
darshan1|a log of Darshan|a trace: it counts
darshan2|a log of Darshan|a trace: it counts
caliper|a recording of Caliper|the JSON that cali2traceevent makes of it
hpctoolkit|a database of HPCToolkit|one of the formats
tau.trc|a trace of TAU|the OTF2 archive that `tau2otf2 tau.trc tau.edf NAME` makes of it
tau.edf|a trace of TAU|the OTF2 archive
clog2|a log of Jumpshot|one of the formats
slog2|a log of Jumpshot|one of the formats
etw|a recording of Windows (ETW)|the table that `tracerpt FILE -of CSV -o TABLE.csv` writes
cube|a profile of Score-P (CUBE)|the OTF2 archive that the program writes
END
refused 1 'instruments: is a recording of Instruments, which cannot be read, expected the tables that' \
    info instruments
no_rest "bad input"
