# The help of every command is short, shows examples, and names the options that the command takes, no more and no less.
# shellcheck source=common.inc disable=SC2154
. "$(dirname "$0")/common.inc"

cli --help >main.help
mapfile -t commands < <(awk '/^Commands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }' main.help)
[ "${#commands[@]}" -ge 9 ] || fail "no commands in the help"
commands+=(overview)

for command in "${commands[@]}"; do
    cli "$command" --help >"$command.help"
    # What is in the texts around may be another command's.
    grep -E '^  (-o, )?--' "$command.help" >"$command.lines" || true
    { grep -oE -- '(^  |, |, \[)--[a-z][a-z-]*' "$command.lines" | grep -oE -- '[a-z][a-z-]*$' && echo help; } |
        sort -u >"$command.options"
    grep -q '^Usage: ocelotl-cli ' "$command.help" || fail "$command: no usage"
    grep -q '^Examples:' "$command.help" || fail "$command: no example"
    most=95
    [ "$command" != overview ] || most=125
    [ "$(wc -l <"$command.help")" -le "$most" ] || fail "$command: $(wc -l <"$command.help") lines of help"
    [ "$(wc -L <"$command.help")" -le 115 ] || fail "$command: lines of $(wc -L <"$command.help") letters"
    while read -r _ name; do
        [[ " ${commands[*]} " == *" $name "* ]] || fail "$command: names the command $name"
    done < <(grep -oE 'ocelotl-cli [a-z]+ ' "$command.help" || true)
done

# knows COMMAND OPTION: whether the command takes it, whatever it says of the value.
knows() {
    cli "$1" "--$2" >/dev/null 2>message </dev/null || true
    ! grep -q 'unknown option\|is cut too short' message
}

# names COMMAND OPTION: whether the help of a command, or that of the overview where it refers to it, has the option, or
# one that begins so.
names() {
    grep -q -- "--$2" "$1.help" || { grep -q 'say of which' "$1.help" && grep -q -- "^$2" overview.options; }
}

# All that any command's table has: what no help names is not in the helps.
{ cat ./*.options && grep -ohE '"[a-z-]+", (no|required|optional)_argument' "$OCELOTL_ROOT"/cli/*.[ch] | cut -d '"' -f 2; } |
    sort -u >all.options
[ "$(wc -l <all.options)" -ge 50 ] || fail "$(wc -l <all.options) options in all"
for command in "${commands[@]}"; do
    while read -r option; do
        if grep -qx -- "$option" "$command.options"; then
            knows "$command" "$option" || fail "$command does not know its --$option"
        elif ! names "$command" "$option" && knows "$command" "$option"; then
            fail "the help of $command does not name --$option"
        fi
    done <all.options
done
finish
