# Steps of a program: what is numbered and follows itself in time is a row above the plot, and its
# slowest is marked. Of many like numbers, the slow ones are a type of their own.
need python3

# Random steps of all resources, a CSV each, and by another account lines NAME COUNT MEDIAN SLOWEST.
python3 - >wanted.txt <<'END'
import random, statistics
random.seed(33)
shapes = ["step {}", "Iter#{}", "epoch 3 of 8, batch {}/90", "{}: run"]
for seed in range(16):
    shape, count = shapes[seed % 4], random.randint(3, 40)
    first, rows, pause = random.randint(0, 2000), random.randint(1, 5), random.choice([0, 0, 20])
    lengths = [1000 + random.randint(0, 100 if seed % 3 == 0 else 3000) for _ in range(count)]
    at, lines = random.randint(0, 500), []
    for number, length in enumerate(lengths, first):
        for row in range(rows):  # the first is there from begin to end
            late = random.randint(0, 300) if row > 0 else 0
            lines.append((row, shape.format(number), at + late, at + length - late // 2))
        at += length + pause
    random.shuffle(lines)
    with open(f"{seed}.csv", "w") as file:
        print("resource,type,value,begin,end", file=file)
        for row, value, begin, end in lines:
            print(f'r{row},state,"{value}",{begin / 1e6:.6f},{end / 1e6:.6f}', file=file)
    median = statistics.median(lengths)
    slowest = max(range(count), key=lambda i: lengths[i])
    print(seed, count, median / 1e6, shape.format(first + slowest)
          if lengths[slowest] >= 1.2 * median else "none", sep="\t")
END
while IFS=$'\t' read -r name count median slowest; do
    cli --json "$name.csv" 2>/dev/null >steps.json
    same "$name: count" "$count" "$(jq .steps.count steps.json)"
    near "$name: median" "$median" "$(jq .steps.median steps.json)" 1e-9
    same "$name: slowest" "$slowest" "$(jq -r '.steps.slowest // "none"' steps.json)"
    holds "$name: list" steps.json '[.steps.list[] | .end >= .begin and .name != ""] | all'
    holds "$name: order" steps.json '[.steps.list[].begin] | length == $n and . == sort' \
        --argjson n "$count"
done <wanted.txt

# made NAME [SHAPE [COUNT [LONG [STRETCH]]]]: steps of a second on four resources, one of them five
# times as long; each lasts STRETCH times the time to the next.
made() {
    python3 - "${@:2}" >"$1.csv" <<'END'
import sys
shape, count, long, stretch = (sys.argv[1:] + ["step {}", 20, 13, 1][len(sys.argv) - 1:])[:4]
at = 0
print("resource,type,value,begin,end")
for i in range(int(count)):
    length = 5 if i == int(long) else 1
    for row in range(4):
        print(f"r{row},state,{shape.format(i)},{at},{at + length * float(stretch)}")
    at += length
END
    quiet "$1.csv" -o "$1.db"
}

# The row: a box each with its tooltip, the slowest in its colour, its name line; at all formats.
made few
cli few.db -o few.svg
like few.svg '20 steps step #; slowest: 13, 5 s \(median 1 s\)' '>step 13$' '^5 s, the slowest<'
same "boxes" 20 "$(sed -n '/class="steps"/,/<\/g>/p' few.svg | grep -c '<title>step')"
same "numbers" 20 "$(sed -n '/class="steps"/,/<\/g>/p' few.svg | grep -c '<text')"
same "marked" 1 "$(sed -n '/class="steps"/,/<\/g>/p' few.svg | grep -ci 'fill="#b42318"')"
same "said once" 1 "$(grep -o '<text[^>]*>[^<]*slowest: 13' few.svg | wc -l)"
# Those that are nearly as slow are marked, too.
python3 -c 'print("resource,value,begin,end")
for i in range(10): print(f"r,step {i},{i * 100},{i * 100 + (99 if i in (3, 7) else 60)}")
' >two.csv
cli --no-cache two.csv -o two.svg 2>/dev/null
has two.svg '10 steps step #; slowest: 3, 7, 99 s'
same "marked" 2 "$(sed -n '/class="steps"/,/<\/g>/p' two.svg | grep -ci 'fill="#b42318"')"

for options in '--from 5 --to 9' '--from 16 --to 19.5'; do
    # shellcheck disable=SC2086
    cli few.db $options -o window.svg 2>/dev/null
    like window.svg "class=\"whole\"" "[34] of 20 steps step #; slowest: 13"
done
for options in --plain '--kind temporal' '--kind spatial' '--view treemap'; do
    # shellcheck disable=SC2086
    cli few.db $options -o plain.svg
    lacks plain.svg 'class="steps"'
done
cli few.db -o few.html
has few.html 'class="steps"' '20 steps step #'

# Not steps: they overlap, are few, are not there for long, come again and again.
made once 'step {}' 20 13 1.3
made two 'step {}' 2 1
{ cat few.csv && echo r0,state,rest,24,90; } >short.csv
sed 's/step [0-9]*\([0-9]\),/step \1,/' few.csv >again.csv
quiet short.csv -o short.db
quiet again.csv -o again.db
for name in once two short again; do
    same "$name" null "$(cli --json $name.db 2>/dev/null | jq -c .steps)"
done

# With a silence left out, half of what is drawn counts; the row has the break of the axis.
{ cat few.csv && echo r0,state,rest,9000,9001; } >broken.csv
cli --json broken.csv 2>/dev/null >broken.json
holds "pieces" broken.json '(.pieces | length == 2) and .steps.count == 20'
cli broken.csv -o broken.svg 2>/dev/null
same "breaks" 2 "$(grep -c 'class="breaks"' broken.svg)"

# Thousands: those of less than two pixels are one box, and the slowest is seen.
made many 'it{}' 20000 777
cli many.db -o many.svg
sed -n '/class="steps"/,/<\/g>/p' many.svg >row.svg
like row.svg 'it0 .. it776: 777 steps' '>it777$' 'width="3"'
[ "$(wc -l <row.svg)" -lt 30 ] || fail "many boxes: $(wc -l <row.svg)"

# One of 200 that lasts five times as long has a type of its own; where many last long, none has.
made iters 'iter{}' 200 113
cli --json iters.db >iters.json
holds "slow" iters.json '[.parts[] | select(.shares["slow iter#"] > 0.9) |
    [.leaves, (.end - .begin | round)]] == [[4, 4]]'
holds "words" iters.json '.grouping == "1 type as slow iter#, 199 types as iter#"'
awk -F , 'NR > 1 { i = substr($3, 5); long = i % 3 == 0 ? 2 : 1; b = i * 1.33; $4 = b * 10
    $5 = (b + long) * 10 } { print $1 "," $2 "," $3 "," $4 "," $5 }' iters.csv >third.csv
same "a third" '"200 types as iter#"' "$(cli --json third.csv 2>/dev/null | jq .grouping)"
