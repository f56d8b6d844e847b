"""The tree that the leaves of a model are in: of paths, or of dictionaries."""
from __future__ import annotations

from typing import Any, Dict, List, Sequence, Tuple

from ocelotl._calls import ArgumentError
from ocelotl._native import lib


class Tree:
    """A tree of nodes, each found by its parent and its name."""

    def __init__(self) -> None:
        self.parents: List[int] = [lib.OCELOTL_ROOT]
        self.names: List[str] = ["all"]
        self.places: Dict[Tuple[int, str], int] = {}

    def node(self, parent: int, name: str) -> int:
        """The node of that name below a parent, made where it is new."""
        place = self.places.setdefault((parent, name), len(self.parents))
        if place == len(self.parents):
            self.parents.append(parent)
            self.names.append(name)
        return place

    def leaf(self, steps: Sequence[str], path: str) -> int:
        """The new node that a path of names leads to."""
        if "" in steps:
            raise ArgumentError(f"tree has {path!r}, expected names that are not empty")
        known = len(self.parents)
        at = 0
        for step in steps:
            at = self.node(at, step)
        if at < known:
            raise ArgumentError(f"tree has {path!r} twice, or as a leaf with others below it, "
                                "expected a path for each leaf")
        return at


def _name(given: Any, where: str) -> str:
    """A name: a text, a number, or whatever else holds no others."""
    if isinstance(given, (list, tuple, dict, set)):
        raise ArgumentError(f"tree has {given!r:.80} {where}, expected a name")
    return str(given)


def list_of(given: Any, what: str, wanted: str) -> List[Any]:
    """What holds several, as a list; a text is one."""
    if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__"):
        raise ArgumentError(f"{what} {given!r:.80}, expected {wanted}")
    return list(given)


def _leaves_of_paths(tree: Tree, paths: Sequence[Any], count: int) -> List[int]:
    if len(paths) != count:
        raise ArgumentError(f"tree has {len(paths)} paths, expected one for each of {count} leaves")
    leaves = []
    for path in paths:
        if isinstance(path, (tuple, list)):
            steps = [_name(step, f"in the path {path!r:.80}") for step in path]
        else:
            steps = _name(path, "among its paths").split("/")
        leaves.append(tree.leaf(steps, "/".join(steps)))
    return leaves


_BRANCHES = "a dictionary, or a list of names"


def _leaves_of_branches(tree: Tree, given: Any) -> List[int]:
    """The leaves of a dictionary of children, whose innermost are lists of names."""
    leaves: List[int] = []
    # Those that are open, outermost first: the node, its children, and which come next.
    waiting: List[Tuple[int, Any, Any]] = [(0, given, iter(given))]
    above = {id(given)}
    while waiting:
        node, branch, names = waiting[-1]
        name = next(names, waiting)
        if name is waiting:
            above.discard(id(waiting.pop()[1]))
            continue
        known, called = len(tree.parents), _name(name, f"below {tree.names[node]}")
        child = tree.node(node, called)
        if child < known or called == "":
            raise ArgumentError(f"tree has {called!r} below {tree.names[node]} twice, expected "
                                "names that differ" if called else
                                f"tree has '' below {tree.names[node]}, expected names that are "
                                "not empty")
        below = branch[name] if isinstance(branch, dict) else None
        if below is not None and not isinstance(below, dict):
            below = list_of(below, f"below {called} the tree has", _BRANCHES)
        if not below:
            leaves.append(child)
        elif id(below) in above:
            raise ArgumentError(f"tree has a cycle below {called}, expected a tree")
        else:
            above.add(id(below))
            waiting.append((child, below, iter(below)))
    return leaves


def make_tree(given: Any, count: int) -> Tuple[Tree, List[int]]:
    tree = Tree()
    if given is None:
        given = [str(i) for i in range(count)]
    if not isinstance(given, dict):
        paths = list_of(given, "tree is", "a list of paths, or a dictionary")
        return tree, _leaves_of_paths(tree, paths, count)
    leaves = _leaves_of_branches(tree, given)
    if len(leaves) != count:
        raise ArgumentError(f"tree has {len(leaves)} leaves, expected {count} as the array has")
    return tree, leaves
