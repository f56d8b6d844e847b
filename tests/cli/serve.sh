# ocelotl-cli serve: what it answers, what it refuses, and the page in a browser.
. "$OCELOTL_ROOT/tests/cli/serving.inc"
need curl jq python3 chromium chromedriver
cli serve --help >help.txt

mkdir home && cd home
example

begin_serving --slices 60 trace.db
case $base in http://127.0.0.1:*) ;; *) fail "the address is $address" ;; esac
same "the key" 32 "${#key}"

# The page holds nothing of the trace, and needs no key.
sent=none
same "the page" 200 "$(ask /)"
lacks answer.txt stencil
same "its script" 200 "$(ask /page.js)"
test "$(wc -c <answer.txt)" -le 184320 || fail "the script is larger than 180 KB"
mv answer.txt page.js
for encodings in gzip 'deflate, GZIP;q=0.5, br' 'br , gzip '; do
    curl -s -D headers.txt -o page.js.gz -H "Accept-Encoding: $encodings" "$base/page.js"
    grep -qi '^content-encoding: gzip' headers.txt || fail "$encodings: $(cat headers.txt)"
    gzip -dc page.js.gz | cmp - page.js || fail "$encodings: another script"
done
grep -qi '^vary:.*accept-encoding' headers.txt || fail "gzip: $(cat headers.txt)"
test "$(wc -c <page.js.gz)" -le 57344 || fail "the script is larger than 56 KB as gzip"
for encodings in identity 'gzip;q=0, br' 'gzip; q=0.000' 'x-gzipped' ''; do
    curl -s -D headers.txt -o other.js -H "Accept-Encoding: $encodings" "$base/page.js"
    cmp other.js page.js || fail "Accept-Encoding '$encodings': $(cat headers.txt)"
done
same "its style" 200 "$(ask /page.css)"
test "$(wc -c <answer.txt)" -le 20480 || fail "the style is larger than 20 KB"
sent=
curl -s -D headers.txt -o /dev/null "$base/"
for header in "default-src 'none'; script-src 'self'; style-src 'self'" 'nosniff' 'no-store' \
    'Cross-Origin-Resource-Policy: same-origin' "frame-ancestors 'none'"; do
    has headers.txt "$header"
done

# The modules are one script: of two functions of one name the latter would be both.
same "names that two modules have" "" "$(grep -oE '^(async )?function [A-Za-z]+' page.js |
    sed 's/.* //' | sort | uniq -d)"

# Requests that are refused.
for sent in ' ' "${key%?}x" "${key%?}" "$key$key"; do
    denied "the key '$sent'" 403 'key of the server' /api/v1/trace
done
sent=
denied "another host" 403 'another host' /api/v1/trace -H 'Host: example.org'
denied "another host asks for the page" 403 'another host' / -H "Host: example.org:${base##*:}"
denied "another port" 403 'another host' /api/v1/trace -H 'Host: 127.0.0.1:1'
denied "another origin" 403 'another page' /api/v1/trace -H 'Origin: http://example.org'
denied "another site" 403 'another page' /api/v1/trace -H 'Sec-Fetch-Site: cross-site'
denied "a body" 405 'GET alone' /api/v1/trace -d x=1
denied "no such address" 404 'no such address' /api/v1/nothing
denied "no such page" 404 'no such address' /../etc/passwd --path-as-is
same "its own origin" 200 "$(ask /api/v1/trace -H "Origin: $base" -H 'Sec-Fetch-Site: same-origin')"
head -c 100000 /dev/zero | tr '\0' a >long.txt
case $(ask "/api/v1/view?title=$(cat long.txt)") in 413 | 414 | 431) ;;
*) fail "a long address: $(cat answer.txt)" ;; esac

# What it may not be asked.
while IFS='|' read -r query message; do
    denied "$query" 400 "$message" "/api/v1/view?$query"
done <<'END'
hierarchy=/etc/passwd|names a file
only=@/etc/passwd|only on the command line
show=@/etc/passwd|only on the command line
show=@@x|no type to show is called
palette=/etc/passwd|names a file
output=x.svg|of the command line
no-cache=|of the command line
colour=red|unknown option --colour
p=x|expected
resource=x|has no resource
title=%zz|hexadecimal
title=a%00b|hexadecimal
END
denied "many options" 400 'too many' "/api/v1/view?$(printf 'only=a&%.0s' $(seq 300))"
test ! -e x.svg || fail "it wrote a file"

# What is shown first is what the command line says; what is saved is what the program writes.
ask /api/v1/trace >/dev/null
same "what is shown first" '[["slices","60"]]' "$(jq -c .initial answer.txt)"
holds "the fields" answer.txt '.parameters | map(.name) | contains(["slices", "metric", "only"])
    and (contains(["output"]) or contains(["threads"]) | not)'
