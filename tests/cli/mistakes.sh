# What newcomers type is answered by one line that says what to type instead.

unpack "$sample" >run.trace
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
2|unknown option --thread; the option meant may be --resource|--thread|1|run.db
2|unknown option --at, which stats, |--at|MACHINE|run.db
2|unknown option --p, which overview, |series|--p|0.2|run.db
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
2|--set is "machine", expected KEY=VALUE in one word, as machine=hydra|info|--set|machine|=|hydra|run.db
2|"clean" is not expected; the command meant may be cache --clear|cache|clean
2|"8080" is no TRACE; to serve at it: --port 8080|serve|run.db|8080
2|"k.svg" is no name of a folder, expected DIR, or -o X.zip|snapshot|run.db|k.svg
2|"k.zip" is no name of a folder, expected DIR, or -o X.zip|snapshot|run.db|k.zip
2|no TRACE given; a QUERY stands behind it|sql|SELECT 1
2|no QUERY given|sql|run.db
1|no such column: foo; events has resource, resource_type, category, type, value, begin, end,|sql|run.db|SELECT foo FROM events
1|no such column: e.foo; events has resource,|sql|run.db|SELECT e.foo FROM Events e
1|; event_types has id, category, type, resource_type, count, unmatched; warnings has kind, count,|sql|run.db|SELECT foo FROM event_types, warnings
1|no such column: foo; a text stands in single quotes, as 'foo'; events has resource,|sql|run.db|SELECT "foo" FROM events
1|no such column: PMPI_Wait; a text stands in single quotes, as 'PMPI_Wait'|sql|run.db|SELECT 1 FROM events WHERE value = "PMPI_Wait"
1|has no event type "PMPI_Wait", which is a value of "MPI_STATE"; --only chooses values|stats|--type|PMPI_Wait|run.db
1|has no event type "PMPI_Wait", which is a value of "MPI_STATE"; --only chooses values|gantt|--type|PMPI_Wait|run.db
2|unknown option --step; the option meant may be --move X%|run.db|--step|50%
2|--by is "MACHINE", expected thread or cpu; groups of resources are --at TYPE|stats|--by|MACHINE|run.db
2|--state-type chooses the partition of a part, but no --part is given; events of a type are --type NAME|stats|--state-type|MPI_STATE|run.db
2|--format parquet is written in Python, as `pyarrow.parquet.write_table(|export|run.db|-o|x.parquet
2|--format chrome and -o fresh.csv exclude each other, expected a name in .json|export|--format|chrome|run.db|-o|fresh.csv
2|unknown option --type; --only chooses types and values, --state-type a type of states|treemap|--type|PMPI_Wait|run.db
2|unknown option --version; ocelotl-cli --version stands alone|sweep|--version|run.db
2|unknown option -V; ocelotl-cli --version stands alone|-V
2|unknown option --range; the option meant may be --from and --to|run.db|--range|0.1:0.2
2|unknown option --duration; the option meant may be --from and --to|gantt|run.db|--duration|1s
2|unknown option --size; the option meant may be --width and --height|run.db|--size|640x480
2|unknown option --group-by; the option meant may be --at|stats|run.db|--group-by|MACHINE
2|unknown option --colors; the option meant may be --palette|run.db|--colors|x.csv
2|unknown option -j; the option meant may be --threads|run.db|-j|4
2|unknown option --jobs; the option meant may be --threads|info|run.db|--jobs|4
2|unknown option --rows; the option meant may be --resource|gantt|run.db|--rows|rank-0
2|unknown option --no-links; the option meant may be --links N, 0 for none|gantt|run.db|--no-links
2|unknown option --browser; the option meant may be --open|serve|run.db|--browser
2|unknown option --bytes; the option meant may be --cell bytes|matrix|run.db|--bytes
2|unknown option --hierarchy; the option meant may be --candidates|hierarchies|run.db|--hierarchy|x.csv
2|unknown option --top; a table is cut by `head`|stats|run.db|--top|10
2|unknown option --fix; ocelotl-cli clocks TRACE -o NEW.db sets clocks right|causality|run.db|--fix
2|unknown option --verbose; messages on standard error are few|run.db|--verbose
2|"help" is no TRACE; the option meant may be --help|gantt|help
2|"gantt" is one TRACE too many; the command stands first: ocelotl-cli gantt|run.db|gantt
2|"stats" is one TRACE too many; the command stands first: ocelotl-cli stats|run.db|stats
2|"3" is one TRACE too many; the option meant may be --part 3|parts|run.db|3
2|"0.5" is one TRACE too many; the option meant may be --p 0.5|parts|run.db|0.5
2|"PMPI_Wait" is one TRACE too many; the option meant may be --only PMPI_Wait|stats|run.db|PMPI_Wait
2|"value" is one argument too many, expected the QUERY as one, in quotes; see|sql|run.db|SELECT|value
2|"run.trace" is a file, expected a QUERY, as "$(cat run.trace)"|sql|run.db|run.trace
1|syntax error; the tables are events, resources, event_types,|sql|run.db|.tables
1|syntax error; the tables are events, resources, event_types,|sql|run.db|SHOW TABLES
2|--p is "50%", expected a number, as 0.5|run.db|--p|50%
2|--p is "0,5", expected a number, as 0.5|run.db|--p|0,5
2|no file to write given, expected -o new.db|import|run.trace|new.db
2|option --durations needs a value: PATTERN|stats|run.db|--durations
2|snap: no suffix, expected .zip|snapshot|run.db|-o|snap
2|x.trace: export does not write traces as text, or compressed files, expected .json or .csv; --format paje|export|run.db|-o|x.trace
1|has no resources of a type "process"; the nearest is "SITE", of SITE, CLUSTER, SWITCH, MACHINE, MPI, all|stats|--at|process|run.db
1|"duration" is a number, and "60s" is none|list|--where|duration > 60s|.
1|racks.csv: cannot open|hierarchies|--candidates|racks.csv|run.db
END

# What is answered all the same.
[ ! -e k.svg ] && [ ! -e fresh.csv ] || fail "a mistake was written"
for words in '--version run.db' 'export --format pjdump run.db -o dump.csv'; do
    cli $words >told.out 2>told.err || fail "$words: $(cat told.err)"
done
for command in stats gantt export matrix causality; do
    cli ${command/gantt/gantt -o x.svg} --min-duration 5 --threads 2 run.db >told.out 2>told.err ||
        fail "$command: $(cat told.err)"
    same "$command --min-duration 5" 1 "$(grep -c \
        '^ocelotl-cli: 5 is in seconds, and the trace lasts 0.289213: 5ms is within$' told.err)"
done

# A damaged trace.db: what to do, not what SQLite says alone. What needs no table may be read.
cp run.db damaged.db
head -c 3000 run.trace | dd of=damaged.db bs=1 seek=4096 conv=notrunc status=none
cp run.db first.db
head -c 300 run.trace | dd of=first.db bs=1 seek=110 conv=notrunc status=none
for file in damaged.db first.db; do
    for words in $file "info $file" "stats $file" "--lenient $file" "info --lenient $file"; do
        refused 1 '; nothing can be read without that; import the trace again' $words
        ! grep -qe '--lenient reads\|`' refused.err || fail "$words: $(cat refused.err)"
    done
    cli verify $file >told.out 2>told.err && fail "$file is sound"
    same "what verify says of $file twice" '' "$(sort told.out | uniq -d)"
    lacks told.out 'is damaged'
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
|sweep|run.db|--slices|9|-o|x.svg|--width|900|--curves|falling
END

