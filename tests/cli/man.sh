# The program and each command have a man page, which names every option and is valid roff.

"$OCELOTL_ROOT/scripts/man.sh" "$OCELOTL_CLI" "$PWD/pages"
for command in $(commands); do
    page=pages/ocelotl-cli-$command.1
    sed 's/\\-/-/g' "$page" >plain
    like plain "^ocelotl-cli-$command - [a-z]"
    grep -qF "ocelotl-cli-$command" <(sed 's/\\-/-/g' pages/ocelotl-cli.1) ||
        fail "the program's page does not refer to $command"
    while read -r option; do
        grep -qE -- "(^| |\")$option( |\"|,|$)" plain || fail "$page does not name $option"
    done < <(options_of "$command" | sed 's/^/--/')
done
same "the pages" "$(commands | wc -l)" "$(find pages -name 'ocelotl-cli-*.1' | wc -l)"

for page in pages/*; do
    if command -v mandoc >/dev/null; then
        mandoc -Tlint "$page" >lint || true
        [ ! -s lint ] || fail "mandoc: $page: $(head -n 5 lint)"
    fi
    if command -v groff >/dev/null; then
        groff -man -ww -Tascii "$page" >text 2>warnings
        [ ! -s warnings ] || fail "groff: $page: $(head -n 5 warnings)"
    fi
done
if command -v groff >/dev/null; then
    # What roff would have taken for a command is in no text.
    groff -man -Tascii pages/ocelotl-cli-sql.1 >text
    cli sql --help | grep -o "WHERE category = 'state' AND end > 0.1" >line
    grep -qF -- "$(cat line)" text || fail "the page does not show $(cat line)"
fi
