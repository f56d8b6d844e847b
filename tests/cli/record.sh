# The same command on the same trace writes the same bytes at any time, in every form; what another
# program answers tests/record.py tells. A date comes from SOURCE_DATE_EPOCH alone.
need python3

record() { python3 "$OCELOTL_ROOT/tests/record.py" "$@" >record.txt; }
TZ=Asia/Tokyo OMP_NUM_THREADS=2 record make first --quick --cli "$OCELOTL_CLI"
record make second --quick --cli "$OCELOTL_CLI"
record compare first second || fail "made again: $(head -n 40 record.txt)"
like record.txt '^0 of [12][0-9][0-9] cases differ'
# Another program, which names a resource otherwise.
printf '#!/bin/sh\nif [ "$1" = parts ]; then "%s" "$@" | sed s/h10/h11/; else exec "%s" "$@"; fi\n' \
    "$OCELOTL_CLI" "$OCELOTL_CLI" >other
chmod +x other
record make third --quick --cli other
! record compare second third || fail "another program answers the same"
same "what differs" parts "$(sed -n 's/: [0-9]* cases differ$//p' record.txt)"
like record.txt '^ *\+.*h11'

example
date_of() { grep -a -o '/CreationDate ([^)]*)' dated.pdf || true; }
for pair in 1577934245=20200102030405Z unset= = now= -5= 12x= 99999999999999999999999=; do
    export SOURCE_DATE_EPOCH=${pair%=*}
    [ "$SOURCE_DATE_EPOCH" != unset ] || unset SOURCE_DATE_EPOCH
    cli --slices 10 trace.db -o dated.pdf
    same "the time of a PDF for $pair" "${pair#*=}" "$(date_of | grep -o '[0-9].*Z' || date_of)"
done