# Of a picture that is drawn again, what is given now is named.
cli run.db --view mode --title One --show 'PMPI_*' -o drawn.svg 2>told.err
cli --again drawn.svg --dpi 200 -o drawn.json 2>told.err
same "what --again does not use" \
    'ocelotl-cli: --dpi changes nothing here: it is of pictures as .png' "$(cat told.err)"

# An option of one's own defaults is for many commands: it is not named.
mkdir -p config/ocelotl && echo 'theme = dark' >config/ocelotl/defaults
cli run.db --json 2>told.err >told.out
lacks told.err 'changes nothing here'

mkdir other && echo no trace >other/text
# What options were called before is understood, as in commands that pictures carry.
while IFS='|' read -r before now words; do
    IFS='|' read -ra words <<<"$words"
    cli $before "${words[@]}" >before.out 2>before.err || true
    cli $now "${words[@]}" >now.out 2>now.err || true
    [ -s before.out ] || [ -s before.err ] || fail "$before: says nothing"
    cmp -s before.out now.out && cmp -s before.err now.err ||
        fail "$before is not $now: $(cat before.err)"
done <<'END'
--zoom 1 --json|--part 1 --json|run.db
--next --json --from 1% --to 2%|--move 100% --json --from 1% --to 2%|run.db
--previous --json --from 5% --to 6%|--move -100% --json --from 5% --to 6%|run.db
compare --all|compare --every-node|run.db|run.db
list --all|list --others|other
matrix --columns MACHINE --csv|matrix --receivers MACHINE --csv|run.db
clocks --pair a,b --groups apart|clocks --between a,b --groups apart|run.db
END
cli sweep --plot before.svg run.db >before.out && cli sweep -o now.svg run.db >now.out
cmp -s before.out now.out && [ -s before.svg ] || fail "sweep --plot"
