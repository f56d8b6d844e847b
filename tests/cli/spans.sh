# Traces of any span, from one tick to nearly 64 bits, and of none: each view and command answers at
# once, in numbers, or gives the true reason in one sentence.

# trace BEGIN END: three resources in two states, from begin to end.
trace() {
    paje_definitions SetState DestroyContainer
    printf '0 P 0 host\n1 S P state\n'
    local i
    for i in 0 1 2; do printf '2 %s h%s P 0 host%s\n' "$1" "$i" "$i"; done
    [ "$1" = "$2" ] || for i in 0 1 2; do printf '3 %s S h%s %s\n' "$1" "$i" \
        "$([ "$i" -eq 1 ] && echo wait || echo run)"; done
    for i in 0 1 2; do printf '4 %s P h%s\n' "$2" "$i"; done
}

# soon ARGUMENT...: an answer within a time that only an endless loop takes, without what is no
# number and no text.
soon() {
    local code=0
    rm -f out.* answer error
    timeout -s KILL 600 "$OCELOTL_CLI" "$@" >answer 2>error || code=$?
    case $code in
    0) ;;
    1)
        [ "$span" = none ] || [ "$partly" = yes ] || fail "$span: $*: $(cat error)"
        [ "$(grep -c '^ocelotl-cli: ' error)" -ge 1 ] || fail "$span: $*: no message: $(cat error)"
        ;;
    *) fail "$span: $*: exit code $code: $(head -c 300 error)" ;;
    esac
    [ -z "$(grep -aoE '\(null\)|[^a-zA-Z]-?(nan|inf)[^a-zA-Z]' answer error out.svg out.json \
        2>/dev/null | head -n 1)" ] ||
        fail "$span: $*: $(grep -aE '\(null\)|[^a-zA-Z]-?(nan|inf)[^a-zA-Z]' answer error out.svg \
        out.json | head -c 300)"
}

while read -r begin end; do
    span="$begin to $end"
    trace "$begin" "$end" >run.trace
    [ "$begin" != "$end" ] || span=none
    cli import --force run.trace -o run.db >import.out 2>&1 ||
        fail "$span: import: $(cat import.out)"
    partly=no
    for view in partition stacked histogram mode amplitude; do soon --view "$view" run.db \
        -o out.svg; done
    for suffix in png pdf json html; do soon run.db -o "out.$suffix"; done
    for command in info sweep parts stats series compare export; do
        second=$([ "$command" != compare ] || echo run.db)
        soon "$command" run.db $second
        soon "$command" --json run.db $second
    done
    for command in gantt treemap stats series; do soon "$command" run.db -o out.svg; done
    soon sweep -o out.svg run.db
    soon compare run.db run.db -o out.svg
    soon export --format pjdump run.db
    soon sql run.db 'SELECT * FROM events'
    # A window may be narrower than a tick.
    partly=yes
    for window in '--from 10% --to 90%' '--from 50% --to 50%' '--from 100%' '--to 0%'; do
        for command in '' gantt; do soon $command $window run.db -o out.svg; done
        for command in stats series export parts; do soon $command $window run.db; done
    done
    soon compare --to 50% --from2 50% run.db run.db
done <<'LIST'
0 0
0 1e-9
0 7e11
-9e9 9e9
5e9 5000000001
0 1e15
0 3e18
LIST
