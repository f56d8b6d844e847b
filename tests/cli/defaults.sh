# Defaults of one's own: what they set, what takes their place, what is said of them.
# shellcheck source=common.inc disable=SC2154
. "$(dirname "$0")/common.inc"
need jq xmllint

file=$XDG_CONFIG_HOME/ocelotl/defaults
mkdir -p "$(dirname "$file")"
cli import "$OCELOTL_ROOT/examples/smpi-stencil-96.trace.zst" -o trace.db >/dev/null
command_of() { xmllint --xpath "string(//*[local-name()='command'])" "$1"; }
without_defaults() { jq -c 'del(.defaults)' "$1"; }

# Without a file there are none.
same "no file" "$file: is not there" "$(cli defaults)"
cli --json --slices 20 trace.db >plain.json
holds "nothing is named" plain.json 'has("defaults") | not'

printf '# mine\n\nslices = 20\r\n  width=900\n[stats]\nsort = p90\n[sweep]\nall\np = 0.3\n' >"$file"
cat >listed.json <<'END'
[[3,"","slices","20"],[4,"","width","900"],[6,"stats","sort","p90"],[8,"sweep","all",""],[9,"sweep","p","0.3"]]
END
cli defaults --json >got.json
holds "what is set" got.json '.found and .defaults.file == $file and
    [.defaults.applied[] | [.line, .command, .option, .value]] == $wanted[0]' \
    --arg file "$file" --slurpfile wanted listed.json
same "the lines of the table" 6 "$(cli defaults | wc -l)"

# --- As if they had been given
cli trace.db -o got.svg
cli --no-defaults --slices 20 --width 900 -o got.svg trace.db
mv got.svg wanted.svg
cli trace.db -o got.svg
cmp -s got.svg wanted.svg || fail "a default is not the option: $(command_of got.svg)"
same "the command spells them out" "ocelotl-cli --slices 20 --width 900 -o got.svg trace.db" \
    "$(command_of got.svg)"
cli --json trace.db >got.json
same "the same JSON" "$(without_defaults plain.json)" "$(without_defaults got.json)"
holds "JSON names them" got.json '.defaults.file == $file and
    ([.defaults.applied[] | .option] | index("slices") != null)' --arg file "$file"
cli stats --json trace.db >got.json
cli stats --json --no-defaults --sort p90 trace.db >wanted.json
same "a section" "$(without_defaults wanted.json)" "$(without_defaults got.json)"
holds "its option" got.json '.defaults.applied | map([.option, .value]) | index([["sort", "p90"]])'
cli sweep --json trace.db >got.json
cli sweep --json --no-defaults --all --slices 20 trace.db >wanted.json
same "a flag; a p without a plot is left out" \
    "$(jq -c .levels wanted.json)" "$(jq -c .levels got.json)"
cli sweep --json trace.db >again.json
cmp -s got.json again.json || fail "an answer that is kept says something else"
cli sweep --plot curves.svg trace.db >/dev/null
same "p with a plot" 0.3 "$(xmllint --xpath "string(//*[local-name()='p'])" curves.svg)"

# --- What is read from a pipe is there for every try
printf 'slices = 20\nwidth = 900\n' >"$file"
printf 'Waiting\n  *Wait*\nWorking\n  *\n' >tree.txt
cli --no-defaults --slices 20 --json --type-tree tree.txt --type-level 1 trace.db >wanted.json
for tree in - /dev/stdin; do
    # shellcheck disable=SC2002
    cat tree.txt | cli --json --type-tree "$tree" --type-level 1 trace.db >got.json
    same "a tree from $tree" "$(jq -c 'del(.grouping)' wanted.json)" \
        "$(jq -c 'del(.grouping, .defaults)' got.json)"
done
printf 'PMPI_Wait\nPMPI_Bcast\n' >names.txt
cli --no-defaults --slices 20 --json --only @names.txt trace.db >wanted.json
# shellcheck disable=SC2002
cat names.txt | cli --json --only @- trace.db >got.json
same "a list from a pipe" "$(without_defaults wanted.json)" "$(without_defaults got.json)"
printf '# mine\n\nslices = 20\r\n  width=900\n[stats]\nsort = p90\n[sweep]\nall\np = 0.3\n' >"$file"

# --- What is given takes their place
cli --slices 7 --json trace.db >got.json
cli --no-defaults --slices 7 --json trace.db >wanted.json
same "an option" "$(without_defaults wanted.json)" "$(without_defaults got.json)"
holds "it is not named" wanted.json 'has("defaults") | not'
printf 'p = 0.9\nexcept = PMPI_Wait\n' >"$file"
cli --level 3 --slices 9 --except PMPI_Bcast --json trace.db >got.json
cli --no-defaults --level 3 --slices 9 --except PMPI_Bcast --json trace.db >wanted.json
same "what excludes it" "$(without_defaults wanted.json)" "$(without_defaults got.json)"
cli --again got.svg -o again.svg
same "--again leaves them alone" "ocelotl-cli --slices 20 --width 900 trace.db -o again.svg" \
    "$(command_of again.svg | sed 's/ -o again.svg trace.db$/ trace.db -o again.svg/')"
printf 'by = cpu\nlenient\n' >"$file"
cli --slices 5 --json trace.db >got.json
same "how a trace is read is nothing of a trace.db" '["lenient"]' \
    "$(jq -c '[.defaults.applied[].option]' got.json)"

# --- Wrong lines: file, line, what is near; of any command that has options of a trace
wrong() { # LINE MESSAGE
    printf '# one\n%s\n' "$1" >"$file"
    refused 1 "$file:2: $2" info trace.db
    refused 1 "$file:2: $2" defaults
    cli info --no-defaults trace.db >/dev/null || fail "--no-defaults reads the file"
}
wrong 'slcies = 3' 'unknown option --slcies; the nearest is --slices'
wrong 'slices = many' '--slices is "many", expected a whole number'
wrong 'slices' 'option --slices needs a value'
wrong 'snap = yes' 'option --snap takes no value'
wrong 'output = x.svg' 'an option of a command line alone, not a default'
wrong 'json' 'an option of a command line alone, not a default'
wrong '[stat]' '[stat] is no command; the nearest is stats'
wrong '[stats' 'a section without its end, expected [COMMAND]'
printf '[stats]\nslices = 4\nparts = 3\nall\n' >"$file"
refused 1 "$file:4: unknown option --all" info trace.db
printf 'a\0b = 3\n' >"$file"
refused 1 "$file:1: has a byte 0" info trace.db
rm "$file" && mkdir "$file"
refused 1 "$file: cannot read" info trace.db
rmdir "$file"

finish
