#!/usr/bin/env bash
# Writes the man pages of the program and of each command from the texts of --help.
#
#   scripts/man.sh [PROGRAM [FOLDER]]     (default: build/ocelotl-cli, man beside it)
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
program=${1:-$root/build/ocelotl-cli}
folder=${2:-$(dirname "$program")/man}
export LC_ALL=C

# Turns a help text into roff: options with their texts, headings, text laid out by spaces as it is,
# the rest as paragraphs.
to_roff() {
    awk '
    function safe(text) {
        gsub(/\\/, "\\e", text)
        gsub(/-/, "\\-", text)
        gsub(/~/, "\\(ti", text)
        gsub(/\^/, "\\(ha", text)
        gsub(/`/, "\\(ga", text)
        gsub(/'\''/, "\\(aq", text)
        return text
    }
    # Lines of at most 80 letters; none begins like a command to roff.
    function put(text,    words, count, i, line) {
        count = split(safe(text), words, " ")
        line = ""
        for (i = 1; i <= count; i++) {
            if (line != "" && length(line) + length(words[i]) >= 80) {
                print line
                line = ""
            }
            if (line == "" && words[i] ~ /^\./) words[i] = "\\&" words[i]
            line = line (line == "" ? "" : " ") words[i]
        }
        print line
    }
    # A paragraph needs no beginning of its own below a heading.
    function paragraph() {
        if (!below) print ".PP"
        below = 0
    }
    function literal(on) {
        if (on && !as_is) paragraph()
        if (on != as_is) print on ? ".nf" : ".fi"
        as_is = on
    }
    function option(line,    head, text) {
        head = substr(line, 3)
        text = head
        if (match(head, /[^ ]   *[^ ]/)) {
            text = substr(head, RSTART + RLENGTH - 1)
            head = substr(head, 1, RSTART)
        } else {
            text = substr(line, 25)
            head = substr(line, 3, 22)
        }
        sub(/ +$/, "", head)
        printf ".TP\n.B \"%s\"\n", safe(head)
        put(text)
        below = 0
    }
    BEGIN { below = 1 }
    /^Usage: / { sub(/^Usage: /, ""); paragraph(); print ".B \"" safe($0) "\""; next }
    /^$/ { literal(0); begin = 1; next }
    /^[A-Z].*:$/ {
        literal(0); sub(/:$/, ""); print ".SS \"" safe($0) "\""; begin = 0; below = 1; next }
    /^  --[a-z-]+(, --[a-z-]+)+,?$/ { sub(/^ +/, ""); put($0); next }
    /^  (-o, )?--/ { literal(0); option($0); begin = 0; next }
    substr($0, 1, 20) ~ /^ +$/ && !as_is { sub(/^ +/, ""); put($0); next }
    /^ / { literal(1); print safe($0); begin = 0; next }
    { literal(0); if (begin) paragraph(); begin = 0; below = 0; put($0) }
    END { literal(0) }'
}

# The head of the page NAME, whose SUMMARY is one line, and its synopsis from a help text.
begin() { # NAME SUMMARY TEXT
    local name=${1//-/\\-}
    printf '.\\" Written by scripts/man.sh from the texts of --help; change those.\n'
    printf '.TH %s 1 2026-11-21 "%s"\n' "${name^^}" "$version"
    printf '.SH NAME\n%s \\- %s\n.SH SYNOPSIS\n.nf\n' "$name" "${2//-/\\-}"
    sed -n '/^$/q; s/^Usage: //; s/^ *//; s/-/\\-/g; p' <<<"$3"
    printf '.fi\n.SH DESCRIPTION\n'
    sed '1,/^$/d' <<<"$3" | to_roff
}

# References to pages, separated by commas.
refer() { printf '%s\n' "$@" | sed 's/-/\\-/g; s/^/.BR /; s/$/ (1),/; $s/,$//'; }

write_program() {
    begin ocelotl-cli 'spatiotemporal aggregation of execution traces' "$help"
    cat <<'END'
.SH EXIT STATUS
0: done; 1: the input or the request is wrong; 2: usage; 3: internal error; 128 and the number of a signal: ended by that, with nothing half-written left.
.SH ENVIRONMENT
.TP
.B OCELOTL_CACHE_LIMIT
what the cache may take (500M, 20G); 4 GiB where it is not set
.TP
.B OMP_WAIT_POLICY
.I passive
lets threads that wait leave the processor to other programs; takes less of it on a busy machine;
.B serve
sets it
.TP
.B XDG_CACHE_HOME
where the cache is, instead of
.I \(ti/.cache
.TP
.B XDG_CONFIG_HOME
where
.I ocelotl/defaults
is, instead of
.I \(ti/.config
.SH SEE ALSO
END
    refer "${commands[@]/#/ocelotl-cli-}" pj_dump sqlite3
}

write_command() { # COMMAND
    local summary
    summary=$(awk -v name="$1" '/^Commands:/ { on = 1; next } /^$/ { on = 0 }
        on && $1 == name { sub(/^ *[a-z]+ +/, ""); print }' <<<"$help")
    begin "ocelotl-cli-$1" "${summary:-draw the overview of a trace}" \
        "$("$program" "$1" --help all)"
    printf '.SH SEE ALSO\n'
    refer ocelotl-cli
}

help=$("$program" --help)
version=$("$program" --version | sed -n '1s/-cli//p')
mapfile -t commands < <(echo overview
    awk '/^Commands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }' <<<"$help")
mkdir -p "$folder"
write_program >"$folder/ocelotl-cli.1"
for command in "${commands[@]}"; do
    write_command "$command" >"$folder/ocelotl-cli-$command.1"
done
