# The palette, keys, options and sheets of the served page, in a browser.
need python3 chromium chromedriver
. "$OCELOTL_ROOT/tests/cli/serving.inc"

example small.db
begin_serving --slices 60 small.db
python3 "$OCELOTL_ROOT/tests/served_keys.py" "$address" "$PWD" || fail "keys"
ended
