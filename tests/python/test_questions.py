"""Every command of the program has a way in Python, which says and draws the same."""
import filecmp
import json
import os
import re
import shlex
import subprocess

import pytest

import ocelotl
from conftest import CLI


def without_command(drawn):
    """A picture but for the command that it keeps: that of the program says where it goes."""
    command = rb"<command>.*?</command>|<code[^>]*>ocelotl-cli.*?</code>"
    return re.sub(command, b"", drawn, flags=re.S)


def same_picture(mine, line, tmp_path, *more):
    """Whether the program draws a picture by a command line, byte for byte."""
    path = tmp_path / f"theirs{os.path.splitext(mine)[1]}"
    subprocess.run([CLI, *shlex.split(line)[1:], *map(str, more), "-o", path, "--force"],
                   check=True, capture_output=True)
    return without_command(mine.read_bytes()) == without_command(path.read_bytes())


WAYS = {"import": "open", "info": "Trace.info", "list": "list_traces", "sweep": "Trace.sweep",
        "busiest": "Trace.ask", "waiting": "Trace.ask", "explain": "Trace.ask",
        "brief": "Trace.ask", "heap": "Trace.ask",
        "parts": "Overview.parts", "stats": "Trace.stats", "compare": "Trace.compare",
        "check": "Trace.check",
        "matrix": "Trace.matrix", "hierarchies": "Trace.hierarchies",
        "causality": "Trace.causality", "clocks": "Trace.clocks", "correct": "Trace.correct",
        "treemap": "Trace.treemap",
        "snapshot": "Trace.snapshot", "series": "Trace.series", "sql": "Trace.sql",
        "gantt": "Trace.gantt", "export": "Trace.export", "verify": "verify",
        "cache": "list_cache", "merge": "merge", "formats": "formats", "overview": "Trace.overview"}
# A page in a browser, a server of a protocol, and the file that the program alone reads.
OF_THE_PROGRAM = {"serve", "mcp", "defaults"}


def test_every_command_has_a_way(cli):
    listed = cli("--help").split("Commands:\n")[1].split("\n\n")[0]
    commands = {line.split()[0] for line in listed.splitlines()}
    assert commands - OF_THE_PROGRAM <= set(WAYS), "a command without a way in Python"
    for way in WAYS.values():
        found = ocelotl
        for name in way.split("."):
            found = getattr(found, name)
        assert found.__doc__


ANSWERS = [("causality", {}), ("causality", {"at": "MACHINE", "latency": 0.000001}),
           ("causality", {"at": "MACHINE", "latency": 0.000001, "latency_per_byte": 1e-9}),
           ("clocks", {"groups": "apart"}), ("clocks", {"drift": "linear", "groups": "apart"}),
           ("correct", {"what_if": ["compute*0.5", "graphene: compute*2"]}),
           ("correct", {"cost": 1e-9, "reference_time": 0.1}),
           ("hierarchies", {"slices": 20}), ("sweep", {"slices": 12}),
           ("sweep", {"all": True, "slices": 8}),
           ("gantt", {"from_": 0.1, "to": 0.12})]


@pytest.mark.parametrize("command, keywords", ANSWERS)
def test_answers_are_those_of_the_program(trace, run_db, cli, tmp_path, command, keywords):
    answer = getattr(trace, command)(**keywords)
    words = shlex.split(answer.command)[1:]
    assert words[0] == command and words[-1] == str(run_db)
    assert dict(answer) == json.loads(cli(*words, "--json")) and len(answer) > 0
    answer.save(tmp_path / "mine.json")
    assert (tmp_path / "mine.json").read_text("utf-8") == cli(*words, "--json")
    if command == "gantt":
        return
    assert repr(answer) == cli(*words).rstrip("\n")
    answer.save(tmp_path / "mine.csv")
    assert (tmp_path / "mine.csv").read_text("utf-8") == cli(*words, "--csv")
    answer.save(tmp_path / "mine.txt")
    assert (tmp_path / "mine.txt").read_text("utf-8") == cli(*words)


@pytest.mark.parametrize("command, keywords", [
    ("hierarchies", {"slices": 20}), ("gantt", {"from_": 0.1, "to": 0.12}), ("stats", {}),
    ("durations", {"patterns": "PMPI_Wait"}), ("series", {"at": "CLUSTER"}),
    ("matrix", {"at": "CLUSTER"})])
def test_pictures_are_those_of_the_program(trace, tmp_path, command, keywords):
    answer = getattr(trace, command)(**keywords)
    answer.save(tmp_path / "mine.svg", width=700, theme="dark")
    assert same_picture(tmp_path / "mine.svg", answer.command, tmp_path, "--width", 700, "--theme",
                        "dark")
    assert answer.svg(width=700, theme="dark").encode() == (tmp_path / "mine.svg").read_bytes()
    answer.save(tmp_path / "mine.png")
    assert (tmp_path / "mine.png").read_bytes().startswith(b"\x89PNG")


