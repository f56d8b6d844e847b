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
    (lambda: (CELLS, ["a", "a", "b"]), "a twice"),
    (lambda: (CELLS, ["a", "a/b", "c", "d"]), "4 paths"),
    (lambda: (CELLS, ["a/b", "a", "c"]), "a twice, or as a leaf"),
    (lambda: (CELLS, {"a": ["x"]}), "1 leaves, expected 3"),
    (lambda: (CELLS, PATHS, ["one"]), "types are 1, expected 2"),
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
    except ocelotl.ArgumentError as refused:
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
