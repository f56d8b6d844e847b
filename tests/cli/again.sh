# --again repeats the command in a picture's metadata, in every format, for every command that
# draws, and with changes.

mkdir home && cd home
example

command_of() { grep -a -o '<command>.*</command>' "$1" |
    sed 's/<[/]*command>//g; s/&#39;/'\''/g; s/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&amp;/\&/g'; }
# alike WHAT A B: two pictures that differ in their commands alone.
alike() { cmp -s <(grep -v '<[a-z_]*command>' "$2") <(grep -v '<[a-z_]*command>' "$3") ||
    fail "$1: $(command_of "$3")"; }

# repeats ARGUMENT...: draws a.svg with these, and again from each format.
repeats() {
    local format
    rm -f a.* b.*
    cli "$@" -o a.svg >/dev/null
    cli --again a.svg -o b.svg >/dev/null
    alike "$*" a.svg b.svg
    cli --again=b.svg -o c.svg >/dev/null
    alike "$* twice" a.svg c.svg
    for format in png pdf; do
        cli --again a.svg -o "b.$format" >/dev/null
        cli --again "b.$format" -o c.svg >/dev/null
        alike "$* as $format" a.svg c.svg
    done
}
repeats trace.db
repeats --slices 40 trace.db --p 0.3
repeats overview --level 3 --slices 30 trace.db
repeats trace.db --slices=40 --parts 50 --view partition --theme dark --width 900
repeats --slices 40 --p 0.5 --part 3 --p 0.2 --part 2 trace.db
repeats --from 20% --to @0.2 --resource nancy/griffon --resource nancy/graphite --only 'PMPI_*' \
    trace.db
repeats --kind temporal --view histogram --type PMPI_Wait trace.db
repeats --expand nancy/graphite,0.1,0.2 --slices 40 --p 0.1 trace.db
repeats treemap --at MPI trace.db
repeats treemap --p 0.4 trace.db
repeats gantt --from 30% --to 32% trace.db
repeats gantt --from 30% --to 32% trace.db trace.db
repeats gantt --slices 40 --p 0.5 --part 7 trace.db
repeats stats trace.db
repeats stats --type MPI_STATE --slices 40 --part 3 trace.db
cp trace.db second.db
repeats compare trace.db second.db --slices 40
repeats compare trace.db second.db --slices 40 --view difference --type PMPI_Wait
repeats compare --to 50% --from2 50% --stretch --slices 40 --p 0.5 trace.db trace.db
sed 's/.*/path,type,slice,value\na\/b,x,0,1\na\/c,y,1,2/;q' <<<x >matrix.csv
repeats matrix.csv --p 0.5

# Of a sweep the picture is the plot; what it printed is printed again.
cli sweep --slices 30 trace.db --p 0.4 -o a.svg >text.txt
rm text.txt
cli --again a.svg -o b.svg >text
alike "a sweep" a.svg b.svg
[ ! -e text.txt ] || fail "the text of a sweep was written again"
cli --again a.svg -o c.svg >text
alike "a sweep once more" a.svg c.svg

# The page of a report.
cli --slices 20 --title "it's <x> & y" trace.db -o a.html
cli --again a.html -o b.html
cmp -s <(sed 's/a\.html/b.html/' a.html | grep -v '<code') <(grep -v '<code' b.html) ||
    fail "a report: $(diff a.html b.html | cut -c 1-300 | head -6)"

# Any words, as a shell takes them and as --again does.
odd=$'odd \xff;$(touch executed) \'"\t\u202e\uffff\\é*.db'
cp trace.db "$odd"
for title in "it's <&\"> \$HOME \`x\` --> ]]>" $'\ttab\nline' '' '; trace=x' '--' 'a\b' "$odd" ü; do
    repeats --slices 20 --title "$title" "$odd"
    cp a.svg first.svg
    (
        ocelotl-cli() { cli "$@"; }
        eval "$(command_of first.svg)"
    )
    cmp -s a.svg first.svg || fail "a shell does not repeat the title $title"
done
[ ! -e executed ] || fail "a name was executed"
cp trace.db ./-dash.db
cli --slices 20 -o a.svg -- -dash.db
cli --again a.svg -o b.svg
alike "a name with a dash" a.svg b.svg

# What is given replaces what was.
changed() {
    local expected=$1
    shift
    cli --again a.svg "$@" -o b.svg >/dev/null
    same "a change by $*" "ocelotl-cli $expected" "$(command_of b.svg)"
}
cli --slices 40 trace.db --p 0.5 --from 10% --to 20% --title old --only 'PMPI_*' -o a.svg
changed "--slices 40 --p 0.5 --from 10% --only 'PMPI_*' --title new --to 30% -o b.svg trace.db" \
    --title new --to 30%
changed "--slices 40 --from 10% --to 20% --title old --only 'PMPI_*' --level 2 -o b.svg trace.db" \
    --level 2
changed '--slices 40 --p 0.5 --title old --from 40% --to 50% --only PMPI_Wait -o b.svg trace.db' \
    --from 40% --to 50% --only PMPI_Wait
cp trace.db other.db
changed "--slices 40 --p 0.5 --from 10% --to 20% --title old --only 'PMPI_*' -o b.svg other.db" \
    other.db
cli treemap --at MPI trace.db -o a.svg
changed 'treemap --p 0.3 -o b.svg trace.db' --p 0.3
cli stats --type MPI_STATE trace.db -o a.svg
changed 'stats --type MPI_LINK -o b.svg trace.db' --type MPI_LINK

cli compare --slices 40 trace.db second.db -o a.svg >/dev/null
changed 'compare --slices 40 --from2 50% -o b.svg trace.db second.db' --from2 50%
changed 'compare --slices 40 -o b.svg other.db trace.db' other.db trace.db
refused 2 'a.svg was drawn of two traces, and one is given, expected --again a.svg ... FIRST SECOND' \
    --again a.svg other.db -o b.svg
refused 2 '"third.db" is one TRACE too many' --again a.svg trace.db other.db third.db -o b.svg

# A part belongs to the picture that is repeated, whatever p the new one has.
zoomed() {
    local what=$1
    shift
    cli "$@" trace.db -o expected.svg
    alike "$what" expected.svg b.svg
}
cli --slices 40 trace.db -o a.svg
cli --again a.svg --part 3 --p 0.2 -o b.svg
zoomed "a part of auto" --slices 40 --p auto --part 3 --p 0.2
cp b.svg a.svg
cli --again a.svg --part 3 --level 3 -o b.svg
zoomed "a part of that" --slices 40 --p auto --part 3 --p 0.2 --part 3 --level 3
cli --again a.svg --p 0.7 -o b.svg
zoomed "another p of a part" --slices 40 --p auto --part 3 --p 0.7
cli --slices 40 --part 3 trace.db --p 0.5 -o a.svg
cli --again a.svg --p 0.1 -o b.svg
zoomed "another p of a part by the p behind it" --slices 40 --p 0.5 --part 3 --p 0.1
cli --again a.svg --part 1 --p 0.1 -o b.svg
zoomed "a part of a part by the p behind it" --slices 40 --p 0.5 --part 3 --part 1 --p 0.1
cli --again a.svg --p 0.1 --part 1 -o b.svg
zoomed "a part of another p" --slices 40 --p 0.5 --part 3 --p 0.1 --part 1

# What cannot be.
cli --slices 20 trace.db -o a.svg
refused 2 '--again a.svg needs the name of a picture to draw, expected -o FILE' --again a.svg \
    --p 0.5
refused 2 'option --again needs a value' --again
refused 2 'unknown option --sizes' --again a.svg --sizes 3 -o b.svg
refused 2 '"b.db" is one TRACE too many' --again a.svg a.db b.db -o b.svg
refused 1 'none.svg: cannot open' --again none.svg -o b.svg
refused 1 '.: is a folder without overview.svg, expected a picture or a snapshot' --again . -o b.svg
refused 1 'matrix.csv: has no command to repeat' --again matrix.csv -o b.svg
mkdir away
(cd away && cp ../a.svg . &&
    refused 1 'a.svg was drawn of trace.db, which is not there, expected --again a.svg ... TRACE' \
    --again a.svg -o b.svg && cli --again a.svg ../trace.db -o b.svg && finish)
alike "in another folder" a.svg away/b.svg
cli -o stdin.svg - <matrix.csv
refused 1 'stdin.svg was drawn of standard input' --again stdin.svg -o b.svg
cli --again stdin.svg matrix.csv -o b.svg

# A picture may hold any command: repeating it only draws, and only where the user says.
hostile() {
    printf '<svg><metadata><parameters xmlns="urn:ocelotl:parameters"><command>%s</command></parameters></metadata></svg>' \
        "$2" >hostile.svg
    refused "${3-1}" "$1" --again hostile.svg -o b.svg
}
rm -f b.svg
touch keep
hostile 'not one of ocelotl-cli' 'rm keep'
hostile 'not one of ocelotl-cli' 'ocelotl-cli'
hostile 'not one of ocelotl-cli' ''
hostile 'not one that ocelotl-cli wrote' 'ocelotl-cli $(rm keep) trace.db'
hostile 'not one that ocelotl-cli wrote' "ocelotl-cli 'trace.db"
hostile 'not one that ocelotl-cli wrote' "ocelotl-cli \$'\\400' trace.db"
hostile 'one TRACE too many' 'ocelotl-cli import trace.db -o keep --p 0.5' 2
hostile 'one TRACE too many' 'ocelotl-cli sql trace.db' 2
hostile 'unknown option --again' 'ocelotl-cli --again hostile.svg' 2
hostile 'names no trace' 'ocelotl-cli --p 0.5'
hostile 'hostile' "ocelotl-cli $(printf '%%s%.0s' $(seq 300))hostile"
[ -e keep ] || fail "a command of a picture was executed"
[ ! -s keep ] || fail "a command of a picture wrote over a file"
[ ! -e b.svg ] || fail "something was drawn"
cli --slices 20 trace.db -o whole.png
cli --slices 20 trace.db -o whole.pdf
for format in png pdf; do
    for length in 0 1 7 8 12 40 60 80 120 200 $(($(stat -c %s whole.$format) - 400)); do
        head -c "$length" whole.$format >cut.$format
        code=0
        cli --again cut.$format -o b.svg >cut.out 2>cut.err || code=$?
        [ $code -le 2 ] || fail "a $format cut at $length: exit code $code: $(cat cut.err)"
    done
done
