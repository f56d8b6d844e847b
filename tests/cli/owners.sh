# Owners of locks: of links from who releases to who acquires, and of events that name the lock.
threads='2 0 r R 0 root\n2 0 A T r A\n2 0 B T r B\n2 0 C T r C\n'
types='0 R 0 Root\n0 T R Thread\n'

# A has m until 1, B from 2 to 4, C from 4 to 4 and B again from 4.5; B has n from 3 to the end.
{
    paje_events DefineContainerType DefineLinkType CreateContainer StartLink EndLink
    printf "${types}1 M R T T mutex\n$threads"
    printf '3 1 M r m A 1\n4 2 M r m B 1\n3 2.5 M r n C 2\n4 3 M r n B 2\n3 4 M r m B 3\n'
    printf '4 4 M r m C 3\n3 4 M r m C 4\n4 4.5 M r m B 4\n3 9 M r n B 5\n4 10 M r n A 5\n'
} >links.trace
cli import links.trace -o links.db >/dev/null
cli series --owner mutex links.db -o owners.db
cli sql --csv owners.db "SELECT resource, value, begin, end FROM events WHERE type = 'owner'
    ORDER BY resource, begin" >got.csv
same() { diff <(tail -n +2 got.csv | tr -d '"') - || fail "$1"; }
same 'owners by links' <<'EOF'
m,root/B,2,4
m,root/B,4.5,10
n,root/B,3,9
n,root/A,10,10
EOF
cli info owners.db >info.txt
has info.txt 'release of a lock that nobody is known to own'
cli info --json owners.db | jq -e '[.warnings[].count] == [2]' >/dev/null || fail "warnings"
# All that the trace had is there.
cli sql --csv owners.db "SELECT count(*) FROM events WHERE category = 'link'" >links.csv
[ "$(tail -1 links.csv)" = 5 ] || fail "links are lost"
cli series --owner mutex links.db -o owners.svg
has owners.svg 'root/B'
refused 2 'is of all locks of the trace: --at and it' series --owner mutex --at all links.db
refused 1 'expected one of them' series --owner mutex links.db
refused 1 'nothing acquires or releases a "mutexes"' series --owner mutexes links.db -o x.db
[ ! -e x.db ] || fail "half a trace"

# The same by events: of a semaphore that two have at once, and that a third one releases.
{
    paje_events DefineContainerType DefineEventType CreateContainer NewEvent+sem
    printf "${types}1 E T call\n$threads"
    printf '3 0 E A wait s\n3 1 E A sem_acq s\n3 2 E B sem_acq s\n3 3 E A sem_release s\n'
    printf '3 3.5 E A work s\n3 5 E C V s\n3 6 E C P s\n3 8 E C V s\n3 10 E A V t\n'
} >events.trace
cli import events.trace -o events.db >/dev/null
cli series --owner sem events.db -o owners.db --force
cli sql --csv owners.db "SELECT resource, value, begin, end FROM events WHERE type = 'owner'
    ORDER BY resource, begin" >got.csv
same 'owners by events' <<'EOF'
s,root/A,1,3
s,root/B,2,5
s,root/C,6,8
EOF

# What belongs to an event: what carries the same value, and links that touch it in its resource.
cli sql --csv events.db "WITH it AS MATERIALIZED (SELECT * FROM events WHERE value = 'P')
    SELECT other.value, other.\"begin\" FROM it JOIN events other
    ON other.attributes ->> 'sem' = it.attributes ->> 'sem' ORDER BY 2" >got.csv
[ "$(wc -l <got.csv)" = 9 ] || fail "what carries the same value"
cli series --owner mutex links.db -o owners.db --force
cli sql --csv owners.db "WITH it AS MATERIALIZED
    (SELECT *, 'root/B' AS who FROM events WHERE value = 'root/B' AND \"begin\" = 3)
    SELECT other.source, other.\"begin\" FROM it JOIN events other
    ON other.source = it.who AND other.\"begin\" BETWEEN it.\"begin\" AND it.\"end\"
    UNION ALL SELECT other.source, other.\"begin\" FROM it JOIN events other
    ON other.target = it.who AND other.\"end\" BETWEEN it.\"begin\" AND it.\"end\"
    ORDER BY 2" >got.csv
same 'links that touch' <<'EOF2'
root/C,2.5
root/B,4
root/C,4
root/B,9
EOF2
