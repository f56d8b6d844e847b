"""Notes that two servers of one trace keep at once: none is lost.

served_notes.py BASE KEY OTHER_BASE OTHER_KEY"""
import json
import sys
import threading
import urllib.error
import urllib.request

servers = [sys.argv[1:3], sys.argv[3:5]]
CLIENTS, EACH = 4, 12


def ask(server, notes=None, tag=""):
    """The tag and the notes, after replacing others."""
    body = None if notes is None else json.dumps({"notes": notes}).encode()
    request = urllib.request.Request(server[0] + "/api/v1/notes", data=body,
                                     method="GET" if body is None else "PUT",
                                     headers={"X-Ocelotl-Key": server[1], "If-Match": tag})
    with urllib.request.urlopen(request, timeout=600) as answer:
        return answer.headers["ETag"], json.load(answer)["notes"]


def keep(client):
    """Adds notes one by one, each to what is there; again where somebody else was faster."""
    server = servers[client % 2]
    for number in range(EACH):
        while True:
            tag, notes = ask(server)
            try:
                ask(server, [*notes, {"text": f"{client} {number}"}], tag)
                break
            except urllib.error.HTTPError as error:
                assert error.code == 409, error.code


before = len(ask(servers[0])[1])
clients = [threading.Thread(target=keep, args=(client,)) for client in range(CLIENTS)]
for one in clients:
    one.start()
for one in clients:
    one.join()
kept = [note["text"] for note in ask(servers[1])[1]][before:]
wanted = sorted(f"{client} {number}" for client in range(CLIENTS) for number in range(EACH))
assert sorted(kept) == wanted, f"{set(wanted) - set(kept)} are lost"
