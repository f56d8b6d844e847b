# Archives that are broken in many ways, each with the error that it must give. What is broken is
# tests/data/otf2/whole, which has most kinds of records.
need_format otf2
need jq

# fresh NAME: a whole archive of that name.
fresh() { cp -r "$OCELOTL_ROOT/tests/data/otf2/whole" "$1"; }

# change FILE OFFSET BYTES: writes bytes (as printf has them) over those of a file.
change() { printf '%b' "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none; }

# broken NAME MESSAGE [ARGUMENT...]: its import ends with that message.
broken() {
    local name=$1 message=$2
    shift 2
    refused 1 "$message" import "$@" "$name" -o none.db
}

# odd DATABASE COUNT KIND [PLACE]: the trace has COUNT oddities of a kind, the first there.
odd() {
    same "$1: $3" "$2" "$(cli info --json "$1" |
        jq --arg kind "$3" '[.warnings[] | select(.kind | contains($kind)) | .count] | add // 0')"
    [ $# -lt 4 ] || cli info "$1" | grep -qF "first at $4" ||
        fail "$1: $3: expected $4: $(cli info "$1" | grep -F "$3" -A 1)"
}

# Each row: an archive, what is done to it, the error of its import, and what --lenient counts once
# where it reads the rest: the oddity, and its place.
while IFS='|' read -r name damage message oddity place; do
    fresh "$name"
    (cd "$name" && eval "$damage")
    broken "$name" "$message"
    [ -n "$oddity" ] || continue
    cli import --force --lenient "$name" -o some.db >/dev/null 2>&1
    odd some.db 1 "$oddity" "$place"
done <<'END'
no-anchor|rm run.otf2|no-anchor: holds parts of an OTF2 archive and no anchor (a file *.otf2)
two-anchors|cp run.otf2 other.otf2|two-anchors/other.def: is missing, expected the definitions of the archive beside
anchor-empty|: >run.otf2|run.otf2: the anchor cannot be read: it has 0 bytes, expected 46 to 16777216
anchor-cut|truncate -s 60 run.otf2|run.otf2: the anchor cannot be read: it is cut off
anchor-magic|change run.otf2 2 OTFX|run.otf2: the anchor cannot be read: it does not begin as an anchor does
anchor-chunk|change run.otf2 15 '\0377'|run.otf2: the anchor cannot be read: it says 4279238656 bytes for a chunk of
anchor-properties|change run.otf2 68 '\0377\0377\0377\0377'|it says 4294967295 properties, more than its bytes hold
definitions-missing|rm run.def|definitions-missing/run.def: is missing, expected the definitions of the archive beside its anchor definitions-missing/run.otf2, without which nothing can be read
definitions-magic|change run.def 0 '\0011'|run.def: the global definitions cannot be read: 
definitions-cut|truncate -s 500 run.def|run.def: is cut off behind 500 bytes, expected all definitions of the archive, without which nothing can be read
events-missing|rm run/7.evt|run/7.evt: is missing, expected the 1 record of a location that the definitions count (--lenient|location without its file of events|events-missing/run/7.evt: is missing, expected the 1 record of a location that the
events-empty|: >run/7.evt|run/7.evt: is empty, expected the 1 record of a location that the definitions count (--lenient|location without its file of events|events-empty/run/7.evt: is empty, expected
events-cut|truncate -s 300 run/7.evt|run/7.evt:298: is cut off behind 17 events and 300 bytes, expected all events of a location (--lenient|location whose events cannot be read to the end|events-cut/run/7.evt:298: is cut off behind 17 events and 300 bytes, expected all events of a
events-magic|change run/7.evt 0 '\0011'|run/7.evt:0: record 1: |location whose events cannot be read to the end|events-magic/run/7.evt:0: record 1: 
events-back|change run/7.evt 36 '\0001\0000'|run/7.evt:35: record 2: the time goes back, expected none before that of the record|time that goes back (taken as the one before)|events-back/run/7.evt:35: record 2
END
broken no-anchor/run 'run: holds parts of an OTF2 archive and no anchor'
broken no-anchor/run.def 'run.def: is a part of an OTF2 trace, which cannot be read, expected its'
# Without definitions nothing is left to read, nor without all events.
broken definitions-cut 'run.def: is cut off behind 500 bytes, expected all definitions of the archive'
lacks refused.err --lenient
for name in missing:'is missing' cut:'is cut off behind 500 bytes'; do
    broken "definitions-${name%:*}" "run.def: ${name#*:}, expected" --lenient
done
fresh none-left && rm -r none-left/run
broken none-left "none-left: holds no record of events that can be read, expected those of" --lenient
# Where others have definitions of their own, the numbers of one without may mean something else.
for files in 7 '*'; do
    fresh "own-$files" && rm "own-$files"/run/$files.def
    cli import --force "own-$files" -o own.db >/dev/null 2>&1
    odd own.db "$([ "$files" = 7 ] && echo 1 || echo 0)" \
        "location without its file of definitions, as others have"
done

# --- A record of a later version of the format
fresh unknown && change unknown/run/7.evt 63 '\0310'
cli import unknown -o unknown.db >/dev/null 2>&1
same "unknown records" '1 unknown to the version of the OTF2 library' \
    "$(cli info --json unknown.db | jq -r '.source.left_out.UNKNOWN | "\(.count) \(.why)"')"

# --- What is named and not defined is counted
cli import "$OCELOTL_ROOT/tests/data/otf2/undefined" -o undefined.db >/dev/null 2>&1
odd undefined.db 1 'attribute that is not defined'
odd undefined.db 3 'region that is not defined (named so)'
odd undefined.db 3 'to or from a rank that its communicator does not have'
same "metrics without a class" 1 "$(cli info --json undefined.db |
    jq '.source.left_out.METRIC.count')"
# A folder above archives stands for them.
mkdir outer
fresh outer/archive
cli import outer/archive -o inner.db >/dev/null 2>&1 || fail "the folder of an archive"
cli import outer -o outer.db >/dev/null 2>outer.err || fail "the folder above: $(cat outer.err)"
same "the folder above" "$(cli info inner.db | grep ^uid)" "$(cli info outer.db | grep ^uid)"
fresh outer/other
cli import outer -o both.db >/dev/null 2>&1 || fail "two folders below"
same "both" "outer/archive/run.otf2 outer/other/run.otf2" "$(cli info both.db |
    grep -o 'outer/[a-z]*/run.otf2' | paste -sd' ')"
