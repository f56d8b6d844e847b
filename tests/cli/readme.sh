# Every command of the README, of docs/use.md and of docs/views.md works on the traces of the
# repository. The figures of the README are those of its traces, and all links of the documents lead
# somewhere.
need zstd jq

mkdir bin
ln -s "$OCELOTL_CLI" bin/ocelotl-cli
PATH=$folder/bin:$PATH

# run_commands DOCUMENT [RESOURCE TYPE STATE NUMBER [LEAST]]: those of its indented blocks, one by
# one, each with the files that it promises, and these for the words in capitals.
run_commands() {
    local line file count=0
    while read -r line; do
        line=$(sed "s|RESOURCE|${2-}|; s|\bTYPE|${3-}|; s|STATE|${4-}|; s|NUMBER|${5-}|" <<<"$line")
        line=${line/cli serve /cli serve --idle 1s } # else it serves for ever
        bash -c "$line" >out 2>err || fail "$1: $line: $(head -c 500 err)"
        file=$(grep -oE -- '-o [^ ]+' <<<"${line%% #*}" | cut -d ' ' -f 2) || file=out
        [ -s "$file" ] || fail "$1: $line: no $file"
        count=$((count + 1))
    done < <(grep '^    ocelotl-cli ' "$1")
    [ "$count" -ge "${6:-15}" ] || fail "$1 has $count commands"
}

mkdir readme && cd readme
unpack "$sample" >run.trace
run_commands "$OCELOTL_ROOT/README.md" '' '' '' '' 8
rm run.db
run_commands "$OCELOTL_ROOT/docs/use.md" nancy/griffon MACHINE PMPI_Wait 3

# figure COMMAND...: what it prints is in the README, with commas.
figure() {
    local number
    number=$("$@" | tail -n 1 | sed -E ':more; s/([0-9])([0-9]{3})($|,)/\1,\2\3/; t more')
    grep -qE "(^|[^0-9,])$number([^0-9,]|,[^0-9]|$)" "$OCELOTL_ROOT/README.md" ||
        fail "README.md has no $number ($*)"
}
count_parts() { cli --json --slices 60 "$1" | jq '.parts | length'; }
figure cli sql --csv run.db "SELECT count(*) FROM events WHERE category = 'state'"
figure count_parts run.db
cp "$OCELOTL_ROOT/tests/data/smpi-stencil-700.trace.zst" .
figure count_parts smpi-stencil-700.trace.zst

mkdir ../gallery && cd ../gallery
cp "$sample" "$OCELOTL_ROOT"/tests/data/*.trace.zst .
run_commands "$OCELOTL_ROOT/docs/views.md"
for picture in *.png; do
    [ -s "$OCELOTL_ROOT/docs/gallery/$picture" ] ||
        fail "docs/gallery/$picture is missing (scripts/pictures.sh)"
    has "$OCELOTL_ROOT/docs/views.md" "(gallery/$picture)"
done
total=$(cat "$OCELOTL_ROOT"/docs/*.png "$OCELOTL_ROOT"/docs/gallery/*.png | wc -c)
[ "$total" -le 2450000 ] || fail "the pictures of the documentation take $total bytes"

# Those who come from other tools, with traces as these have them.
mkdir ../perfetto ../vampir ../hta ../trace-compass && cd ../perfetto
cli export --format chrome ../readme/run.db -o run.json 2>/dev/null
run_commands "$OCELOTL_ROOT/docs/from/perfetto.md" \
    nancy%2Fgraphene%2Fgraphene-sw1%2Fgraphene-1 Process PMPI_Wait 3 8
if cli formats | grep -q '^otf2 .*Score-P'; then
    cd ../vampir
    cp -r "$OCELOTL_ROOT/tests/data/otf2/whole" scorep-run
    run_commands "$OCELOTL_ROOT/docs/from/vampir.md" 'machine/Rank\\ 0' Process comp 1 8
fi
if command -v python3 >/dev/null; then
    cd ../hta
    mkdir ranks
    python3 "$OCELOTL_ROOT/examples/pytorch_ranks.py" 3 ranks >/dev/null
    run_commands "$OCELOTL_ROOT/docs/from/hta.md" '' '' '' 3 8
fi
kernel=$OCELOTL_ROOT/../shared/traces/formats/ctf/tracecompass-perf-taskset2.tar.zst
if [ -e "$kernel" ]; then
    cd ../trace-compass
    mkdir kernel-trace
    zstd -dcq "$kernel" | tar -C kernel-trace -xf -
    run_commands "$OCELOTL_ROOT/docs/from/trace-compass.md" '' '' '' '' 8
fi

# What the documents point to is there: files, and headings by the names that hosts make of them.
cd "$OCELOTL_ROOT"
headings() {
    sed -nE 's/^#+ //p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9_ -]//g; s/ /-/g'
}
while IFS=: read -r document target; do
    file=$document
    [ -z "${target%%#*}" ] || file=$(dirname "$document")/${target%%#*}
    [ -e "$file" ] || fail "$document points to $target, which is not there"
    [ "${target%#*}" = "$target" ] || headings "$file" | grep -qxF -- "${target#*#}" ||
        fail "$document points to $target, and $file has no such heading"
done < <(grep -oE '\]\([^):]+' ./*.md docs/*.md docs/*/*.md | sed 's/](//')
# Tables that the program can write are those that it writes.
python3 scripts/pages.py --check "$OCELOTL_CLI" 2>"$folder/differs" ||
    fail "$(cat "$folder/differs")"
# Every page is in the index.
for page in docs/*.md docs/*/*.md; do
    [ "$page" = docs/README.md ] || grep -qF "(${page#docs/})" docs/README.md ||
        fail "docs/README.md does not list $page"
done
