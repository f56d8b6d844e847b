# Many ranks, which are simulated in one process, find the parts that one finds.
need smpicc smpirun objdump
library=$OCELOTL_BUILD/libocelotl.so
[ -f "$library" ] || { echo "skipped: there is no shared library" && exit 77; }
! objdump -p "$library" | grep -q 'NEEDED.*san\.so' ||
    { echo "skipped: a sanitizer knows no simulated ranks" && exit 77; }

# alike LEAVES RANKS...
alike() {
    local leaves=$1
    shift
    "$OCELOTL_ROOT/bench/ranks_smpi.sh" "$OCELOTL_BUILD" smpi slow "$leaves" 20 "$*" >found.txt
    [ "$(grep -c ' parts, hash' found.txt)" -eq $((3 * $#)) ] || fail "$leaves leaves: some ended"
    awk '/ parts, hash/ { print $4, $NF }' found.txt | sort -u >alike.txt
    [ "$(wc -l <alike.txt)" -eq 3 ] || fail "$leaves leaves: $(cat found.txt)"
}
alike 1000 1 5 64
alike 10 1 64
