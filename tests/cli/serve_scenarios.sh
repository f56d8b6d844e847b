# The served page in a browser, scenario by scenario; pictures stay in screenshots/ of the build.
need curl jq python3 chromium chromedriver
. "$OCELOTL_ROOT/tests/cli/serving.inc"

# scenario NAME: one program against what is served.
scenario() {
    python3 "$OCELOTL_ROOT/tests/served_$1.py" "$address" "$PWD" || fail "$1"
}

large=$OCELOTL_ROOT/../shared/traces/paje/smpi-stencil-700.trace.zst
small=$sample
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

# Names that are markup or written from the right, and 10,000 children; then the server is gone.
python3 - >names.trace <<'END'
import paje
print(paje.head("DefineContainerType DefineStateType CreateContainer SetState"))
print("0 R 0 Root\n0 T R Thread\n1 S T State")
print('2 0 root R 0 "<script>window.stolen=1</script>"')
for i in range(10000):
    name = ("\u05d0\u05d1\u05d2 \u202e%d" if i < 3 else "<img src=x onerror=stolen=2> %d") % i
    print(f'2 0 c{i} T root "{name}"')
for second in range(7):
    for i in range(second, 10000, 7):
        print(f'3 {second}.0 S c{i} "<b>{i % 3}</b>"')
print('3 10.0 S c0 "end"')
END
cli import names.trace -o names.db >/dev/null
served --slices 30 names.db
python3 "$OCELOTL_ROOT/tests/served_names.py" "$address" "$PWD" "$server" || fail "names"
kill -KILL "$server" 2>/dev/null || true # where the test failed before it did that
{ wait "$server" || true; } 2>/dev/null # it was killed, which the shell would tell
