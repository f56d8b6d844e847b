# --notes numbers and lists the notes beside a trace; served, the same pictures byte for byte.
need jq python3

example
cli trace.db --slices 60 -o without.svg
cli trace.db --slices 60 --notes -o none.svg
cmp -s <(grep -v '<command>' without.svg) <(grep -v '<command>' none.svg) ||
    fail "no notes change the picture"

cat >trace.db.notes.json <<'END'
{"notes": [{"text": "the \"slow\" switch \u00e9\ud83d\ude00 <b>&", "from": "@0.1s", "to": "@0.2s",
  "node": "nancy/griffon/griffon-sw2", "who": "me"},
 {"text": "all of it"}, {"text": "gone", "node": "nancy/none"},
 {"text": "later", "from": "50%", "to": "0.25", "node": "nancy/graphene"}]}
END
# What is drawn, beside what it has to be, from the numbers of the picture alone.
cat >check.py <<'END'
import re
import sys
import xml.etree.ElementTree as xml

SVG = "{http://www.w3.org/2000/svg}"
root = xml.parse(sys.argv[1]).getroot()
begin, end, wanted = float(sys.argv[2]), float(sys.argv[3]), sys.argv[4:]
groups = {group.get("class"): group for group in root.findall(SVG + "g")}
frame = [float(one) for one in next((box.get("x"), box.get("y"), box.get("width"), box.get("height"))
                                    for box in root.findall(SVG + "rect") if box.get("stroke"))]
rows = {box.find(SVG + "title").text: (float(box.get("y")), float(box.get("height")))
        for box in groups["hierarchy"].findall(SVG + "rect")}
rows[""] = (frame[1] + 0.5, frame[3] - 1)
ink = groups["notes"].findall(SVG + "text")[0].get("fill")
boxes = [[float(box.get(name)) for name in ("x", "y", "width", "height")]
         for box in groups["notes"].findall(SVG + "rect")
         if box.get("fill") == "none" and box.get("stroke") == ink]
numbers = [text.text for text in groups["notes"].findall(SVG + "text")]
assert numbers == [one.split(";")[0] for one in wanted], numbers
for box, one in zip(boxes, wanted):
    number, node, first, last = one.split(";")
    for value, edge in ((box[0], float(first)), (box[0] + box[2], float(last))):
        pixel = frame[0] + (edge - begin) / (end - begin) * frame[2]
        assert abs(value - pixel) <= 2, (one, box, pixel)
    y, height = rows[node]
    assert abs(box[1] - y) <= 1.5 and abs(box[1] + box[3] - y - height) <= 2, (one, box, rows[node])
    assert frame[1] - 1 <= box[1] and box[1] + box[3] <= frame[1] + frame[3] + 1, box
lines = [text.text for text in groups["list"].findall(SVG + "text")]
assert [line.split(" ")[0] for line in lines] == numbers, lines
bottom = float(root.get("height"))
assert all(frame[1] + frame[3] < float(text.get("y")) < bottom
           for text in groups["list"].findall(SVG + "text"))
print("\n".join(lines))
END
cli trace.db --slices 60 --json >all.json
end=$(jq '[.parts[].end] | max' all.json)
half=$(awk -v e="$end" 'BEGIN { print e / 2 }')
cli trace.db --slices 60 --notes -o notes.svg
python3 check.py notes.svg 0 "$end" "1;nancy/griffon/griffon-sw2;0.1;0.2" "2;;0;$end" \
    "4;nancy/graphene;$half;0.25" >lines.txt || fail "notes of the whole"
same "the lines" '1  the "slow" switch é😀 <b>& (nancy/griffon/griffon-sw2, 100 ms – 200 ms)
2  all of it (all resources)
4  later (nancy/graphene, 144.61 ms – 250 ms)' "$(cat lines.txt)"
# A window has what is seen in it, cut off at its edges.
cli trace.db --slices 60 --from 0.15 --to 0.22 --resource nancy/griffon --notes -o window.svg
python3 check.py window.svg 0.15 0.22 "1;nancy/griffon/griffon-sw2;0.15;0.2" "2;;0.15;0.22" \
    >/dev/null || fail "notes in a window"
cli trace.db --slices 60 --expand nancy/graphene --notes -o expanded.svg
python3 check.py expanded.svg 0 "$end" "2;;0;$end" "4;nancy/graphene;$half;0.25" >/dev/null ||
    fail "notes of a node that is expanded"
cli trace.db --kind temporal --notes -o temporal.svg
like temporal.svg '^<g class="notes"'
cli trace.db --slices 60 --notes -o notes.html
same "levels with notes" "$(grep -c '^<div class="level"' notes.html)" \
    "$(grep -c '^<g class="notes"' notes.html)"
for format in png pdf; do
    cli trace.db --notes -o notes.$format
    cli trace.db -o plain.$format
    ! cmp -s notes.$format plain.$format || fail "no notes in $format"
done
# Of a trace that is no trace.db they are beside the trace.
cp "$sample" run.trace.zst
cp trace.db.notes.json run.trace.zst.notes.json
cli run.trace.zst --slices 60 --notes -o run.svg 2>/dev/null
cmp -s <(sed -n '/class="notes"/,/^<\/g>/p' run.svg) \
    <(sed -n '/class="notes"/,/^<\/g>/p' notes.svg) || fail "notes beside a trace"

# Many notes: twelve lines, the last says how many there are more.
python3 -c 'import json; print(json.dumps({"notes": [{"text": str(i)} for i in range(5000)]}))' \
    >trace.db.notes.json
cli trace.db --notes -o many.svg
sed -n '/class="list"/,/^<\/g>/p' many.svg | grep '<text' | tail -1 | grep -q '>and 4989 more<' ||
    fail "many notes"

# What are no notes.
printf '{"notes":[{"text":1}]}' >trace.db.notes.json
refused 1 'trace.db.notes.json: holds no notes, expected {"notes":[..]}' --notes trace.db -o x.svg
printf '{"notes":[{"text":"a","from":"noon","to":"1s"}]}' >trace.db.notes.json
refused 1 'a note is from "noon" to "1s", expected instants' --notes trace.db -o x.svg
head -c 1100000 /dev/zero | tr '\0' ' ' >trace.db.notes.json
refused 1 'larger than 1 MB' --notes trace.db -o x.svg
[ ! -e x.svg ] || fail "a refused request left a picture"
