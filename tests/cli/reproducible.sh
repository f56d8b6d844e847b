# The same command on the same trace writes the same bytes at any time, in every format; a date
# comes from SOURCE_DATE_EPOCH.
# shellcheck source=common.inc disable=SC2154
. "$(dirname "$0")/common.inc"

cli import "$OCELOTL_ROOT/examples/smpi-stencil-96.trace.zst" -o trace.db >/dev/null
mkdir first second
draw() { # FOLDER
    cd "$1"
    local arguments
    while read -r arguments; do
        # shellcheck disable=SC2086
        cli $arguments >>printed 2>&1 || fail "$arguments: $(tail -n 1 printed)"
    done <<'END'
--slices 40 ../trace.db -o overview.svg
--slices 40 ../trace.db -o overview.png
--slices 40 ../trace.db -o overview.pdf
--slices 40 ../trace.db -o overview.html
--slices 40 ../trace.db -o overview.json
--slices 40 --view stacked --kind temporal ../trace.db -o stacked.pdf
treemap --slices 40 ../trace.db -o treemap.pdf
treemap --slices 40 ../trace.db -o treemap.svg
gantt --from 30% --to 32% ../trace.db -o gantt.png
gantt --from 30% --to 32% ../trace.db -o gantt.pdf
gantt --from 30% --to 32% ../trace.db -o gantt.svg
stats ../trace.db -o stats.pdf
stats ../trace.db -o stats.svg
stats ../trace.db -o stats.csv
series ../trace.db --to 1% -o series.svg
series ../trace.db --to 1% -o series.pdf
sweep --slices 10 --plot curves.pdf ../trace.db
sweep --slices 10 --no-cache ../trace.db -o sweep.json
compare --slices 20 --to 50% --from2 50% ../trace.db ../trace.db -o compare.pdf
parts --slices 20 ../trace.db -o parts.csv
info ../trace.db -o info.json
END
    cd ..
}
draw first
sleep 1.1
TZ=Asia/Tokyo draw second
for file in first/*; do
    cmp -s "$file" "second/${file##*/}" || fail "${file##*/} is not the same when it is made again"
done
same "files" "$(ls first)" "$(ls second)"
! grep -aq CreationDate first/*.pdf || fail "a PDF has a time"
date_of() { grep -a -o '/CreationDate ([^)]*)' "$1"; }
SOURCE_DATE_EPOCH=1577934245 cli --slices 10 trace.db -o dated.pdf
same "the time of a PDF" '20200102030405Z' "$(date_of dated.pdf | grep -o '[0-9].*Z')"
for wrong in '' now -5 12x 99999999999999999999999; do
    SOURCE_DATE_EPOCH=$wrong cli --slices 10 trace.db -o dated.pdf
    same "the time of a PDF for SOURCE_DATE_EPOCH=$wrong" '' "$(date_of dated.pdf || true)"
done
finish
