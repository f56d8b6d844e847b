"""Models of one's own data."""
import json
import subprocess

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ocelotl
from conftest import CLI

numpy = pytest.importorskip("numpy")

CELLS = numpy.zeros((8, 3, 2))
CELLS[:, :, 0] = 1
CELLS[4:, 2] = (0.25, 0.75)
PATHS = ["a/x", "a/y", "b/z"]
TYPES = ["runs", "waits"]


def parts(o):
    return [list(row)[1:4] for row in o.parts.rows()]


def test_array_is_the_same_as_csv(tmp_path):
    path = tmp_path / "model.csv"
    rows = [f"{PATHS[s]},{TYPES[x]},{t},{CELLS[t, s, x]}" for s in range(3) for x in range(2)
            for t in range(8)]
    path.write_text("\n".join(["path,type,slice,value", *rows]) + "\n")
    made = ocelotl.model(CELLS, PATHS, TYPES)
    for p in ("0", "0.3", "1"):
        said = json.loads(subprocess.run([CLI, "--json", "--p", p, path], check=True,
                                         capture_output=True).stdout)
        o = made.overview(p=float(p))
        assert parts(o) == [[q["node"], q["first"], q["last"]] for q in said["parts"]]
    assert numpy.array_equal(made.overview().cells, CELLS)
    assert made.overview().leaves == PATHS and made.overview().types == TYPES


def test_trees():
    flat = parts(ocelotl.model(CELLS, PATHS, TYPES).overview(p=0))
    tree = {"a": ["x", "y"], "b": ["z"]}
    assert parts(ocelotl.model(CELLS, tree, TYPES).overview(p=0)) == flat
    steps = [("a", "x"), ("a", "y"), ("b", "z")]
    assert parts(ocelotl.model(CELLS, steps, TYPES).overview(p=0)) == flat
    assert len(ocelotl.model(CELLS).overview(p=0)) == 4, "x and y have nothing above them alone"


def test_frame_and_sparse():
    flat = parts(ocelotl.model(CELLS, PATHS, TYPES).overview(p=0))
    pandas = pytest.importorskip("pandas")
    index = pandas.MultiIndex.from_tuples([(*path.split("/"), t) for path in PATHS
                                           for t in range(8)])
    frame = pandas.DataFrame(CELLS.transpose(1, 0, 2).reshape(24, 2), index=index, columns=TYPES)
    assert parts(ocelotl.model(frame).overview(p=0)) == flat
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.csr_matrix(CELLS.reshape(8, 6))
    assert parts(ocelotl.model(matrix, PATHS, TYPES).overview(p=0)) == flat


def test_kinds_and_pictures(tmp_path):
    made = ocelotl.model(CELLS, PATHS, TYPES)
    for kind in ("spatiotemporal", "temporal", "spatial"):
        o = made.overview(kind=kind)
        assert o.kind == kind and o.svg().lstrip().startswith("<")
        o.save(tmp_path / "o.png")
    assert len(made.overview().levels) >= 2


def with_cell(value):
    cells = CELLS.copy()
    cells[1, 2, 0] = value
    return cells


@pytest.mark.parametrize("arguments, message", [
    (lambda: (CELLS[0, 0],), "dimensions"),
    (lambda: (CELLS[None],), "4 dimensions"),
    (lambda: (CELLS[:0],), "at least one"),
    (lambda: (with_cell(-1), PATHS, TYPES), "slice 1, leaf 2, type 0 is -1.0"),
    (lambda: (with_cell(float("nan")), PATHS, TYPES), "slice 1, leaf 2, type 0 is nan"),
    (lambda: (with_cell(float("inf")), PATHS, TYPES), "is inf"),
    (lambda: (CELLS.astype(object),), "object"),
    (lambda: (numpy.array([["a", "b"]]),), "expected numbers"),
    (lambda: (CELLS, ["a", "b"]), "2 paths, expected one for each of 3 leaves"),
    (lambda: (CELLS, ["a", "a", "b"]), "'a' twice"),
    (lambda: (CELLS, ["a", "a/b", "c", "d"]), "4 paths"),
    (lambda: (CELLS, ["a/b", "a", "c"]), "'a' twice, or as a leaf"),
    (lambda: (CELLS, {"a": ["x"]}), "1 leaves, expected 3"),
    (lambda: (CELLS, PATHS, ["one"]), "types are 1, expected 2"),
    (lambda: ([[1, 2], [3]],), "no array: .*expected slices x leaves x types"),
    (lambda: (numpy.full((2, 2), numpy.longdouble("1e4000")),), "slice 0, leaf 0, type 0 is inf"),
    (lambda: (CELLS, 3), "tree is 3, expected a list of paths"),
    (lambda: (CELLS, "xyz"), "tree is 'xyz', expected a list of paths"),
    (lambda: (CELLS, [(), ("a",), ("b",)]), "tree has '' twice"),
    (lambda: (CELLS, ["a//b", "c", "d"]), "'a//b', expected names that are not empty"),
    (lambda: (CELLS, [["a", ["b"]], "c", "d"]), r"tree has \['b'\] in the path"),
    (lambda: (CELLS, {"a": 5, "b": {}}), "below a the tree has 5, expected a dictionary"),
    (lambda: (CELLS, {"a": "xyz"}), "below a the tree has 'xyz', expected a dictionary"),
    (lambda: (CELLS, {"a": ["x", "x"], "b": []}), "'x' below a twice"),
    (lambda: (CELLS, {"a": ["x", ""], "b": []}), "'' below a, expected names"),
    (lambda: (CELLS, {"a": ["x", ["y"]], "b": []}), r"tree has \['y'\] below a"),
    (lambda: (CELLS, PATHS, 2), "types are 2, expected a list of names"),
    (lambda: (CELLS, PATHS, "ab"), "types are 'ab', expected a list of names"),
    (lambda: (CELLS, PATHS, ["a", "b\0"]), "byte of value 0"),
])
def test_bad_input(arguments, message):
    with pytest.raises(ocelotl.ArgumentError, match=message):
        ocelotl.model(*arguments())


