# A suffix means one thing in every command. A command refuses an output that it cannot write before
# any work, nothing replaces a file of another kind without --force, and - is standard output.
need jq

zstd -dcq "$sample" >run.trace
cli import run.trace -o run.db >/dev/null
cp run.db other.db
commands=(overview treemap gantt series matrix causality sweep stats parts sql info compare check
    export clocks hierarchies list)
declare -A writes=(
    [overview]='svg png pdf html json' [treemap]='svg png pdf json' [gantt]='svg png pdf json'
    [series]='svg png pdf json csv db' [sweep]='svg png pdf json csv txt' \
    [stats]='svg png pdf json csv txt' \
        [parts]='json csv txt'
    [hierarchies]='svg png pdf json csv txt' [causality]='json csv txt db' \
    [clocks]='svg png pdf json csv txt db' \
    [matrix]='svg png pdf json csv txt' [sql]='json csv txt' \
        [info]='json csv txt' [list]='json csv txt' \
        [compare]='svg png pdf json csv txt' [export]='json csv' [import]='db' [merge]='db' \
        [check]='svg png pdf json csv txt xml')

# call COMMAND ARGUMENT...: with as little work as it can have.
call() {
    local command=$1
    shift
    case $command in
    overview | treemap | sweep | parts | hierarchies) cli "$command" --slices 4 "$@" run.db ;;
    compare | check) cli "$command" --slices 4 "$@" run.db other.db ;;
    sql) cli sql "$@" run.db 'SELECT 1, 2' ;;
    list) cli list --where 'name = run.db' "$@" . ;;
    clocks) cli clocks --groups apart "$@" run.db ;;
    gantt | export) cli "$command" --to 1% "$@" run.db ;;
    import) cli import "$@" run.trace ;;
    *) cli "$command" "$@" run.db ;;
    esac
}

# holds_kind FILE SUFFIX: the file is of that kind.
holds_kind() {
    case $2 in
    svg) grep -q '<svg' "$1" ;;
    png) head -c 4 "$1" | grep -q PNG ;;
    pdf) head -c 5 "$1" | grep -q '%PDF-' ;;
    html) head -c 9 "$1" | grep -qi '<!doctype' ;;
    json) jq -es . "$1" >/dev/null ;;
    csv) head -n 1 "$1" | grep -qE '^[a-z0-9_"#, ]+,[a-z0-9_", ]+$' ;;
    xml) head -n 1 "$1" | grep -q '^<?xml' ;;
    db) head -c 15 "$1" | grep -q 'SQLite format 3' ;;
    txt) [ -s "$1" ] && ! head -n 1 "$1" | grep -q '^[{<[]' ;;
    esac
}

# --- Suffixes

for command in "${commands[@]}" import merge; do
    for suffix in ${writes[$command]} $(
        printf '%s\n' svg png pdf html json csv db txt xml SVG trace trace.zst TXT md |
            grep -vxFf <(tr ' ' '\n' <<<"${writes[$command]}") | thin 3); do
        [[ $command:$suffix != @(import|merge):md ]] ||
            continue # a trace.db may have any other name
        rm -f "out.$suffix"
        code=0
        call "$command" -o "out.$suffix" >out.std 2>out.err || code=$?
        if [[ " ${writes[$command]} " == *" ${suffix,,} "* ]]; then
            [ "$code" -eq 0 ] || fail "$command -o out.$suffix: $(cat out.err)"
            holds_kind "out.$suffix" "${suffix,,}" ||
                fail "$command -o out.$suffix: $(head -c 100 "out.$suffix")"
        else
            same "the exit code of $command -o out.$suffix" 2 "$code"
            [ ! -e "out.$suffix" ] || fail "$command left out.$suffix"
            for other in ${writes[$command]}; do
                like out.err "expected.*\.$other\b"
            done
        fi
    done
done
refused 2 'out.svg: parts does not write a picture (SVG), expected .json, .csv or .txt' parts \
    nosuch.db -o out.svg
refused 2 'out.gif: unknown suffix ".gif", expected .svg, .png, .pdf, .html or .json' nosuch.db \
    -o out.gif
refused 2 'out: no suffix, expected .svg, .png, .pdf, .json or .csv' gantt nosuch.db -o out
refused 2 '--json and -o out.csv exclude each other, expected a name in .json' sweep \
    --json nosuch.db -o out.csv
refused 2 '--csv and -o out.svg exclude each other, expected a name in .csv' stats --csv nosuch.db \
    -o out.svg
