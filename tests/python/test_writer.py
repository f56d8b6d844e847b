"""Traces that Python writes."""
import json

import pytest

import ocelotl


def write(path, **keywords):
    with ocelotl.Writer(path, **keywords) as w:
        w.resource_type("MACHINE")
        w.resource_type("RANK", "MACHINE")
        machine = w.resource("MACHINE", "m")
        ranks = [w.resource("RANK", f"rank {i}", machine) for i in range(2)]
        state = w.event_type("state", "MPI", "RANK")
        wait, send = w.value(state, "Wait"), w.value(state, "Send", 0xff0000)
        load = w.event_type("variable", "load", "MACHINE")
        mark = w.event_type("event", "mark", "RANK")
        message = w.event_type("link", "message", "RANK")
        w.variable(machine, load, 0, 0.5)
        for rank in ranks:
            w.push(rank, state, wait, 0)
        link = w.link_begin(ranks[0], message, 0.25)
        w.push(ranks[0], state, send, 0.25)
        w.event(ranks[1], mark, 0.3)
        w.pop(ranks[0], state, 0.5)
        w.link_end(link, ranks[1], 0.75)
        for rank in ranks:
            w.pop(rank, state, 1)


def test_what_is_written_is_read(tmp_path):
    path = tmp_path / "run.db"
    write(path)
    with ocelotl.open(path) as t:
        rows = t.sql("SELECT resource, category, value, begin, end, source, target FROM events "
                     "ORDER BY category, begin, resource").rows()
        assert list(rows) == [
            ("m/rank 1", "event", None, 0.3, 0.3, None, None),
            ("m/rank 0", "link", None, 0.25, 0.75, "m/rank 0", "m/rank 1"),
            ("m/rank 0", "state", "Wait", 0.0, 1.0, None, None),
            ("m/rank 1", "state", "Wait", 0.0, 1.0, None, None),
            ("m/rank 0", "state", "Send", 0.25, 0.5, None, None),
            ("m", "variable", "0.5", 0.0, 1.0, None, None)]
        assert len(t.overview()) >= 1
    with pytest.raises(ocelotl.ArgumentError, match="exists already"):
        write(path)
    write(path, overwrite=True)


def test_attributes(tmp_path):
    path = tmp_path / "run.db"
    with ocelotl.Writer(path) as w:
        rank = w.resource(w.resource_type("RANK"), "rank 0")
        state, mark = w.event_type("state", "MPI", "RANK"), w.event_type("event", "mark", "RANK")
        load, message = w.event_type("variable", "load"), w.event_type("link", "message")
        w.push(rank, state, w.value(state, "Send"), 0,
               {"size": 512, "to": "rank \u00e9", "no": None})
        w.variable(rank, load, 0, 2.5, {"source": "sensor"})
        link = w.link_begin(rank, message, 0.25, attributes={"size": 512})
        w.event(rank, mark, 0.5, attributes={"size": 0.5})
        w.link_end(link, rank, 0.75, {"tag": "x"})
        w.pop(rank, state, 1, {"result": 0})
        with pytest.raises(ocelotl.ArgumentError, match="expected one that is open"):
            w.link_end(link, rank, 0.75, {"tag": "x"})
    with ocelotl.open(path) as t:
        events = t.events().to_dict()
    said = {kind: json.loads(text) for kind, text in zip(events["category"], events["attributes"])}
    assert said == {"state": {"size": 512, "to": "rank \u00e9", "result": 0},
                    "variable": {"source": "sensor"}, "link": {"size": 512, "tag": "x"},
                    "event": {"size": 0.5}}


def test_nothing_is_left_of_a_failure(tmp_path):
    path = tmp_path / "run.db"
    with pytest.raises(ZeroDivisionError):
        with ocelotl.Writer(path) as w:
            w.resource_type("RANK")
            raise ZeroDivisionError
    assert not list(tmp_path.iterdir())


def test_bad_input(tmp_path):
    w = ocelotl.Writer(tmp_path / "run.db")
    w.resource_type("RANK")
    with pytest.raises(ocelotl.ArgumentError, match="expected one of RANK"):
        w.resource("NODE", "n")
    rank = w.resource("RANK", "r")
    state = w.event_type("state", "S", "RANK")
    value = w.value(state, "v")
    for bad in (float("nan"), float("inf"), 1e300):
        with pytest.raises(ocelotl.ArgumentError, match="time is"):
            w.push(rank, state, value, bad)
    with pytest.raises(ocelotl.Error):
        w.push(rank + 1000, state, value, 0)
    with pytest.raises(ocelotl.Error):
        w.pop(rank, state, 0)
    with pytest.raises(ocelotl.ArgumentError, match="category"):
        w.event_type("stat", "S", "RANK")
    w.finish()
    with pytest.raises(ocelotl.ArgumentError, match="closed"):
        w.push(rank, state, value, 0)
