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

# --- The anchor
fresh no-anchor && rm no-anchor/run.otf2
broken no-anchor 'no-anchor: holds parts of an OTF2 archive and no anchor (a file *.otf2)'
broken no-anchor/run 'run: holds parts of an OTF2 archive and no anchor'
broken no-anchor/run.def 'run.def: is a part of an OTF2 trace, which cannot be read, expected its'
fresh two-anchors && cp two-anchors/run.otf2 two-anchors/other.otf2
broken two-anchors 'two-anchors/other.def: is missing, expected the definitions of the archive beside'
fresh anchor-empty && : >anchor-empty/run.otf2
broken anchor-empty 'run.otf2: the anchor cannot be read: it has 0 bytes, expected 46 to 16777216'
fresh anchor-cut && truncate -s 60 anchor-cut/run.otf2
broken anchor-cut 'run.otf2: the anchor cannot be read: it is cut off'
fresh anchor-magic && change anchor-magic/run.otf2 2 OTFX
broken anchor-magic 'run.otf2: the anchor cannot be read: it does not begin as an anchor does'
fresh anchor-chunk && change anchor-chunk/run.otf2 15 '\0377'
broken anchor-chunk 'run.otf2: the anchor cannot be read: it says 4279238656 bytes for a chunk of'
fresh anchor-properties && change anchor-properties/run.otf2 68 '\0377\0377\0377\0377'
broken anchor-properties 'it says 4294967295 properties, more than its bytes hold'

# --- Definitions
fresh definitions-missing && rm definitions-missing/run.def
missing='definitions-missing/run.def: is missing, expected the definitions of the archive beside its'
broken definitions-missing "$missing anchor definitions-missing/run.otf2, without which nothing can be read"
broken definitions-missing "$missing anchor" --lenient
fresh definitions-cut && truncate -s 500 definitions-cut/run.def
broken definitions-cut 'run.def: is cut off behind 500 bytes, expected all definitions of the archive, without which nothing can be read'
lacks refused.err --lenient
broken definitions-cut 'run.def: is cut off behind 500 bytes, expected all definitions of the archive' --lenient
fresh definitions-magic && change definitions-magic/run.def 0 '\0011'
broken definitions-magic 'run.def: the global definitions cannot be read: '
# Where others have definitions of their own, the numbers of one without may mean something else.
fresh own-missing && rm own-missing/run/7.def
cli import own-missing -o own.db >/dev/null 2>&1
odd own.db 1 "location without its file of definitions, as others have"
fresh own-none && rm own-none/run/*.def
cli import own-none -o own.db --force >/dev/null 2>&1
odd own.db 0 "location without its file of definitions, as others have"

# --- Events
fresh events-missing && rm events-missing/run/7.evt
broken events-missing 'run/7.evt: is missing, expected the 1 record of a location that the definitions count (--lenient'
cli import --lenient events-missing -o some.db >/dev/null 2>&1
odd some.db 1 'location without its file of events' \
    'events-missing/run/7.evt: is missing, expected the 1 record of a location that the'
# Without all of them nothing is left to read.
fresh none-left && rm -r none-left/run
broken none-left "none-left: holds no record of events that can be read, expected those of" --lenient
fresh events-empty && : >events-empty/run/7.evt
broken events-empty 'run/7.evt: is empty, expected the 1 record of a location that the definitions count (--lenient'
cli import --force --lenient events-empty -o some.db >/dev/null 2>&1
odd some.db 1 'location without its file of events' 'events-empty/run/7.evt: is empty, expected'
fresh events-cut && truncate -s 300 events-cut/run/7.evt
broken events-cut 'run/7.evt:298: is cut off behind 17 events and 300 bytes, expected all events of a location (--lenient'
cli import --lenient events-cut -o cut.db >/dev/null 2>&1
odd cut.db 1 'location whose events cannot be read to the end' \
    'events-cut/run/7.evt:298: is cut off behind 17 events and 300 bytes, expected all events of a'
fresh events-magic && change events-magic/run/7.evt 0 '\0011'
broken events-magic 'run/7.evt:0: record 1: '
cli import --lenient events-magic -o magic.db >/dev/null 2>&1
odd magic.db 1 'location whose events cannot be read to the end' \
    'events-magic/run/7.evt:0: record 1: '
fresh events-back && change events-back/run/7.evt 36 '\0001\0000'
broken events-back 'run/7.evt:35: record 2: the time goes back, expected none before that of the record'
cli import --lenient events-back -o back.db >/dev/null 2>&1
odd back.db 1 'time that goes back (taken as the one before)' 'events-back/run/7.evt:35: record 2'

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
