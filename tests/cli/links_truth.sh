# What the commands say of links, against the specification done literally: random traces of few
# processes, with lost ends, equal times, links of no time or backwards, of several types, inside a
# group and between groups; in windows, and by filters.
need python3

# Of 11 and 95 no clocks explain the messages; of 48 an end alone is noted behind the window.
for seeds in "few 1 ${OCELOTL_TEST_LINKS:-20}" "few 48 1" "few 95 1" "many 1 3"; do
    read -r maker first count <<<"$seeds"
    python3 "$OCELOTL_ROOT/tests/links_truth.py" "$OCELOTL_CLI" "$maker" "$first" "$count" ||
        fail "seeds from $first"
done
