# The man page is up to date with --help, names every command and option, and is valid roff.
# shellcheck source=common.inc disable=SC2154
. "$(dirname "$0")/common.inc"

page=$OCELOTL_ROOT/docs/man/ocelotl-cli.1
"$OCELOTL_ROOT/scripts/man.sh" "$OCELOTL_CLI" made.1
if ! cmp -s made.1 "$page"; then
    fail "docs/man/ocelotl-cli.1 is not up to date: run scripts/man.sh; $(diff "$page" made.1 |
        head -n 4 || true)"
    finish
fi

mapfile -t commands < \
    <(cli --help | awk '/^Commands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }')
for command in overview "${commands[@]}"; do
    awk -v name="${command^^}" '/^\.SH / { on = $2 == name } on' "$page" | sed 's/\\-/-/g' >section
    [ -s section ] || fail "no section on $command"
    while read -r option; do
        grep -qE -- "(^| |\")$option( |\"|,|$)" section ||
            fail "the section on $command does not name $option"
    done < <(cli "$command" --help all | grep -E '^  (-o, )?--' |
        grep -oE -- '(^  |, )--[a-z][a-z-]*' | grep -oE -- '--.*')
done

if command -v mandoc >/dev/null; then
    mandoc -Tlint "$page" >lint || true
    [ ! -s lint ] || fail "mandoc: $(head -n 5 lint)"
fi
if command -v groff >/dev/null; then
    groff -man -ww -Tascii "$page" >text 2>warnings
    [ ! -s warnings ] || fail "groff: $(head -n 5 warnings)"
    # What roff would have taken for a command is in no text.
    cli sql --help | grep -o "WHERE category = 'state' AND end > 0.1" >line
    grep -qF -- "$(cat line)" text || fail "the page does not show $(cat line)"
fi
finish
