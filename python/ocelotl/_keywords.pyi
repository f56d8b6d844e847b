# Written by python/keywords.py.
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from os import PathLike
from typing import Literal, Sequence, TypedDict, Union

_Time = Union[float, str, timedelta, Fraction, Decimal]
_Part = Union[int, str]
_Path = Union[str, PathLike[str]]

class OverviewKeywords(TypedDict, total=False):
    p_raw: float
    level: int
    parts: int
    zoom: Union[_Part, Sequence[_Part]]
    part: Union[_Part, Sequence[_Part]]
    from_: _Time
    to: _Time
    resource: Union[str, Sequence[str]]
    step: str
    next: bool
    previous: bool
    snap: bool
    only: Union[str, Sequence[str]]
    except_: Union[str, Sequence[str]]
    only_resources: Union[str, Sequence[str]]
    except_resources: Union[str, Sequence[str]]
    min_duration: _Time
    max_duration: _Time
    where: Union[str, Sequence[str]]
    metric: str
    shift: bool
    scale: Literal["max"]
    attribute: str
    group_types: Union[str, Sequence[str]]
    type_tree: _Path
    type_level: Union[int, Literal["auto"]]
    most_types: int
    nesting_depth: int
    hierarchy: _Path
    max_groups: int
    regroup: bool
    drop_level: Union[str, Sequence[str]]
    group: Union[str, Sequence[str]]
    reuse_rows: bool
    split_children: int
    max_leaves: int
    fold: Union[str, Sequence[str]]
    order: Literal["trace", "name", "begin", "activity", "traffic"]
    slices: int
    kind: Literal["spatiotemporal", "temporal", "spatial"]
    statistic: str
    state_type: str
    nesting: Literal["innermost", "inclusive"]
    untraced: Literal["type", "ignore"]
    lenient: bool
    time_unit: Literal["s", "ms", "us", "ns"]
    by: Literal["thread", "cpu"]
    value: Literal["level", "function", "region", "paradigm", "role", "callpath"]
    stacks: bool
    collectives: bool
    columns: str
    fold_names: str
    pair: str
    threads: int
    no_cache: bool
    width: float
    height: float
    dpi: float
    theme: Literal["light", "dark"]
    palette: _Path
    smallest: float
    show: Union[str, Sequence[str]]
    curves: Literal["rising", "falling"]
    texture: Literal["none", "loss"]
    notes: bool
    title: str
    view: str
    context_level: int
    type: str
    expand: str

class StatsKeywords(TypedDict, total=False):
    from_: _Time
    to: _Time
    resource: Union[str, Sequence[str]]
    step: str
    next: bool
    previous: bool
    snap: bool
    part: Union[_Part, Sequence[_Part]]
    zoom: Union[_Part, Sequence[_Part]]
    only: Union[str, Sequence[str]]
    except_: Union[str, Sequence[str]]
    only_resources: Union[str, Sequence[str]]
    except_resources: Union[str, Sequence[str]]
    min_duration: _Time
    max_duration: _Time
    where: Union[str, Sequence[str]]
    type: str
    state_type: str
    at: str
    by: str
    of: Literal["lives", "leaves", "active"]
    quantiles: bool
    extremes: bool
    width: float
    height: float
    dpi: float
    theme: Literal["light", "dark"]
    palette: _Path
    type_tree: _Path
    smallest: float
    show: Union[str, Sequence[str]]
    title: str
    lenient: bool
    time_unit: Literal["s", "ms", "us", "ns"]
    value: Literal["level", "function", "region", "paradigm", "role", "callpath"]
    stacks: bool
    collectives: bool
    columns: str
    fold_names: str
    pair: str
    threads: int
    no_cache: bool
    metric: str
    shift: bool
    scale: Literal["max"]
    attribute: str
    group_types: Union[str, Sequence[str]]
    type_level: Union[int, Literal["auto"]]
    most_types: int
    nesting_depth: int
    hierarchy: _Path
    max_groups: int
    regroup: bool
    drop_level: Union[str, Sequence[str]]
    group: Union[str, Sequence[str]]
    reuse_rows: bool
    split_children: int
    max_leaves: int
    fold: Union[str, Sequence[str]]
    order: Literal["trace", "name", "begin", "activity", "traffic"]
    slices: int
    kind: Literal["spatiotemporal", "temporal", "spatial"]
    nesting: Literal["innermost", "inclusive"]
    untraced: Literal["type", "ignore"]
    p: float
    p_raw: float
    level: int
    parts: int

