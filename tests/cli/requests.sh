# Requests of newcomers: options before the command, a palette from a pipe, impossible numbers,
# windows and filters that leave nothing. Every command refuses them in the same words.

zstd -dcq "$sample" >run.trace
cli import run.trace -o run.db >/dev/null
{
    paje_definitions SetState
    printf '0 N 0 Node\n1 S N State\n2 0 n N 0 n\n3 0 S n x\n'
} >instant.trace
cli import instant.trace -o instant.db >/dev/null 2>&1

# --- Options before the command

while IFS='|' read -r options command rest; do
    read -ra before <<<"$options"
    read -ra behind <<<"$rest"
    cli "${before[@]}" "$command" "${behind[@]}" >before.out 2>/dev/null ||
        fail "$options $command: not understood"
    cli "$command" "${before[@]}" "${behind[@]}" >after.out 2>/dev/null
    cmp -s before.out after.out ||
        fail "$options $command: another answer than with the command first"
done <<'END'
--no-cache --slices 4|sweep|run.db
--slices=4 --csv|sweep|run.db
--slic 4 -o -|sweep|run.db
--title sweep --slices 4|treemap|-o - run.db
--json|info|run.db
--type MPI_LINK|stats|run.db
--format pjdump --to 1%|export|run.db
--csv|formats|
--p 0.5|parts|--slices 4 run.db
END
refused 2 '"swep" is neither a command nor a file; the nearest command is sweep' --no-cache swep \
    run.db
refused 2 'unknown option --slices, which overview, sweep, parts and others have' --slices 3 info run.db
cli --slices 4 --width 400 treemap run.db -o picture.svg
has picture.svg 'ocelotl-cli treemap --slices 4 --width 400 run.db'
cp run.trace sweep
cli --slices 4 ./sweep -o named.svg 2>/dev/null || fail "a trace called as a command"

# --- Palettes

printf 'name,colour\nPMPI_Wait,#ff0000\nPMPI_W*,#00ff00\nMPI_LINK,teal\n' >good.csv
printf 'name,colour\nPMPI_Wait,#ff0000\nPMPI_Recv,blue\nrank*,red\n' >bad.csv
for words in overview treemap 'gantt --to 20%' stats series 'compare run.db'; do
    read -ra command <<<"$words"
    picture=palette-${command[0]}.svg
    cli "${command[@]}" --palette good.csv run.db -o "$picture" >/dev/null 2>palette.err ||
        fail "$words: $(cat palette.err)"
    [ ! -s palette.err ] || fail "$words says of a good palette $(cat palette.err)"
    mv "$picture" expected.svg
    cli "${command[@]}" --palette <(cat good.csv) run.db -o "$picture" >/dev/null ||
        fail "$words: a palette from a pipe"
    cmp -s <(grep -v 'ocelotl-cli' expected.svg) <(grep -v 'ocelotl-cli' "$picture") ||
        fail "$words: other colours from a pipe"
    cli "${command[@]}" --palette - run.db -o "$picture" <bad.csv >/dev/null 2>palette.err ||
        fail "$words: a palette from standard input"
    printf 'ocelotl-cli: standard input:%s matches nothing that could be drawn\n' '3: "PMPI_Recv"' \
        '4: "rank*"' | cmp -s - palette.err || fail "$words: $(cat palette.err)"
done
{ echo name,colour && for i in 1 2 3 4 5; do echo "n$i,red"; done; } >many.csv
cli --slices 4 --palette many.csv run.db -o palette.svg 2>palette.err
same "lines on many rows" 4 "$(wc -l <palette.err)"
same "the last of them" 'ocelotl-cli: many.csv: 5 rows match nothing; these are the first' \
    "$(tail -n 1 palette.err)"
cli --slices 4 --group-types 'PMPI_W*=n1' --palette <(head -n 2 many.csv) run.db -o palette.svg \
    2>palette.err
same "a colour for a group" '' "$(cat palette.err)"
printf 'name,colour\nx,no\n' >wrong.csv
refused 1 'wrong.csv:2: the colour of "x" is "no"' --palette wrong.csv nosuch.db

# --- What cannot be

for option in --width --height --dpi --smallest; do
    for command in overview gantt treemap; do
        refused 2 "$option is 0, expected " $command $option 0 run.db -o out.svg
    done