def test_pictures_of_clocks(trace, tmp_path):
    clocks = trace.clocks(groups="apart")
    clocks.save(tmp_path / "all.svg", width=900)
    assert same_picture(tmp_path / "all.svg", clocks.command, tmp_path, "--width", 900)
    pair = ",".join(clock["clock"] for clock in clocks["clocks"][:2])
    answer = trace.clocks(groups="apart", between=pair)
    answer.save(tmp_path / "mine.svg", width=700)
    assert same_picture(tmp_path / "mine.svg", answer.command, tmp_path, "--width", 700)


def test_curves_of_levels(trace, run_db, cli, tmp_path):
    levels = trace.sweep(slices=12)
    levels.save(tmp_path / "mine.svg", curves="falling")
    cli("sweep", run_db, "--slices", 12, "--curves", "falling", "-o", tmp_path / "theirs.svg")
    assert without_command((tmp_path / "mine.svg").read_bytes()) == \
        without_command((tmp_path / "theirs.svg").read_bytes())
    assert levels._repr_mimebundle_()["image/svg+xml"]


@pytest.mark.parametrize("keywords", [{}, {"p": 0.3}, {"at": "MACHINE"}, {"depth": 2},
                                      {"area": "PMPI_Wait", "width": 500}])
def test_treemap(trace, ask, tmp_path, keywords):
    drawn = trace.treemap(**keywords)
    drawn.save(tmp_path / "mine.json")
    words = shlex.split(drawn.command)[1:]
    width = words.index("--width") if "--width" in words else len(words)
    said = ask(*words[:width], *words[width + 2:], "--json")
    assert json.loads((tmp_path / "mine.json").read_text("utf-8")) == said
    drawn.save(tmp_path / "mine.svg")
    assert same_picture(tmp_path / "mine.svg", drawn.command, tmp_path)


def test_a_treemap_at_another_p(trace, ask, run_db):
    said = ask("treemap", "--p", 0.3, "--json", run_db)
    assert len(trace.treemap().at(0.3)) == len(said["parts"])
    with pytest.raises(ocelotl.ArgumentError, match="--at and --p exclude each other"):
        trace.treemap(at="MACHINE").at(0.3)
    with pytest.raises(ocelotl.ArgumentError, match="no parts to zoom into"):
        trace.treemap().zoom(0)


OPTIONS = [
    {}, {"p": 0}, {"p": 1}, {"p_raw": 0.01}, {"level": 3}, {"parts": 20}, {"slices": 17},
    {"from_": 0.1, "to": "0.2"}, {"from_": "10%", "to": "90%"}, {"kind": "temporal"},
    {"kind": "spatial", "p": 0.3}, {"only": "PMPI_Wait"}, {"except_": ["PMPI_Wait", "PMPI_Send"]},
    {"min_duration": 0.0001}, {"metric": "event-count", "where": ["Key != 0"]},
    {"metric": "link-count"}, {"most_types": 2}, {"nesting_depth": 1},
    {"hierarchy": "auto", "slices": 20}, {"hierarchy": "role"}, {"drop_level": "MACHINE"},
    {"max_leaves": 10}, {"order": "activity"}, {"untraced": "ignore"}, {"statistic": "median"},
    {"part": 2, "p": 0.5}, {"resource": "nancy/griffon"}, {"except_resources": ["*griffon*"]},
    {"view": "amplitude"}, {"texture": "loss"}, {"show": ["PMPI_Wait"]},
    {"expand": "nancy/griffon"}, {"context_level": 2, "from_": 0.1, "to": 0.2},
    {"title": "it's a \"title\" of é & <b>"}, {"snap": True, "from_": 0.1, "to": 0.2},
    {"move": "50%", "from_": 0.1, "to": 0.15},
    {"width": 500, "height": 900, "theme": "dark", "smallest": 3}, {"no_cache": True}]


def test_commands_draw_the_same(trace, tmp_path):
    """Byte for byte, whatever the options."""
    path = tmp_path / "mine.svg"
    wrong, drawn = [], 0
    for keywords in OPTIONS:
        try:
            o = trace.overview(**keywords)
        except ocelotl.EmptyError:
            continue
        o.save(path)
        drawn += 1
        if not same_picture(path, o.command, tmp_path):
            wrong.append(o.command)
    assert not wrong and drawn >= len(OPTIONS) - 2


def test_page_is_that_of_the_program(trace, tmp_path):
    o = trace.overview(p=0.5, slices=20)
    o.save(tmp_path / "mine.html", title="T")
    assert same_picture(tmp_path / "mine.html", o.command, tmp_path, "--title", "T")


