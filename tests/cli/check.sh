# check tells a run that changed from one that differs by chance, says where, and ends as a gate of
# continuous integration does: 0 as before, 1 changed, 2 wrong input.
need jq python3 xmllint

made() { # NAME RERUN..
    python3 "$OCELOTL_ROOT/tests/rerun.py" "${@:2}" >"$1.trace"
    quiet "$1.trace" -o "$1.db"
}
# checks CODE TRACE..: the exit code of a check, whose answer is in got.txt and got.json.
checks() {
    local code=0
    cli check "${@:2}" >got.txt 2>got.err || code=$?
    same "the exit code of check ${*:2}" "$1" "$code"
    cli check --json "${@:2}" >got.json 2>got.err || true
}

# --- Thirty reruns by chance are no change, of one base or of three.

for seed in 0 1 2; do made "base$seed" "$seed"; done
made basex 0 1.2
for seed in $(seq 3 32); do
    made new "$seed"
    code=0
    cli check base0.db new.db >got.txt 2>&1 || code=$?
    same "rerun $seed" 0 "$code" || cat got.txt
    [ $((seed % 5)) -ne 0 ] || checks 0 base0.db base1.db base2.db -- new.db
done
has got.txt 'passed: structure and times are as before'
holds "a spread" got.json \
    '([.changes[] | .spread > 0] | any) and (.bases | length) == 3 and .passed'

# --- All times x 1.2: that is a change of time, and none of structure.

checks 1 base0.db basex.db
has got.txt 'failed: times changed' 'structure  the same, ' '(+20 %), limit 5 %'
like got.txt '^1  the run takes .* where it took .* \(\+20 %\)$'
holds "no other structure" got.json '.structure == {changed: false, loss: 0, limit: 0.02}'
checks 0 base0.db basex.db --max-time 21%
checks 0 base0.db -- basex.db --max-time 21%

# A switch whose machines compute 1.3 times as long.
made slow 0 1 1.3
checks 1 base0.db slow.db
holds "the slow switch" got.json \
    '[.changes[:5][] | select(.beyond and (.node | startswith("switch-0")))] | length > 0'

# --- Few alike steps, which come earlier or later by chance in all ranks at once.

steps() { # NAME ARGUMENT..
    python3 "$OCELOTL_ROOT/tests/steps.py" "${@:2}" >"$1.csv"
    quiet "$1.csv" -o "$1.db"
}
for shape in '16 15 0.02' '16 40 0.02' '32 7 0.03'; do
    for seed in 0 1 2; do steps "step$seed" "$seed" $shape; done
    for seed in 3 4 5; do
        steps new "$seed" $shape
        checks 0 "step$((seed % 3)).db" new.db
        checks 0 step0.db step1.db step2.db -- new.db
    done
    steps slow 13 $shape 1.5 0 1
    checks 1 step0.db slow.db
done

# One rank in a tenth of the run: by a half, and by a fifth, which takes three bases to tell.
for seed in 0 1 2; do steps "step$seed" "$seed" 16 40 0.02; done
steps half 3 16 40 0.02 1.5 0.4 0.5
checks 1 step0.db half.db
has got.txt 'failed: the structure changed'
steps fifth 3 16 40 0.02 1.2 0.4 0.5
checks 1 step0.db step1.db step2.db -- fifth.db
like got.txt '^structure  changed: .*: MPI_Allreduce .* where .* beyond chance[)], limit 2 %$'

# Without a limit anything beyond chance fails.
checks 1 step0.db step1.db step2.db -- fifth.db --max-loss 0
cli check --json base0.db basex.db -o both.svg >got.json || [ $? -eq 1 ] || fail "JSON, picture"
holds "JSON beside a picture" got.json '.passed == false'
like both.svg '^<svg|<svg'
refused 2 '2 TRACE behind --, expected one, the new run' check step0.db -- step1.db step2.db
refused 2 '0 TRACE behind --, expected one, the new run' check step0.db step1.db --
refused 2 'there is no group \9, the expression has 0' check step0.db step1.db --map '.*=\9'

# --- The stencil with and without its slow switch.