while read -r suffix query; do
    ask "/api/v1/picture.$suffix?slices=60&$query" >/dev/null
    mv answer.txt served.$suffix
    cli --slices 60 $(sed 's/^/--/; s/&/ --/g; s/=/ /g' <<<"$query") trace.db -o overview.$suffix
    same "the command of $suffix" "" "$(cli --again served.$suffix -o again.svg 2>&1 || true)"
    cmp served.$suffix overview.$suffix || fail "$suffix, $query: differs from the program's"
done <<'END'
svg p=0.3
png p=0.3
pdf p=0.3
html p=0.3
svg curves=falling&show=PMPI_Wait
html curves=falling&show=PMPI_Wait
END
ask '/api/v1/view?slices=60&p=0.3&look.theme=dark' >/dev/null
same "the command" "ocelotl-cli --slices 60 --p 0.3 trace.db -o overview.svg" \
    "$(jq -r .command answer.txt)"
cli --slices 60 --p 0.3 --json trace.db >parts.json
same "the parts" "$(jq '.parts | length' parts.json)" "$(jq '.levels[0].parts' answer.txt)"
cli sweep --slices 60 --json trace.db >sweep.json
ask '/api/v1/levels?slices=60' >/dev/null
same "the levels" "$(jq -c '[.levels[] | select(.plateau) | [.p, .parts]]' sweep.json)" \
    "$(jq -c '[.levels[] | [.p, .parts]]' answer.txt)"
drawn "a Gantt chart" '/api/v1/gantt?slices=60&p=0.3&part=7'
drawn "statistics" '/api/v1/stats?slices=60&p=0.3&part=7'

# Several at once: a client that asks for something else gets no answer to its earlier question.
for i in $(seq 8); do
    curl -s -m 600 -o "many$i.txt" -w '%{http_code}\n' -H "X-Ocelotl-Key: $key" \
        "$base/api/v1/view?slices=60&p=0.$i&client=a&turn=$i" >"code$i.txt" &
    asking[i]=$!
done
wait "${asking[@]}"
for i in $(seq 8); do
    case $(cat "code$i.txt") in
    200) same "p of answer $i" "0.$i" "$(jq '.levels[0].p' "many$i.txt")" ;;
    204) [ "$i" -lt 8 ] || fail "the last one is not answered" ;;
    *) fail "answer $i: $(cat "code$i.txt" "many$i.txt")" ;;
    esac
done

# In a browser.
python3 "$OCELOTL_ROOT/tests/served_page.py" "$address" "$PWD" || fail "the page"

# The trace is replaced, and then gone.
cp trace.db other.db
touch -d '2001-01-01' other.db
mv other.db trace.db
denied "a trace that is replaced" 410 'replaced or removed' '/api/v1/view?p=0.5'
rm trace.db
denied "a trace that is gone" 410 'replaced or removed' '/api/v1/view?p=0.5'
example

# A port that is in use; a second server elsewhere.
refused 1 "port ${base##*:}: cannot serve there" serve --port "${base##*:}" trace.db
ended
! ask / >/dev/null || fail "it still serves"

# A socket that no other user may use; it is gone in the end.
served --socket "$PWD/page.socket" trace.db
same "the mode of the socket" 600 "$(stat -c %a page.socket)"
same "by the socket" 200 "$(curl -s -o answer.txt -w '%{http_code}' --unix-socket page.socket \
    -H "X-Ocelotl-Key: $key" http://localhost:8000/api/v1/trace)"
refused 1 "page.socket: cannot serve there" serve --socket "$PWD/page.socket" trace.db
ended
test ! -e page.socket || fail "the socket is still there"

# Whether the server has worked for a tenth of a second since it began (in ticks of 10 ms).
is_working() { [ "$(cut -d ' ' -f 14 "/proc/$server/stat")" -ge 10 ]; }

# It ends by itself, and at once in the middle of work.
served --idle 1s trace.db
within_minutes false || true
! kill -0 "$server" 2>/dev/null || fail "it is idle, and goes on"
wait "$server" || fail "its end is a failure"
served --slices 200 trace.db
curl -s -m 600 -H "X-Ocelotl-Key: $key" "$base/api/v1/levels?slices=200" >/dev/null || true &
within_minutes is_working || fail "it does not begin to work"
ended
refused 2 "standard input cannot be served" serve -
refused 2 "--port and --socket exclude each other" serve --port 8000 --socket x.socket trace.db
refused 2 "--open and --socket exclude each other" serve --open --socket x.socket trace.db
refused 1 "missing.db: cannot open" serve missing.db
