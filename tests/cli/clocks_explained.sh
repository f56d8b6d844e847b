# Where straight clocks explain all messages, none is wrong in these clocks' time.
need python3
seq 1000 | thin 40 >seeds
# Squares of what is missed do not end here, nor do shifts of offsets alone.
echo 180 205 237 248 271 290 >>seeds
xargs python3 "$OCELOTL_ROOT/tests/clocks_explained.py" "$OCELOTL_CLI" <seeds >found ||
    fail "$(cat found)"
