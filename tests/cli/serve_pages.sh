# The served page in a browser against what the program says: every level, the tree, answers that
# come late, and notes of two pages at once.
# shellcheck source=common.inc disable=SC2154
. "$(dirname "$0")/common.inc"
need curl jq python3 chromium chromedriver
. "$(dirname "$0")/serving.inc"
export PYTHONPATH=$OCELOTL_ROOT/tests

cli import "$OCELOTL_ROOT/examples/smpi-stencil-96.trace.zst" -o small.db >/dev/null
begin_serving --slices 60 small.db
for what in levels answers both; do
    python3 "$OCELOTL_ROOT/tests/served_$what.py" "$address" "$PWD" || fail "$what"
done
ended
finish
