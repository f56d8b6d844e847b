# What goes wrong around ocelotl-cli serve: clients that leave, say nothing, or drip.
need curl jq python3
. "$OCELOTL_ROOT/tests/cli/serving.inc"

example
begin_serving --slices 60 trace.db

# Clients that disappear in the middle of an answer, and 64 connections that say nothing.
python3 - "${base##*:}" "$key" <<'END'
import socket, sys
port, key = int(sys.argv[1]), sys.argv[2]
ask = ("GET /api/v1/picture.html?slices=60&p=0.%d HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n"
       "X-Ocelotl-Key: %s\r\n\r\n")
for number in range(1, 9):
    client = socket.create_connection(("127.0.0.1", port))
    client.sendall((ask % (number, port, key)).encode())
    if number % 2:
        client.recv(10)
    client.close()
idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(64)]
more = socket.create_connection(("127.0.0.1", port))
more.settimeout(2)
more.sendall((ask % (5, port, key)).encode())
try:
    more.recv(10) # closed, or answered once somebody left
except OSError:
    pass
for client in idle:
    client.close()
END
# 64 that send a byte of their headers every second, and never the key: the page is answered all the
# same, and each of them is closed.
python3 - "${base##*:}" "$key" <<'END' || fail "dripping connections"
import socket, sys, threading, time
port, key = int(sys.argv[1]), sys.argv[2]
begin = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n".encode()
clients = [socket.create_connection(("127.0.0.1", port)) for _ in range(64)]
closed = []
def drip(client):
    try:
        client.sendall(begin + b"X: ")
        for _ in range(600):
            client.sendall(b"x")
            time.sleep(1)
    except OSError:
        closed.append(client)
for client in clients:
    threading.Thread(target=drip, args=[client], daemon=True).start()
time.sleep(1)
for path in ("", "api/v1/trace"):
    more = socket.create_connection(("127.0.0.1", port))
    more.settimeout(300)
    more.sendall(f"GET /{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Ocelotl-Key: {key}\r\n\r\n".encode())
    answer = more.recv(15)
    assert answer == b"HTTP/1.1 200 OK", answer
    assert len(closed) < 60, len(closed)
until = time.monotonic() + 300
while len(closed) < len(clients) and time.monotonic() < until:
    time.sleep(0.1)
assert len(closed) == len(clients), len(closed)
END
is_answered() { [ "$(ask /api/v1/trace)" = 200 ]; }
within_minutes is_answered || true
same "after idle connections" 200 "$(ask /api/v1/trace)"
same "what is served" '[["slices","60"]]' "$(jq -c .initial answer.txt)"

ended
