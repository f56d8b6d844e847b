# At a terminal, a picture without a name is followed by the command that serves it.
# shellcheck source=common.inc disable=SC2154
. "$(dirname "$0")/common.inc"
need python3

# at_terminal WORD...: what the program writes to a terminal.
at_terminal() {
    python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$OCELOTL_CLI" "$@" | tr -d '\r'
}

cli import "$OCELOTL_ROOT/examples/smpi-stencil-96.trace.zst" -o "it's a trace.db" >/dev/null
at_terminal --slices 20 --only 'PMPI_W*' --threads 1 "it's a trace.db" >said.txt </dev/null
grep -q '\.svg$' said.txt || fail "the picture: $(cat said.txt)"
line=$(sed -n 's/^to look into it: //p' said.txt)
test -n "$line" || fail "no line: $(cat said.txt)"
# The line is a command that means the same.
eval "words=($line)"
same "the program" "ocelotl-cli serve" "${words[0]} ${words[1]}"
same "its options" "--slices=20 --only=PMPI_W*" "${words[2]} ${words[3]}"
same "its trace" "it's a trace.db" "${words[-1]}"
cli "${words[@]:2}" -o again.svg
cli --slices 20 --only 'PMPI_W*' "it's a trace.db" -o first.svg
cmp -s <(grep -v '<command>' first.svg) <(grep -v '<command>' again.svg) ||
    fail "the line's picture is another one"

# Not with -o, and not into a pipe or a file.
at_terminal --slices 20 -o named.svg "it's a trace.db" >said.txt </dev/null
! grep -q 'to look into it' said.txt || fail "with -o: $(cat said.txt)"
cli --slices 20 --force "it's a trace.db" >said.txt
! grep -q 'to look into it' said.txt || fail "into a file: $(cat said.txt)"
finish
