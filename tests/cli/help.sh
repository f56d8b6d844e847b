# The help of every command is short, has examples, and names exactly the options that the command
# takes. Every topic it refers to exists.

mapfile -t commands < <(commands)
[ "${#commands[@]}" -ge 10 ] || fail "no commands in the help"

for command in "${commands[@]}"; do
    cli "$command" --help >"$command.short"
    cli "$command" --help all >"$command.help"
    { options_of "$command" && echo help; } | sort -u >"$command.options"
    like "$command.help" '^Usage: ocelotl-cli ' '^Examples:'
    [ "$(wc -l <"$command.short")" -le 56 ] ||
        fail "$command: $(wc -l <"$command.short") lines of help"
    [ "$(cat "$command".{short,help} | wc -L)" -le 115 ] ||
        fail "$command: lines of $(wc -L <"$command.help") letters"
    while read -r _ name; do
        [[ " ${commands[*]} " == *" $name "* ]] || fail "$command: names the command $name"
    done < <(grep -oE 'ocelotl-cli [a-z]+ ' "$command.help" || true)
done

# Every option has a place: one that is not in the short help is below a heading, whose topic the
# short help names.
for command in "${commands[@]}"; do
    while read -r option; do
        [ "$option" = help ] || grep -qE -- "--$option([^a-z-]|\$)" "$command.short" ||
            fail "the short help of $command does not name --$option"
    done <"$command.options"
    awk '/^More, / { on = 1; next } /^$/ { on = 0 } on && /^  [a-z]/ && $1 != "all" { print $1 }' \
        "$command.short" >topics
    [ -s topics ] || cmp -s "$command.short" "$command.help" ||
        fail "$command: no topics, but not all is there"
    while read -r topic; do
        cli "$command" --help "$topic" >page
        grep -qi "^$topic.*:\$" page || fail "$command --help $topic: $(head -n 3 page)"
        grep -qvxFf "$command.help" page &&
            fail "$command --help $topic says what is not in all of it"
        cat "$command.short" page >>"$command.pages"
    done <topics
    if [ -s topics ]; then
        [ -z "$(grep -vxFf "$command.pages" "$command.help")" ] ||
            fail "$command: is in no topic: $(grep -vxFf "$command.pages" "$command.help")"
    fi
done
like overview.short '^  hierarchy '

# What the build reads is what it lists as formats.
same "the formats of --version" \
    "$(cli formats --csv | sed '1d; /^trace.db,/d; /^matrix,/d' | cut -d , -f 1 | sort)" \
    "$(cli --version | sed -n 's/^reads //p' | tr ' ' '\n' | sort)"

same "the beginning of a topic" "$(cli overview --help hierarchy)" "$(cli overview --help Hier)"
same "a topic of the overview, which needs no name" "$(cli overview --help metrics)" \
    "$(cli --help metrics)"
same "help on a command" "$(cli gantt --help)" "$(cli help gantt)"
same "help on a topic of a command" "$(cli sweep --help picture)" "$(cli --help sweep picture)"
same "what belongs to the rest of the line" "$(cli gantt --help)" \
    "$(cli gantt --help trace.db -o x.svg)"
same "what belongs to the rest of the line, an option" "$(cli gantt --help)" \
    "$(cli gantt -h --links 0)"
refused 2 'no help on "hierrachy"; the nearest topic is hierarchy; see ocelotl-cli overview --help' --help hierrachy
refused 2 'no help on "zzzzzz"; see ocelotl-cli info --help' info --help zzzzzz
refused 2 'no help on "gnatt"; see ocelotl-cli --help' help gnatt

# knows COMMAND OPTION: whether the command takes it, whatever it says of the value.
knows() {
    cli "$1" "--$2" >/dev/null 2>message </dev/null || true
    ! grep -q 'unknown option\|is cut too short' message
}

# names COMMAND OPTION: whether the help of a command has the option, or one that begins so.
names() { grep -q -- "--$2" "$1.help"; }

# All that any command's table has: what no help names is not in the helps, but what options were
# called before.
rows=$OCELOTL_ROOT/request/options/parameters.c
{ cat ./*.options && grep -oE '\{"[a-z0-9-]+", OC_GROUP' "$rows" |
    cut -d '"' -f 2; } | sort -u >all.options
[ "$(wc -l <all.options)" -ge 50 ] || fail "$(wc -l <all.options) options in all"
for command in "${commands[@]}"; do
    while read -r option; do
        knows "$command" "$option" || fail "$command does not know its --$option"
    done < <(thin 3 <"$command.options")
    while read -r option; do
        [[ " all columns pair align " != *" $option "* ]] || continue
        names "$command" "$option" || ! knows "$command" "$option" ||
            fail "the help of $command does not name --$option"
    done < <(grep -vxFf "$command.options" all.options | shuf --random-source=all.options | thin 9)
done