def test_a_leaf_below_another():
    with pytest.raises(ocelotl.ArgumentError):
        ocelotl.model(CELLS, ["a", "a/b", "c"])


def test_a_cycle():
    tree = {}
    tree["a"] = tree
    with pytest.raises(ocelotl.ArgumentError, match="cycle"):
        ocelotl.model(CELLS, tree)


def test_a_tree_of_any_depth():
    tree = branch = {}
    for _ in range(5000):
        branch["n"] = branch = {}
    flat = ["/".join(["n"] * 5000)]
    assert ocelotl.model(CELLS[:, :1], tree).overview().leaves == flat
    assert ocelotl.model(CELLS[:, :1], flat).overview().leaves == flat


def test_a_branch_that_is_there_twice_is_no_cycle():
    machine = ["x", "y"]
    cells = numpy.ones((2, 4))
    o = ocelotl.model(cells, {"a": machine, "b": machine}).overview()
    assert o.leaves == ["a/x", "a/y", "b/x", "b/y"]


def test_what_is_masked_is_0():
    cells = CELLS.copy()
    cells[0, 0, 0] = 7
    masked = numpy.ma.masked_equal(cells, 7)
    assert ocelotl.model(masked, PATHS, TYPES).overview().cells[0, 0, 0] == 0


FRAMES = {
    "no name": ([("a", 0), (None, 1)], [1, 2], "row 1 .* has no name at level 0 of its path"),
    "negative": ([("a", -1), ("a", 0)], [1, 2], r"row 0 \('a', -1\) has the slice -1"),
    "text": ([("a", 0), ("a", "1")], [1, 2], "row 1 .* has the slice '1', expected a whole"),
    "between": ([("a", 0.0), ("a", 0.5)], [1, 2], "row 0 .* has the slice 0.0, expected a whole"),
    "far": ([("a", 0), ("a", 2**40)], [1, 2], "row 1 has the slice 1099511627776, expected slices"),
    "twice": ([("a", 0), ("a", 0)], [1, 2], r"row 1 \('a', 0\) is there twice"),
    "missing": ([("a", 0), ("a", 1)], [1, None], r"row 1 \('a', 1\), column 'x' is nan"),
    "complex": ([("a", 0), ("a", 1)], [1, 2j], "column 'x' is .*, expected a number"),
    "huge": ([("a", 0), ("a", 1)], [1, 10**400], "row 1 .* is 1000"),
    "nothing": ([], [], "frame is empty"),
}


@pytest.mark.parametrize("what", sorted(FRAMES))
def test_bad_frame(what):
    pandas = pytest.importorskip("pandas")
    places, cells, message = FRAMES[what]
    index = pandas.MultiIndex.from_tuples(places, names=["name", "slice"])
    with pytest.raises(ocelotl.ArgumentError, match=message):
        ocelotl.model(pandas.DataFrame({"x": cells}, index=index,
                                       dtype=object if what == "huge" else None))


@pytest.mark.parametrize("kind", ["datetime64[ns]", "timedelta64[ns]", "str", "category"])
def test_frame_of_no_numbers(kind):
    pandas = pytest.importorskip("pandas")
    index = pandas.MultiIndex.from_product([["a", "b"], [0, 1]])
    frame = pandas.DataFrame({"x": [1.0] * 4, "y": pandas.Series([1] * 4, index).astype(kind)},
                             index)
    if kind == "category":
        frame["y"] = frame["y"].cat.rename_categories(["one"])
    with pytest.raises(ocelotl.ArgumentError, match="row 0 .*'y' is .*expected a number"):
        ocelotl.model(frame)
    with pytest.raises(ocelotl.ArgumentError, match="a MultiIndex"):
        ocelotl.model(frame.reset_index(drop=True))


