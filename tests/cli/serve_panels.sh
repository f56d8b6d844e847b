# What panels of the served page ask: what the answers hold, how large they are, what is refused.
. "$OCELOTL_ROOT/tests/cli/serving.inc"
need curl jq python3

mkdir home && cd home
example
begin_serving --slices 60 --sql trace.db

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

# A folded node is a leaf, as on the command line.
ask '/api/v1/view?slices=60&p=0.1&fold=nancy/griffon' >/dev/null
cli --slices 60 --p 0.1 --fold nancy/griffon --json trace.db >folded.json
same "the parts of what is folded" "$(jq '.parts | length' folded.json)" \
    "$(jq '.levels[0].parts' answer.txt)"
same "the command that folds" \
    "ocelotl-cli --slices 60 --p 0.1 --fold nancy/griffon trace.db -o overview.svg" \
    "$(jq -r .command answer.txt)"
denied "nothing to fold" 400 'to fold; the nearest is' '/api/v1/view?p=0.1&fold=nancy/grifon'

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
answered "parts" '/api/v1/parts?slices=60&p=0.3' list
eval "cli $(command_shown)" 2>/dev/null
ask '/api/v1/parts.csv?slices=60&p=0.3' >/dev/null
cmp answer.txt parts.csv || fail "the parts differ from the program's"

# Totals are those of the program; means over time add up to them.
answered "totals" '/api/v1/totals?from=10%25'
small "totals" 64
wait_time=$(jq '.types[].values[] | select(.name == "PMPI_Wait").innermost' said.json)
words='of=leaves&at=MACHINE&sort=median&from=10%25&to=60%25&quantiles='
answered "totals by $words" "/api/v1/totals?$words"
drawn "bars by $words" "/api/v1/stats?$words"
same "the command of totals" "ocelotl-cli stats --of leaves --at MACHINE --sort median --from 10% \
--to 60% --quantiles trace.db -o stats.svg" "$(jq -r .command answer.txt)"
denied "no such group" 400 'the nearest is' '/api/v1/totals?at=CLUSTR'
denied "no file is read" 400 'option --output is of' '/api/v1/totals?output=x.svg'
ask '/api/v1/totals?view=histogram&type=PMPI_Wait' >/dev/null
holds "the type of a histogram chooses no events" answer.txt '.answer.types | length > 1'
ask '/api/v1/series?from=10%25' >/dev/null
small "series" 1024
near "the time of a series" "$wait_time" "$(jq '.answer | (.end - .begin) as $all |
    [.series[] | select(.series == "PMPI_Wait").means | add / length * $all] | add' answer.txt)" \
    1e-9
eval "cli $(jq -r .command answer.txt | cut -d ' ' -f 2-)" 2>/dev/null
test -s series.svg || fail "the command of series draws nothing"

# Durations are the program's, which durations.sh counts by SQL.
words='durations=PMPI_Wait&from=10%25&to=40%25&from2=40%25&to2=70%25&only=PMPI_Wait'
answered "durations by $words" "/api/v1/histogram?$words"
drawn "a histogram of $words" "/api/v1/histogram?$words"
denied "durations of nothing" 400 'no --durations given' '/api/v1/histogram?only=PMPI_Wait'
denied "a list of names" 400 'reads names from a file' '/api/v1/histogram?durations=@/etc/passwd'

# A treemap is the program's.
drawn "a treemap" '/api/v1/treemap?slices=60&at=SWITCH&area=traced'
drawn "resources alone" '/api/v1/spatial?kind=spatial&view=mode&slices=60&p=0.3'
same "the command of resources alone" "ocelotl-cli --kind spatial --view mode --slices 60 --p 0.3 \
trace.db -o overview.svg" "$(jq -r .command answer.txt)"
same "their parts" \
    "$(cli parts --kind spatial --slices 60 --p 0.3 --json trace.db | jq -Sc '.parts')" \
    "$(jq -Sc .answer.parts answer.txt)"
for rule in coarsest finest gap; do
    ask "/api/v1/records?slices=60&look.width=900&look.height=500&p=auto:$rule" >records.txt
    cp answer.txt "$rule.bin"
done
! cmp -s coarsest.bin finest.bin || fail "two rules for p give one answer"

