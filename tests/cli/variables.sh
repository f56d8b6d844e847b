# Variables of one name and different types, variables as the default metric, and values that are
# negative by rounding.
need jq

# Hosts and links both have a "load"; a state type of both is called "State".
head_of_trace() {
    paje_definitions DefineVariableType SetVariable DefineEventType NewEvent SetState \
        DestroyContainer
    cat <<'END'
0 S 0 SITE
0 H S HOST
0 L S LINK
0 C L CABLE
0 D H CABLE
3 HV H load
3 LV L load
3 CV C depth
3 DV D depth
3 T H temperature
1 HS H State
1 LS L State
5 E H mark
2 0 s S 0 site
2 0 h1 H s h1
2 0 h2 H s h2
2 0 l1 L s l1
2 0 c1 C l1 c1
2 0 d1 D h1 d1
END
}
tail_of_trace() { printf '8 10.000 S s\n'; }

{
    head_of_trace
    printf '4 0 HV h1 1\n4 5 HV h1 3\n4 0 HV h2 2\n4 0 LV l1 1000\n4 5 LV l1 5000\n4 0 CV c1 7\n'
    printf '4 0 DV d1 9\n'
    printf '6 1 E h1 hello\n'
    tail_of_trace
} >twins.trace
cli import twins.trace -o twins.db >/dev/null || fail "twins"
one() { cli --p 1 --slices 1 --json "$@" twins.db >got.json 2>got.err ||
    fail "$*: $(cat got.err)"; }

# Each of the spellings means one of them; so do globs.
for spelling in HOST:load SITE/HOST:load '*/HOST:load' 'H*:load'; do
    one --metric variable-mean --only "$spelling"
    holds "$spelling" got.json '.parts[0].values == {"HOST:load": 2}'
done
one --metric variable-max --only LINK:load
holds "the other" got.json '.parts[0].values == {"LINK:load": 5000}'
one --metric variable-max --only load --except HOST:load
holds "all but one" got.json '.parts[0].values == {"LINK:load": 5000}'
one --metric variable-max --only SITE/LINK/CABLE:depth
holds "by the path of the type" got.json '.parts[0].values == {"SITE/LINK/CABLE:depth": 7}'
one --metric event-count --only mark:hello
holds "a value of a type" got.json '.parts[0].shares | keys == ["hello"]'
one --metric event-count --only HOST:mark:hello
holds "a value of a type of a resource" got.json '.parts[0].shares | keys == ["hello"]'
cli --p 1 --metric variable-mean --scale max --view histogram --type LINK:load --kind temporal \
    twins.db -o a.svg || fail "--type of a view"
refused 1 'has several types called "load", expected "HOST:load" or "LINK:load"' \
    --p 1 --metric variable-mean --scale max --view histogram --type load --kind temporal twins.db \
    -o a.svg
refused 1 'the variables are "HOST:load" in a unit that is not known, "LINK:load" in a unit that is not known, expected one unit; show those of one (--only)' \
    --metric variable-mean --only load twins.db -o b.svg
refused 1 'nothing that can be shown is called "HOTS:load"; the nearest is "HOST:load"' \
    --metric variable-mean --only HOTS:load twins.db -o b.svg
same "info" 'variable "HOST:load": 3,variable "LINK:load": 2,variable "SITE/LINK/CABLE:depth": 1,variable "SITE/HOST/CABLE:depth": 1,variable "temperature": 0,' \
    "$(cli info twins.db | grep ^variable | tr '\n' ,)"
holds "info --json" <(cli info --json twins.db) \
    '[.event_types[] | select(.name == "load").spelling] == ["HOST:load", "LINK:load"]'
same "stats --type" 1 "$(cli stats --json --type LINK:load twins.db | jq '.types | length')"
same "stats --only" '["LINK:load"]' \
    "$(cli stats --json --only LINK:load twins.db | jq -c '[.types[].name]')"
same "export --type" 3 "$(cli export --type HOST:load twins.db | tail -n +2 | wc -l)"
refused 1 "--type 'load' and --except '*:load' leave nothing to show" export --type load \
    --except '*:load' twins.db
refused 1 'has no event type "HOST:laod"; the nearest is "HOST:load"' export --type HOST:laod \
    twins.db
same "series --variable" LINK:load \
    "$(cli series --variable LINK:load --at all twins.db | tail -n 1 | command cut -d , -f 2)"
cli gantt --type HOST:load twins.db -o g.svg || fail "gantt --type"

# State types of one name.
{
    head_of_trace
    printf '7 0 HS h1 run\n7 1 HS h1 idle\n7 0 LS l1 run\n7 4 LS l1 busy\n6 1 E h1 run\n'
    tail_of_trace
} >states.trace
cli import states.trace -o states.db >/dev/null 2>&1 || fail "states"
same "states of hosts" '["idle","run"]' \
    "$(cli --p 1 --slices 1 --json --state-type HOST:State states.db |
    jq -c '.parts[0].shares | keys')"
