# The served page in a browser, scenario by scenario; pictures are kept in screenshots/ of the build.
# shellcheck source=common.inc disable=SC2154
. "$(dirname "$0")/common.inc"
need curl jq python3 chromium chromedriver
. "$(dirname "$0")/serving.inc"
export PYTHONPATH=$OCELOTL_ROOT/tests

# scenario NAME: one program against what is served.
scenario() {
    python3 "$OCELOTL_ROOT/tests/served_$1.py" "$address" "$PWD" || fail "$1"
}

large=$OCELOTL_ROOT/../shared/traces/paje/smpi-stencil-700.trace.zst
small=$OCELOTL_ROOT/examples/smpi-stencil-96.trace.zst
cli import "$small" -o small.db >/dev/null
begin_serving --slices 60 small.db
scenario state
scenario access
ended

test -e "$large" || large=$small
cli import "$large" -o large.db >/dev/null
served large.db
scenario reach
ended
finish
