# Traces of Perfetto that export writes: read again they have the same states, events, variables and
# links, by name; tracks are as deep as the hierarchy; parts are slices of a track of their own.
need jq python3

# summed DATABASE [WHERE]: counts and total times by name, of states, events, variables and links.
summed() {
    ask "$1" "SELECT category || ' ' || name || ' ' || count(*) || ' ' ||
        CAST(round(sum(number) * 1e6) AS INTEGER) FROM (SELECT category,
        CASE category WHEN 'variable' THEN type ELSE coalesce(nullif(value, ''), type) END AS name,
        CASE category WHEN 'variable' THEN CAST(value AS REAL) ELSE duration * 1000 END AS number
        FROM events WHERE ${2-1}) GROUP BY category, name ORDER BY category, name"
}
# again NAME: NAME.db, written and read again.
again() {
    cli export --force --format perfetto "$1.db" -o "$1.pftrace" 2>"$1.lost" ||
        fail "$1: $(cat "$1.lost")"
    quiet "$1.pftrace" -o "$1.again.db"
}

# --- Two levels of resources, states that nest and cross, an event, a variable, links
{
    echo resource,type,value,begin,end
    printf '%s\n' a/x,S,outer,0,10 a/x,S,inner,2,5 a/x,T,other,1,9 a/y,S,outer,0.000000001,4 \
        b,S,alone,3,3
} >small.csv
quiet small.csv -o small.db
again small
same "states" "$(summed small.db)" "$(summed small.again.db)"
same "rows" "a/x a/x/T a/y b" \
    "$(ask small.again.db 'SELECT DISTINCT resource FROM events ORDER BY 1' | line)"
same "nothing is lost" "" "$(cat small.lost)"

# --- What was recorded by Perfetto, and by others
python3 "$OCELOTL_ROOT/tests/perfetto.py" make recorded 20
quiet recorded -o recorded.db
again recorded
same "what was recorded" "$(summed recorded.db)" "$(summed recorded.again.db)"
same "the clock" "$(cli info --json recorded.db | jq .origin)" \
    "$(cli info --json recorded.again.db | jq .origin)"
same "a unit" percent "$(cli info --json recorded.again.db |
    jq -r '.event_types[] | select(.name == "load") | .unit')"
example run.db
again run
where="category IN ('state', 'event')"
same "a simulation" "$(summed run.db "$where")" "$(summed run.again.db "$where")"
same "its links" "$(ask run.db "SELECT count(*) FROM events WHERE category = 'link' AND
    source <> '' AND target <> ''")" \
    "$(ask run.again.db "SELECT count(*) FROM events WHERE category = 'link'")"

# --- The independent reader counts the same slices
python3 "$OCELOTL_ROOT/tests/perfetto.py" read small.pftrace >read.txt
has read.txt 'record slice begin 5' 'record slice end 5' 'state inner 1 3000000000' \
    'state outer 2 13999999999'

# --- Parts
cli export --force --format perfetto --with-parts --parts 8 run.db -o parts.pftrace 2>/dev/null
quiet parts.pftrace -o parts.db
same "a slice for each part" "$(cli parts --json --parts 8 run.db | jq '.parts | length')" \
    "$(ask parts.db "SELECT count(*) FROM events WHERE resource LIKE 'overview: %'")"

# --- A file of ours is replaced, another is not
cli export --format perfetto small.db -o small.pftrace 2>/dev/null || fail "ours is not replaced"
cp recorded other.pftrace
refused 1 'other.pftrace: ' export --format perfetto small.db -o other.pftrace
cmp recorded other.pftrace || fail "another is replaced"
