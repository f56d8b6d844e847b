# Types where nobody names any: what is one thing is one type, nested states the outermost that tell
# as much, where all of them are more than a picture holds.
need python3

# Ranks wait in two steps for one: their collective takes eight times as long.
mkdir ranks
python3 "$OCELOTL_ROOT/examples/pytorch_ranks.py" 16 ranks >/dev/null
quiet ranks -o ranks.db
cli --json ranks.db >ranks.json
holds "few parts" ranks.json '.parts | length > 20 and length <= 150'
holds "kinds of kernels" ranks.json '[.parts[].shares | keys[]] | unique | sort == ["(no state)",
    "Optimizer.step#SGD.step", "backward", "collective", "compute", "forward", "nccl:all_reduce"]'
holds "two long collectives" ranks.json '[.parts[] | select(.leaves == 15 and
    .shares.collective > 0.9) | .end - .begin] | length == 2 and min > 0.003'
holds "the rank they wait for" ranks.json '[.parts[] | select(.leaves == 1 and
    .begin > 0.066 and .end < 0.08 and .shares.backward > 0.9)] | length == 2'
why=$(jq -r .chosen.types ranks.json)
grep -qxE 'outer states, like types as one: else 100 parts would hide [0-9.]+ % of .*' \
    <<<"$why" || fail "why: $why"

# One p for all commands, and one choice of types for each part of the trace.
same "sweep" "$(jq .p ranks.json)" "$(cli sweep --json ranks.db | jq '.levels[] | select(.auto).p')"
same "parts" "$(jq .p ranks.json)" "$(cli parts --json ranks.db | jq .p)"
while read -r options; do
    # shellcheck disable=SC2086
    same "$options" "$why" "$(cli --json $options ranks.db 2>/dev/null | jq -r .chosen.types)"
done <<'END'
--no-cache
--no-cache --from 30% --to 70%
--no-cache --part 7
--no-cache --only-resources *stream*
--p 0.3
--max-leaves 20
END
while read -r options; do
    # shellcheck disable=SC2086
    same "$options" null "$(cli --json $options ranks.db 2>/dev/null | jq .chosen.types)"
done <<'END'
--plain
--nesting-depth 1
--most-types 30
--group-types *kernel=kernel
--type-tree cuda
--nesting inclusive
--only backward
--except backward
--metric event-count
END

# A number that comes once in each resource counts; one that comes again and again is a name.
python3 - <<'END'
for name, again in ("once", 1), ("again", 4):
    with open(name + ".csv", "w") as file:
        print("resource,type,value,begin,end", file=file)
        for thread in range(4):
            for i in range(60 * again):
                print(f"t{thread},state,step {i % 60},{i},{i + 1}", file=file)
END
while read -r name types chosen; do
    quiet $name.csv -o $name.db
    same "$name: types" "$types" "$(cli --json $name.db | jq '[.parts[].shares | keys[]] | unique |
        length')"
    same "$name: why" "$chosen" "$(cli --json $name.db | jq -r .chosen.types)"
done <<'END'
once 1 like types as one: else 50 % of the time would have no colour
again 31 null
END

# What holds all is as it was.
example
cmp -s <(cli --json --plain trace.db) <(cli --json trace.db) || fail "the example has other types"