def test_bad_sparse():
    sparse = pytest.importorskip("scipy.sparse")

    def refused(message, matrix, **keywords):
        with pytest.raises(ocelotl.ArgumentError, match=message):
            ocelotl.model(matrix, **keywords)

    refused("row 1, column 2 is -1.0", sparse.coo_matrix(([-1.0], ([1], [2])), shape=(3, 3)))
    refused("row 0, column 1 is nan", sparse.csr_matrix([[0, float("nan")]]))
    refused("matrix is of complex", sparse.csr_matrix([[1j]]))
    refused("expected leaves x 2 types", sparse.csr_matrix((3, 3)), types=["a", "b"])
    refused("expected leaves x 0 types", sparse.csr_matrix((3, 3)), types=[])
    refused("matrix is 3 x 0, expected at least one", sparse.csr_matrix((3, 0)))
    far = sparse.coo_matrix(([1.0], ([0], [0])), shape=(2**40, 2))
    refused("matrix has 1099511627776 rows", far)


def test_a_sparse_matrix_stays_as_it_is():
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.coo_matrix(([1.0, 2.0, 5.0], ([0, 0, 1], [0, 0, 1])), shape=(2, 2))
    assert ocelotl.model(matrix).overview().cells[:, :, 0].tolist() == [[3, 0], [0, 5]]
    assert matrix.nnz == 3


def test_xarray():
    pytest.importorskip("xarray")
    named = ocelotl.model(CELLS, PATHS, TYPES).overview().to_xarray()
    assert named.dims == ("slice", "leaf", "type") and numpy.array_equal(named, CELLS)
    assert named.sel(leaf="b/z", type="waits").values.tolist() == [0] * 4 + [0.75] * 4


def test_one_bad_cell_of_a_million():
    pandas = pytest.importorskip("pandas")
    index = pandas.MultiIndex.from_product([range(1000), range(1000)])
    frame = pandas.DataFrame({"x": numpy.ones(1000000)}, index=index)
    frame.iloc[654321, 0] = -3
    with pytest.raises(ocelotl.ArgumentError, match=r"row 654321 \(654, 321\), column 'x' is -3"):
        ocelotl.model(frame)
    bad = frame.astype(object)
    bad.iloc[123456, 0] = "many"
    with pytest.raises(ocelotl.ArgumentError, match="row 123456 .*'many', expected a number"):
        ocelotl.model(bad)


def test_options_that_need_a_trace():
    with pytest.raises(ocelotl.ArgumentError, match="--from needs a trace"):
        ocelotl.model(CELLS).overview(from_=1)


def test_options_are_those_of_a_matrix(tmp_path):
    """The program refuses what a model of one's own refuses."""
    from ocelotl._calls import text
    from ocelotl._requests import is_elsewhere, keyword_of, rows
    path = tmp_path / "model.csv"
    path.write_text("path,type,slice,value\na,x,0,1\nb,x,1,2\n")
    made = ocelotl.model(CELLS)
    wrong = []
    for name, row in rows("overview").items():
        if is_elsewhere("overview", name):
            continue
        value = {"": True, "NODE[,T1,T2]": "a"}.get(text(row.value), text(row.value).split("|")[0])
        value = "1" if value in ("X", "N", "T", "PART") else value
        words = [f"--{name}"] if value is True else [f"--{name}", value]
        said = subprocess.run([CLI, *words, path, "-o", tmp_path / "o.svg", "--force"],
                              capture_output=True, text=True)
        try:
            made.overview(**{keyword_of(name): value})
            mine = ""
        except ocelotl.Error as refused:
            mine = str(refused)
        refuses = "needs a trace" in mine
        if (said.returncode == 0 and refuses and name != "no-cache") or \
                ("needs a trace" in said.stderr and not refuses):
            wrong.append((name, said, mine))
    assert not wrong


shapes = st.tuples(st.integers(1, 6), st.integers(1, 6), st.integers(1, 3))
numbers = st.one_of(st.sampled_from([0.0, 1.0, 0.5, 1e300, 5e-324, -1.0, float("nan")]),
                    st.floats(allow_nan=True, allow_infinity=True))
names = st.text(max_size=5)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), shape=shapes, p=st.floats(0, 1))
def test_fuzz_arrays(data, shape, p):
    """Whatever its arguments, the array entry makes a model, or says what it expected."""
    count = shape[0] * shape[1] * shape[2]
    cells = numpy.array(data.draw(st.lists(numbers, min_size=count, max_size=count)))
    cells = cells.reshape(shape)
    tree = data.draw(st.one_of(st.none(), st.lists(names, max_size=7),
                               st.lists(st.tuples(names, names), max_size=7),
                               st.dictionaries(names, st.lists(names, max_size=3), max_size=3)))
    try:
        o = ocelotl.model(cells, tree).overview(p=p)
    except (ocelotl.ArgumentError, ocelotl.LimitError) as refused:
        assert "expected" in str(refused)
        return
    assert (cells >= 0).all() and numpy.isfinite(cells).all()
    covered = numpy.zeros(shape[:2], dtype=int)
    leaves = o.leaves
    for _, node, first, last, *_rest in o.parts.rows():
        below = [i for i, leaf in enumerate(leaves)
                 if node == "" or leaf == node or leaf.startswith(node + "/")]
        covered[first:last + 1, below] += 1
    if tree is None:
        assert (covered == 1).all()


def test_plain_is_the_knee():
    made = ocelotl.model(CELLS)
    plain = made.overview(plain=True)
    assert plain.p == made.overview("auto:knee").p == plain.at("auto").p
