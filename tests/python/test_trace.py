"""What the package says of a trace is what the program says."""
import csv
import gc
import html
import io
import itertools
import json
import os
import re
import shlex
import threading
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

import ocelotl


def test_parts_are_those_of_the_program(trace, run_db, ask):
    said = ask("parts", "--json", "--p", "0.3", run_db)
    o = trace.overview(p=0.3)
    assert len(o) == len(said["parts"]) and o.p == said["p"]
    for row, part in zip(o.parts.rows(), said["parts"]):
        assert row == tuple(part[name] for name in o.parts.columns)


def test_overview_is_that_of_the_program(trace, run_db, ask):
    said = ask("--json", run_db)
    o = trace.overview()
    assert (o.p, o.p_raw, len(o)) == (said["p"], said["p_raw"], len(said["parts"]))


@pytest.mark.parametrize("detail", [{"p": 0.2}, {"level": 3}, {"parts": 50}, {"p_raw": 0.01}])
def test_at_is_a_fresh_overview(trace, run_db, ask, detail):
    o = trace.overview(p=0.9, slices=60).at(**detail)
    (name, value), = detail.items()
    said = ask("--json", "--slices", "60", "--" + name.replace("_", "-"), value, run_db)
    assert [list(row)[1:4] for row in o.parts.rows()] == \
        [[part["node"], part["first"], part["last"]] for part in said["parts"]]


def test_zoom_is_that_of_the_program(trace, run_db, ask):
    o = trace.overview(p=0.6).zoom(3)
    said = ask("--json", "--p", "0.6", "--part", "3", "--p", "auto", run_db)
    assert o.p == said["p"] and len(o) == len(said["parts"])
    again = o.zoom(1, p=0.5)
    assert len(again) == len(ask("--json", *shlex.split(again.command)[1:])["parts"])


@pytest.mark.parametrize("suffix", ["png", "pdf", "html", "json", "csv"])
def test_save(trace, tmp_path, suffix):
    path = tmp_path / f"o.{suffix}"
    trace.overview().save(path)
    begins = {"png": b"\x89PNG", "pdf": b"%PDF", "html": b"<!doctype html>", "json": b"{",
              "csv": b"id,node"}[suffix]
    assert path.read_bytes()[:20].lower().startswith(begins.lower())


def test_page_in_a_notebook(trace):
    """A page whose text a browser reads as it is, where it is asked for."""
    shown = trace.overview(slices=20).page()._repr_html_()
    page, = re.fullmatch("<iframe srcdoc='([^']*)' width=.*></iframe>", shown).groups()
    assert html.unescape(page).lower().startswith("<!doctype html>")


SHOWN = {"overview": "image/svg+xml", "treemap": "image/svg+xml", "clocks": "image/svg+xml",
         "durations": "image/svg+xml", "series": "image/png", "gantt": "image/png",
         "hierarchies": "image/svg+xml", "info": "text/html", "causality": "text/html",
         "stats": "text/html", "matrix": "text/html"}


@pytest.mark.parametrize("what, kind", SHOWN.items())
def test_what_a_notebook_shows(trace, what, kind):
    """One picture, which a notebook keeps and others show, or a table."""
    found = getattr(trace, what)
    answer = found() if callable(found) else found
    bundle = answer._repr_mimebundle_() if hasattr(answer, "_repr_mimebundle_") else {}
    table = answer._repr_html_()
    if kind == "text/html":
        assert not bundle and table.startswith("<table>") and "<td>" in table
    else:
        assert table is None and set(bundle) == {kind, "text/plain"}
        assert len(bundle[kind]) < 600_000
    assert "\n" not in repr(answer) or repr(answer).splitlines()[0].strip()


def test_a_notebook_shows_a_table_where_nothing_can_be_drawn(trace, monkeypatch):
    assert trace._repr_html_() == trace.info._repr_html_()
    assert "<td>paje</td>" in trace._repr_html_() and "<td>MPI_STATE</td>" in trace._repr_html_()
    assert repr(trace.info) != repr(dict(trace.info))
    assert json.loads(json.dumps(trace.info)) == trace.info

    def refuse(suffix):
        raise ocelotl.EmptyError("nothing is there")

    waits = trace.durations("PMPI_Wait")
    monkeypatch.setattr(waits, "_picture", refuse)
    assert waits._repr_mimebundle_()["text/html"].startswith("<table>")


