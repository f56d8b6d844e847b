# What newcomers type is answered by one line that says what to type instead.
# shellcheck source=common.inc disable=SC2154
. "$(dirname "$0")/common.inc"

unpack "$OCELOTL_ROOT/examples/smpi-stencil-96.trace.zst" >run.trace
cli import run.trace -o run.db >/dev/null
for suffix in svg png pdf html json; do cli run.db -o "own.$suffix" >/dev/null; done
printf 'name,colour\nPMPI_*,#ff0000\n' >palette.csv

# Each row: the exit code, what the line holds, and the words, with bars between them.
while IFS='|' read -r code message words; do
    IFS='|' read -ra given <<<"$words"
    refused "$code" "$message" "${given[@]}"
done <<'END'
2|"overview.svg" is one TRACE too many; to write it: -o overview.svg|run.db|overview.svg
2|"own.png" is one TRACE too many; to write it: -o own.png|sweep|run.db|own.png
2|"gantt.svg" is no TRACE; to write it: -o gantt.svg|gantt|run.db|gantt.svg
2|the command meant may be overview, or serve for a page|show|run.db
2|the command meant may be overview, as ocelotl-cli TRACE -o FILE.svg|draw|run.db
2|the command meant may be serve, as ocelotl-cli serve --open TRACE|view|run.db
2|the command meant may be serve, as ocelotl-cli serve --open TRACE|open|run.db
2|the command meant may be compare, as ocelotl-cli compare FIRST SECOND|diff|run.db|run.db
2|the command meant may be overview, as ocelotl-cli TRACE -o report.html|report|run.db
2|the command meant may be stats|summary|run.db
2|--view is gantt, which is a command: ocelotl-cli gantt run.db|--view|gantt|run.db
2|--view is series, which is a command: ocelotl-cli series run.db|--view|series|run.db
2|--view is matrix, which is a command: ocelotl-cli matrix run.db|compare|--view|matrix|run.db|run.db
1|no such table: states; the tables are events, resources, event_types, event_values,|sql|run.db|SELECT * FROM states
2|"SELECT 1" is no file, and "run.db" is one: the QUERY stands behind the TRACE|sql|SELECT 1|run.db
1|--hierarchy is "behavior", which is no file here, expected auto (by behaviour), role, trace, or a|--hierarchy|behavior|run.db
1|leaves nothing to show; 5 is in seconds, and the trace lasts 0.289213: 5ms is within|--min-duration|5|run.db
1|goes from @0 s to @0.289213 s (0.289213 s); 10 is in seconds, and the trace lasts 0.289213: 10ms is within|--from|10|run.db
1|(0.289213 s); 400 is in seconds, and the trace lasts 0.289213: 400us is within|stats|--from|400|run.db
1|(0.289213 s); +7 is in seconds, and the trace lasts 0.289213: +7ms is within|export|--from|+7|run.db
2|a unit stands behind its number without a blank, as in 100ms|--from|100|ms|run.db
2|a unit stands behind its number without a blank, as in 100ms|--from|100|run.db|ms
2|"ms" is no TRACE; a unit stands behind its number without a blank|gantt|--from|100|ms|run.db
2|"us" is no TRACE; a unit stands behind its number without a blank|stats|--from|100|us|run.db
2|unknown option --start; the option meant may be --from|--start|10%|--end|20%|run.db
2|unknown option --exclude|--exclude|PMPI_Wait|run.db
2|"clear" is not expected; the option is --clear|cache|clear
1|own.svg: is a picture or a page, which cannot be read, expected the trace that it shows (`ocelotl-cli --again|own.svg
1|own.png: is a picture or a page, which cannot be read|stats|own.png
1|own.pdf: is a picture or a page, which cannot be read|import|own.pdf|-o|x.db
1|own.html: is a picture or a page, which cannot be read|compare|run.db|own.html
1|own.json: is a partition that Ocelotl wrote as JSON, which cannot be read, expected its trace|own.json
2|what a file is says `ocelotl-cli import --format NAME FILE -o trace.db`|--format|paje|run.trace
2|what a file is says `ocelotl-cli import --format NAME FILE -o trace.db`|stats|--format=paje|run.trace
2|the page is for this machine alone; for another one, as on a cluster, forward|serve|--host|0.0.0.0|run.db
2|--set is "machine", expected KEY=VALUE in one word, as machine=hydra|info|--set|machine|hydra|run.db
END

# A damaged trace.db: what to do, not what SQLite says alone.
cp run.db damaged.db
head -c 3000 run.trace | dd of=damaged.db bs=1 seek=4096 conv=notrunc status=none
advice='`ocelotl-cli verify` lists what is damaged, --lenient reads around it, or import the trace again'
for command in '' info stats; do
    # shellcheck disable=SC2086
    refused 1 "$advice" $command damaged.db
    # shellcheck disable=SC2086
    refused 1 'nothing can be read without that; import the trace again' $command --lenient \
        damaged.db
    ! grep -q 'reads around it' refused.err || fail "--lenient is advised to itself"
done

# What changes nothing is named, each option once; what is used is not. Each row: the options that
# are named, and the words.
while IFS='|' read -r named words; do
    IFS='|' read -ra given <<<"$words"
    cli "${given[@]}" >told.out 2>told.err || fail "$words: $(cat told.err)"
    same "what $words does not use" "$named" \
        "$(sed -n 's/^ocelotl-cli: --\(.*\) changes nothing here: .*/\1/p' told.err | paste -sd ' ')"
    # A slow machine has lines of progress, too.
    same "other messages of $words" '' \
        "$(grep -v -e 'changes nothing here' -e '^ocelotl-cli: after [0-9]* s: ' told.err || true)"
done <<'END'
type|--view|mode|--type|PMPI_Wait|run.db|-o|x.svg
|--view|histogram|--type|PMPI_Wait|run.db|-o|x.svg
|--type|PMPI_Wait|run.db|-o|x.svg
dpi|run.db|--dpi|200|-o|x.svg
|run.db|--dpi|200|-o|x.png
curves|run.db|--curves|falling|-o|x.svg
|run.db|--curves|falling|-o|x.html
theme width|run.db|--theme|dark|--width|900|--json
view texture show|run.db|--view|partition|--texture|loss|--show|PMPI_*|--show|*Send|--json
title palette|stats|run.db|--title|One|--palette|palette.csv
|stats|run.db|--title|One|--palette|palette.csv|-o|x.svg
height|gantt|run.db|--to|5%|--width|900|--height|900|--json
linear|matrix|run.db|--linear
|--json|--type|PMPI_Wait|run.db
p type|compare|run.db|run.db|--slices|9|--p|0.5|--type|PMPI_Wait
untraced nesting|parts|run.db|--slices|9|--metric|event-count|--untraced|ignore|--nesting|inclusive
context-level|run.db|--context-level|2|-o|x.svg
|run.db|--from|40%|--context-level|2|-o|x.svg
type-tree|sweep|run.db|--slices|9|--type-tree|mpi
|sweep|run.db|--slices|9|--plot|x.svg|--width|900|--curves|falling
END

# An option of one's own defaults is for many commands: it is not named.
mkdir -p config/ocelotl && echo 'theme = dark' >config/ocelotl/defaults
cli run.db --json 2>told.err >told.out
! grep -q 'changes nothing here' told.err || fail "a default: $(cat told.err)"

finish
