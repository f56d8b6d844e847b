# Defaults of one's own: what they set, what takes their place, what is said of them.
need jq xmllint

file=$XDG_CONFIG_HOME/ocelotl/defaults
mkdir -p "$(dirname "$file")"
example whole.db
cli export --format paje --resource nancy/graphite whole.db -o part.trace 2>/dev/null
quiet part.trace -o trace.db
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
cli sweep -o curves.svg trace.db >/dev/null
same "p with a plot" 0.3 "$(xmllint --xpath "string(//*[local-name()='p'])" curves.svg)"

# --- What is read from a pipe is there for every try
printf 'slices = 20\nwidth = 900\n' >"$file"
printf 'Waiting\n  *Wait*\nWorking\n  *\n' >tree.txt
cli --no-defaults --slices 20 --json --type-tree tree.txt --type-level 1 trace.db >wanted.json
for tree in - /dev/stdin; do
    cat tree.txt | cli --json --type-tree "$tree" --type-level 1 trace.db >got.json
    same "a tree from $tree" "$(jq -c 'del(.grouping)' wanted.json)" \
        "$(jq -c 'del(.grouping, .defaults)' got.json)"
done
printf 'PMPI_Wait\nPMPI_Bcast\n' >names.txt
cli --no-defaults --slices 20 --json --only @names.txt trace.db >wanted.json
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

# --- What the line contradicts is left out, whatever finds it: nothing is said of it
matrix=matrix.csv
printf 'path,type,slice,value\na,x,0,1\na,x,3,2\nb,x,1,3\n' >"$matrix"
# gives_way SAID DEFAULT WORD...: as without the default, which is named as left out; the message
# begins with the place of SAID, a line, or there is none.
gives_way() {
    local said=$1 default=$2 line=${2##*$'\n'}
    shift 2
    printf '%s\n' "$default" >"$file"
    cli "$@" --no-defaults --json >wanted.json 2>/dev/null || fail "$*: without defaults"
    cli "$@" --json >got.json 2>said.txt || fail "$default: $*: $(cat said.txt)"
    same "$default: $*" "$(without_defaults wanted.json)" "$(without_defaults got.json)"
    holds "$default: $*: is left out" got.json \
        '.defaults.left_out | map([.option, .line, (.why | length > 0)]) | index([[$o, $l, true]])' \
        --arg o "$(sed 's/ *=.*//' <<<"$line")" --argjson l "$(wc -l <<<"$default")"
    if [ -n "$said" ]; then
        grep -qF "ocelotl-cli: $file:$said: --$(sed 's/ *=.*//' <<<"$line")" said.txt ||
            fail "$default: $*: is not said: $(cat said.txt)"
        same "$default: $*: said once" 1 "$(grep -cF "$file:" said.txt)"
    else
        lacks said.txt "$file"
    fi
}
gives_way '' 'sort = p90' stats --durations PMPI_Wait trace.db
gives_way '' 'texture = loss' --kind spatial trace.db
gives_way '' 'view = amplitude' --kind temporal trace.db
gives_way '' 'kind = temporal' --view amplitude trace.db
gives_way '' 'max-groups = 3' --hierarchy trace trace.db
gives_way '' 'depth = 1' treemap --at CLUSTER trace.db
gives_way '' 'over-time = 3' stats trace.db
gives_way '' $'[stats]\nsort = p90' stats --durations PMPI_Wait trace.db
# What only the trace, or a matrix, can tell.
gives_way 1 'slices = 10' "$matrix"
for default in 'only = nothing-like-this' 'except = nothing-like-this' 'resource = nowhere' \
    'state-type = nothing' 'metric = variable-mean' 'attribute = nothing' 'from = 5s' \
    'part = 99999' 'only-resources = nowhere*' 'hierarchy = no-such-file' 'fold = nowhere' \
    'where = nothing > 3' 'drop-level = NOTHING' 'palette = no-such-file'; do
    gives_way 1 "$default" trace.db
    gives_way 2 $'slices = 7\n'"$default" trace.db --slices 7
done
printf 'show = nothing-like-this\nexpand = nowhere\nslices = 7\n' >"$file"
cli trace.db -o got.svg 2>said.txt
same "two that only the picture refuses" 2 "$(grep -c 'is left out: ' said.txt)"
same "the command has neither" "ocelotl-cli --slices 7 -o got.svg trace.db" "$(command_of got.svg)"
# Contradictions among defaults: the later one gives way, and says where it stands.
printf 'p = 0.5\nlevel = 3\ntype-tree = mpi\ntype-level = 4\n[sweep]\np = 0.3\n' >"$file"
cli --json trace.db >got.json 2>said.txt
found=$(grep -oF -e "$file:2:" -e "$file:4:" said.txt | paste -sd '')
same "both are said" "$file:2:$file:4:" "$found"
holds "both are named" got.json '[.defaults.left_out[].line] == [2, 4]'
cli sweep trace.db >/dev/null 2>said.txt
lacks said.txt '--p changes'
cli defaults >table.txt
same "the table says it" 2 "$(grep -c 'is left out: ' table.txt)"
cli defaults --json >got.json
holds "as does JSON" got.json '[.defaults.left_out[] | [.line, (.why | length > 0)]] ==
    [[2, true], [4, true]] and [.defaults.applied[].line] == [1, 3, 6]'
printf 'type-level = 1\ntype-tree = mpi\n' >"$file"
cli --json trace.db >got.json 2>said.txt
holds "one needs another below it" got.json '[.defaults.applied[].line] == [1, 2]'
# What the line itself has wrong stays wrong, and is said once.
printf 'slices = 20\nwidth = 700\nexcept = PMPI_Wait\n' >"$file"
refused 1 'has no resource "nowhere"' --resource nowhere trace.db
refused 1 '--part is 99999, expected one of' --part 99999 trace.db
refused 2 '--height is' --height 1 trace.db

# --- Any option as a default leaves any line right that is right without it
cat >"$file" <<'end'
p = 0.4
slices = 9
kind = temporal
view = mode
statistic = median
texture = loss
type = PMPI_Wait
type-level = 1
type-tree = mpi
metric = event-count
nesting = inclusive
max-groups = 2
order = name
curves = falling
context-level = 2
at = CLUSTER
depth = 1
all
sort = id
snap
regroup
show = PMPI_Wait
stretch
reduce = mean
from = 10%
to = 60%
move = 50%
cell = bytes
links = 3
over-time = 4
quantiles
extremes
digits = 3
with-parts
by = cpu
state-type = MPI_STATE
variable = x
side = pair
latency = 2us
strict
area = traced
notes
linear
drift = none
only = PMPI_*
end
while read -r -a words; do
    cli "${words[@]}" --no-defaults >/dev/null 2>wanted.err || fail "${words[*]}: $(cat wanted.err)"
    cli "${words[@]}" >/dev/null 2>got.err || fail "${words[*]} with defaults: $(cat got.err)"
done <<END
trace.db -o - --kind spatial
trace.db -o - --view amplitude
trace.db -o - --metric link-count
$matrix -o -
sweep trace.db
sweep --kind spatial trace.db
parts --statistic q90 trace.db
parts $matrix
stats trace.db
stats --durations PMPI_Wait trace.db
compare --to 50% --from2 50% trace.db trace.db
treemap trace.db -o -
treemap --depth 2 trace.db -o -
series trace.db
series --in-flight count trace.db
gantt --resource nancy/graphite trace.db -o -
export trace.db -o events.csv --force
export --format matrix trace.db -o cells.csv --force
matrix trace.db
causality trace.db
info trace.db
hierarchies trace.db
END

# --- Of a folder: those of its section, and those of all but --where, which asks of traces here
mkdir runs && cp trace.db runs/b.db && printf 'path,type,slice,value\na,x,0,1\n' >runs/a.csv
printf 'where = bytes > 3\nsort = p90\n[list]\nsort = events\n' >"$file"
cli list --json runs >got.json 2>said.txt
cli list --json --no-defaults --sort events runs >wanted.json
same "a list by events" "$(without_defaults wanted.json)" "$(without_defaults got.json)"
same "its first" b.db "$(jq -r '.traces[0].name' got.json)"
holds "its default" got.json '[.defaults.applied[] | [.line, .option]] == [[4, "sort"]]'
[ ! -s said.txt ] || fail "a list says: $(cat said.txt)"
same "a list without defaults" a.csv "$(cli list --json --no-defaults runs | jq -r '.traces[0].name')"
same "a list by name" a.csv "$(cli list --json --sort name runs | jq -r '.traces[0].name')"
printf '[list]\nwhere = kind=trace.db\nothers\n' >"$file"
same "a list of some" b.db "$(cli list --csv runs | sed 1d | cut -d, -f1)"

# --- A default of a snapshot
printf 'statistic = median\nslices = 9\n' >"$file"
cli snapshot trace.db kept >/dev/null
same "a median is kept" "ocelotl-cli --statistic median --slices 9 trace.db" \
    "$(cat kept/command.txt)"

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
# Every command reads the file but those that have no option for it.
printf 'slcies = 3\n' >"$file"
while read -r command; do
    case $command in
    formats | cache) words=() ;;
    list) words=(runs) ;;
    import | merge) words=(trace.db -o new.db) ;;
    *) words=(trace.db) ;;
    esac
    case $command in
    formats | cache | verify)
        cli "$command" "${words[@]}" >/dev/null || fail "$command reads the file"
        ;;
    defaults) refused 1 "$file:1: unknown option --slcies" defaults ;;
    check) refused 2 "$file:1: unknown option --slcies" check trace.db ;; # 1: it is unlike others
    *) refused 1 "$file:1: unknown option --slcies" "$command" "${words[@]}" ;;
    esac
done < <(cli --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
printf '[stats]\nslices = 4\nparts = 3\nall\n' >"$file"
refused 1 "$file:4: unknown option --all" info trace.db
printf 'a\0b = 3\n' >"$file"
refused 1 "$file:1: has a byte 0" info trace.db
rm "$file" && mkdir "$file"
refused 1 "$file: cannot read" info trace.db
rmdir "$file"