@pytest.mark.parametrize("form", ["csv", "json", "pjdump", "chrome", "paje", "matrix", "picl",
                                  "picl1", "perfetto"])
def test_export(trace, run_db, cli, tmp_path, form):
    mine, theirs = tmp_path / "mine.out", tmp_path / "theirs.out"
    trace.export(mine, form)
    cli("export", "--format", form, run_db, "-o", theirs)
    assert filecmp.cmp(mine, theirs, shallow=False)
    if form.startswith("picl"):
        assert filecmp.cmp(f"{mine}.names", f"{theirs}.names", shallow=False)


def test_export_of_a_window(trace, run_db, cli, tmp_path):
    mine = tmp_path / "mine.json"
    trace.export(mine, "chrome", with_parts=True, p=0.3, slices=20)
    cli("export", "--format", "chrome", "--with-parts", "--p", "0.3", "--slices", 20, run_db, "-o",
        tmp_path / "theirs.json")
    assert filecmp.cmp(mine, tmp_path / "theirs.json", shallow=False)
    trace.export(mine, to=0.05)
    cli("export", "--json", "--to", "0.05s", run_db, "-o", tmp_path / "theirs.json", "--force")
    assert filecmp.cmp(mine, tmp_path / "theirs.json", shallow=False)
    with pytest.raises(ocelotl.ArgumentError, match='--format is "foo", expected csv, json'):
        trace.export(mine, "foo")


def test_export_says_what_is_lost(tmp_path):
    path = tmp_path / "run.csv"
    path.write_text("resource,type,value,begin,end\na,S,x,0,1\na,S,y,0.25,0.5\n")
    said = subprocess.run([CLI, "export", "--format", "picl", path, "-o", tmp_path / "theirs"],
                          check=True, capture_output=True, text=True).stderr
    with ocelotl.open(path) as t:
        lost = t.export(tmp_path / "mine", "picl")
    assert lost == {what: int(count) for what, count in
                    re.findall(r"not said by picl: (.*) \((\d+)\)", said)}


def test_any_command(trace, run_db, cli):
    """A command without a method is asked by its name."""
    table = trace.ask("busiest", only="PMPI_Wait", most=3)
    lines = cli("busiest", "--only", "PMPI_Wait", "--most", 3, "--csv", run_db).splitlines()
    assert table.columns == lines[0].split(",")
    assert list(table["resource"]) == [line.split(",")[0] for line in lines[1:]]
    assert table.svg().startswith("<?xml")
    why = trace.ask("parts", why=5, slices=60)
    lines = cli("parts", "--slices", 60, "--why", 5, "--csv", run_db).splitlines()
    assert why.columns == lines[0].split(",") and len(list(why["cut"])) == len(lines) - 1 > 0


def test_snapshot(trace, run_db, cli, tmp_path):
    trace.snapshot(tmp_path / "mine", p=0.4, slices=20)
    cli("snapshot", "--slices", 20, "--p", "0.4", run_db, tmp_path / "theirs")
    compared = filecmp.dircmp(tmp_path / "mine", tmp_path / "theirs")
    assert not compared.left_only and not compared.right_only and len(compared.common_files) >= 4
    same, other, failed = filecmp.cmpfiles(tmp_path / "mine", tmp_path / "theirs",
                                           compared.common_files, shallow=False)
    assert not other and not failed and len(same) == len(compared.common_files)
    trace.snapshot(tmp_path / "mine.zip", p=0.4)
    assert (tmp_path / "mine.zip").read_bytes()[:2] == b"PK"
    with pytest.raises(ocelotl.ArgumentError, match="is a file, expected a folder"):
        trace.snapshot(run_db)


def test_traces_that_answers_make(trace, run_db, cli, tmp_path):
    cases = [("causality", {}, []), ("clocks", {"groups": "apart"}, ["--groups", "apart"]),
             ("series", {"at": "CLUSTER"}, ["--at", "CLUSTER"])]
    for command, keywords, words in cases:
        mine, theirs = tmp_path / f"{command}.db", tmp_path / f"{command}-theirs.db"
        getattr(trace, command)(**keywords).save(mine)
        cli(command, *words, run_db, "-o", theirs)
        assert cli("export", mine) == cli("export", theirs)
        with pytest.raises(ocelotl.ArgumentError, match="exists already"):
            getattr(trace, command)(**keywords).save(mine)
        getattr(trace, command)(**keywords).save(mine, overwrite=True)
    with pytest.raises(ocelotl.ArgumentError, match="clocks are in 3 groups"):
        trace.clocks().save(tmp_path / "none.db")
    assert not (tmp_path / "none.db").exists()