def test_cells_outlive_all_else(run_db):
    pytest.importorskip("numpy")
    t = ocelotl.open(run_db)
    cells = t.overview(slices=20).cells
    total = float(cells.sum())
    t.close()
    del t
    gc.collect()
    assert float(cells.sum()) == total > 0 and cells[:, :, 0].base is not None


def test_cells(trace, run_db, cli):
    numpy = pytest.importorskip("numpy")
    o = trace.overview(slices=20)
    rows = csv.DictReader(io.StringIO(cli("export", "--format", "matrix", "--slices", 20, run_db)))
    cells = o.cells
    expected = numpy.zeros_like(cells)
    for row in rows:
        path = row["path"].split("/")
        leaf = next(i for i, name in enumerate(o.leaves) if name.split("/")[-1] == path[-1])
        expected[int(row["slice"]), leaf, o.types.index(row["type"])] = float(row["value"])
    assert cells.shape == (20, len(o.leaves), len(o.types)) == (20, 96, len(o.types))
    assert numpy.array_equal(cells, expected)
    assert numpy.shares_memory(o.cells, cells), "not filled twice"
    assert numpy.shares_memory(o.at(0.3).cells, cells), "nor for another p"
    assert not cells.flags.owndata and not cells.flags.writeable
    with pytest.raises(ValueError):
        cells[0, 0, 0] = 1


def test_levels(trace, run_db, ask):
    said = ask("sweep", "--json", run_db)["levels"]
    levels = trace.overview().levels
    for row, level in zip(itertools.zip_longest(*[levels[n] for n in ("p", "p_from", "parts")]),
                          said):
        assert row == (level["p"], level["p_from"], level["parts"])
    assert [bool(x) for x in levels["auto"]] == [level["auto"] for level in said]


def read_csv(text):
    return list(csv.reader(io.StringIO(text)))


def same(cell, text):
    """A cell of a table, and the same of a CSV."""
    if cell is None or cell != cell:
        return text == ""
    if isinstance(cell, bool):
        return text in (str(int(cell)), str(cell).lower())
    if isinstance(cell, (int, float)):
        return float(text) == cell
    return cell == text


def check_against_csv(table, text):
    head, *rows = read_csv(text)
    mine = list(table.rows())
    assert len(mine) == len(rows) > 0
    places = [(i, head.index(name)) for i, name in enumerate(table.columns) if name in head]
    assert len(places) >= 4
    for row, said in zip(mine, rows):
        for i, place in places:
            assert same(row[i], said[place]), (table.columns[i], row, said)


TABLES = [
    ("events", {"from_": 0.1, "to": 0.12}, "export --from 0.1s --to 0.12s"),
    ("stats", {"from_": "20%", "to": "50%", "extremes": True},
     "stats --from 20% --to 50% --extremes"),
    ("stats", {"at": "CLUSTER"}, "stats --at CLUSTER"),
    ("durations", {"patterns": ["PMPI_Wait", "PTP"], "to2": "40%", "at": "SWITCH", "over_time": 4},
     "stats --durations PMPI_Wait --durations PTP --to2 40% --at SWITCH --over-time 4"),
    ("series", {"at": "CLUSTER"}, "series --at CLUSTER"),
    ("matrix", {"to": "50%", "at": "MACHINE"}, "matrix --to 50% --at MACHINE")]


@pytest.mark.parametrize("what, keywords, words", TABLES)
def test_tables_are_those_of_the_program(trace, run_db, cli, tmp_path, what, keywords, words):
    table = getattr(trace, what)(**keywords)
    said = cli(*words.split(), "--csv", run_db)
    check_against_csv(table, said)
    if what != "events":
        table.save(tmp_path / "mine.csv")
        assert (tmp_path / "mine.csv").read_text() == said


def test_events_of_all(trace, run_db, cli):
    head, *rows = read_csv(cli("export", "--csv", run_db))
    batches = list(trace.events().batches())
    events = [row for row in rows if row[head.index("category")] != "resource"]
    assert sum(map(len, batches)) == len(events)


