# Details below the picture, in a browser.
need curl jq python3 chromium chromedriver
. "$OCELOTL_ROOT/tests/cli/serving.inc"

example
begin_serving --slices 60 --sql trace.db
python3 "$OCELOTL_ROOT/tests/served_dock.py" "$address" "$PWD" || fail "the dock"
ended
