# Zoom in a report, by pointer, keys and address, in a headless browser.
need chromium chromedriver jq python3

example
for view in mode partition amplitude; do
    cli --slices 60 --theme light --view $view trace.db -o $view.html
done
cli --slices 60 trace.db -o page.html
cli --slices 60 --kind temporal trace.db -o temporal.html
cli --slices 20 --from 0.1 --to 0.2 trace.db -o window.html
quiet "$OCELOTL_ROOT/examples/gstreamer-burst.log.zst" -o folded.db
folded='--hierarchy trace --metric state-duration folded.db'
cli --slices 60 --p 0.3 --theme light $folded -o folded.html
python3 - >steps.csv <<'END'
print("resource,type,value,begin,end")
for i in range(20):
    begin = i + (990 if i >= 10 else 0)
    for row in range(4):
        print(f"r{row},state,step {i},{begin + row / 1e3},{begin + 1}")
END
quiet steps.csv -o steps.db
cli --theme light steps.db -o steps.html
lasts() { cli --slices 60 --json "$1" | jq '[.parts[].end] | max'; }
python3 "$OCELOTL_ROOT/tests/report_zoom.py" "$PWD" "$(lasts trace.db)" "$(lasts folded.db)" \
    "$folded" || fail "zoom"
python3 "$OCELOTL_ROOT/tests/report_page.py" "$PWD/page.html" || fail "the page"
