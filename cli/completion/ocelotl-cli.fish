# Completion of ocelotl-cli for fish: commands, options, and the values of options that have names. All of it is what the
# program's own --help says, so that it is always that of the version installed.

# The options in a help text, one a line: the name, what stands for its value, what it does.
function __ocelotl_cli_options
    awk '/^  (-o, )?--/ {
        head = substr($0, 3)
        what = head
        if (!sub(/^.*[^ ]   */, "", what)) what = substr(head, 23)
        sub(/   *.*/, "", head)
        while (match(head, /--[a-z][a-z-]*( [^ ,]+)?/)) {
            split(substr(head, RSTART, RLENGTH), word, " ")
            print word[1] "\t" word[2] "\t" what
            head = substr(head, RSTART + RLENGTH)
        }
    }'
end

# The names in the lines below a heading of a help text, in one of their columns.
function __ocelotl_cli_below -a heading column
    awk -v heading="$heading" -v column="$column" 'index($0, heading) == 1 { on = 1; next } /^$/ { on = 0 } on { print $column }'
end

# The values of an option, by what stands for them: words are themselves, capitals stand for something else.
function __ocelotl_cli_values -a program command option value
    switch $option
        case --view
            $program overview --help all | __ocelotl_cli_below Views 2 | sort -u
        case --metric
            $program overview --help all | __ocelotl_cli_below Metrics 1
        case --p
            echo auto
        case --format
            if test $command = import
                $program formats | sed '/needs no import/d; s/ .*//'
            else
                string split '|' -- "$value"
            end
        case '*'
            string match -qr '^[A-Z]' -- "$value"; or string split '|' -- "$value"
    end
end

function __ocelotl_cli_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l program $words[1]
    set -l command overview
    set -l before $words[-1]
    set -l prefix
    set -l commands overview ($program --help 2>/dev/null | __ocelotl_cli_below Commands: 1)
    set -l first yes
    # Options may come before the command.
    for given in $words[-1..2]
        contains -- $given $commands; and set command $given
        string match -q -- '-*' $given; or set first no
    end
    set -l options ($program $command --help all 2>/dev/null | __ocelotl_cli_options)
    test "$before" = -o; and set before --output
    if string match -qr '^--.*=' -- "$word"
        set before (string replace -r '=.*' '' -- "$word")
        set prefix $before=
        set word (string replace -r '^[^=]*=' '' -- "$word")
    end
    set -l value
    for line in $options
        set -l parts (string split \t -- $line)
        test $parts[1] = "$before"; and set value $parts[2]
    end
    if string match -q 'FILE*' -- "$value"; or string match -q '*.db' -- "$value"; or test "$before" = --again
        string replace -r '^' -- "$prefix" (__fish_complete_path "$word")
    else if test "$before" = --help
        $program $command --help | __ocelotl_cli_below More, 1
    else if test -n "$value"
        for name in (__ocelotl_cli_values $program $command $before $value)
            echo "$prefix$name"
        end
    else if string match -q -- '-*' "$word"
        for line in $options
            set -l parts (string split \t -- $line)
            echo $parts[1]\t$parts[3]
        end
        echo --help
        test (count $words) -gt 1; or echo --again\t'draw a picture again, with changes'
    else
        test $first = no; or printf '%s\n' $commands
        __fish_complete_path "$word"
    end
end

complete -c ocelotl-cli -f -a '(__ocelotl_cli_complete)'