# Where a reader is likely to look next: into the parts that lose most.
ask '/api/v1/likely?slices=60&p=0.3' >/dev/null
same "the parts that lose most" "$(cli parts --slices 60 --p 0.3 --sort loss --json trace.db |
    jq -c '[.parts[] | select(.loss > 0 and (.last > .first or .leaves > 1)) | .id][0:3]')" \
    "$(jq -c . answer.txt)"

# Two windows of the trace: pictures and changes of the program.
for view in mode difference; do
    drawn "two windows, $view" \
        "/api/v1/compare?slices=30&p=0.4&from=0%25&to=40%25&from2=40%25&to2=80%25&view=$view"
    holds "a comparison" answer.txt '.answer.changes | length > 3'
done
cli compare --slices 30 --p 0.4 --from 0% --to 40% --from2 40% --to2 80% --json trace.db trace.db \
    >compare.json
same "the changes" "$(jq -c '[.changes[] | select(.named)][0:500]' compare.json)" \
    "$(jq -c .answer.changes answer.txt)"
denied "an option of a comparison elsewhere" 400 'unknown option --from2' '/api/v1/view?from2=1s'

# The matrix of messages: the program's own sums, to the last digit, and its picture.
for words in "" "at=SWITCH&drop-level=MACHINE&order=traffic&cell=mean" \
    "at=group&group=*/griffon*%3Dnew&group=*/graphite*%3Dold&order=traffic"; do
    answered "the sums of '$words'" "/api/v1/matrix?$words"
    drawn "a matrix of '$words'" "/api/v1/matrix?$words"
done
ask '/api/v1/matrix?slices=30&at=SWITCH&order=activity&hierarchy=trace&p=0.4' >/dev/null
same "the command of a matrix" \
    "ocelotl-cli matrix --at SWITCH --order activity --hierarchy trace trace.db -o matrix.svg" \
    "$(jq -r .command answer.txt)"
denied "no such type" 400 'the nearest is ' '/api/v1/matrix?at=X'
denied "a matrix that reads a file" 400 'names a file' '/api/v1/matrix?hierarchy=/etc/passwd'
ask '/api/v1/trace' >/dev/null
same "types of resources" '["SITE","CLUSTER","SWITCH","MACHINE","MPI"]' "$(jq -c .types answer.txt)"

# SQL: rows as of the program, bounded in number, size and time, and nothing is written.
post() { ask /api/v1/sql --data-binary "$@"; }
query="select value, count(*) as n from events where category = 'state' group by value"
same "a question" 200 "$(post "$query")"
cli sql --json trace.db "$query" >rows.json
same "its rows" "$(jq -c '[.[] | [.value, .n]]' rows.json)" "$(jq -c .rows answer.txt)"
same "its columns" '["value","n"]' "$(jq -c .columns answer.txt)"
eval "cli $(jq -r .command answer.txt | cut -d ' ' -f 2-)" >said.txt
post 'with recursive n(i) as (select 1 union all select i + 1 from n) select i from n' >/dev/null
same "rows at most" 10000 "$(jq '.rows | length' answer.txt)"
same "others follow" true "$(jq .more answer.txt)"
post_denied() { # NAME CODE TEXT SQL
    same "$1: code" "$2" "$(post "$4")"
    has answer.txt "$3"
}
post_denied "a long question" 400 'takes longer than 5 s' \
    'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n'
post_denied "a long text" 400 'too big' "select instr(zeroblob(3000000), 'x')"
# One function does not look at the clock: the question is left, and others are answered meanwhile.
curl -s -o stuck.txt -H "X-Ocelotl-Key: $key" "$base/api/v1/sql" \
    --data-binary "select instr(zeroblob(1000000), zeroblob(500000) || x'01')" &
stuck=$!
sleep 1
same "an answer beside a long function" 200 "$(ask '/api/v1/view?p=0.3')"
[ ! -s stuck.txt ] || fail "a long function has ended: $(head -c 300 stuck.txt)"
wait "$stuck"
has stuck.txt 'takes longer than 5 s'
post_denied "much text" 400 'larger than 4096 KB' \
    "with recursive n(i) as (select 1 union all select i + 1 from n where i < 9000)
     select printf('%1000d', i) from n"