class DurationsKeywords(TypedDict, total=False):
    from_: _Time
    to: _Time
    resource: Union[str, Sequence[str]]
    step: str
    next: bool
    previous: bool
    snap: bool
    part: Union[_Part, Sequence[_Part]]
    zoom: Union[_Part, Sequence[_Part]]
    only: Union[str, Sequence[str]]
    except_: Union[str, Sequence[str]]
    only_resources: Union[str, Sequence[str]]
    except_resources: Union[str, Sequence[str]]
    min_duration: _Time
    max_duration: _Time
    where: Union[str, Sequence[str]]
    type: str
    state_type: str
    at: str
    by: str
    over_time: int
    from2: _Time
    to2: _Time
    width: float
    height: float
    dpi: float
    theme: Literal["light", "dark"]
    palette: _Path
    type_tree: _Path
    smallest: float
    show: Union[str, Sequence[str]]
    title: str
    lenient: bool
    time_unit: Literal["s", "ms", "us", "ns"]
    value: Literal["level", "function", "region", "paradigm", "role", "callpath"]
    stacks: bool
    collectives: bool
    columns: str
    fold_names: str
    pair: str
    threads: int
    no_cache: bool
    metric: str
    shift: bool
    scale: Literal["max"]
    attribute: str
    group_types: Union[str, Sequence[str]]
    type_level: Union[int, Literal["auto"]]
    most_types: int
    nesting_depth: int
    hierarchy: _Path
    max_groups: int
    regroup: bool
    drop_level: Union[str, Sequence[str]]
    group: Union[str, Sequence[str]]
    reuse_rows: bool
    split_children: int
    max_leaves: int
    fold: Union[str, Sequence[str]]
    order: Literal["trace", "name", "begin", "activity", "traffic"]
    slices: int
    kind: Literal["spatiotemporal", "temporal", "spatial"]
    nesting: Literal["innermost", "inclusive"]
    untraced: Literal["type", "ignore"]
    p: float
    p_raw: float
    level: int
    parts: int

class EventsKeywords(TypedDict, total=False):
    from_: _Time
    to: _Time
    resource: Union[str, Sequence[str]]
    snap: bool
    part: Union[_Part, Sequence[_Part]]
    zoom: Union[_Part, Sequence[_Part]]
    only: Union[str, Sequence[str]]
    except_: Union[str, Sequence[str]]
    only_resources: Union[str, Sequence[str]]
    except_resources: Union[str, Sequence[str]]
    min_duration: _Time
    max_duration: _Time
    where: Union[str, Sequence[str]]
    type: str
    lenient: bool
    time_unit: Literal["s", "ms", "us", "ns"]
    by: Literal["thread", "cpu"]
    value: Literal["level", "function", "region", "paradigm", "role", "callpath"]
    stacks: bool
    collectives: bool
    columns: str
    fold_names: str
    pair: str
    threads: int
    no_cache: bool
    metric: str
    shift: bool
    scale: Literal["max"]
    attribute: str
    group_types: Union[str, Sequence[str]]
    type_tree: _Path
    type_level: Union[int, Literal["auto"]]
    most_types: int
    nesting_depth: int
    hierarchy: _Path
    max_groups: int
    regroup: bool
    drop_level: Union[str, Sequence[str]]
    group: Union[str, Sequence[str]]
    reuse_rows: bool
    split_children: int
    max_leaves: int
    fold: Union[str, Sequence[str]]
    order: Literal["trace", "name", "begin", "activity", "traffic"]
    slices: int
    kind: Literal["spatiotemporal", "temporal", "spatial"]
    state_type: str
    nesting: Literal["innermost", "inclusive"]
    untraced: Literal["type", "ignore"]
    p: float
    p_raw: float
    level: int
    parts: int

