# The JSON of a partition keeps its promises: keys, paths, disjoint parts that cover everything,
# measures that add up; and the options that select a partition.
need jq

example

# Two parts share a cell if their slices meet and a resource of one is one of the other's, or above
# it.
algebra='def near($a; $b): ($a - $b | fabs) <= 1e-9 * (1 + ($b | fabs));
    def above($a; $b): $a == "" or $a == $b or ($b | startswith($a + "/"));
    def names: .resources // [.node];
    def meet: (.[0].first <= .[1].last and .[1].first <= .[0].last) and
        ([(.[0] | names), (.[1] | names)] | [combinations] |
            any(. as [$a, $b] | above($a; $b) or above($b; $a)));
    def disjoint: . as $p | [range(length) as $i | range($i) | [$p[.], $p[$i]] |
    select(meet)] == [];
    def cells: map(.leaves * (.last - .first + 1)) | add;'

# check WHAT KIND LEAVES SLICES
check() {
    holds "$1: keys" got.json '(keys - ["kind", "p", "p_raw", "pIC", "gain", "loss", "parts",
        "begin", "end", "trace_begin", "trace_end", "zoomed", "resources",
        "metric", "unit", "filters", "grouping", "chosen"]) == [] and
        ([.p, .p_raw, .pIC, .gain, .loss, .parts[].gain, .parts[].loss] | all(type == "number")) and
        (.parts | all((keys - ["begin", "end", "resources"]) == ["first", "gain", "id", "last",
        "leaves", "loss", "node", "shares"]))
        and .kind == $kind and [.parts[].id] == [range(.parts | length)]' --arg kind "$2"
    holds "$1: measures" got.json \
        "$algebra"'near([.parts[].gain] | add; .gain) and near([.parts[].loss] | add; .loss)
        and near(.p_raw * .gain - (1 - .p_raw) * .loss; .pIC) and all(.parts[]; .gain >= 0 and
        .loss >= 0) and
        .p >= 0 and .p <= 1 and .p_raw >= 0 and .p_raw <= 1'
    holds "$1: parts cover all" got.json \
        "$algebra"'all(.parts[]; .first >= 0 and .first <= .last and .last < $slices)
        and (.parts | disjoint) and (.parts | cells) == $leaves * $slices' --argjson leaves "$3" \
        --argjson slices "$4"
}

# check_kind KIND ARGUMENT...: of the trace.
check_trace() {
    local kind=$1
    shift
    cli --kind "$kind" --slices 60 --json "$@" trace.db >got.json
    check "$kind $*" "$kind" 96 60
    holds "$kind $*: times" got.json \
        'all(.parts[]; (.begin - .first * 0.289213 / 60 | fabs) < 1e-9 and
        (.end - (.last + 1) * 0.289213 / 60 | fabs) < 1e-9)'
    # Every rank lives from the first to the last instant and is in a state or in none: its shares
    # add up to 1.
    holds "$kind $*: shares" got.json 'all(.parts[]; (.shares | add) - 1 | fabs < 1e-9)'
}
check_trace spatiotemporal --p 0.5
check_trace spatiotemporal --p 0.2
check_trace spatiotemporal --p 1
check_trace spatiotemporal --nesting inclusive
check_trace temporal --p 0.3
holds "temporal parts" got.json \
    'all(.parts[]; .node == "" and .leaves == 96) and (.parts | length) > 1'
check_trace spatial --p 0.3
holds "spatial parts" got.json \
    'all(.parts[]; .first == 0 and .last == 59) and (.parts | length) > 1 and
    any(.parts[].node; startswith("nancy/gr"))'

# What the trace does not say of a rank's time is left out on request.
cli --slices 60 --untraced ignore --p 0.5 --json trace.db >got.json
check "--untraced ignore" spatiotemporal 96 60
holds "--untraced ignore" got.json 'all(.parts[].shares; has("(no state)") | not)'

# A model with an inner leaf, names that need escapes, siblings of one name, and its slices
# declared.
cat >matrix.csv <<'END'
path,type,slice,value
a/x,run,0,3
a/x,run,1,3
a,run,3,1
"b%2Fc/say ""hi""",run,2,0.5
"b%2Fc/say ""hi""",wait,2,0.25
"b%2Fc/tab	é",wait,0,0
END
check_matrix() {
    cli --p 0 --kind "$1" --json matrix.csv >got.json
    check "a matrix, $1" "$1" 4 4
    holds "a matrix has no times" got.json 'all(.parts[]; has("begin") or has("end") | not)'
}
check_matrix temporal
check_matrix spatial
check_matrix spatiotemporal
holds "paths" got.json \
    '[.parts[].node] | unique | (map(select(startswith("a"))) == ["a/.", "a/x"]) and
    any(startswith("b%2Fc/say \"hi\""))'
holds "values are not rescaled" got.json \
    '[.parts[] | select(.node == "a/x" and .first == 0 and .last == 1) | .shares] == [{"run": 3}]'
holds "what is declared by 0 counts" got.json 'any(.parts[]; .node == "b%2Fc/tab\té")'

cli --p 0.5 --slices 60 --json trace.db >got.json
cli overview --p 0.5 --slices 60 --threads 1 --json trace.db | cmp -s got.json - ||
    fail "one thread gives another JSON"

# Which p.
parts_of() { cli --slices 60 --json trace.db "$@" | jq '.parts | length'; }
cli --slices 60 --json --p-raw 0.2 trace.db >raw.json
holds "--p-raw" raw.json '.p_raw == 0.2'
same "--p and --p-raw" "$(jq -c .parts raw.json)" \
    "$(cli --slices 60 --json --p "$(jq .p raw.json)" trace.db | jq -c .parts)"
same "--p=0.5 in one word" "$(cat got.json)" "$(cli --p=0.5 --slices=60 --json trace.db)"
same "--parts 1" 1 "$(parts_of --parts 1)"
for count in 2 10 100 1000; do
    got=$(parts_of --parts $count)
    [ "$got" -le $count ] && [ "$got" -ge $((count * 7 / 10)) ] || fail "--parts $count gave $got"
done
same "--level 1 is the most detailed" "$(parts_of --p 0)" "$(parts_of --level 1)"
refused 1 '--level is 9999, expected at most' --slices 60 --level 9999 --json trace.db
refused 2 '--level is 0, expected at least 1' --level 0 trace.db
refused 2 '--parts is 0, expected at least 1' --parts 0 trace.db
for pair in '--p 0.5 --p-raw 0.5' '--p 0.5 --level 1' '--p auto --parts 3' '--level 1 --parts 3' \
    '--p-raw 1 --level 2'; do
    refused 2 'exclude each other' $pair trace.db
done

# A matrix is a model already: what makes a model of a trace is refused.
for option in '--slices 3' '--state-type S' '--nesting inclusive' '--untraced ignore' '--lenient' \
    '--time-unit ms'; do
    refused 1 "${option%% *} needs a trace, and matrix.csv is a microscopic model" $option \
        --json matrix.csv
    refused 1 "${option%% *} needs a trace" sweep $option matrix.csv
done
refused 1 'matrix.csv: is a microscopic model, expected a trace' info matrix.csv
gzip -k matrix.csv
same "a compressed matrix" "$(cli --p 0.2 --json matrix.csv)" "$(cli --p 0.2 --json matrix.csv.gz)"
