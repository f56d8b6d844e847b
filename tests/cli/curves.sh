# sweep -o draws the gain and loss that sweep prints.
need xmllint jq

mkdir home && cd home
example
metadata() { xmllint --xpath "string(//*[local-name()='$2'])" "$1"; }
titles() { xmllint --xpath '//*[local-name()="title"]' "$1"; }

# What is printed is what is printed without a plot, whether it was answered before or not.
cli sweep --slices 20 -o curves.svg --p 0.5 trace.db >with.txt
cli sweep --slices 20 trace.db >without.txt
cmp -s with.txt without.txt || fail "the picture changes the table"
cli sweep --slices 20 --json trace.db >levels.json
cli sweep --slices 20 -o again.png trace.db >again.txt
same "levels" "$(jq '.levels | length' levels.json)" "$(metadata curves.svg levels)"
same "the beginning of a PNG" 89504e47 "$(head -c 4 again.png | od -An -v -tx1 | tr -d ' \n')"
rm again.png
cli sweep --slices 20 -o again.pdf trace.db >again.txt
cmp -s without.txt again.txt || fail "the table is another one the second time"
[ -s again.pdf ] || fail "no plot the second time"

# The picture: well-formed, p marked, what sweep lists in its tooltips.
xmllint --noout curves.svg || fail "curves.svg is not well-formed"
same "p" 0.5 "$(metadata curves.svg p)"
same "the view" curves "$(metadata curves.svg view)"
metadata curves.svg command |
    grep -qx 'ocelotl-cli sweep --slices 20 -o curves.svg --p 0.5 trace.db' ||
    fail "the metadata: $(metadata curves.svg command)"
has curves.svg '>p 0.5<' '>auto<'
same "plateaus" "$(jq '[.levels[] | select(.plateau)] | length' levels.json)" \
    "$(titles curves.svg | grep -c '>plateau ')"
jq -r '.levels[-3:][].parts' levels.json | while read -r parts; do
    titles curves.svg | grep -qE "^$parts parts?$" || fail "no tooltip of $parts parts"
done
cli --p 0.5 --slices 20 --json trace.db >parts.json
grep -q "p 0.5: $(jq '.parts | length' parts.json) parts, gain " curves.svg ||
    fail "the caption does not say what p 0.5 is"

# Without p it is not marked; every kind and theme.
for kind in temporal spatial; do
    cli sweep --all --kind $kind --slices 12 --theme dark --width 800 --height 400 \
        -o $kind.svg trace.db >/dev/null
    xmllint --noout $kind.svg || fail "$kind.svg is not well-formed"
    same "no p" "" "$(metadata $kind.svg p)"
    same "complete" true "$(metadata $kind.svg complete)"
done
cli sweep --slices 20 --p auto -o auto.svg trace.db >/dev/null
same "p of --p auto" "" "$(metadata auto.svg p)"

# Falling: what a script makes of the levels that sweep prints, in the tooltips; in a page, too.
left='.levels[-1] as $whole | .levels[] | "complexity left \(1 - .gain / $whole.gain)",
    "information left \(1 - .loss / $whole.loss)"'
cli sweep --slices 20 --curves falling -o falling.svg trace.db >falling.txt
cmp -s falling.txt without.txt || fail "--curves changes the table"
same "curves" falling "$(metadata falling.svg curves)"
same "curves that rise" "" "$(metadata curves.svg curves)"
jq -r "$left" levels.json | awk '{ x = sprintf("%.2f", 100 * $3)
    sub(/\.?0*$/, "", x); printf "%s %s %s %%\n", $1, $2, x }' | tail -n 6 >left.txt
while read -r line; do
    titles falling.svg | grep -F "$line" >/dev/null || fail "no tooltip says $line"
done <left.txt
! titles falling.svg | grep -qE '^(gain|loss)' || fail "a tooltip of falling curves says gain"
cli --slices 20 --curves falling trace.db -o falling.html
has falling.html 'complexity left'
cli --again falling.svg -o again.svg >/dev/null
same "curves drawn again" falling "$(metadata again.svg curves)"
rm -f again.svg
cli sweep --slices 20 --curves falling --width 800 --p 0.5 trace.db >again.txt 2>said.txt
cmp -s without.txt again.txt || fail "options of a picture change the table"
has said.txt '--curves changes nothing here' '--width changes nothing here' \
    '--p changes nothing here: it is of pictures, and none is drawn'
refused 2 '--curves is "up", expected' sweep --curves up -o x.svg trace.db
refused 2 '--p is 2, expected a number in [0, 1]' sweep --p 2 -o x.svg trace.db
refused 2 'x.zip' sweep -o x.zip trace.db
refused 2 '--width is 5, expected 320 to 20000' sweep -o x.svg --width 5 trace.db
refused 1 'nowhere' sweep -o nowhere/x.svg trace.db
[ ! -e x.svg ] || fail "a refused request left a picture"

# Nothing to lose: one level.
printf 'path,type,slice,value\na,x,0,1\na,x,1,1\nb,x,0,1\nb,x,1,1\n' >even.csv
cli sweep -o even.svg even.csv >/dev/null
xmllint --noout even.svg || fail "even.svg is not well-formed"
no_rest curves