class SeriesKeywords(TypedDict, total=False):
    at: str
    reduce: Literal["count", "sum", "mean", "min", "max"]
    in_flight: Literal["count", "bytes", "rate"]
    side: Literal["sender", "receiver", "pair", "through"]
    attribute: str
    variable: Union[str, Sequence[str]]
    state_type: str
    nesting: Literal["innermost", "inclusive"]
    from_: _Time
    to: _Time
    resource: Union[str, Sequence[str]]
    step: str
    next: bool
    previous: bool
    only: Union[str, Sequence[str]]
    except_: Union[str, Sequence[str]]
    only_resources: Union[str, Sequence[str]]
    except_resources: Union[str, Sequence[str]]
    width: float
    height: float
    dpi: float
    theme: Literal["light", "dark"]
    palette: _Path
    type_tree: _Path
    smallest: float
    title: str
    lenient: bool
    time_unit: Literal["s", "ms", "us", "ns"]
    by: Literal["thread", "cpu"]
    value: Literal["level", "function", "region", "paradigm", "role", "callpath"]
    stacks: bool
    collectives: bool
    columns: str
    fold_names: str
    pair: str
    threads: int
    no_cache: bool

class CompareKeywords(TypedDict, total=False):
    stretch: bool
    view: str
    type: str
    from2: _Time
    to2: _Time
    p: float
    p_raw: float
    level: int
    parts: int
    from_: _Time
    to: _Time
    resource: Union[str, Sequence[str]]
    snap: bool
    only: Union[str, Sequence[str]]
    except_: Union[str, Sequence[str]]
    only_resources: Union[str, Sequence[str]]
    except_resources: Union[str, Sequence[str]]
    min_duration: _Time
    max_duration: _Time
    where: Union[str, Sequence[str]]
    metric: str
    shift: bool
    scale: Literal["max"]
    attribute: str
    group_types: Union[str, Sequence[str]]
    type_tree: _Path
    type_level: Union[int, Literal["auto"]]
    most_types: int
    nesting_depth: int
    hierarchy: _Path
    max_groups: int
    regroup: bool
    drop_level: Union[str, Sequence[str]]
    group: Union[str, Sequence[str]]
    reuse_rows: bool
    split_children: int
    max_leaves: int
    fold: Union[str, Sequence[str]]
    order: Literal["trace", "name", "begin", "activity", "traffic"]
    slices: int
    kind: Literal["spatiotemporal", "temporal", "spatial"]
    state_type: str
    nesting: Literal["innermost", "inclusive"]
    untraced: Literal["type", "ignore"]
    lenient: bool
    time_unit: Literal["s", "ms", "us", "ns"]
    by: Literal["thread", "cpu"]
    value: Literal["level", "function", "region", "paradigm", "role", "callpath"]
    stacks: bool
    collectives: bool
    columns: str
    fold_names: str
    pair: str
    threads: int
    no_cache: bool
    width: float
    height: float
    dpi: float
    theme: Literal["light", "dark"]
    palette: _Path
    smallest: float
    show: Union[str, Sequence[str]]
    title: str

class MatrixKeywords(TypedDict, total=False):
    at: str
    columns: str
    hierarchy: _Path
    drop_level: Union[str, Sequence[str]]
    group: Union[str, Sequence[str]]
    order: Literal["trace", "name", "begin", "activity", "traffic"]
    cell: Literal["count", "bytes", "mean", "least", "bandwidth", "in-flight", "violations"]
    linear: bool
    type: str
    attribute: str
    from_: _Time
    to: _Time
    resource: Union[str, Sequence[str]]
    step: str
    next: bool
    previous: bool
    snap: bool
    part: Union[_Part, Sequence[_Part]]
    zoom: Union[_Part, Sequence[_Part]]
    only: Union[str, Sequence[str]]
    except_: Union[str, Sequence[str]]
    only_resources: Union[str, Sequence[str]]
    except_resources: Union[str, Sequence[str]]
    min_duration: _Time
    max_duration: _Time
    where: Union[str, Sequence[str]]
    width: float
    height: float
    dpi: float
    theme: Literal["light", "dark"]
    palette: _Path
    smallest: float
    title: str
    lenient: bool
    time_unit: Literal["s", "ms", "us", "ns"]
    by: Literal["thread", "cpu"]
    value: Literal["level", "function", "region", "paradigm", "role", "callpath"]
    stacks: bool
    collectives: bool
    fold_names: str
    pair: str
    threads: int
    no_cache: bool
    metric: str
    shift: bool
    scale: Literal["max"]
    group_types: Union[str, Sequence[str]]
    type_tree: _Path
    type_level: Union[int, Literal["auto"]]
    most_types: int
    nesting_depth: int
    max_groups: int
    regroup: bool
    reuse_rows: bool
    split_children: int
    max_leaves: int
    fold: Union[str, Sequence[str]]
    slices: int
    kind: Literal["spatiotemporal", "temporal", "spatial"]
    state_type: str
    nesting: Literal["innermost", "inclusive"]
    untraced: Literal["type", "ignore"]
    p: float
    p_raw: float
    level: int
    parts: int

