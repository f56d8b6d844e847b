# What perf stat prints of threads over time: sums of an import are those that awk finds in the same
# lines; threads, CPUs and all; separators, values that are none, broken lines.
need jq python3

# Sums by event, thread and all; times in seconds.
count() {
    awk -F "${2:-,}" '/^ *#/ || NF < 6 { next } {
        i = $2 ~ /^[0-9<.]/ || $2 == "" ? 2 : 3
        who = i == 2 ? "all" : $2
        sub(/-[0-9]+$/, "", who)
        if ($i ~ /^[0-9.]/)
            sum[who " " $(i + 2)] += ($(i + 1) == "msec" ? 1e-3 : 1) * $i
    } END { for (name in sum) printf "%s %.6f\n", name, sum[name] }' "$1"
}
# Running sums end with the sums.
counted() {
    ask "$1" "SELECT substr(resource || '/', 1, instr(resource || '/', '/') - 1) || ' ' || type ||
        ' ' || printf('%.9f', max(CAST(value AS real))) FROM events WHERE category = 'variable'
        GROUP BY resource, type" |
        awk '{ sum[$1 " " $2] += $3 } END { for (name in sum) printf "%s %.6f\n", name, sum[name] }'
}

data=$OCELOTL_ROOT/tests/data/threads.stat
cp "$data" threads.stat
agrees threads.stat
mv agrees.db threads.db
says threads.db 'format     perf_stat' '<not counted>'
same "threads" \
    "$(awk -F, '$3 !~ /</ { sub(/.*-/, "", $2); print $2 }' threads.stat | sort -u | line)" \
    "$(ask threads.db "SELECT replace(path, 'python3/', '') FROM resources WHERE type = 'Thread'" |
        sort | line)"
same "seconds" s "$(cli info --json threads.db | jq -r '.event_types[] |
    select(.name == "task-clock").unit')"
# What the first line counts was counted since the line before, so that threads begin there.
same "the begin" true "$(cli sql --json threads.db "SELECT min(begin) AS b FROM resources WHERE
    type = 'Thread'" | jq '.[0].b < '"$(awk -F, '$3 !~ /</ { print $1; exit }' threads.stat)")"

# --- All threads together, CPUs, another separator, metrics, comments

cat >all.stat <<'END'
# started on Sun Nov 29 16:32:43 2026

     0.050,0.67,msec,task-clock,669928,100.00,0.013,CPUs utilized
     0.050,1000,,instructions,669928,50.00,1.1,insn per cycle
     0.050,,,,,,0.2,stalled cycles per insn
     0.100,<not counted>,msec,task-clock,0,100.00,,
     0.100,<not supported>,,instructions,0,100.00,,
     0.150,2,msec,task-clock,40599,100.00,0.001,CPUs utilized
     0.150,30,,instructions,40599,100.00
     0.150,2.5,Joules,power/energy-pkg/,40599,100.00,,
END
agrees all.stat
same "the unit of energy" J "$(cli info --json agrees.db | jq -r '.event_types[] |
    select(.name == "power/energy-pkg/").unit')"
sed 's/,/;/g; s/task-clock/cpu\/event=1,umask=2\//' all.stat >semicolon.txt
quiet semicolon.txt -o semicolon.db
same "semicolons" "$(count semicolon.txt ';' | sort)" "$(counted semicolon.db | sort)"
printf '%s\n' '0.05,CPU0,5,,cycles,100,100.00,,' '0.05,CPU1,7,,cycles,100,100.00,,' >cpus.stat
agrees cpus.stat
same "CPUs" "CPU0 CPU1" "$(ask agrees.db "SELECT path FROM resources WHERE type = 'CPU'" | line)"

# --- Broken lines

good='0.05,run-7,5,,cycles,100,100.00,,'
while IFS='|' read -r text expected; do
    broken_line x.stat "$expected" "$text"
done <<'END'
0.06,run-7,x,,cycles,100,100.00,,|the line is none of perf stat -I, expected time, value, unit, event
0.06,run-7,5,,,100,100.00,,|the line is none of perf stat -I
0.06,S0-D0-C0,2,5,,cycles,100,100.00,,|the line is none of perf stat -I
0.06,run-7,5,,cycles|the line is none of perf stat -I
0.01,run-7,5,,cycles,100,100.00,,|the time is before that of the line before, expected lines in order
any text|the line is none of perf stat -I
END
printf '0.05,run-7,<not counted>,,cycles,0,100.00,,\n' >x.stat
refused 1 'x.stat: holds no count, expected some' import x.stat -o no.db
