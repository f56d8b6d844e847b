# Tables come back from exports as the same trace: types of their hierarchy, lives, resources where
# nothing happens, their order; and what does not is counted.
need python3

python3 "$OCELOTL_ROOT/tests/tables.py" 40 >said || fail "$(cat said)"

# uids WHAT DATABASE: the trace has the same uid once it came back as CSV and as JSON.
uids() {
    for kind in csv json; do
        cli export --format $kind --force "$2" -o back.$kind 2>said || fail "$1: $(cat said)"
        same "losses of $1 as $kind" "" "$(cat said)"
        cli import --force back.$kind -o back.db >/dev/null || fail "$1 as $kind"
        same "$1 as $kind" "$(uid "$2")" "$(uid back.db)"
    done
}
printf 'host,rank,state,begin,end\nn1,0,a,0,1\nn1,1,b,0,2\n' >levels.csv
cli import levels.csv -o levels.db >/dev/null 2>&1
uids "levels" levels.db
same "the types of a hierarchy" "host rank" \
    "$(cli sql --csv back.db "SELECT DISTINCT type FROM resources ORDER BY 1" | tail -n +2 |
        paste -sd ' ')"

# Lives, resources without events, siblings in another order than that of what happens in them.
{
    paje_definitions DestroyContainer PushState PopState
    cat <<'END'
0 M 0 machine
0 T M thread
1 S T state
2 1700000000.000000001 m M 0 m
2 1700000000.000000001 a T m a
2 1700000000.000000002 b T m b
2 1700000000.000000002 c T m c
4 1700000000.000000003 S b x
5 1700000000.000000004 S b
4 1700000000.000000005 S a x
5 1700000000.000000006 S a
3 1700000000.000000007 T b
3 1700000000.000000009 M m
END
} >lives.trace
cli import lives.trace -o lives.db >/dev/null
uids "lives" lives.db
same "the order of siblings" "$(cli sql --csv lives.db "SELECT path FROM resources")" \
    "$(cli sql --csv back.db "SELECT path FROM resources")"
same "rows of a part" 1 "$(cli export --resource m/a lives.db | sed 1d | wc -l)"
same "rows of one type" 2 "$(cli export --type state lives.db | sed 1d | wc -l)"

# What has no row is counted.
printf '1 N T never\n' | sed '/^0 T/r /dev/stdin' lives.trace >never.trace
cli import never.trace -o never.db >/dev/null
cli export never.db 2>&1 >/dev/null | grep -qF "not said by csv: event types without events (1)" ||
    fail "an event type without events is not counted"
refused 1 'ends before it begins' import --force -o none.db <(printf '%s\n%s\n' \
    'resource,resource_type,category,type,value,begin,end,duration,depth,source,target,key,attributes' \
    'a,b,resource,,,2,1,,,,,,') 2>/dev/null
# Names in columns stand in the order of the numbers that they end in, also once they are exported.
cat >ranks.csv <<'END'
host,rank,type,value,begin,end
b,10,S,x,0,1
b,9,S,x,0,1
a,2,S,x,0,1
b,2,S,x,0,1
a,x,S,x,0,1
a,1,S,x,0,1
END
cli import ranks.csv -o ranks.db >/dev/null 2>&1
same "ranks by number" "b/2 b/9 b/10" "$(cli sql --csv ranks.db \
    "SELECT path FROM resources WHERE path LIKE 'b/%'" | tail -n +2 | xargs)"
same "ranks beside a name" "a/1 a/2 a/x" "$(cli sql --csv ranks.db \
    "SELECT path FROM resources WHERE path LIKE 'a/%'" | tail -n +2 | xargs)"
cli export ranks.db >again.csv
cli import again.csv -o again.db >/dev/null 2>&1
same "the same again" "$(cli info --json ranks.db | jq .uid)" \
    "$(cli info --json again.db | jq .uid)"
