# At a terminal, a picture without a name is followed by the command that serves it.
need python3

# at_terminal WORD...: what the program writes to a terminal.
at_terminal() {
    python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$OCELOTL_CLI" "$@" | tr -d '\r'
}

cli import "$sample" -o "it's a trace.db" >/dev/null
at_terminal --slices 20 --only 'PMPI_W*' --threads 1 "it's a trace.db" >said.txt </dev/null
like said.txt '\.svg$'
line=$(sed -n 's/^to look into it: //p' said.txt)
test -n "$line" || fail "no line: $(cat said.txt)"
# The line is a command that means the same.
eval "words=($line)"
same "the program" "ocelotl-cli serve" "${words[0]} ${words[1]}"
same "its options" "--slices 20 --only PMPI_W*" "${words[*]:2:4}"
same "its trace" "it's a trace.db" "${words[-1]}"
cli "${words[@]:2}" -o again.svg
cli --slices 20 --only 'PMPI_W*' "it's a trace.db" -o first.svg
cmp -s <(grep -v '<command>' first.svg) <(grep -v '<command>' again.svg) ||
    fail "the line's picture is another one"

# Not with -o, and not into a pipe or a file.
at_terminal --slices 20 -o named.svg "it's a trace.db" >said.txt </dev/null
lacks said.txt 'to look into it'
cli --slices 20 --force "it's a trace.db" >said.txt
lacks said.txt 'to look into it'
