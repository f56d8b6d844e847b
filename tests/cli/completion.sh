# Completion in bash, zsh and fish offers what every --help names: commands, options and values of
# options. A missing shell is skipped.

mkdir bin work
ln -s "$OCELOTL_CLI" bin/ocelotl-cli
PATH=$folder/bin:$PATH
scripts=$OCELOTL_ROOT/cli/completion
mapfile -t commands < <(commands | grep -vx overview)
for command in "${commands[@]}" overview; do
    options_of "$command" | sed 's/^/--/' >"$command.options"
done
cd work
: >sample.trace
mkdir pictures

# Each prints the completions of the last word of a command line, one a line.
in_bash() {
    bash -c '. "$0/ocelotl-cli.bash"
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _ocelotl_cli ocelotl-cli
        printf "%s\n" "${COMPREPLY[@]}"' "$scripts" "$@"
}
in_fish() {
    HOME=$folder fish --no-config -c "source $scripts/ocelotl-cli.fish; complete -C '$*'" \
        </dev/null | cut -f 1
}
# Outside of its line editor zsh has no builtins for completion.
in_zsh() {
    zsh -f -c 'compadd() { shift; print -l -- "$@" }
        compset() { : }
        _files() { print -l -- *(N) }
        _describe() { print -l -- "${(@)${(@P)3}%%:*}" }
        words=("${(@)argv[2,-1]}")
        CURRENT=$#words
        . $1/_ocelotl-cli' zsh "$scripts" "$@"
}

# offers SHELL WORD WORD...: the first word is among what the shell offers for the others.
offers() {
    local shell=$1 wanted=$2
    shift 2
    "in_$shell" ocelotl-cli "$@" >offered 2>&1 ||
        fail "$shell, ocelotl-cli $*: $(head -c 500 offered)"
    grep -qxF -- "$wanted" offered ||
        fail "$shell does not offer $wanted for ocelotl-cli $*, but $(tr '\n' ' ' <offered)"
}

check_shell() { # SHELL
    local command option
    offers "$1" overview ''
    for command in "${commands[@]}"; do
        grep -qxF -- "$command" offered || fail "$1 does not offer the command $command"
    done
    offers "$1" sample.trace info sa
    for command in $(printf '%s\n' overview "${commands[@]}" | thin 3); do
        offers "$1" --help "$command" -
        while read -r option; do
            grep -qxF -- "$option" offered || fail "$1 does not offer $option for $command"
        done <"../$command.options"
    done
    offers "$1" --slices --sl
    offers "$1" dark --theme d
    offers "$1" histogram --view h
    offers "$1" temporal sweep --kind t
    offers "$1" inclusive --nesting i
    offers "$1" event-count treemap --metric e
    offers "$1" paje import --format p
    offers "$1" pjdump export --format p
    offers "$1" pjdump --no-cache export --format p
    offers "$1" sweep --no-cache sw
    offers "$1" --most-types --no-cache sweep --most
    offers "$1" us import --time-unit u
    offers "$1" hierarchy overview --help h
    offers "$1" all sweep --help a
    offers "$1" sample.trace export -o sa
    offers "$1" --again --ag
    offers "$1" sample.trace --again sa
    lacks offered '--'
    offers "$1" sample.trace stats --palette sa
    lacks offered '--'
}

for shell in bash zsh fish; do
    if command -v $shell >/dev/null; then check_shell $shell; else echo \
        "skipped: $shell is missing"; fi
done
same "bash, a value behind =" dark "$(in_bash ocelotl-cli --theme = d)"
same "bash, a value behind = alone" "light dark" \
    "$(in_bash ocelotl-cli --theme = | tr '\n' ' ' | sed 's/ $//')"
same "bash, the beginning of a command" "stats" "$(in_bash ocelotl-cli st)"
same "bash, a value that is no word" "" "$(in_bash ocelotl-cli --slices '')"