refused 1 'has 2 types of states called "State", expected "HOST:State" or "LINK:State"' \
    --state-type State states.db -o c.svg
same "values of one name" '["HOST:State:run","LINK:State:run","busy","idle","mark:run"]' \
    "$(cli --p 1 --slices 1 --json --metric event-count states.db |
    jq -c '.parts[0].shares | keys')"
same "a group of types" '["busy","idle","mark:run","moving"]' \
    "$(cli --p 1 --slices 1 --json --metric event-count --group-types 'State:run=moving' states.db |
    jq -c '.parts[0].shares | keys')"
cli --p 1 --slices 4 --part 0 states.db -o zoom.svg ||
    fail "a zoom into a state type that is not alone"

# A plain trace with only variables shows them, in the way that they need.
cli --plain --p 1 --json twins.db >default.json 2>default.err ||
    fail "a trace of variables: $(cat default.err)"
holds "a trace of variables" default.json \
    '.metric == "variable-mean" and (.parts[0].values | length == 4)'
same "scaled by default" \
    "ocelotl-cli: each variable is a share of its largest value (--scale max)" "$(cat default.err)"
{ head_of_trace && printf '4 0 T h1 -5\n4 5 T h1 5\n4 0 T h2 0\n' && tail_of_trace; } >cold.trace
cli import cold.trace -o cold.db >/dev/null
cli --p 1 --json cold.db >cold.json 2>cold.err || fail "negative variables: $(cat cold.err)"
holds "negative variables" cold.json \
    '.metric == "variable-mean" and .parts[0].values.temperature == 0'
cli --plain --p 1 twins.db -o twins.svg 2>/dev/null
cli treemap --p 1 cold.db -o cold.svg 2>/dev/null
has twins.svg 'of each variable as a share of its largest value'
has cold.svg 'counted from its least value'
same "shifted by default" "ocelotl-cli: variables are counted from their least value (--shift)" \
    "$(cat cold.err)"
refused 1 'the variable "temperature" has negative values, down to -5' --metric variable-mean \
    cold.db -o d.svg
for command in sweep parts treemap; do
    cli $command --slices 4 cold.db -o out.json >/dev/null 2>cold.err ||
        fail "$command of variables: $(cat cold.err)"
    rm -f out.json
done
{ head_of_trace && seq 1 9 | sed 's/.*/4 & HV h1 &/' && printf '7 9.999 HS h1 run\n' &&
    tail_of_trace; } >brief.trace
{ head_of_trace && seq 1 9 | sed 's/.*/4 & HV h1 &/' && printf '7 2 HS h1 run\n7 5 HS h1 walk\n' &&
    tail_of_trace; } >both.trace
{ head_of_trace && seq 1 9 | sed 's/.*/6 & E h1 tick/' && printf '4 2 HV h1 2\n' &&
    tail_of_trace; } >marks.trace
metric_of() { cli --p 1 --json "$1" 2>/dev/null | jq -r .metric; }
same "states that hardly last" variable-mean "$(metric_of brief.trace)"
same "states and variables" state-duration "$(metric_of both.trace)"
same "more instants than variables" event-count "$(metric_of marks.trace)"
same "states that are asked for" state-duration \
    "$(cli --p 1 --json --state-type State brief.trace 2>/dev/null | jq -r .metric)"

# What is negative by rounding alone is 0.
{
    head_of_trace
    printf '4 0 HV h1 1e9\n4 2 HV h1 -1.5e-10\n4 5 HV h1 -1e-7\n4 6 HV h1 2.5e9\n4 0 HV h2 0\n'
    tail_of_trace
} >rounding.trace
cli import rounding.trace -o rounding.db >/dev/null
for metric in variable-mean variable-min variable-max; do
    cli --p 0 --slices 10 --json --metric $metric rounding.db >rounding.json 2>rounding.err ||
        fail "$metric: $(cat rounding.err)"
    holds "$metric of rounding" rounding.json '[.parts[].values.load] | min == 0 and max == 2.5e9'
done
sed 's/ -1e-7$/ -1e-3/' rounding.trace >negative.trace
refused 1 'the variable "load" has negative values, down to -0.001' --metric variable-mean \
    --no-cache negative.trace -o e.svg
# Two variables of one name have two colours, the same in the Gantt chart and in the overview.
colour_of() { grep -B 1 ">$2" "$1" | grep -oE 'fill="#[0-9a-f]{6}"/' | head -n 1; }
cli gantt twins.db -o twins-gantt.svg
cli --plain twins.db -o twins.svg 2>/dev/null
for name in HOST:load LINK:load; do
    [ -n "$(colour_of twins.svg $name)" ] || fail "$name is not in the legend"
    same "the colour of $name" "$(colour_of twins.svg $name)" "$(colour_of twins-gantt.svg $name)"
done
[ "$(colour_of twins.svg HOST:load)" != "$(colour_of twins.svg LINK:load)" ] ||
    fail "two variables of one colour"