class CausalityKeywords(TypedDict, total=False):
    at: str
    type: str
    latency: _Time
    latency_per_byte: _Time
    attribute: str
    clock_error: _Time
    max_drift: str
    strict: bool
    collective: Union[str, Sequence[str]]
    from_: _Time
    to: _Time
    resource: Union[str, Sequence[str]]
    step: str
    next: bool
    previous: bool
    snap: bool
    part: Union[_Part, Sequence[_Part]]
    zoom: Union[_Part, Sequence[_Part]]
    only: Union[str, Sequence[str]]
    except_: Union[str, Sequence[str]]
    only_resources: Union[str, Sequence[str]]
    except_resources: Union[str, Sequence[str]]
    min_duration: _Time
    max_duration: _Time
    where: Union[str, Sequence[str]]
    lenient: bool
    time_unit: Literal["s", "ms", "us", "ns"]
    by: Literal["thread", "cpu"]
    value: Literal["level", "function", "region", "paradigm", "role", "callpath"]
    stacks: bool
    collectives: bool
    columns: str
    fold_names: str
    pair: str
    threads: int
    no_cache: bool
    metric: str
    shift: bool
    scale: Literal["max"]
    group_types: Union[str, Sequence[str]]
    type_tree: _Path
    type_level: Union[int, Literal["auto"]]
    most_types: int
    nesting_depth: int
    hierarchy: _Path
    max_groups: int
    regroup: bool
    drop_level: Union[str, Sequence[str]]
    group: Union[str, Sequence[str]]
    reuse_rows: bool
    split_children: int
    max_leaves: int
    fold: Union[str, Sequence[str]]
    order: Literal["trace", "name", "begin", "activity", "traffic"]
    slices: int
    kind: Literal["spatiotemporal", "temporal", "spatial"]
    state_type: str
    nesting: Literal["innermost", "inclusive"]
    untraced: Literal["type", "ignore"]
    p: float
    p_raw: float
    level: int
    parts: int

class ClocksKeywords(TypedDict, total=False):
    at: str
    type: str
    drift: Literal["linear", "none", "pieces[=N]"]
    max_drift: str
    reference: str
    pair: str
    samples: Union[_Path, Sequence[_Path]]
    evidence: Literal["messages", "samples", "collectives"]
    collective: Union[str, Sequence[str]]
    fit: Literal["bounds", "least-squares"]
    median: int
    amortise: bool
    latency: _Time
    tick_factor: int
    groups: Literal["joined", "apart"]
    width: float
    height: float
    dpi: float
    theme: Literal["light", "dark"]
    palette: _Path
    smallest: float
    title: str
    lenient: bool
    time_unit: Literal["s", "ms", "us", "ns"]
    by: Literal["thread", "cpu"]
    value: Literal["level", "function", "region", "paradigm", "role", "callpath"]
    stacks: bool
    collectives: bool
    columns: str
    fold_names: str
    threads: int
    no_cache: bool

class HierarchiesKeywords(TypedDict, total=False):
    candidates: Union[_Path, Sequence[_Path]]
    parts: int
    all: bool
    from_: _Time
    to: _Time
    resource: Union[str, Sequence[str]]
    step: str
    next: bool
    previous: bool
    snap: bool
    only: Union[str, Sequence[str]]
    except_: Union[str, Sequence[str]]
    only_resources: Union[str, Sequence[str]]
    except_resources: Union[str, Sequence[str]]
    min_duration: _Time
    max_duration: _Time
    where: Union[str, Sequence[str]]
    metric: str
    shift: bool
    scale: Literal["max"]
    attribute: str
    group_types: Union[str, Sequence[str]]
    type_tree: _Path
    type_level: Union[int, Literal["auto"]]
    most_types: int
    nesting_depth: int
    max_groups: int
    regroup: bool
    drop_level: Union[str, Sequence[str]]
    group: Union[str, Sequence[str]]
    reuse_rows: bool
    split_children: int
    max_leaves: int
    fold: Union[str, Sequence[str]]
    order: Literal["trace", "name", "begin", "activity", "traffic"]
    slices: int
    kind: Literal["spatiotemporal", "temporal", "spatial"]
    state_type: str
    nesting: Literal["innermost", "inclusive"]
    untraced: Literal["type", "ignore"]
    lenient: bool
    time_unit: Literal["s", "ms", "us", "ns"]
    by: Literal["thread", "cpu"]
    value: Literal["level", "function", "region", "paradigm", "role", "callpath"]
    stacks: bool
    collectives: bool
    columns: str
    fold_names: str
    pair: str
    threads: int
    no_cache: bool
    width: float
    height: float
    dpi: float
    theme: Literal["light", "dark"]
    palette: _Path
    smallest: float
    show: Union[str, Sequence[str]]
    title: str

