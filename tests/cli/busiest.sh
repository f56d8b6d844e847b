# busiest, a command of one file and one row: every form says what SQL adds up.
need curl jq

example
ask trace.db "SELECT resource, round(sum(duration), 9) FROM events WHERE value = 'PMPI_Wait'
    GROUP BY resource ORDER BY sum(duration) DESC LIMIT 4" >wanted.txt
busiest() { cli busiest --only PMPI_Wait --most 4 "$@" trace.db; }

busiest --csv | awk -F, 'NR > 1 { printf "%s,%.9g\n", $1, $3 }' >got.txt
awk -F, '{ printf "%s,%.9g\n", $1, $2 }' wanted.txt | cmp - got.txt || fail "CSV: $(cat got.txt)"
same JSON "$(cut -d, -f1 wanted.txt)" "$(busiest --json | jq -r '.rows[].resource')"
same text "$(cut -d, -f1 wanted.txt)" "$(busiest | awk 'NR > 1 { print $1 }')"
busiest -o busiest.svg
has busiest.svg $(cut -d, -f1 wanted.txt)
like <(cli --help) '^  busiest '
same "of machines" 1 "$(cli busiest --at MACHINE --most 1 --json trace.db | jq '.rows | length')"
same "more than there are" 96 \
    "$(cli busiest --most 4000000000 --json trace.db | jq '.rows | length')"
refused 2 '--most is 0, expected at least 1' busiest --most 0 trace.db

. "$OCELOTL_ROOT/tests/cli/serving.inc"
served trace.db
same "the address" 200 "$(ask "/api/v1/ask/busiest?only=PMPI_Wait&most=4")"
same "the page's" "$(busiest --json | jq -c .)" "$(jq -c .answer answer.txt)"
has answer.txt '"command":"ocelotl-cli busiest' '"picture":"<?xml'
ended