refused 2 '--format pjdump and -o out.json exclude each other' export --format pjdump run.db \
    -o out.json

# --- Standard output, and --csv and --json of every table

for command in "${commands[@]}"; do
    rm -f ./-
    call "$command" -o - >out.std 2>out.err || fail "$command -o -: $(cat out.err)"
    case $command in
    overview | treemap | gantt) holds_kind out.std svg || fail "$command -o - writes no picture" ;;
    *) call "$command" 2>/dev/null | cmp -s - out.std ||
        fail "$command -o - is not what it prints" ;;
    esac
    [ ! -e ./- ] || fail "$command -o - wrote a file"
    for option in csv json; do
        [[ " ${writes[$command]} " == *" $option "* ]] || continue
        call "$command" "--$option" >"printed.$option" 2>out.err ||
            fail "$command --$option: $(cat out.err)"
        holds_kind printed.$option $option ||
            fail "$command --$option: $(head -c 100 printed.$option)"
        call "$command" --force -o "named.$option" >/dev/null 2>&1
        cmp -s "printed.$option" "named.$option" ||
            fail "$command -o named.$option is not what --$option prints"
        call "$command" "--$option" -o any 2>/dev/null
        cmp -s "printed.$option" any || fail "$command --$option -o any"
        rm any
    done
done
cli formats --csv >formats.csv
same "formats --csv" "$(cli formats | wc -l)" "$(($(wc -l <formats.csv) - 1))"
refused 2 'import does not write to standard output' import run.trace -o -
cli sweep --slices 4 -o plot.svg run.db >levels.txt
cli sweep --slices 4 -o levels.csv run.db
holds_kind plot.svg svg && has levels.txt parts || fail "sweep -o plot.svg"
same "levels as CSV" \
    "$(cli sweep --slices 4 --json run.db | jq -r '.levels[] | "\(.parts) \(.plateau // "")"')" \
    "$(tail -n +2 levels.csv | awk -F, '{ print $9 " " $10 }')"
same "info as CSV" "$(cli info --json run.db |
    jq -r '.event_types[].values[] | select(.count > 0) | "\(.name) \(.count)"')" \
    "$(cli info --csv run.db | awk -F, '$3 != "" && $1 ~ /state|link/ { print $3 " " $4 }')"

# --- What is there already

# One file of each kind, and those that no command writes.
cli run.db --slices 4 -o was.svg && cli run.db --slices 4 -o was.png &&
    cli run.db --slices 4 -o was.pdf
cli run.db --slices 4 -o was.html && cli info run.db -o was.json && cli info run.db -o was.csv &&
    cli info run.db -o was.txt
cp run.db was.db
cp run.trace was.trace
cp "$sample" was.zst
printf 'path,type,slice,value\na,x,0,1\n' >was.matrix
kinds='svg png pdf html json csv txt db trace zst matrix'
for command in overview series sweep gantt; do
    for suffix in ${writes[$command]}; do
        for kind in $kinds; do echo "$command $suffix $kind"; done
    done
done | thin 4 >overwritten
while read -r command suffix kind; do
    cp "was.$kind" "out.$suffix"
    code=0
    call "$command" -o "out.$suffix" >/dev/null 2>out.err || code=$?
    if [ "$suffix" != db ] && [[ $suffix = "$kind" ]]; then
        same "$command over $kind" 0 "$code"
    else
        same "$command -o out.$suffix over $kind" 1 "$code"
        like out.err "^ocelotl-cli: out.$suffix: .*; use --force to replace it"
        cmp -s "was.$kind" "out.$suffix" || fail "$command -o out.$suffix has changed a $kind"
        call "$command" --force -o "out.$suffix" >/dev/null 2>&1 ||
            fail "$command --force -o out.$suffix"
        holds_kind "out.$suffix" "$suffix" || fail "$command --force -o out.$suffix over $kind"
    fi
    rm "out.$suffix"
done <overwritten
cp run.db keep.svg
refused 1 'keep.svg: holds a trace.db, and a picture (SVG) would take its place;
    use --force to replace it' --slices 4 run.db -o keep.svg
refused 2 'keep.svg: import does not write a picture (SVG), expected .db' import run.trace \
    -o keep.svg
