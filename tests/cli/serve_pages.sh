# The served page in a browser against what the program says: every level, the tree, answers that
# come late, texture, types, and notes of two pages at once.
need curl jq python3 chromium chromedriver
. "$OCELOTL_ROOT/tests/cli/serving.inc"

example small.db
begin_serving --slices 60 small.db
for what in levels answers texture types both; do
    python3 "$OCELOTL_ROOT/tests/served_$what.py" "$address" "$PWD" || fail "$what"
done
ended
