# The example in R reads the tables of the program: its phases are those of the overview, and what
# it sums up is what SQL sums up. Skipped without R.
need Rscript jq

cli import "$sample" -o "a run.db" >/dev/null
Rscript "$OCELOTL_ROOT/examples/phases.R" "a run.db" drawn.pdf >said.txt

# same_rows WHAT: name and numbers on each line of the files expected and got.
same_rows() {
    same "rows of $1" "$(wc -l <expected)" "$(wc -l <got)"
    local name first second got_name got_first got_second
    while read -r name first second got_name got_first got_second; do
        same "$1" "$name" "$got_name"
        near "$1, $name" "$first" "$got_first" 1e-4
        near "$1, $name" "$second" "$got_second" 1e-4
    done < <(paste -d ' ' expected got)
}

# Two tables, each below the line of its columns.
awk '/^ *begin +end/ {at = 1; next} /^ *value +duration/ {exit} at {print $3, $1, $4}' said.txt >got
cli --json --kind temporal "a run.db" | jq -r '.parts[] | .begin as $begin | .shares |
    del(."(no state)") | to_entries | max_by(.value) | "\(.key) \($begin) \(.value)"' >expected
same_rows "phase"

awk '/^ *value +duration/ {at = 1; next} at {print $1, $3, $2}' said.txt | sort >got
cli sql --json "a run.db" "SELECT value, count(*) AS n, sum(duration) AS time FROM events
    WHERE category = 'state' GROUP BY value" | jq -r '.[] | "\(.value) \(.n) \(.time)"' |
    sort >expected
same_rows "sums of events"
[ "$(head -c 5 drawn.pdf)" = "%PDF-" ] || fail "no picture"

# What the program refuses ends the script.
! Rscript "$OCELOTL_ROOT/examples/phases.R" missing.db drawn.pdf >refused.txt 2>&1 ||
    fail "a missing trace is no failure"
has refused.txt "missing.db"
