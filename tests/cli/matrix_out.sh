# A model that export writes as a matrix gives the same partition, to the last digit.
need jq

example run.db
numbers='[.p, .p_raw, .pIC, .gain, .loss],
    (.parts[] | [.id, .first, .last, .leaves, .gain, .loss, .shares])'
for options in "--slices 50" "--hierarchy trace --slices 33" "--from 0.1 --to 0.2 --slices 20" \
    "--resource nancy/griffon --slices 40" "--metric event-count --slices 30 --only MPI_STATE" \
    "--metric link-count --slices 30" "--untraced ignore --except PMPI_Wait --slices 30"; do
    cli export --format matrix $options run.db -o model.csv --force 2>/dev/null
    for p in 0.1 0.65; do
        cli --json --p $p $options run.db 2>/dev/null | jq -c "$numbers" >expected
        cli --json --p $p model.csv | jq -c "$numbers" >got
        cmp expected got || fail "$options at p $p: another partition"
    done
    cli export --format matrix model.csv -o again.csv --force
    cmp model.csv again.csv || fail "$options: a matrix is not written as it is"
done

# Types and slices that hold nothing, names that need quotes, a leaf of an inner node.
printf 'path,type,slice,value\n"a/x, y",b,0,0\n"a/x, y",z,3,0\na/.,z,1,2.5\nb/%%2F"",b,2,1e-9\n' |
    sed 's/b\/%2F""/"b\/%2F"""/' >odd.csv
cli export --format matrix odd.csv >written.csv
cli export --format matrix written.csv | cmp - written.csv || fail "not the same again"
cli sweep --json --all odd.csv >expected
cli sweep --json --all written.csv | cmp - expected || fail "other levels"

refused 1 "stands for several resources" export --format matrix --max-leaves 10 run.db
refused 1 "weigh by counts" export --format matrix --metric state-max-duration run.db
refused 2 "--type is of events" export --format matrix --type MPI_STATE run.db
refused 1 "needs a trace" export --format matrix --only x odd.csv
refused 1 "use --force" export --format matrix run.db -o odd.csv
