# Short figures have the same text in tables of the program and of its page.
# shellcheck source=common.inc disable=SC2154
. "$(dirname "$0")/common.inc"
need node

"$OCELOTL_BUILD/tests/test_digits" short >program.txt
cat >page.js <<'END'
const fs = require('fs');
const page = fs.readFileSync(process.argv[2], 'utf8');
const both = new Function('percent', page + '; return [shortDigits, shortTime];');
const [shortDigits, shortTime] = both(String);
for (const line of fs.readFileSync('program.txt', 'utf8').trim().split('\n')) {
    const number = Number(line.split('\t')[0]);
    const texts = [shortDigits(number), shortDigits(number, 9), shortTime(number)];
    console.log([line.split('\t')[0], ...texts].join('\t'));
}
END
node page.js "$OCELOTL_ROOT/viz/page/served/tables.js" >page.txt
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
    grep -q " $figure " table.txt || fail "$figure is not in $(cat table.txt)"
done
cli stats --csv small.db | grep -q '385479.2019444' || fail "CSV is rounded"

finish
