# What the served page draws from: rectangles, nodes, levels as they are found, and what is kept.
# shellcheck source=common.inc disable=SC2154
. "$(dirname "$0")/common.inc"
# shellcheck source=serving.inc
. "$(dirname "$0")/serving.inc"
need python3

mkdir home && cd home
cli import "$OCELOTL_ROOT/examples/smpi-stencil-96.trace.zst" -o trace.db >/dev/null
begin_serving trace.db
python3 "$OCELOTL_ROOT/tests/records.py" "$base" "$key" trace.db || fail "the records"
ended
finish
