# ocelotl-mpi: ranks that share the work find what ocelotl-cli finds, to the last byte.
need jq
. "$OCELOTL_ROOT/tests/cli/mpi.inc"

mkdir home && cd home
example

# alike COUNT WORD...: writes out.* and the answer with so many ranks, and compares both.
alike() {
    local count=$1
    shift
    rm -rf one many
    mkdir one many
    (cd one && cp ../trace.db . && cli "$@" --no-cache trace.db >answer.txt 2>/dev/null) ||
        fail "one process: $*"
    (cd many && cp ../trace.db . &&
        ranks "$count" "$@" --no-cache trace.db >answer.txt 2>said.txt) ||
        fail "$count ranks: $*: $(head -3 many/said.txt)"
    rm -f many/said.txt
    diff -r one many >differs.txt || fail "$count ranks: $*: $(head -2 differs.txt)"
}
alike 1 --slices 30 --p 0.3 -o out.svg
for count in 2 3 4 7; do
    alike "$count" --slices 30 --p 0.3 -o out.svg
done
alike 3 --slices 30 --p auto -o out.png
alike 2 --slices 20 sweep --csv
alike 3 --slices 30 --p 0.5 parts --json
alike 2 --kind spatial -o out.svg
alike 2 --kind temporal --slices 30 -o out.svg
alike 3 treemap --depth 1 -o out.svg
alike 3 --metric link-count --slices 30 -o out.svg
alike 3 stats --csv
# More ranks than there are leaves.
cli import "$OCELOTL_ROOT/tests/data/fibres.csv" --increment 'PAPI_*' --force -o trace.db >/dev/null
alike 7 --slices 8 --p 0.5 -o out.svg
ranks 7 --slices 8 --p 0.5 --no-cache trace.db -o idle.svg 2>said.txt
has said.txt '3 of 7 ranks have nothing to do: there are 4 leaves'

# A run in shards; three commands.
cli import --shards 3 "$sample" -o run.ocelotl >/dev/null
cli --slices 30 --p 0.4 --no-cache run.ocelotl -o overview.svg
mv overview.svg one.svg
ranks 4 --slices 30 --p 0.4 --no-cache run.ocelotl -o overview.svg 2>said.txt
cmp one.svg overview.svg || fail "a run"

# A rank that is killed ends the others, and leaves nothing.
cp overview.svg before.svg
ranks 3 sweep --all --slices 200 --no-cache run.ocelotl -o overview.svg --force >answer.txt \
    2>said.txt &
running=$!
within() { for _ in $(seq 600); do ! "$@" || return 0; sleep 0.1; done; fail "never: $*"; }
within pgrep -f "ocelotl-mpi sweep --all" >/dev/null
sleep 1
pkill -KILL -n -f "ocelotl-mpi sweep --all"
code=0
wait "$running" || code=$?
[ "$code" -ne 0 ] || fail "a killed rank ends well"
cmp before.svg overview.svg || fail "a killed rank left something"

# What is wrong is said once, and nothing is half-written.
said() { # CODE COUNT TEXT WORD...
    local code=0
    ranks "$2" "${@:4}" >answer.txt 2>said.txt || code=$?
    same "exit code: ${*:4}" "$1" "$code"
    same "lines: ${*:4}" 1 "$(grep -c 'ocelotl-cli: ' said.txt)"
    has said.txt "$3"
}
said 1 3 'nothing.db: cannot open' nothing.db -o out.svg
said 2 2 'the nearest is event-count' --metric event-counts trace.db -o bad.svg
said 1 2 'serve is of one process' serve trace.db
said 1 2 'bad.db: a trace.db is written by one process' import "$sample" -o bad.db
said 1 2 'bad.db: a trace.db is written by one process' series trace.db -o bad.db
said 1 2 'is no trace.db' "$sample" -o bad.svg
[ ! -e bad.svg ] && [ ! -e bad.db ] || fail "a picture of what failed"
