# Pictures are what their suffix says, well-formed, and carry the command that repeats them.
need xmllint

mkdir home && cd home
unpack "$sample" >"stencil.trace"
cli import stencil.trace -o trace.db >/dev/null

# well_formed FILE
well_formed() { xmllint --noout "$1" 2>xml.err || fail "$1: $(head -3 xml.err)"; }

# magic FILE OCTETS: the file begins so.
magic() {
    same "the beginning of $1" "$2" "$(head -c $((${#2} / 2)) "$1" | od -An -v -tx1 | tr -d ' \n')"
}

# Without -o the picture is in this folder, called like the trace, and its path is printed.
same "the default output" "stencil.svg" "$(cli --p 0.5 --slices 60 trace.db)"
well_formed stencil.svg
same "the default output of a matrix" "m.svg" \
    "$(printf 'path,type,slice,value\na,x,0,1\na,x,1,3\n' >m.csv && cli m.csv)"
well_formed m.svg

same "what -o prints" "" "$(cli --p 0.5 --slices 60 trace.db -o 'it is.svg' 2>&1)"
well_formed 'it is.svg'
cli --p 0.5 --slices 60 trace.db -o over.png
cli --p 0.5 --slices 60 trace.db -o over.pdf
magic over.png 89504e470d0a1a0a
magic over.pdf 255044462d
cli --p 0.5 --slices 60 trace.db -o CAPITALS.PNG
magic CAPITALS.PNG 89504e470d0a1a0a

# The size in a PNG's header is the one asked for.
cli --width 800 --height 400 --slices 60 trace.db -o small.png
same "the size of a PNG" "0000032000000190" "$(od -An -v -tx1 -j 16 -N 8 small.png | tr -d ' \n')"
cli --width 800 --height 400 --slices 60 trace.db -o small.svg
xmllint --xpath 'string(/*/@width)' small.svg | grep -qx '800\(px\)\?' || fail "the width of an SVG"

# Every part is a tooltip of its own, named and timed.
parts=$(cli --p 0.5 --slices 60 --json trace.db | tr -cd '\n' | wc -l)
titles=$(xmllint --xpath 'count(//*[local-name()="title"])' stencil.svg)
[ "$titles" -ge $((parts - 2)) ] || fail "$titles tooltips for $parts parts"
has stencil.svg 'griffon-sw2'

# The metadata repeats the command, arguments quoted as a shell takes them again.
metadata() { xmllint --xpath 'string(//*[local-name()="metadata"])' "$1"; }
metadata 'it is.svg' | grep -qF "ocelotl-cli --p 0.5 --slices 60 trace.db -o 'it is.svg'" ||
    fail "the metadata: $(metadata 'it is.svg')"
has over.png 'ocelotl-cli --p 0.5 --slices 60 trace.db -o over.png'
metadata stencil.svg | grep -q "$(cli info trace.db | awk '$1 == "uid" { print $2 }')" ||
    fail "no uid in the metadata"
cli --slices 60 --title 'it'\''s <&"> $HOME `x` --> ]]>' trace.db -o title.svg
well_formed title.svg
has title.svg '&lt;&amp;'
# The command of the metadata, run again, gives the picture again.
cp title.svg first.svg
repeated=$(metadata title.svg | grep -o 'ocelotl-cli .*')
rm title.svg
printf '%s "$@"\n' "\"\$OCELOTL_CLI\" ${repeated#ocelotl-cli }" >again.sh
bash again.sh || fail "the command in the metadata cannot be run again: $repeated"
cmp -s first.svg title.svg || fail "the command in the metadata does not repeat the picture"

# The same request gives the same bytes.
cp over.png before.png
cli --p 0.5 --slices 60 trace.db -o over.png
cmp -s over.png before.png || fail "the same command gives another PNG"
cli --p 0.5 --slices 60 --threads 1 trace.db -o one.svg
cli --p 0.5 --slices 60 --threads 2 trace.db -o two.svg
same "pictures by one and by two threads" "$(grep -v 'threads' one.svg)" \
    "$(grep -v 'threads' two.svg)"

# Every kind has its picture, and the extremes of p theirs.
for kind in temporal spatial spatiotemporal; do
    for p in 0 1; do
        cli --kind $kind --p $p --slices 60 trace.db -o kind.svg || fail "--kind $kind --p $p"
        well_formed kind.svg
    done
done

# An independent program draws the SVG.
if command -v rsvg-convert >/dev/null; then
    rsvg-convert stencil.svg -o drawn.png || fail "rsvg-convert does not draw it"
    magic drawn.png 89504e470d0a1a0a
fi
no_rest pictures