post_denied "a mistake" 400 'SQL: ' 'select nothing from nowhere'
post_denied "writing" 400 'SQL: ' 'delete from resources'
post_denied "nothing" 400 'SQL: ' ''
head -c 70000 /dev/zero | tr '\0' x >large.txt
post_denied "a large question" 413 'expected at most 64 KB' @large.txt
post 'select 9007199254740992, 9223372036854775807, -9223372036854775807' >/dev/null
same "what a double does not hold is a text" \
    '[9007199254740992,"9223372036854775807","-9223372036854775807"]' "$(jq -c '.rows[0]' answer.txt)"
denied "SQL by GET" 404 'no such address' /api/v1/sql
denied "another method" 405 'GET alone' /api/v1/sql -X PUT -d x
key_was=$key key=wrong
post_denied "SQL without the key" 403 'key of the server' 'select 1'
key=$key_was

# Notes: whole or absent, and no change is lost.
file=trace.db.notes.json
tag() { curl -s -o answer.txt -D - -H "X-Ocelotl-Key: $key" "$base/api/v1/notes" |
    tr -d '\r' | sed -n 's/^ETag: //Ip'; }
keep() { # TAG NOTES [OPTION...]
    ask /api/v1/notes -X PUT -H "If-Match: $1" --data-binary "${@:2}"
}
first=$(tag)
same "no notes" '{"notes":[]}' "$(cat answer.txt)"
test ! -e $file || fail "notes that nobody wrote"
one='{"notes":[{"text":"late \u00e9 <b>","from":"@0.1s","to":"@0.2s","node":"nancy/griffon"}]}'
same "a note" 200 "$(keep "$first" "$one")"
printf %s "$one" | cmp - $file || fail "the notes are not what was sent"
second=$(tag)
printf %s "$one" | cmp - answer.txt || fail "the notes are not read as they were"
test "$first" != "$second" || fail "notes of one tag"
# A picture with notes is the program's.
for format in svg png pdf; do
    same "a picture with notes" 200 \
        "$(ask "/api/v1/picture.$format?slices=60&notes=&resource=nancy/griffon&p=0.3")"
    cli --slices 60 --notes --resource nancy/griffon --p 0.3 trace.db -o overview.$format
    cmp answer.txt overview.$format || fail "a picture with notes differs from the program's"
done
has overview.svg '>1  late é &lt;b&gt; (nancy/griffon, 100 ms – 200 ms)<'
same "a lost update" 409 "$(keep "$first" '{"notes":[]}')"
same "a change without a tag" 409 "$(ask /api/v1/notes -X PUT -d '{"notes":[]}')"
printf %s "$one" | cmp - $file || fail "a refused change"
for broken in '' '{' '[]' '{"notes":[}' '{"notes":[{}]}' '{"notes":[{"text":1}]}' \
    '{"notes":[{"text":"a"}]} x' '{"notes":[{"text":"\x"}]}' '{"notes":[{"text":"a}]}'; do
    same "notes that are '$broken'" 400 "$(keep "$second" "$broken")"
done
printf '{"notes":[{"text":"\377"}]}' >bytes.txt
same "notes that are no text" 400 "$(keep "$second" @bytes.txt)"
head -c 1100000 /dev/zero | tr '\0' x >large.txt
same "large notes" 413 "$(keep "$second" @large.txt)"
keep "$second" @large.txt -H 'Transfer-Encoding: chunked' >/dev/null || true
printf %s "$one" | cmp - $file || fail "large notes that do not say so"
# Values of one's own stay where the page keeps notes, and notes where values are set.
cli info --set machine=hydra --set 'class=C "é"' trace.db >/dev/null
own='{"class":"C \"é\"","machine":"hydra"}'
same "notes from before a value" 409 "$(keep "$second" '{"notes":[]}')"
third=$(tag)
same "values on the page" "$own" "$(jq -c .metadata answer.txt)"
same "notes beside values" 200 "$(keep "$third" '{"notes":[{"text":"two"}]}')"
same "both" "[{\"text\":\"two\"}] $own" "$(jq -r '"\(.notes) \(.metadata)"' $file)"
cli info --unset machine --unset class trace.db >/dev/null
same "the notes alone" '{"notes":[{"text":"two"}]}' "$(cat $file)"
holds "a list counts them" <(cli list --json .) '[.traces[] | select(.notes == 1)] | length == 1'
same "the first note again" 200 "$(keep "$(tag)" "$one")"
second=$(tag)
cp $file kept.json
printf broken >$file
denied "notes that somebody broke" 500 'holds no notes' /api/v1/notes
same "notes over these" 500 "$(keep "$second" "$one")"
same "what somebody wrote" broken "$(cat $file)"
mv kept.json $file

