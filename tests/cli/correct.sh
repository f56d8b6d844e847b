# What tracing cost, taken out: programs of a simulator that run with a tracer and without, exactly.
. "$OCELOTL_ROOT/tests/cli/common.inc"
need python3 jq
maker=$OCELOTL_ROOT/tests/perturbation_maker.py
operations=(--collective Barrier=barrier --collective Bcast=one-to-all:1/0
    --collective Reduce=all-to-one:1/0)

# made NAME PROGRAM OPTIONS...: a trace of it. alike WHAT A.db B.db: all times are, within a tick.
made() { python3 "$maker" make "${@:2}" >"$1.json" && quiet "$1.json" -o "$1.db"; }
alike() { python3 "$maker" compare "$2" "$3" 1 >off.txt || fail "$1: off by $(cat off.txt) ns"; }

# removed PROGRAM ALPHA "MAKER OPTIONS" OPTIONS...: without the tracer's cost it is the clean run.
removed() {
    local program=$1 alpha=$2 shape=$3 which
    shift 3
    # shellcheck disable=SC2086
    made clean "$program" $shape && made traced "$program" $shape --alpha "$alpha"
    for which in few all; do
        cli correct --cost-attribute alpha --simulate $which "$@" traced.db --force -o corrected.db
        alike "$program, $alpha ns, $which" clean.db corrected.db
    done
    cli correct --cost-attribute alpha "$@" --json traced.db >found.json
}
rounds=12 ranks=8
[ "${OCELOTL_TEST_FULL:-0}" = 0 ] || rounds=60 ranks=16
for alpha in 10000 200000 1000000; do
    removed exchange $alpha "--rounds $rounds --ranks $ranks"
    holds "uses of the model" found.json '.modelled < .all_modelled and .clamped == 0
        and (.messages == '$((rounds * (ranks + 2) * (ranks - 1)))') and .messages > .arrived'
    removed mixed $alpha "--rounds 40 --ranks 4 --seed $alpha" "${operations[@]}"
    holds "operations" found.json '.collectives > 3 and .collectives_broken == 0'
    removed meet $alpha "--rounds $rounds" --model rendezvous
    holds "none needs a model" found.json '.modelled == 0'
    cli correct --cost-attribute alpha --rendezvous-above 1K traced.db --force -o corrected.db
    alike "rendezvous above a size, $alpha ns" clean.db corrected.db
done

# Transits that vary: what is measured beats what is modelled.
made clean exchange --rounds $rounds --noise 20000
made traced exchange --rounds $rounds --noise 20000 --alpha 10000
t0=$(cli correct --cost 0 --json clean.db | jq .length)
for which in few all; do
    cli correct --cost-attribute alpha --simulate $which --reference-time "${t0}s" --bounds --json \
        traced.db >$which.json
done
jq -s -e '(.[0].residual | fabs) <= 0.0005 and (.[0].residual | fabs) < (.[1].residual | fabs)
    and .[0].removed > 0.99 and all(.[]; .least_length < .new_length and .new_length < .most_length
    and .least_length < .reference and .reference < .most_length)' few.json all.json >/dev/null ||
    fail "residuals: $(jq -c '[.residual, .removed]' few.json all.json | line)"

# Messages that cost each other time, as the trace shows it; without such cost none is found.
for kappa in 2 0; do
    made clean burst --rounds 40 --kappa $kappa
    made traced burst --rounds 40 --kappa $kappa --alpha 30000
    t0=$(cli correct --cost 0 --json clean.db | jq .length)
    cli correct --cost-attribute alpha --reference-time "${t0}s" --json traced.db >found.json
    holds "kappa $kappa" found.json '.perturbation > 0.3 and (.residual | fabs) <= 0.001
        and (.transits | length == 1 and all(.[]; (.contention * 1e9 - '$kappa' | fabs) < 0.1))'
    cli correct --check --cost-attribute alpha traced.db >text
    [ $kappa = 0 ] || like text '^ +8192 .* 1.9[0-9]+ us +[0-9.e+]+ '
done

# By pair, each has a model of its own; a line of sizes explains transits that are one.
made traced exchange --rounds $rounds --noise 20000 --alpha 10000
cli correct --check --csv --transit pairs traced.db >pairs.csv
same "pairs" 1 "$(grep -c ',1/3,1/4,8192,' pairs.csv)"
cli correct --check --json corrected.db |
    jq -e '(.transits | length == 1 and .[0].measured > 30 and .[0].verdict == "accept")' \
        >/dev/null || fail "the check: $(cli correct --check corrected.db | line)"

