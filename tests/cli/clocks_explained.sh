# Where straight clocks explain all messages, none is wrong in these clocks' time. Clocks that are
# set at random times are straight in no more pieces than that takes, and few messages are wrong.
need python3
seq 1000 | thin 40 >seeds
# Squares of what is missed do not end here, nor do shifts of offsets alone.
echo 180 205 237 248 271 290 >>seeds
seq -200 -1 | thin 20 >>seeds
xargs python3 "$OCELOTL_ROOT/tests/clocks_explained.py" "$OCELOTL_CLI" <seeds >found ||
    fail "$(cat found)"