def test_comparison_is_that_of_the_program(trace, run_db, cli, tmp_path):
    c = trace.compare(trace, to="50%", from2="50%")
    words = shlex.split(c.command)[1:]
    said = c.to_dict()
    assert said == json.loads(cli(*words, "--json")) and said["phases"]
    assert list(c.changes["second"]) == [change["second"] for change in said["changes"]]
    for suffix, option in (("json", ["--json"]), ("csv", ["--csv"]), ("txt", [])):
        c.save(tmp_path / f"mine.{suffix}")
        assert (tmp_path / f"mine.{suffix}").read_text("utf-8") == cli(*words, *option)
    c.save(tmp_path / "mine.svg", view="difference")
    assert same_picture(tmp_path / "mine.svg", c.command, tmp_path, "--view", "difference")


def test_what_needs_no_trace(run_db, ask, cli, tmp_path, monkeypatch):
    assert ocelotl.formats() == ask("formats", "--json")["formats"]
    sound = ocelotl.verify(run_db)
    assert dict(sound) == ask("verify", "--json", run_db)
    assert repr(sound) == cli("verify", run_db).rstrip("\n")
    damaged = tmp_path / "damaged.db"
    content = bytearray(run_db.read_bytes())
    middle = len(content) // 2
    content[middle:middle + 64] = bytes(64)
    damaged.write_bytes(content)
    said = subprocess.run([CLI, "verify", "--json", damaged], capture_output=True, text=True).stdout
    found = ocelotl.verify(damaged)
    assert dict(found) == json.loads(said) and dict(found) != {**sound}
    with pytest.raises(ocelotl.InputError):
        ocelotl.verify(CLI)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert ocelotl.list_cache() == ask("cache", "--json")
    (tmp_path / "run.csv").write_text("resource,type,value,begin,end\na,S,x,0,1\n")
    ocelotl.open(tmp_path / "run.csv").close()
    assert len(ocelotl.list_cache()["files"]) == len(ask("cache", "--json")["files"]) == 1
    assert ocelotl.clear_cache() == 1 and ask("cache", "--json")["files"] == []


def test_a_run_is_a_trace(cli, run_db, tmp_path):
    run, merged = tmp_path / "run.ocelotl", tmp_path / "merged.db"
    cli("import", "--shards", "3", run_db, "-o", run)
    ocelotl.merge(run, merged)
    uids = {ocelotl.open(path).info["uid"] for path in (run_db, run, merged)}
    assert len(uids) == 1
    assert ocelotl.verify(run)["sound"]
    with pytest.raises(ocelotl.Error, match="exists already"):
        ocelotl.merge(run, merged)
    ocelotl.merge(run, merged, force=True)


def test_answers_outlive_the_trace(run_db, tmp_path):
    t = ocelotl.open(run_db)
    answers = [t.causality(), t.clocks(), t.hierarchies(slices=10), t.sweep(slices=10),
               t.gantt(to=0.01), t.stats(), t.series(at="CLUSTER"), t.matrix(at="CLUSTER")]
    for slices in range(11, 17):  # others take the place of their models
        t.overview(slices=slices)
    t.close()
    del t
    for answer in answers:
        assert len(answer) > 0
        answer.save(tmp_path / "mine.json")
        if hasattr(answer, "svg"):
            assert answer.svg()


def test_what_cannot_be_saved(trace, tmp_path):
    path = tmp_path / "x"
    with pytest.raises(ocelotl.ArgumentError, match="has no suffix, expected .json, .csv, .txt or "
                                                    ".db"):
        trace.causality().save(path)
    with pytest.raises(ocelotl.ArgumentError, match=r'suffix is ".svg", expected .json'):
        trace.causality().save(tmp_path / "x.svg")
    with pytest.raises(ocelotl.ArgumentError, match="is no picture, and width is of pictures"):
        trace.stats().save(tmp_path / "x.json", width=300)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("draw", [lambda o, **k: o.svg(**k), lambda o, **k: o.png(**k),
                                  lambda o, **k: o.html(**k),
                                  lambda o, **k: o.save("none.svg", **k),
                                  lambda o, **k: o.save("none.json", **k)])
def test_drawing_does_not_change_what_is_drawn(trace, draw, tmp_path, monkeypatch):
    """A picture keeps the command that draws it, and nothing else would."""
    monkeypatch.chdir(tmp_path)
    o = trace.overview(p=0.5)
    for keywords in ({"p": 0.3}, {"slices": 5}, {"from_": 0.1}, {"only": "PMPI_Wait"}):
        with pytest.raises(ocelotl.ArgumentError, match="says what is drawn"):
            draw(o, **keywords)
    with pytest.raises(ocelotl.ArgumentError, match="the nearest is --width"):
        draw(o, widht=5)
    with pytest.raises(ocelotl.ArgumentError, match="says what is drawn"):
        trace.matrix(at="CLUSTER").save("none.svg", to=0.1)
    assert not list(tmp_path.iterdir())