# A cost of nothing changes nothing; and so does that of a trace that was corrected.
cli correct --cost 0 traced.db -o same.db
same "the uid" "$(uid traced.db)" "$(uid same.db)"
cli correct --cost-attribute alpha traced.db --force -o corrected.db
cli correct --cost 0 corrected.db -o again.db
same "the uid of a corrected trace" "$(uid corrected.db)" "$(uid again.db)"
has <(cli info corrected.db) 'by         correct --cost-attribute alpha'
holds "no new tachyon" <(cli causality --json corrected.db) '.tachyons == 0'
holds "what threads charge" <(cli correct --cost-attribute alpha --json traced.db) \
    '(([.threads[].cost] | add) - .cost | fabs) < 1e-9
    and all(.threads[]; .new_end < .end) and .new_length < .length'

# --- Another machine

made slow exchange --rounds 4
made fast exchange --rounds 4 --beta 20000 --tau 0.25
made uneven exchange --rounds 4 --beta 25000 --tau 4 --slow 2
predicted() { cli correct "${@:3}" slow.db --force -o other.db && alike "$1" "$2" other.db; }
predicted "a given network" fast.db --predict --transit 20us+0.25us*KB
predicted "factors of a network" fast.db --what-if 'latency*0.4,bandwidth*4'
predicted "some computers" uneven.db --what-if '3..4: compute*0.5' \
    --what-if latency*0.5,bandwidth*0.25
predicted "and by glob" uneven.db --what-if '1/[34]: compute*0.5' \
    --what-if latency*0.5,bandwidth*0.25
cli correct --what-if compute*2 slow.db >text
like text '^run .*; predicted .* \(\+[0-9.]+ %\)$'
cli correct --without Recv --json slow.db >found.json
cli correct --speed 'Send=2' --json slow.db | jq -e '.new_length < .length' >/dev/null ||
    fail "--speed changes nothing"