done
for command in overview sweep stats gantt series treemap parts; do
    for time in -5s -5% -1e-9; do
        refused 2 "--from is $time, before the trace's beginning; @ before it means the trace's own time" $command --from $time run.db
        refused 2 "--to is $time, before the trace's beginning" $command --to $time run.db
    done
    refused 1 '--from is 5s, and the trace goes from @0 s to @0.289213 s (0.289213 s)' $command \
        --from 5s run.db
    refused 1 '--to is @-5s, and the trace goes from @0 s to @0.289213 s (0.289213 s)' $command \
        --to @-5s run.db
done
refused 1 '--from is 5s, and the trace goes from @0 s to @0.289213 s (0.289213 s)' export \
    --from 5s run.db
refused 1 '--to is @-5s, and the trace goes from' export --to @-5s run.db
cli stats --from 0.289213s run.db >/dev/null && cli export --from 0.289213 run.db |
    grep -q PMPI_Finalize || fail "the last instant"
for command in overview sweep gantt series treemap parts; do
    refused 1 'instant.db: begins and ends in the same instant, expected a trace that lasts' \
        $command instant.db
done
for command in overview sweep gantt stats export series treemap parts; do
    refused 1 'run.db: has no resource "rank-1*", expected a path; --only-resources takes a pattern' $command --resource 'rank-1*' run.db
done

# --- How many parts

for wanted in 100 90 80 70 60 50; do
    cli parts --slices 60 --csv --parts $wanted run.db >parts.csv 2>parts.err
    count=$(($(wc -l <parts.csv) - 1))
    [ "$count" -eq $wanted ] || break
done
like parts.err "^ocelotl-cli: --parts $wanted gives $count; the next level has [0-9]+\$"
next=$(sed 's/.* //' parts.err)
[ "$count" -lt $wanted ] && [ "$next" -gt $wanted ] ||
    fail "between $count and $next are not $wanted"
cli parts --slices 60 --csv --parts "$next" run.db >parts.csv 2>parts.err
same "the next level" "$next" "$(($(wc -l <parts.csv) - 1))"
[ ! -s parts.err ] || fail "--parts $next: $(cat parts.err)"

# --- Filters that leave nothing

nothing() { # WORDS COMMANDS OPTION...
    local words=$1 commands=$2 command
    shift 2
    for command in $commands; do
        rm -f out.svg
        if [ "$command" = compare ]; then
            cli compare "$@" run.db run.db >refused.out 2>refused.err &&
                fail "compare $*: an answer"
        else
            cli "$command" "$@" run.db >refused.out 2>refused.err && fail "$command $*: an answer"
        fi
        grep -v 'instead of' refused.err >said.err
        same "$command $*" "ocelotl-cli: run.db: $words to show" "$(cat said.err)"
        [ ! -s refused.out ] && [ ! -e run.svg ] || fail "$command $*: something was written"
    done
}
models='overview sweep parts treemap compare'
all="$models series stats gantt export"
nothing "--except '*' leaves nothing" "$all" --except '*'
nothing "--except-resources '*' leaves nothing" "$all" --except-resources '*'
nothing "--only-resources 'nancy/griffon' and --except-resources 'nancy' leave nothing" "$all" \
    --only-resources nancy/griffon --except-resources nancy
nothing "--only 'PMPI_Wait', --from '0' and --to '1us' leave nothing" "$all" --only PMPI_Wait \
    --from 0 --to 1us
nothing "--only 'PMPI_Wait', --resource 'nancy/griffon' and --to '1us' leave nothing" \
    "$models series" --only PMPI_Wait --resource nancy/griffon --to 1us
nothing "--min-duration '100s' leaves nothing" "$models" --min-duration 100s
nothing "--only 'MPI_STATE' and --min-duration '100s' leave nothing" "$models stats gantt export" \
    --only MPI_STATE --min-duration 100s
nothing "--only 'PMPI_Init' leaves nothing" "$models series" --only PMPI_Init
nothing "--where 'Key = nowhere*' leaves nothing" "$models" --where 'Key = nowhere*' \
    --metric link-count
nothing "--type 'MPI_LINK' and --where 'Key = nowhere*' leave nothing" "stats gantt export" \
    --type MPI_LINK --where 'Key = nowhere*'
# An empty window alone still gets a picture, and what only one of two traces has is a difference.
cli --from 0 --to 1us run.db -o window.svg 2>/dev/null || fail "a window without a state"
cli compare --only PMPI_Wait --to 1us --from2 50% run.db run.db >/dev/null 2>&1 ||
    fail "what only one window has"
