# Completion of ocelotl-cli for bash: commands, options, and the values of options that have names. All of it is what the
# program's own --help says, so that it is always that of the version installed.
# shellcheck shell=bash disable=SC2207

# The options in a help text, one a line, each with what stands for its value.
_ocelotl_cli_options() {
    awk '/^  (-o, )?--/ {
        head = substr($0, 3)
        sub(/   *.*/, "", head)
        while (match(head, /--[a-z][a-z-]*( [^ ,]+)?/)) {
            print substr(head, RSTART, RLENGTH)
            head = substr(head, RSTART + RLENGTH)
        }
    }'
}

# The names in the lines below a heading of a help text, in one of their columns.
_ocelotl_cli_below() { # HEADING COLUMN
    awk -v heading="$1" -v column="$2" 'index($0, heading) == 1 { on = 1; next } /^$/ { on = 0 } on { print $column }'
}

# The values of an option, by what stands for them: words are themselves, capitals stand for something else.
_ocelotl_cli_values() { # PROGRAM COMMAND OPTION VALUE
    case $3 in
    --view) "$1" overview --help all | _ocelotl_cli_below Views 2 | sort -u ;;
    --metric) "$1" overview --help all | _ocelotl_cli_below Metrics 1 ;;
    --p) echo auto ;;
    --format) if [ "$2" = import ]; then "$1" formats | sed '/needs no import/d; s/ .*//'; else tr '|' '\n' <<<"$4"; fi ;;
    *) [[ $4 == [A-Z]* ]] || tr '|' '\n' <<<"$4" ;;
    esac
}

_ocelotl_cli() {
    local program=$1 word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=overview commands
    local given first=yes
    commands=" overview $("$program" --help 2>/dev/null | _ocelotl_cli_below Commands: 1 | tr '\n' ' ')"
    # Options may come before the command.
    for given in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        [[ $commands == *" $given "* ]] && command=$given && break
    done
    for given in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        [[ $given == -* ]] || first=no
    done
    # bash takes --option=value apart, into three words.
    if [ "$word" = = ]; then
        word=
    elif [ "$before" = = ]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    local options value
    options=$("$program" "$command" --help all 2>/dev/null | _ocelotl_cli_options)
    COMPREPLY=()
    [ "$before" != -o ] || before=--output
    value=$(awk -v option="$before" '$1 == option && NF > 1 { print $2; exit }' <<<"$options")
    if [[ $value == FILE* || $value == *.db || $before == --again ]]; then
        COMPREPLY=($(compgen -f -- "$word"))
    elif [ "$before" = --help ]; then
        COMPREPLY=($(compgen -W "$("$program" "$command" --help | _ocelotl_cli_below More, 1)" -- "$word"))
    elif [ -n "$value" ]; then
        COMPREPLY=($(compgen -W "$(_ocelotl_cli_values "$program" "$command" "$before" "$value")" -- "$word"))
    elif [[ $word == -* ]]; then
        [ "$COMP_CWORD" -gt 1 ] || options+=$'\n--again'
        COMPREPLY=($(compgen -W "$(awk '{ print $1 }' <<<"$options") --help" -- "$word"))
    else
        [ "$first" = no ] || COMPREPLY=($(compgen -W "$commands" -- "$word"))
        COMPREPLY+=($(compgen -f -- "$word"))
    fi
}

complete -o filenames -F _ocelotl_cli ocelotl-cli
