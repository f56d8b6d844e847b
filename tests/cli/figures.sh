# Short figures have the same text in tables of the program and of its page.
need node jq zstd

"$OCELOTL_BUILD/tests/test_digits" short >program.txt
cat >page.js <<'END'
const fs = require('fs');
const data = fs.readFileSync(process.argv[2], 'utf8');
const [percent, shortDigits, shortTime, shortAmount] =
    new Function(data + '; return [percent, shortDigits, shortTime, shortAmount];')();
// The page has three digits of the hundredths that the program says.
const three = text => {
    const value = parseFloat(text.replace('> ', '')), most = value >= 99.95 && value < 100;
    return text[0] === '<' || value < 10 ? text
        : most ? '> 99.9 %' : Math.round(Math.round(value * 100) / 10) / 10 + ' %';
};
const lines = fs.readFileSync('program.txt', 'utf8').trim().split('\n');
fs.writeFileSync('program.txt', lines.map(line => line.split('\t'))
    .map(cells => [...cells.slice(0, 5), three(cells[5])].join('\t') + '\n').join(''));
for (const line of lines) {
    const number = Number(line.split('\t')[0]);
    const texts = [shortDigits(number), shortDigits(number, 9), shortTime(number),
                   shortAmount(number, 'bytes'), percent(Math.min(Math.abs(number), 1e6))];
    console.log([line.split('\t')[0], ...texts].join('\t'));
}
END
node page.js "$OCELOTL_ROOT"/viz/page/data.js >page.txt
same "numbers" 40000 "$(wc -l <program.txt)"
cmp -s program.txt page.txt || fail "$(diff program.txt page.txt | head -6)"

# What they are: three digits, whole digits, a unit; the full figure is in CSV and JSON.
cat >small.csv <<'END'
resource,type,value,begin,end
a,state,x,0,0.0143340312345
a,state,y,0.0143340312345,0.0143943312345
a,state,z,1,385480.2019444409
END
cli import small.csv -o small.db >/dev/null 2>&1
cli stats small.db >table.txt
for figure in '14.3 ms' '60.3 us' '385479 s'; do
    has table.txt " $figure "
done
cli stats --csv small.db | grep -q '385479.2019444' || fail "CSV is rounded"

# Ends of windows have the digits that their length has; shares are said alike in text and picture.
cat >late.csv <<'END'
resource,type,value,begin,end
a,state,x,0,385480.2019444409
a,state,y,385480.2019444409,385480.2031
b,state,y,0,385480.2031
END
cli import late.csv -o late.db >/dev/null 2>&1
window='385480.20194 s to 385480.2031 s (1.16 ms)'
for command in stats matrix 'stats --durations y'; do
    cli $command --from 385480.20194 late.db 2>/dev/null >table.txt || true
    has table.txt "$window"
done
cli info late.db >table.txt
like table.txt '^time       0 s to 385480 s \(385480 s\), in ticks of '
unpack "$sample" >run.trace
cli import run.trace -o run.db >/dev/null
cli stats run.db >table.txt
cli stats run.db -o table.svg
for share in '24.87 %' '0.01 %' '39.9 %'; do
    grep -q "$share" table.txt && grep -q "$share" table.svg || fail "$share: $(cat table.txt)"
done
grep -q ' 1.63 s, of it innermost 1.63 s$' <(cli info run.db) || fail "info: $(cli info run.db)"
cli parts --p 0.3 run.db >table.txt
like table.txt '[0-9] %  +[0-9.<]+ %  '

# Each p of the table of levels, typed again, gives its level.
for all in '' --all; do
    cli sweep $all --slices 8 --kind temporal run.db >levels.txt
    while read -r _ p from to parts _; do
        for typed in $p ${all:+$from $to}; do
            cli --kind temporal --slices 8 --p "$typed" --json run.db >level.json
            same "parts at $typed of $p" "$parts" "$(jq '.parts | length' level.json)"
        done
    done < <(grep -E '^ +([0-9]+|-) ' levels.txt)
    [ "$(grep -cE '^ +([0-9]+|-) ' levels.txt)" -gt 4 ] || fail "few levels: $(cat levels.txt)"
    ! grep -qE '\.0*[1-9][0-9]{5}' levels.txt || fail "raw digits: $(cat levels.txt)"
done