# In a browser.
if command -v chromium >/dev/null && command -v chromedriver >/dev/null; then
    python3 "$OCELOTL_ROOT/tests/served_panels.py" "$address" "$PWD" || fail "the panels"
    same "the notes that were there, by hand, of the page" 3 "$(jq '.notes | length' $file)"
    python3 "$OCELOTL_ROOT/tests/served_digits.py" "$address" "$PWD" || fail "the digits"
fi
ended

# A disk that is full leaves the notes as they were. (The size of files stands for it.)
if [ -e $file ]; then
    cp $file kept.json
    full=$(printf '{"notes":[{"text":"%05000d"}]}' 1)
    : >address.txt # that of the server before
    (trap '' XFSZ && ulimit -f 2 && exec "$OCELOTL_CLI" serve --slices 60 trace.db) \
        >address.txt 2>serve.err &
    server=$!
    await_address
    same "notes on a full disk" 500 "$(keep "$(tag)" "$full")"
    holds "what is said of it" answer.txt '.error | contains("trace.db.notes.json")'
    cmp kept.json $file || fail "a full disk took the notes"
    same "the same once the disk has room" 200 "$(keep "$(tag)" '{"notes":[]}')"
    ended
fi

# Two traces.
cli import "$sample" --name other -o second.db >/dev/null
served --slices 60 trace.db second.db
ask /api/v1/trace >/dev/null
same "the second trace" second.db "$(jq -r .second answer.txt)"
ask '/api/v1/compare?slices=30&p=0.4&view=difference' >/dev/null
same "the command of two" \
    "ocelotl-cli compare --slices 30 --p 0.4 --view difference trace.db second.db -o compare.svg" \
    "$(jq -r .command answer.txt)"
holds "nothing changed" answer.txt '[.answer.changes[].change] | all(. == 0)'
ended

# Two servers of one trace: what one keeps, the other does not lose.
served --slices 30 trace.db
first_server=$server first_base=$base first_key=$key
served --slices 30 trace.db
(for i in $(seq 20); do cli info --set "key$i=$i" trace.db >/dev/null || echo "no $i"; done) \
    >setting 2>&1 &
python3 "$OCELOTL_ROOT/tests/served_notes.py" "$first_base" "$first_key" "$base" "$key" ||
    fail "notes of two servers"
wait $!
[ ! -s setting ] || fail "values set while two servers keep notes: $(cat setting)"
same "values beside notes of two servers" 20 "$(jq '.metadata | length' $file)"
no_rest "notes of two servers"
ended
server=$first_server
ended

# Memory for models is bounded, and what does not fit is refused with the figure.
served --slices 60 --memory 10K trace.db
denied "a model without memory" 400 'MiB of memory, expected at most' '/api/v1/view?p=0.3'
ended
served --slices 60 --memory 100M trace.db
for from in 0 20 40 0; do
    ask "/api/v1/view?p=0.3&from=$from%25" >/dev/null
    cli --slices 200 --p 0.3 --from "$from%" --json trace.db >window.json
    same "parts from $from %" "$(jq '.parts | length' window.json)" \
        "$(jq '.levels[0].parts' answer.txt)"
done
drawn "compared with what is kept" '/api/v1/compare?slices=30&p=0.4&to=40%25&from2=50%25'
ended
for size in x 0 5X -1 99999999999T; do
    refused 2 "--memory is \"$size\", expected bytes" serve --memory "$size" trace.db
done

# Without SQL, and without keeping notes.
served --slices 60 --read-only trace.db
post_denied "no SQL" 403 'Begin ocelotl-cli serve with --sql' 'select 1'
same "no notes are kept" 403 "$(keep "$(tag)" '{"notes":[]}')"
test -s $file || fail "the notes are gone"
ended