class SweepKeywords(TypedDict, total=False):
    all: bool
    p: float
    zoom: Union[_Part, Sequence[_Part]]
    part: Union[_Part, Sequence[_Part]]
    p_raw: float
    level: int
    parts: int
    from_: _Time
    to: _Time
    resource: Union[str, Sequence[str]]
    step: str
    next: bool
    previous: bool
    snap: bool
    only: Union[str, Sequence[str]]
    except_: Union[str, Sequence[str]]
    only_resources: Union[str, Sequence[str]]
    except_resources: Union[str, Sequence[str]]
    min_duration: _Time
    max_duration: _Time
    where: Union[str, Sequence[str]]
    metric: str
    shift: bool
    scale: Literal["max"]
    attribute: str
    group_types: Union[str, Sequence[str]]
    type_tree: _Path
    type_level: Union[int, Literal["auto"]]
    most_types: int
    nesting_depth: int
    hierarchy: _Path
    max_groups: int
    regroup: bool
    drop_level: Union[str, Sequence[str]]
    group: Union[str, Sequence[str]]
    reuse_rows: bool
    split_children: int
    max_leaves: int
    fold: Union[str, Sequence[str]]
    order: Literal["trace", "name", "begin", "activity", "traffic"]
    slices: int
    kind: Literal["spatiotemporal", "temporal", "spatial"]
    state_type: str
    nesting: Literal["innermost", "inclusive"]
    untraced: Literal["type", "ignore"]
    lenient: bool
    time_unit: Literal["s", "ms", "us", "ns"]
    by: Literal["thread", "cpu"]
    value: Literal["level", "function", "region", "paradigm", "role", "callpath"]
    stacks: bool
    collectives: bool
    columns: str
    fold_names: str
    pair: str
    threads: int
    no_cache: bool
    width: float
    height: float
    dpi: float
    theme: Literal["light", "dark"]
    palette: _Path
    smallest: float
    curves: Literal["rising", "falling"]
    title: str

class GanttKeywords(TypedDict, total=False):
    stretch: bool
    align: str
    from2: _Time
    to2: _Time
    from_: _Time
    to: _Time
    resource: Union[str, Sequence[str]]
    step: str
    next: bool
    previous: bool
    snap: bool
    part: Union[_Part, Sequence[_Part]]
    zoom: Union[_Part, Sequence[_Part]]
    only: Union[str, Sequence[str]]
    except_: Union[str, Sequence[str]]
    only_resources: Union[str, Sequence[str]]
    except_resources: Union[str, Sequence[str]]
    min_duration: _Time
    max_duration: _Time
    where: Union[str, Sequence[str]]
    type: str
    links: int
    violations: bool
    width: float
    height: float
    dpi: float
    theme: Literal["light", "dark"]
    palette: _Path
    type_tree: _Path
    smallest: float
    show: Union[str, Sequence[str]]
    title: str
    lenient: bool
    time_unit: Literal["s", "ms", "us", "ns"]
    by: Literal["thread", "cpu"]
    value: Literal["level", "function", "region", "paradigm", "role", "callpath"]
    stacks: bool
    collectives: bool
    columns: str
    fold_names: str
    pair: str
    threads: int
    no_cache: bool
    metric: str
    shift: bool
    scale: Literal["max"]
    attribute: str
    group_types: Union[str, Sequence[str]]
    type_level: Union[int, Literal["auto"]]
    most_types: int
    nesting_depth: int
    hierarchy: _Path
    max_groups: int
    regroup: bool
    drop_level: Union[str, Sequence[str]]
    group: Union[str, Sequence[str]]
    reuse_rows: bool
    split_children: int
    max_leaves: int
    fold: Union[str, Sequence[str]]
    order: Literal["trace", "name", "begin", "activity", "traffic"]
    slices: int
    kind: Literal["spatiotemporal", "temporal", "spatial"]
    state_type: str
    nesting: Literal["innermost", "inclusive"]
    untraced: Literal["type", "ignore"]
    p: float
    p_raw: float
    level: int
    parts: int

