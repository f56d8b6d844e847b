# A session as a file: its commands in order, up to the first that fails.
cli import "$sample" -o trace.db >/dev/null

cat >session <<'END'
# what a session was
ocelotl-cli stats --csv trace.db -o "with a blank.csv" --force

  gantt --from 40% --to 45% trace.db -o 'events.svg'
END
cli run session >out.txt
same "what is printed" "" "$(cat out.txt)"
cli stats --csv trace.db >stats.csv
cmp "with a blank.csv" stats.csv || fail "a command of the session differs from the same one"
has events.svg "<command>ocelotl-cli gantt"

printf 'info none.db\ninfo trace.db\n' >broken
if cli run broken >out.txt 2>err.txt; then fail "a session that fails is done"; fi
has err.txt "broken:1: ended with exit code 1; what follows is left out"
same "what is left out" "" "$(cat out.txt)"
printf 'info trace.db\ninfo trace.db | cat\n' >piped
cli run piped >out.txt 2>err.txt && fail "a pipe is a command"
has err.txt "piped:2: only a shell could run it"
printf 'info "trace.db\n' >quote
refused 1 'quote:1: a quote has no end' run quote
refused 1 'nowhere: cannot open' run nowhere
refused 2 'takes one FILE' run
cli run --help >help.txt || fail "run --help"
has help.txt "Usage: ocelotl-cli run FILE"
cli --help run | cmp - help.txt || fail "--help run is another text"
printf 'run nested\n' >nested
cli run nested >out.txt 2>err.txt && fail "a file runs itself"
has err.txt "nested:1: runs another file"
mkdir a-folder
refused 1 'a-folder: cannot read' run a-folder