def test_reading_is_no_grouping(run_db):
    with ocelotl.open(run_db, by="thread") as opened:
        assert set(opened.stats().to_dict()["group"]) == {None}
        assert len(opened.durations().columns) == 9


def test_quantiles_of_many(tmp_path, cli):
    """More durations than are sorted at once, some of them 0, some alike."""
    random = Random(7)
    durations = [random.choice((0, 1, random.randrange(1000), random.randrange(10**6)))
                 for _ in range(300000)]
    path, begin = tmp_path / "run.csv", 0
    with open(path, "w", encoding="utf-8") as file:
        file.write("resource,type,value,begin,end\n")
        for i, duration in enumerate(durations):
            file.write(f"a,S,{'xy'[i % 2]},{begin},{begin + duration}\n")
            begin += duration
    cli("import", path, "-o", tmp_path / "run.db")
    with ocelotl.open(tmp_path / "run.db") as t:
        stats = t.stats(quantiles=True).to_dict()
    assert sorted(map(str, stats["value"])) == ["None", "x", "y"]
    for i, value in enumerate(stats["value"]):
        of = sorted(durations if value is None else durations["xy".index(value)::2])
        for name, hundredths in (("median", 50), ("p90", 90), ("p99", 99)):
            assert stats[name][i] == of[-(-len(of) * hundredths // 100) - 1]


def test_sql(trace, run_db, cli):
    query = "SELECT type, value, count(*) AS n, sum(duration) AS d FROM events GROUP BY 1, 2"
    check_against_csv(trace.sql(query), cli("sql", "--csv", run_db, query))
    mixed = trace.sql("SELECT 1 AS a, 1 AS b, 1 AS c, NULL AS d "
                      "UNION ALL SELECT 2, 2.5, 'x', NULL UNION ALL SELECT NULL, NULL, NULL, NULL")
    assert mixed.to_dict() == {"a": [1, 2, None], "b": [1.0, 2.5, None], "c": ["1", "x", None],
                               "d": [None, None, None]}
    assert trace.sql("SELECT x'00ff' AS bytes").to_dict() == {"bytes": [b"\0\xff"]}
    assert len(trace.sql("SELECT 1 AS a WHERE 0")) == 0


def write_table(path, begin):
    path.write_text("resource,type,value,begin,end\n"
                    + "".join(f"{name},S,{value},{begin + i},{begin + i + 1}\n"
                              for name in "ab" for i, value in enumerate("xyz")))


def test_several_files_are_one_trace(tmp_path, cli):
    paths = [tmp_path / "first.csv", tmp_path / "second.csv"]
    for i, path in enumerate(paths):
        write_table(path, 10 * i)
    for keywords, options in (({}, []), ({"same_root": True}, ["--same-root"])):
        made = tmp_path / "made.db"
        cli("import", "--force", *options, *paths, "-o", made)
        with ocelotl.open(made) as expected, ocelotl.open(paths, **keywords) as t:
            temporary = t.path
            assert list(t.events().rows()) == list(expected.events().rows())
            assert list(t.resources.rows()) == list(expected.resources.rows())
            assert len(t.resources) == (2 if keywords else 6)
            o = t.overview()
        del t, expected
        assert o.svg()
        del o
        gc.collect()
        assert not os.path.exists(temporary)
    with ocelotl.open(paths, target=tmp_path / "kept.db", name="both") as t:
        assert t.info["name"] == "both" and t.path == str(tmp_path / "kept.db")
    assert len(ocelotl.open(tmp_path / "kept.db").events()) == 12
    with pytest.raises(ocelotl.ArgumentError, match="exists already"):
        ocelotl.open(paths, target=tmp_path / "kept.db")
    ocelotl.open(paths[:1], target=tmp_path / "kept.db", overwrite=True)
    assert len(ocelotl.open(tmp_path / "kept.db").events()) == 6


def write_rank(path, began, begin):
    """A trace of one process, as PyTorch writes it: its clock begins where it likes."""
    slices = [{"ph": "X", "name": name, "pid": 1, "tid": 1, "ts": begin + 10 * i, "dur": 5}
              for i, name in enumerate("abc")]
    path.write_text(json.dumps({"baseTimeNanoseconds": began, "traceEvents": slices}))


def test_a_folder_and_clocks(tmp_path):
    folder = tmp_path / "ranks"
    folder.mkdir()
    for rank in range(2):
        write_rank(folder / f"rank{rank}.json", 0, 1000 * rank)
    spans = {}
    for align in ("none", "begin"):
        with ocelotl.open(folder, align=align) as t:
            begins = t.events()["begin"]
            spans[align] = max(begins) - min(begins)
    assert spans["none"] == pytest.approx(1020e-6) and spans["begin"] == pytest.approx(20e-6)
    with pytest.raises(ocelotl.ArgumentError, match="expected"):
        ocelotl.open(folder, align="sideways")
    table = tmp_path / "table.csv"
    table.write_text("resource,type,value,begin,end\na,S,x,1,2\n")
    for given in (table, [table]):
        with pytest.raises(ocelotl.ArgumentError, match="which does not take --pair, expected"):
            ocelotl.open(given, pair="a=b")
    with pytest.raises(ocelotl.ArgumentError, match="no file is given"):
        ocelotl.open([])


def test_resources_and_info(trace, run_db, ask):
    resources = trace.resources.to_dict()
    said = trace.sql("SELECT path, type, begin FROM resources ORDER BY id").to_dict()
    assert {name: resources[name] for name in said} == said
    assert trace.info == ask("info", "--json", run_db)


def test_another_trace_is_imported(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    steps = []
    path = tmp_path / "run.csv"
    path.write_text("resource,type,value,begin,end\na,S,x,0,1\nb,S,y,0,1\n")
    with ocelotl.open(path, progress=lambda step, done, total: steps.append(step)) as t:
        assert len(t.events()) == 2
    assert list(tmp_path.rglob("*.db"))


def test_pandas(trace):
    pytest.importorskip("pandas")
    frame = trace.events().to_pandas()
    table = trace.events()
    assert len(frame) == len(table)
    assert list(frame["value"].astype(object).where(frame["value"].notna(), None)) == \
        table.to_dict()["value"]
    assert frame["resource"].dtype.name == "category"


@pytest.mark.parametrize("table", [
    lambda t: t.events(), lambda t: t.stats(), lambda t: t.resources, lambda t: t.series(),
    lambda t: t.sql("SELECT 1 AS a, 'é' AS b, NULL AS c, 1.5 AS d, x'00ff' AS e"),
    lambda t: t.sql("SELECT 1 AS a UNION ALL SELECT NULL"),
    lambda t: t.sql("SELECT value, 1 AS a, 2 AS a FROM events LIMIT 0")])
def test_frames_are_the_same_with_and_without_arrow(trace, table, monkeypatch):
    pandas = pytest.importorskip("pandas")
    taken = []
    if not hasattr(pandas.DataFrame, "from_arrow"):
        monkeypatch.setattr(pandas.DataFrame, "from_arrow", lambda one: taken.append(one),
                            raising=False)
    monkeypatch.setattr("ocelotl._table._has_pyarrow", lambda: True)
    whole = table(trace)
    one = whole.to_pandas()
    monkeypatch.setattr("ocelotl._table._has_pyarrow", lambda: False)
    other = table(trace).to_pandas()
    if taken:
        assert taken == [whole], "the table itself is given"
    else:
        pandas.testing.assert_frame_equal(one, other)
    assert len(other) == len(whole) and list(other.columns) == whole.columns


def test_a_piece_of_a_table_is_its_own_frame(trace):
    pytest.importorskip("pandas")
    rows = trace.sql("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
                     "LIMIT 100000) SELECT i FROM n")
    pieces = [piece.to_pandas() for piece in rows.batches()]
    assert len(pieces) > 1 and sum(map(len, pieces)) == 100000
    with pytest.raises(ocelotl.ArgumentError, match="batch by batch"):
        next(rows.batches()).__arrow_c_stream__()  # it would be that of the whole


# --- Bad input

class Steps:
    """Notes which steps of long work the library begins."""

    def __init__(self):
        self.begun = []

    def begin(self):
        from ocelotl import _calls
        self.begun.append(_calls._watch.step)

    def __call__(self, step, done, total):
        pass


def test_another_level_is_no_other_model(run_db):
    steps = Steps()
    with ocelotl.open(run_db, progress=steps) as t:
        o = t.overview(p=0.5, slices=40)
        assert steps.begun.count("measuring") == 1
        others = [o.at(0.2), o.at(level=3), o.at(parts=20), o.at(p_raw=0.01), o.at(0.2).at(0.9)]
        assert steps.begun.count("measuring") == 1
        assert [len(other) for other in others] == \
            [len(t.overview(slices=40, **detail)) for detail in
             ({"p": 0.2}, {"level": 3}, {"parts": 20}, {"p_raw": 0.01}, {"p": 0.9})]
        assert steps.begun.count("measuring") == 1
        assert others[0].levels.to_dict() == o.levels.to_dict()
        t.overview(p=0.5, slices=41)
        assert steps.begun.count("measuring") == 2


def test_unknown_keywords_name_the_nearest(trace):
    with pytest.raises(ocelotl.ArgumentError, match="unknown option --slcies; the nearest is "
                                                    "--slices"):
        trace.overview(slcies=3)


@pytest.mark.parametrize("keywords, message", [
    ({"p": 7}, r"--p is 7, expected a number in \[0, 1\]"),
    ({"p": float("nan")}, "--p is nan"),
    ({"slices": 0}, "--slices is 0, expected"),
    ({"slices": -1}, '--slices is "-1", expected'),
    ({"from_": 5, "to": 6}, "--from is 5s, and the trace goes"),
    ({"resource": "nowhere"}, "nowhere"),
    ({"width": "wide"}, "wide"),
    ({"output": "x.svg"}, "expected the method"),
    ({"level": 10000}, "at most"),
    ({"p": [0.1, 0.2]}, "p has 2 values, expected one"),
    ({"slices": []}, "slices has 0 values, expected one"),
    ({"from_": float("nan")}, "from_ is nan, expected a finite number of seconds"),
    ({"to": float("inf")}, "to is inf, expected a finite number of seconds"),
    ({"to": {}}, "to is {}, expected a finite number of seconds"),
])
def test_bad_options(trace, keywords, message):
    with pytest.raises(ocelotl.Error, match=message):
        trace.overview(**keywords)


def test_times_of_python(trace):
    expected = trace.overview(from_="0.1s").command
    for time in (0.1, Fraction(1, 10), timedelta(milliseconds=100), Decimal("0.1")):
        assert trace.overview(from_=time).command == expected
    numpy = pytest.importorskip("numpy")
    assert trace.overview(from_=numpy.float64(0.1)).command == expected
    only = numpy.array(["PMPI_Wait", "PMPI_Send"])
    assert trace.overview(only=only).command == trace.overview(only=list(only)).command


@pytest.mark.parametrize("part", [-1, 10**9, 1.5, "x", None, (3,), True])
def test_no_such_part(trace, part):
    with pytest.raises(ocelotl.ArgumentError, match="part is .*, expected one of the parts 0 to"):
        trace.overview().zoom(part)


def test_rows_of_a_table(trace):
    parts = trace.overview().parts
    assert list(parts) == list(parts.rows()) and len(list(parts)) == len(parts)


def test_a_closed_trace_is_not_compared(trace, run_db):
    other = ocelotl.open(run_db)
    other.close()
    with pytest.raises(ocelotl.ArgumentError, match="is closed, expected an open one"):
        trace.compare(other)


def test_nothing_found(trace):
    with pytest.raises(ocelotl.EmptyError):
        trace.overview(min_duration=1000)


def test_bad_files(tmp_path, run_db):
    with pytest.raises(OSError):
        ocelotl.open(tmp_path / "absent.db")
    other = tmp_path / "other.db"
    other.write_bytes(run_db.read_bytes())
    import sqlite3
    with sqlite3.connect(other) as database:
        database.execute("PRAGMA user_version = 99")
    with pytest.raises(ocelotl.InputError, match="99"):
        ocelotl.open(other)
    with pytest.raises(ocelotl.ArgumentError, match="byte of value 0"):
        ocelotl.open("a\0b")
    with pytest.raises(ocelotl.ArgumentError, match="no option of reading"):
        ocelotl.open(run_db, slices=3)


def test_closed_trace(run_db):
    t = ocelotl.open(run_db)
    o, events = t.overview(), t.events(to=0.1)
    t.close()
    t.close()
    for ask_again in (t.overview, t.events, t.stats, t.series, lambda: t.sql("SELECT 1"),
                      lambda: t.compare(t), lambda: t.info, lambda: t.resources):
        with pytest.raises(ocelotl.ArgumentError, match="is closed"):
            ask_again()
    assert len(events) > 0 and len(o.at(0.2)) > 0 and o.svg()


def test_bad_sql(trace):
    with pytest.raises(ocelotl.ArgumentError, match="SQL"):
        trace.sql("SELEC 1")
    with pytest.raises(ocelotl.ArgumentError):
        trace.sql("DELETE FROM chunk")


def test_unknown_column(trace):
    with pytest.raises(KeyError, match="no such column"):
        trace.stats()["nothing"]


# --- Lifetimes and threads

def test_objects_go_in_any_order(run_db):
    for order in list(itertools.permutations(range(5)))[::6]:
        t = ocelotl.open(run_db)
        o = t.overview(slices=10)
        made = [t, o, o.at(0.5), t.events(to=0.05), o.levels]
        made[3].__arrow_c_stream__()
        len(made[4])
        del t, o
        for i in order:
            made[i] = None
            gc.collect()


def test_models_outlive_those_the_session_keeps(trace):
    many = [trace.overview(p=0.5, slices=10 + i) for i in range(8)]
    assert [max(o.parts["last"]) for o in many] == [9 + i for i in range(8)]
    assert all(len(o.at(0.1)) >= len(o.at(0.9)) for o in many)


def test_threads_share_a_trace(trace):
    o = trace.overview(slices=30)
    expected = (len(o.at(0.3)), len(trace.stats()), len(trace.events(to=0.05)))
    found, failures = [], []

    def work():
        try:
            found.append((len(o.at(0.3)), len(trace.stats()), len(trace.events(to=0.05))))
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and found == [expected] * 6


def test_a_failure_as_a_step_begins_ends_the_call(run_db):
    """Ctrl-C comes in whatever Python runs: here in what is told that a step begins."""
    class Interrupted:
        asked = 0

        def begin(self):
            from ocelotl import _calls
            if _calls._watch.step == "measuring":
                raise KeyboardInterrupt

        def __call__(self, step, done, total):
            self.asked += step == "measuring"

    progress = Interrupted()
    with ocelotl.open(run_db, progress=progress) as t:
        with pytest.raises(KeyboardInterrupt):
            t.overview(slices=1500, p=0.01)
    assert progress.asked == 0


def test_progress_can_cancel_and_raise(run_db):
    def fail(step, done, total):
        raise KeyError(step)

    with ocelotl.open(run_db, progress=fail) as t:
        with pytest.raises(KeyError):
            t.overview(slices=1500, p=0.01).levels
    with ocelotl.open(run_db, progress=lambda *told: False) as t:
        with pytest.raises(ocelotl.CancelledError):
            t.overview(slices=1500, p=0.01).levels


def test_folder_and_metadata(tmp_path, run_db, ask):
    path = tmp_path / "run.db"
    path.write_bytes(Path(run_db).read_bytes())
    (tmp_path / "other.txt").write_text("no trace")
    with ocelotl.open(path) as t:
        assert t.metadata == {}
        t.set_metadata({"machine": "hydra", "class": "C é"})
        t.set_metadata({"class": None, "tasks": "96"})
        assert t.metadata == {"machine": "hydra", "tasks": "96"}
        assert t.info == ask("info", "--json", path)
        with pytest.raises(ocelotl.ArgumentError, match="the key is empty"):
            t.set_metadata({"": "x"})
        t.set_metadata({"tasks": None})  # nothing is locked any more
    [found] = ocelotl.list_traces(tmp_path)
    assert [found] == ask("list", "--json", tmp_path)["traces"]
    assert found["name"] == "run.db" and found["metadata"] == {"machine": "hydra"}
    assert ocelotl.list_traces(tmp_path, where="machine = x") == []
    assert ocelotl.list_traces(tmp_path, True, ["machine = h*", "events > 1"]) == [found]
    with pytest.raises(ocelotl.ArgumentError, match="no trace has"):
        ocelotl.list_traces(tmp_path, where="nothing = 1")