refused 1 'keep.svg: holds a trace.db' sweep --slices 4 -o keep.svg run.db
refused 1 'run.db: is the trace itself' series --force run.db -o run.db
refused 1 'other.db: exists already; use --force to replace it' series run.db -o other.db
cp was.matrix one.csv && cp was.matrix two.csv
refused 1 'one.csv: is the trace itself' compare --force one.csv two.csv -o one.csv
refused 1 'two.csv: is the trace itself' compare --force one.csv two.csv -o two.csv
# The default name, too; an empty file may be replaced.
cp was.html smpi-stencil-96.svg && cp was.html run.svg
refused 1 'run.svg: holds a page (HTML)' --slices 4 run.db
: >run.svg
cli --slices 4 run.db >/dev/null || fail "an empty file was kept"
# What was allowed once is not repeated with the picture.
cli --slices 4 --force run.db -o keep.svg
cp run.db kept.svg
refused 1 'kept.svg: holds a trace.db' --again keep.svg -o kept.svg
cli --again keep.svg --force -o kept.svg || fail "--again --force"
# Every command replaces what it writes itself, and no other file of that kind: neither another
# program's, nor one that begins alike.
for command in "${commands[@]}"; do
    for suffix in ${writes[$command]}; do
        case $suffix in db) continue ;; esac
        call "$command" --force -o "mine.$suffix" >/dev/null 2>&1 ||
            fail "$command --force -o mine.$suffix"
        code=0
        call "$command" -o "mine.$suffix" >/dev/null 2>out.err || code=$?
        # Of sql, only a table is known to be its own.
        expected=$([[ $command:$suffix =~ ^sql:(csv|json)$ ]] && echo 1 || echo 0)
        same "$command -o mine.$suffix twice ($(cat out.err))" "$expected" "$code"
        rm "mine.$suffix"
    done
done
call export --format pjdump -o mine.txt && call export --format pjdump -o mine.txt ||
    fail "pjdump twice"
cli cache -o mine.json && cli cache -o mine.json || fail "cache twice"
cli cache --csv --force -o mine.csv && cli cache -o mine.csv || fail "cache as CSV twice"
cli cache --force -o mine.txt && cli cache -o mine.txt || fail "cache as text twice"
# theirs COMMAND SUFFIX TEXT
theirs() {
    printf "$3" >"theirs.$2"
    cp "theirs.$2" kept
    refused 1 "theirs.$2: holds " "$1" run.db -o "theirs.$2"
    like refused.err 'that ocelotl-cli did not write.*; use --force'
    cmp -s kept "theirs.$2" || fail "$1 replaced another's $2"
    call "$1" --force -o "theirs.$2" >/dev/null 2>&1 || fail "$1 --force over another's $2"
}
theirs overview svg '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>\n'
theirs overview html \
    '<!DOCTYPE html>\n<html><head><meta name="generator" content="other"></head></html>\n'
theirs overview json '{"kind":"other","parts":[]}\n'
theirs overview json '[1, 2]\n'
theirs overview pdf '%%PDF-1.5\n%%%%EOF\n'
theirs overview png '\211PNG\r\n\032\n'
theirs info json '{"name":"package","version":"1.0"}\n'
theirs info csv 'name,age\nann,7\n'
theirs info txt 'Dear diary\n'
theirs info txt '#!/bin/sh\necho hi\n'
theirs stats csv 'category,value\n1,2\n'
printf 'notes\n' >script.sh
refused 2 'script.sh: unknown suffix ".sh", expected .json, .csv or .txt' parts --slices 4 run.db \
    -o script.sh
refused 2 'levels: no suffix, expected .json, .csv or .txt' parts --slices 4 run.db -o levels
refused 2 'x.trace: import does not write traces as text, or compressed files, expected .db' \
    import run.trace -o x.trace
refused 2 'x.csv.gz: info does not write traces as text' info run.db -o x.csv.gz
refused 2 'x.txt: series does not write text, expected .svg, .png, .pdf, .json, .csv or .db' \
    series run.db -o x.txt
refused 2 'x.txt: export does not write text, expected .json or .csv' export run.db -o x.txt
# A format of another tool is called as that one calls it.
for pair in 'pjdump x.csv' 'picl x.txt' 'paje x.txt' 'matrix x.txt' 'chrome y.txt'; do
    read -r format name <<<"$pair"
    rm -f "$name"
    cli export --format "$format" run.db -o "$name" 2>told || fail "$pair: $(cat told)"
    cli export --format "$format" run.db 2>told | cmp -s - "$name" || fail "$pair is not $format"
done
cli import run.trace -o run.sqlite >/dev/null || fail "a trace.db of another name"
cli info --csv run.db -o levels || fail "a name without a suffix for what is asked for"
cli info run.db -o /dev/null || fail "a device"
no_rest outputs
