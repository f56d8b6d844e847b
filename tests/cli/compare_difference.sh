# The picture of a difference shows the known differences of the runs, in two colours.
need xmllint python3

# run SLOW: eight ranks that compute in each of ten seconds, slow ones twice as long, and wait for
# the end of the second.
run() {
    paje_definitions SetState DestroyContainer
    awk -v slow="$1" 'BEGIN {
        print "0 P 0 Process"; print "1 S P State"
        count = split(slow, list, " "); for (i = 1; i <= count; i++) is_slow[list[i]] = 1
        for (r = 0; r < 8; r++) print 2, 0, "r" r, "P", 0, "rank-" r
        for (t = 0; t < 10; t++)
            for (r = 0; r < 8; r++) {
                print 3, t, "S", "r" r, "Compute"
                print 3, t + (r in is_slow && t >= 5 ? 0.8 : 0.4), "S", "r" r, "Wait"
            }
        for (r = 0; r < 8; r++) print 4, 10, "P", "r" r
    }' | sort -s -g -k 2,2
}
for name in 'one 2' 'two 6 7'; do
    run "${name#* }" >"${name%% *}.trace"
    cli import "${name%% *}.trace" -o "${name%% *}.db" >/dev/null
done
metadata() { xmllint --xpath "string(//*[local-name()='$2'])" "$1"; }

# told PICTURE: a line for each part that differs: where, when, which type and how much more.
cat >told.py <<'END'
import re
import sys
from xml.etree import ElementTree

for title in ElementTree.parse(sys.argv[1]).iter("{http://www.w3.org/2000/svg}title"):
    lines = (title.text or "").split("\n")
    if lines[0].startswith("part "):
        at = next(i for i, line in enumerate(lines) if " × " in line)
        span, size, change = lines[at - 1 : at + 2]
        amount = re.search(r" ([+−]?)([0-9.]+) %", change)
        print(size.split(" ")[0], span.split(",")[0], amount.group(1) + amount.group(2), change.split(", ")[-1], sep=";")
END
told() { python3 told.py "$1" | sed '/;0;/d' | sort; }

cli compare --slices 10 --p 0 --view difference one.db two.db -o difference.svg >got.txt
xmllint --noout difference.svg || fail "difference.svg is not well-formed"
same "the view" 'difference Compute' \
    "$(metadata difference.svg view) $(metadata difference.svg type)"
same "what differs" '1;5 s – 10 s;−40;−2 s in all
2;5 s – 10 s;+40;+4 s in all' "$(told difference.svg)"
has difference.svg 'Compute: more, to +40 %' 'Compute: less, to −40 %' '(40 % → 80 %)'
cli compare --slices 10 --p 0 --view difference --type Wait one.db two.db -o wait.svg >/dev/null
same "of another type" '1;5 s – 10 s;+40;+2 s in all
2;5 s – 10 s;−40;−4 s in all' "$(told wait.svg)"
cli compare one.db two.db --slices 10 | cmp -s - got.txt ||
    fail "what is printed depends on the picture"
for theme in light dark; do
    cli compare --slices 10 --view difference --theme $theme one.db two.db -o $theme.png >/dev/null
    cmp -s <(head -c 4 $theme.png) <(printf '\211PNG') || fail "$theme.png is no PNG"
done

# Nothing differs, of a trace and of models.
cli compare --slices 10 --view difference one.db one.db -o same.svg >/dev/null
same "what differs from itself" '' "$(told same.svg)"
has same.svg 'the second less the first: none'
lacks same.svg 'to +0'
printf 'path,type,slice,value\na,x,0,1\nb,x,0,1\na,x,1,1\n' >one.csv
printf 'path,type,slice,value\na,x,0,1\nb,x,0,4\na,x,1,1\nc,y,0,1\n' >two.csv
cli compare --p 0 --view difference one.csv two.csv -o models.svg >/dev/null
has models.svg '+3 (1 → 4)'

printf 'path,type,slice,value\na,x,0,1\na,x,7,1\n' >long.csv
refused 1 'one has 2 slices and long has 8, expected as many to draw their difference' compare \
    --view difference one.csv long.csv -o x.svg
refused 2 '--view difference is of a spatiotemporal partition' compare --kind temporal \
    --view difference one.db two.db -o x.svg
refused 2 '--view difference and --stretch exclude each other' compare --stretch --view difference \
    one.db two.db -o x.svg
refused 2 '--view difference is a picture, expected -o FILE' compare --view difference one.db two.db
refused 1 'has no type "Wiat"; the nearest is "Wait"' compare --slices 10 --view difference \
    --type Wiat one.db two.db -o x.svg
refused 2 '.txt' compare --view difference one.db two.db -o x.txt
[ ! -e x.svg ] || fail "a refused request left a picture"
