# The served page as an instrument: the picture fills windows of five sizes, axe-core finds nothing
# wrong whatever is open, and 100,000 parts are drawn on one canvas.
need curl jq python3 chromium chromedriver
. "$OCELOTL_ROOT/tests/cli/serving.inc"

cli import "$sample" -o small.db >/dev/null
begin_serving --slices 60 small.db
for what in layout axe; do
    python3 "$OCELOTL_ROOT/tests/served_$what.py" "$address" "$PWD" || fail "$what"
done
ended

python3 "$OCELOTL_ROOT/tests/dense_maker.py" >dense.trace
cli import dense.trace -o dense.db >/dev/null
served --slices 256 --p 0 dense.db
python3 "$OCELOTL_ROOT/tests/served_dense.py" "$address" "$PWD" || fail "many parts"
ended