class TreemapKeywords(TypedDict, total=False):
    at: str
    depth: int
    area: str
    p_raw: float
    level: int
    parts: int
    from_: _Time
    to: _Time
    resource: Union[str, Sequence[str]]
    step: str
    next: bool
    previous: bool
    snap: bool
    only: Union[str, Sequence[str]]
    except_: Union[str, Sequence[str]]
    only_resources: Union[str, Sequence[str]]
    except_resources: Union[str, Sequence[str]]
    min_duration: _Time
    max_duration: _Time
    where: Union[str, Sequence[str]]
    metric: str
    shift: bool
    scale: Literal["max"]
    attribute: str
    group_types: Union[str, Sequence[str]]
    type_tree: _Path
    type_level: Union[int, Literal["auto"]]
    most_types: int
    nesting_depth: int
    hierarchy: _Path
    max_groups: int
    regroup: bool
    drop_level: Union[str, Sequence[str]]
    group: Union[str, Sequence[str]]
    reuse_rows: bool
    split_children: int
    max_leaves: int
    fold: Union[str, Sequence[str]]
    order: Literal["trace", "name", "begin", "activity", "traffic"]
    slices: int
    kind: Literal["spatiotemporal", "temporal", "spatial"]
    statistic: str
    state_type: str
    nesting: Literal["innermost", "inclusive"]
    untraced: Literal["type", "ignore"]
    lenient: bool
    time_unit: Literal["s", "ms", "us", "ns"]
    by: Literal["thread", "cpu"]
    value: Literal["level", "function", "region", "paradigm", "role", "callpath"]
    stacks: bool
    collectives: bool
    columns: str
    fold_names: str
    pair: str
    threads: int
    no_cache: bool
    width: float
    height: float
    dpi: float
    theme: Literal["light", "dark"]
    palette: _Path
    smallest: float
    show: Union[str, Sequence[str]]
    title: str

class SnapshotKeywords(TypedDict, total=False):
    p_raw: float
    level: int
    parts: int
    zoom: Union[_Part, Sequence[_Part]]
    part: Union[_Part, Sequence[_Part]]
    from_: _Time
    to: _Time
    resource: Union[str, Sequence[str]]
    step: str
    next: bool
    previous: bool
    snap: bool
    only: Union[str, Sequence[str]]
    except_: Union[str, Sequence[str]]
    only_resources: Union[str, Sequence[str]]
    except_resources: Union[str, Sequence[str]]
    min_duration: _Time
    max_duration: _Time
    where: Union[str, Sequence[str]]
    metric: str
    shift: bool
    scale: Literal["max"]
    attribute: str
    group_types: Union[str, Sequence[str]]
    type_tree: _Path
    type_level: Union[int, Literal["auto"]]
    most_types: int
    nesting_depth: int
    hierarchy: _Path
    max_groups: int
    regroup: bool
    drop_level: Union[str, Sequence[str]]
    group: Union[str, Sequence[str]]
    reuse_rows: bool
    split_children: int
    max_leaves: int
    fold: Union[str, Sequence[str]]
    order: Literal["trace", "name", "begin", "activity", "traffic"]
    slices: int
    kind: Literal["spatiotemporal", "temporal", "spatial"]
    statistic: str
    state_type: str
    nesting: Literal["innermost", "inclusive"]
    untraced: Literal["type", "ignore"]
    lenient: bool
    time_unit: Literal["s", "ms", "us", "ns"]
    by: Literal["thread", "cpu"]
    value: Literal["level", "function", "region", "paradigm", "role", "callpath"]
    stacks: bool
    collectives: bool
    columns: str
    fold_names: str
    pair: str
    threads: int
    no_cache: bool
    width: float
    height: float
    dpi: float
    theme: Literal["light", "dark"]
    palette: _Path
    smallest: float
    show: Union[str, Sequence[str]]
    curves: Literal["rising", "falling"]
    texture: Literal["none", "loss"]
    title: str
    view: str
    context_level: int
    type: str
    expand: str
