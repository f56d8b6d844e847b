# The program does no harm: it never overwrites its input, and keeps links.
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

# The second of two programs does not replace what the first has written.
printf '' >order
(cli import "$sample" -o one.db >/dev/null 2>&1 && echo done >>order) &
(cli import "$sample" -o one.db >/dev/null 2>&1 && echo done >>order) &
wait
same "imports to one file that succeed" 1 "$(grep -c done order)"
