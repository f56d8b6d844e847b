# The tree that is drawn where nobody names one: by role where the trace's loses most, else its own.
need python3

# Eight hosts do alike: a thread whose name is a number, and two that are called alike everywhere.
# The calm hosts do the same all the time. What the mixed ones do follows neither host nor name.
python3 - <<'END'
import random
for name, count in ("unlike", 40), ("calm", 1):
    random.seed(3)
    plans = [[random.choice("xyz") for _ in range(count)] for _ in range(3)]
    with open(name + ".csv", "w") as file:
        print("resource,type,value,begin,end", file=file)
        for host in range(8):
            for plan, thread in zip(plans, (f"program/{1000 + host}", "driver/poll", "driver/io")):
                for step, state in enumerate(plan):
                    begin, end = step * 400 // count, (step + 1) * 400 // count
                    print(f"host{host}/{thread},state,{state},{begin},{end}", file=file)
random.seed(5)
with open("mixed.csv", "w") as file:
    print("resource,type,value,begin,end", file=file)
    for core in range(240):
        plan = random.randrange(40)
        name = f"host{core % 8}/{chr(97 + core // 9)}-{core}"
        print(f"{name},state,busy,0,{200 + plan * 5}", file=file)
        print(f"{name},state,done,{200 + plan * 5},400", file=file)
END
quiet mixed.csv -o mixed.db
quiet unlike.csv -o unlike.db
quiet calm.csv -o calm.db
example

# A window, a part, filters, and what works on any tree keep it, whoever computes it first.
why=$(cli --json unlike.db | jq -r .chosen.tree)
grep -qxE 'by role: 100 parts hide [0-9.]+ % of .*, with the tree of the trace [0-9.]+ %' <<<"$why" ||
    fail "by role: $why"
same "info" "$why" "$(cli info --json unlike.db | jq -r .picture.tree)"
while read -r options; do
    # shellcheck disable=SC2086
    same "$options" "$why" "$(cli --json $options unlike.db 2>/dev/null | jq -r .chosen.tree)"
done <<'END'
--no-cache
--no-cache --from 3 --to 90
--no-cache --part 7
--no-cache --only x
--no-cache --only-resources *io
--order activity
--max-leaves 20
--fold poll
--kind spatial
END
for options in '' '--from 100 --to 300' '--only-resources *-1*'; do
    # shellcheck disable=SC2086
    holds "mixed $options" <(cli --json $options mixed.db) \
        '.chosen.tree | test("^by behaviour: 100 parts hide 0 % of .* tree of the trace [2-9]")'
done
same "nodes of a window" "$(cli --json unlike.db | jq -c '[.parts[].node] | unique')" \
    "$(cli --json --hierarchy role unlike.db | jq -c '[.parts[].node] | unique')"

# What names a tree takes it back, as --plain does; what gains nothing is as it was.
while read -r trace options; do
    # shellcheck disable=SC2086
    cmp -s <(cli --json --plain $options "$trace") <(cli --json $options "$trace") ||
        fail "$trace with $options has another tree than its own"
done <<'END'
unlike.db --hierarchy trace
unlike.db --hierarchy auto
unlike.db --hierarchy role
unlike.db --drop-level Group
unlike.db --max-groups 3
unlike.db --kind temporal
calm.db
trace.db
END

# A number is named for the places that set it apart from others.
printf '%s\n' resource,type,value,begin,end h0/p/8,s,x,0,5 h0/p/9,s,y,0,5 h0/p/c,s,y,0,5 \
    h1/p/3,s,x,0,5 h1/q/7,s,y,0,5 5,s,z,0,5 h2/p/4,s,z,0,5 h2/c-1.2,s,z,0,5 >numbers.csv
quiet numbers.csv -o numbers.db
same "names of numbers" "Group/5 Group/h0: 8 Group/h0: 9 Group/h1: p Group/h1: q Group/h2 c/c c/c-1.2" \
    "$(cli --json --p 0 --hierarchy role --max-groups 0 numbers.db 2>/dev/null |
        jq -r '[.parts[].node] | unique[]' | line)"
