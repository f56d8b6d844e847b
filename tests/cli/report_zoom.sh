# Zoom in a report, by pointer, keys and address, in a headless browser.
# shellcheck source=common.inc disable=SC2154
. "$(dirname "$0")/common.inc"
need chromium chromedriver jq python3
export PYTHONPATH=$OCELOTL_ROOT/tests

cli import "$OCELOTL_ROOT/examples/smpi-stencil-96.trace.zst" -o trace.db >/dev/null
for view in mode partition amplitude; do
    cli --slices 60 --theme light --view $view trace.db -o $view.html
done
cli --slices 60 --kind temporal trace.db -o temporal.html
cli --slices 20 --from 0.1 --to 0.2 trace.db -o window.html
cli --slices 60 --json trace.db >all.json
python3 "$OCELOTL_ROOT/tests/report_zoom.py" "$PWD" "$(jq '[.parts[].end] | max' all.json)" ||
    fail "zoom"
finish
