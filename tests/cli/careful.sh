# The program does no harm: it never overwrites its input, keeps links and rights, cleans up when
# stopped, and works in pipelines.
need jq

printf 'path,type,slice,value\na,x,0,1\na,y,1,2\nb,x,0,1\nb,x,1,3\n' >m.csv
cp m.csv d.svg
example run.db

# What is read is not written.
for arguments in 'info run.db -o run.db' 'sweep run.db -o ./run.db' 'sweep m.csv -o m.csv' \
    'd.svg -o d.svg' 'import --force run.db -o run.db'; do
    md5sum run.db m.csv d.svg >before
    refused 1 'is the trace itself' $arguments
    md5sum --quiet -c before || fail "$arguments changed its input"
done
cli import "$sample" -o in.db --name d >/dev/null
mv in.db d.svg
refused 1 'd.svg: is the trace itself' --slices 10 d.svg

# A link stays one; a file that may not be written is not replaced.
cli --p 0.1 m.csv -o old.json
ln -s old.json link.json
cli m.csv -o link.json
[ -L link.json ] || fail "a link was replaced"
holds 'what a link leads to' old.json '.kind == "spatiotemporal"'

# Standard input as a matrix.
cli --p 1 --json - <m.csv >stdin.json
cli --p 1 --json m.csv >file.json
cmp -s stdin.json file.json || fail "a matrix from standard input is not the same as from a file"

# Two values of one name are two types.
{
    zstd -dcq "$sample" | grep '^%'
    printf '0 N 0 Node\n2 S N State\n5 v1 S run "0 0 1"\n5 v2 S run "0 1 0"\n'
    printf '5 v3 S "(no state)" "1 0 0"\n6 0 n N 0 n\n'
    printf '11 0 S n v1\n11 4 S n v2\n11 6 S n v3\n14 8 S n\n7 10 N n\n'
} >twins.trace
cli --p 1 --slices 1 --json twins.trace >twins.json 2>/dev/null
holds 'values of one name' twins.json \
    '.parts[0].shares == {"run":0.4,"run#2":0.2,"(no state)":0.2,"(no state)#2":0.2}'

# A program that is terminated leaves nothing behind. Not through cli: the signal would meet the
# shell around it.
zstd -dcq "$sample" >part.trace
mkfifo slow
"$OCELOTL_CLI" import slow -o stopped.db >stopped.out 2>stopped.err &
job=$!
{
    cat part.trace
    kill -TERM "$job"
    for _ in 1 2 3 4 5; do grep -v '^%' part.trace || true; done
} >slow 2>/dev/null || true
wait "$job" && fail "a program that was terminated says it is done"
[ -z "$(find . -name 'stopped.db*')" ] || fail "left behind: $(find . -name 'stopped.db*')"

# The same while it waits for input that does not come: the first signal is enough, before the first
# byte and after.
for bytes in 0 100000; do
    rm -f quiet
    mkfifo quiet
    { head -c "$bytes" part.trace && exec sleep 60; } >quiet &
    writer=$!
    "$OCELOTL_CLI" import quiet -o quiet.db >/dev/null 2>&1 &
    job=$!
    sleep 0.5
    kill -TERM "$job"
    for _ in $(seq 3000); do kill -0 "$job" 2>/dev/null && sleep 0.1 || break; done
    kill -KILL "$job" 2>/dev/null && fail "waits on after $bytes bytes, though terminated"
    kill "$writer" 2>/dev/null || true
    wait "$job" && fail "a program that was terminated says it is done"
    [ -z "$(find . -name 'quiet.db*')" ] || fail "left behind: $(find . -name 'quiet.db*')"
done

# The second of two programs does not replace what the first has written.
printf '' >order
(cli import "$sample" -o one.db >/dev/null 2>&1 && echo done >>order) &
(cli import "$sample" -o one.db >/dev/null 2>&1 && echo done >>order) &
wait
same "imports to one file that succeed" 1 "$(grep -c done order)"

# What can be read is listed for programs as for people.
same "formats" "$(cli formats | grep -v 'a build with' | awk '{ print $1 }' | paste -sd ' ')" \
    "$(cli formats --json | jq -r '[.formats[].name] | join(" ")')"
