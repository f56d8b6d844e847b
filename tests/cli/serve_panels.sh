# What panels of the served page ask: what the answers hold, how large they are, what is refused.
# shellcheck source=common.inc disable=SC2154
. "$(dirname "$0")/common.inc"
# shellcheck source=serving.inc
. "$(dirname "$0")/serving.inc"
need curl jq python3

mkdir home && cd home
cli import "$OCELOTL_ROOT/examples/smpi-stencil-96.trace.zst" -o trace.db >/dev/null
begin_serving --slices 60 trace.db

# small NAME KILOBYTES: the answer is no larger.
small() {
    test "$(wc -c <answer.txt)" -le $(($2 * 1024)) || fail "$1 is larger than $2 KB"
}

# Search: better matches come first, and all that has the letters is there.
cli sql trace.db "select name from resources" --csv | tail -n +2 >names.txt
ask '/api/v1/search?q=rank-1' >/dev/null
small "search" 16
holds "the best match" answer.txt '.found[0] | .kind == "resource" and .name == "rank-1"
    and .match == "whole"'
holds "then those that begin with it" answer.txt '.found[1].match == "begin"'
same "how many have its letters" \
    "$(grep -ciE 'r.*a.*n.*k.*-.*1' names.txt)" "$(jq .total answer.txt)"
ask '/api/v1/search?q=pmpi_allr' >/dev/null
holds "a value, in any case of letters" answer.txt \
    '.found | map(select(.kind == "value" and .name == "PMPI_Allreduce")) | length == 1'
ask '/api/v1/search?q=griffon/' >/dev/null
holds "a path" answer.txt '.found | length > 0 and all(.path | contains("griffon/"))'
ask '/api/v1/search?q=a' >/dev/null
small "search for what is everywhere" 16
holds "at most 200" answer.txt '(.found | length) <= 200 and .total >= (.found | length)'
ask '/api/v1/search?q=' >/dev/null
same "nothing is sought" '{"total":0,"found":[]}' "$(jq -c . answer.txt)"
ask '/api/v1/search?q=no-such-thing-anywhere' >/dev/null
same "nothing is found" 0 "$(jq .total answer.txt)"
denied "an option that is none" 400 'unknown option --x' '/api/v1/search?q=a&x=1'

# Details of parts, against what the cells of the same model say.
cli export --format matrix --hierarchy trace --slices 60 trace.db -o cells.csv 2>/dev/null
cli parts --hierarchy trace --slices 60 --p 0.3 --json trace.db >parts.json
python3 "$OCELOTL_ROOT/tests/served_part.py" "$base" "$key" cells.csv parts.json || fail "details"
denied "no such node" 400 "no node 'x/y'" '/api/v1/part?node=x/y&p=0.3'
denied "no such slice" 400 'slices 7 to 70, expected some of 60' \
    '/api/v1/part?slices=60&first=7&last=70&p=0.3'
denied "no number" 400 "first is '-1', expected a whole number" '/api/v1/part?first=-1&p=0.3'
denied "no level" 400 'the level is not given' '/api/v1/part'

# A folded node is a leaf, as on the command line.
ask '/api/v1/view?slices=60&p=0.1&fold=nancy/griffon' >/dev/null
cli --slices 60 --p 0.1 --fold nancy/griffon --json trace.db >folded.json
same "the parts of what is folded" "$(jq '.parts | length' folded.json)" \
    "$(jq '.levels[0].parts' answer.txt)"
same "the command that folds" \
    "ocelotl-cli --slices 60 --p 0.1 --fold nancy/griffon trace.db -o overview.svg" \
    "$(jq -r .command answer.txt)"
denied "nothing to fold" 400 'to fold; the nearest is' \
    '/api/v1/view?p=0.1&fold=nancy/grifon'

# Events: pages of a thousand, which add up to what the program exports.
cli export --from 10% --to 30% trace.db -o events.csv 2>/dev/null
rows=$(($(wc -l <events.csv) - 1))
: >pages.txt
after=0
while :; do
    ask "/api/v1/events?from=10%25&to=30%25&after=$after" >/dev/null
    small "a page of events" 1024
    jq -c '.events[] | [.resource, .type, .begin, .end]' answer.txt >>pages.txt
    [ "$(jq .more answer.txt)" = true ] || break
    holds "a full page" answer.txt '.events | length == 1000'
    after=$((after + 1000))
done
same "events of all pages" "$rows" "$(wc -l <pages.txt)"
same "each event once" "$rows" "$(sort -u pages.txt | wc -l)"
eval "cli $(jq -r .command answer.txt | cut -d ' ' -f 2-) --force" 2>/dev/null
ask '/api/v1/events.csv?from=10%25&to=30%25' >/dev/null
cmp answer.txt events.csv || fail "the events differ from the program's"
denied "no page" 400 "after is 'x', expected a whole number" '/api/v1/events?after=x'
ask "/api/v1/events?after=1000000000" >/dev/null
same "behind the last one" '{"events":[],"more":false}' "$(jq -c '{events, more}' answer.txt)"

# Parts, as the program lists them.
ask '/api/v1/parts?slices=60&p=0.3' >/dev/null
cli parts --slices 60 --p 0.3 --json trace.db >parts.json
same "parts" "$(jq -S . parts.json)" "$(jq -S .list answer.txt)"
eval "cli $(jq -r .command answer.txt | cut -d ' ' -f 2-)" 2>/dev/null
ask '/api/v1/parts.csv?slices=60&p=0.3' >/dev/null
cmp answer.txt parts.csv || fail "the parts differ from the program's"

# In a browser.
if command -v chromium >/dev/null && command -v chromedriver >/dev/null; then
    python3 "$OCELOTL_ROOT/tests/served_panels.py" "$address" "$PWD" || fail "the panels"
fi

ended
finish