# What docs/perturbation.md shows is what the program says.
example run.db
shown=0
while read -r _ _ _ option factor _; do
    read -r line
    shown=$((shown + 1))
    same "$option $factor" "$line" "$(cli correct "$option" "${factor//\'/}" run.db | grep ^run)"
done < <(sed -n '/^    \$ ocelotl-cli correct/{s/: compute/:compute/; N; p}' \
    "$OCELOTL_ROOT/docs/perturbation.md")
same "examples" 2 $shown

# The picture of a prediction: what is drawn as long as it says.
cli correct --what-if compute*0.5 run.db -o predicted.db
for command in compare gantt; do
    cli $command run.db predicted.db -o $command.svg >text
    cli $command run.db predicted.db -o $command.png >text
done
cli compare --json run.db predicted.db >both.json
cli correct --what-if compute*0.5 --json run.db >found.json
holds "as long as drawn" both.json "(.second.duration - $(jq .new_length found.json) | fabs) < 1e-9"

# --- What is wrong

wrong() { refused "$1" "$2" correct "${@:3}"; }
wrong 2 'expected --cost' slow.db
wrong 2 'expected a length of time' --cost 1x slow.db
wrong 1 'the nearest is "Send"' --cost Sen=1us slow.db
wrong 1 'no state or event carries "beta"' --cost-attribute beta slow.db
wrong 2 'expected a time, or one and that of a size more' --transit 1us+2 slow.db
wrong 2 'expected factors from 1e-9' --what-if speed*2 slow.db
wrong 2 'expected factors from 1e-9' --what-if compute*0 slow.db
wrong 1 'no resource is called "n1..3"' --what-if 'n1..3: compute*2' slow.db
wrong 2 'expected PATTERN=X with X from 1e-9' --speed Send=0 slow.db
wrong 2 'expected factors from 1e-9' --what-if compute*1e300 slow.db
wrong 1 'new times have more than 2^62 ticks' --predict --transit 1e9s slow.db
wrong 2 'expected less than 2^62 ticks' --predict --transit 1e300s slow.db
wrong 2 'corrects nothing' --check slow.db -o x.db
wrong 2 'expected more than no time' --cost 1us --reference-time 0 slow.db
wrong 2 'expected asynchronous or rendezvous, perhaps behind PATTERN=' --model L=x --cost 1us slow.db
wrong 1 'the nearest is "message"' --model messag=rendezvous --cost 1us slow.db
wrong 1 'no link carries "there"' --arrived there --cost 1us slow.db
printf '%s\n' resource,category,type,value,begin,end,source,target a,state,S,Recv,1,3,, \
    b,state,S,Send,2,4,, b,link,L,x,2,1,b,a b,link,L,x,2,3,b,a >wrong.csv
quiet wrong.csv -o wrong.db
wrong 1 '1 messages end before they begin, expected clocks that agree' --cost 1us wrong.db
cli correct --cost 1us --lenient wrong.db >text
like text '^wrong .* 1 messages end before they begin'
printf '%s\n' resource,category,type,value,begin,end,source,target a,state,S,Recv,0,1,, \
    b,state,S,Recv,0,1,, a,link,L,m,1,1,a,b b,link,L,m,1,1,b,a >tied.csv
quiet tied.csv -o tied.db
cli correct --cost 0.1s tied.db >text
like text '^entangled  1 waits for each other within a tick'
printf '%s\n' resource,category,type,value,begin,end,source,target a,state,S,Recv,0,1,, \
    b,state,S,Recv,0,2,, a,state,S,Send,1,3,, b,state,S,Send,2,4,, \
    a,link,L,m,2,2,a,b b,link,L,m,3,1,b,a >cycle.csv
quiet cycle.csv -o cycle.db
wrong 1 'each waits for the next, and the last for the first: "a" at 1 s, "b" at 2 s; expected clocks' \
    --cost 0.1s --lenient cycle.db
mkdir ranks
python3 "$OCELOTL_ROOT/examples/pytorch_ranks.py" 2 ranks >/dev/null
quiet ranks -o ranks.db
wrong 1 'expected --transit, or --at File: each is one thread' --what-if compute*0.5 ranks.db
cli correct --what-if compute*0.5 --at File ranks.db >text
like text '^threads    2$' '^run .* predicted .*-4'
printf '%s\n' resource,type,value,begin,end a,S,run,1,2 a,S,run,2,3 >excess.csv
quiet excess.csv -o excess.db
cli correct --cost 0.6s excess.db >text
like text '^excess .* 2 times, by up to' '^messages   0;'

# Threads that take turns on the CPUs are told, where a kernel trace says that they do.
for case in 0.005:0 1:1; do
    ready=${case%:*}
    printf '%s\n' resource,type,value,begin,end "t/a,Thread state,running,0,1" \
        "t/b,Thread state,ready,0,$ready" "t/b,Thread state,running,$ready,2" >kernel.csv
    quiet --force kernel.csv -o kernel.db
    cli correct --cost 1us kernel.db >text
    same "told of $ready s" "${case#*:}" "$(grep -c '^turns .* for 1 s without a CPU' text || true)"
done

# A message that is sent once its receiver has come was not there, however few say so.
printf '%s\n' resource,category,type,value,begin,end,source,target a,state,S,run,0,5,, \
    a,state,S,Send,5,5.1,, a,state,S,run,5.1,6,, b,state,S,run,0,1,, b,state,S,Recv,1,5.2,, \
    b,state,S,run,5.2,6,, a,link,L,m,5,5.2,a,b >late.csv
quiet late.csv -o late.db
cli correct --what-if 'compute*0.5' late.db >text
like text 'predicted 3.1 s'
cli correct --what-if 'a: compute*0.5' late.db >text
like text 'predicted 3.5 s'

# Whether a message was there is what it says itself; others are judged by their time.
printf '%s\n' resource,category,type,value,begin,end,source,target,there,size \
    a,state,S,run,0,2,,,, a,state,S,Send,2,2.1,,,, b,state,S,run,0,3,,,, b,state,S,Recv,3,4,,,, \
    a,state,S,run,2.1,5,,,, a,state,S,Send,5,5.1,,,, b,state,S,run,4,8,,,, \
    b,state,S,Recv,8,8.5,,,, a,link,L,m,2,4,a,b,true,8 a,link,M,n,5,8.5,a,b,0,8 >there.csv
quiet there.csv -o there.db
cli correct --what-if 'b: compute*0.5' there.db >text
like text 'predicted 7 s'
cli correct --what-if 'b: compute*0.5' --arrived there there.db >text
like text 'predicted 8.5 s'

# Senders wait by the names of links, as the last pattern says; size decides where none does.
same_length() { same "$1 and $2" "$(new_length "$1")" "$(new_length "$2")"; }
new_length() { cli correct --cost-attribute alpha $1 --json meets.db | jq .new_length; }
made meets meet --rounds 12 --alpha 200000
same_length '--model rendezvous' '--model asynchronous --model mess*=rendezvous'
same_length '--model asynchronous' '--rendezvous-above 1K --model rendezvous --model message=asynchronous'
same_length '--model rendezvous' '--rendezvous-above 1K --model asynchronous'
[ "$(new_length '--model rendezvous')" != "$(new_length '')" ] || fail "all models are alike"