example
quiet "$OCELOTL_ROOT/tests/data/smpi-stencil-96-plain.trace.zst" -o plain.db
checks 1 plain.db trace.db
has got.txt 'failed: structure and times changed'
like got.txt '^structure  changed: nancy/griffon.*: .* of the time where it was .*limit 2 %$'
like got.txt '^[1-5]  nancy/griffon/griffon-sw2: each .* in PMPI_Allreduce where it was '
checks 1 plain.db trace.db --max-time 100%
has got.txt 'failed: the structure changed'
like got.txt '^[1-5]  nancy/griffon/griffon-sw2.*, .* to .*: .* of the time where it was '
checks 0 plain.db trace.db --max-time 100% --max-loss 90%

# The five places are those of JSON and CSV; what the structure loses is said once.
holds "five of all" got.json '(.changes | length) > 5 and (.changes[0] | .sentence | length > 20)'
cli check --csv plain.db trace.db --max-time 100% --max-loss 90% >got.csv
same "the sentences" "$(jq -r '.changes[].sentence' got.json)" \
    "$(python3 -c 'import csv; print(*(r["sentence"] for r in csv.DictReader(open("got.csv"))), sep="\n")')"
same "the first five" "$(jq -r '.changes[:5][].sentence' got.json)" \
    "$(sed -n 's/^[1-5]  //p' got.txt)"

# --- JUnit XML, beside the pictures or alone; both pictures are those of compare.

code=0
cli check plain.db trace.db --junit check.xml -o both.svg >got.txt || code=$?
same "a gate with a report" 1 "$code"
has got.txt 'failed: structure and times changed'
xmllint --noout check.xml both.svg || fail "no XML"
same "cases" "$(xmllint --xpath 'string(/testsuite/@tests)' check.xml)" \
    "$(xmllint --xpath 'count(//testcase)' check.xml)"
same "failures" "$(xmllint --xpath 'string(/testsuite/@failures)' check.xml)" \
    "$(xmllint --xpath 'count(//failure)' check.xml)"
like check.xml 'name="structure">$' 'failure message="changed: .*griffon-sw2'
cli check plain.db trace.db -o check2.xml || true
same "-o X.xml" "$(cat check.xml)" "$(cat check2.xml)"
cli compare --slices 100 --p 0.5 plain.db trace.db -o compared.svg >/dev/null
plain() { sed 's/<[a-z_]*command>.*<\/.*command>//' "$1"; }
same "the pictures" "$(plain compared.svg | md5sum)" "$(plain both.svg | md5sum)"
cli --again both.svg -o again.svg >/dev/null || [ $? -eq 1 ] || fail "--again"
same "again" "$(plain both.svg | md5sum)" "$(plain again.svg | md5sum)"
sed 's/rank-5,/rank-\xef\xbf\xbe\x01\xef\xbf\xbf,/' slow.csv >odd.csv
sed 's/rank-5,/rank-\xef\xbf\xbe\x01\xef\xbf\xbf,/' step0.csv >even.csv
quiet odd.csv -o odd.db && quiet even.csv -o even.db
cli check even.db odd.db -o odd.xml || [ $? -eq 1 ] || fail "odd names"
xmllint --noout odd.xml || fail "odd names make no XML"
printf 'mine' >mine.xml
refused 2 'mine.xml: ' check plain.db trace.db --junit mine.xml
refused 2 'plain.db: is the trace itself' check plain.db trace.db --junit plain.db

# --- Wrong input: a sentence, and exit code 2.

paje_definitions SetState DestroyContainer >other.trace
cat >>other.trace <<'END'
0 P 0 Process
1 S P State
2 0 a P 0 alone
3 0.000001 S a Compute
3 1.5 S a Other
4 2 P a
END
quiet other.trace -o other.db
refused 2 'plain and other have no type in common' check plain.db other.db
cat >nowhere.trace <<END
$(paje_definitions SetState DestroyContainer)
0 P 0 Cabinet
1 S P State
2 0 a P 0 alone
3 0.000001 S a Compute
3 1.5 S a Wait
4 2 P a
END
quiet nowhere.trace -o nowhere.db
refused 2 'base0 and nowhere have no resource in common: the first has "switch-0", the second "alone"' \
    check base0.db nowhere.db
refused 2 'nosuch.db: cannot open' check plain.db nosuch.db
refused 2 '1 TRACE given, expected two or more, the last of them the new one' check plain.db
refused 2 '--max-loss is "much", expected a share from 0 on, such as 2%' check plain.db trace.db --max-loss much
refused 2 '--max-time is "-1%"' check plain.db trace.db --max-time=-1%
head -c 3000 trace.db >broken.db
refused 2 'broken.db: ' check plain.db broken.db
