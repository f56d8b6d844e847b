# Written by python/keywords.py.
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from os import PathLike
from typing import Literal, Sequence, TypedDict, Union

_Time = Union[float, str, timedelta, Fraction, Decimal]
_Part = Union[int, str]
_Path = Union[str, PathLike[str]]

class _SharedPRaw(TypedDict, total=False):
    p_raw: float
    level: int
    hierarchy: _Path

class _SharedParts(TypedDict, total=False):
    parts: int
    snap: bool
    min_duration: _Time
    max_duration: _Time
    where: Union[str, Sequence[str]]
    metric: str
    shift: bool
    scale: Literal["max"]
    group_types: Union[str, Sequence[str]]
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
    untraced: Literal["type", "ignore"]

class _SharedZoom(TypedDict, total=False):
    zoom: Union[_Part, Sequence[_Part]]
    part: Union[_Part, Sequence[_Part]]

class _SharedFrom(TypedDict, total=False):
    from_: _Time
    to: _Time
    resource: Union[str, Sequence[str]]
    only: Union[str, Sequence[str]]
    except_: Union[str, Sequence[str]]
    only_resources: Union[str, Sequence[str]]
    except_resources: Union[str, Sequence[str]]
    attribute: str
    type_tree: _Path
    state_type: str
    nesting: Literal["innermost", "inclusive"]

class _SharedStep(TypedDict, total=False):
    step: str
    next: bool
    previous: bool

class _SharedLenient(TypedDict, total=False):
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

class _SharedWidth(TypedDict, total=False):
    width: float
    height: float
    dpi: float
    theme: Literal["light", "dark"]
    palette: _Path
    smallest: float
    title: str

class _SharedTexture(TypedDict, total=False):
    texture: Literal["none", "loss"]
    context_level: int
    expand: str

class _SharedFrom2(TypedDict, total=False):
    from2: _Time
    to2: _Time

class _SharedLatency(TypedDict, total=False):
    latency: _Time
    max_drift: str
    collective: Union[str, Sequence[str]]

class OverviewKeywords(_SharedPRaw, _SharedParts, _SharedZoom, _SharedFrom, _SharedStep,
        _SharedLenient, _SharedWidth, _SharedTexture, total=False):
    statistic: str
    by: Literal["thread", "cpu"]
    show: Union[str, Sequence[str]]
    curves: Literal["rising", "falling"]
    notes: bool
    view: str
    type: str

class StatsKeywords(_SharedPRaw, _SharedParts, _SharedZoom, _SharedFrom, _SharedStep,
        _SharedLenient, _SharedWidth, total=False):
    type: str
    at: str
    by: str
    of: Literal["lives", "leaves", "active"]
    quantiles: bool
    extremes: bool
    show: Union[str, Sequence[str]]
    p: float

class DurationsKeywords(_SharedPRaw, _SharedParts, _SharedZoom, _SharedFrom, _SharedStep,
        _SharedLenient, _SharedWidth, _SharedFrom2, total=False):
    type: str
    at: str
    by: str
    over_time: int
    show: Union[str, Sequence[str]]
    p: float

class EventsKeywords(_SharedPRaw, _SharedParts, _SharedZoom, _SharedFrom, _SharedLenient,
        total=False):
    type: str
    by: Literal["thread", "cpu"]
    p: float

class SeriesKeywords(_SharedFrom, _SharedStep, _SharedLenient, _SharedWidth, total=False):
    at: str
    reduce: Literal["count", "sum", "mean", "min", "max"]
    in_flight: Literal["count", "bytes", "rate"]
    side: Literal["sender", "receiver", "pair", "through"]
    variable: Union[str, Sequence[str]]
    by: Literal["thread", "cpu"]

class CompareKeywords(_SharedPRaw, _SharedParts, _SharedFrom, _SharedLenient, _SharedWidth,
        _SharedFrom2, total=False):
    stretch: bool
    view: str
    type: str
    p: float
    by: Literal["thread", "cpu"]
    show: Union[str, Sequence[str]]

class MatrixKeywords(_SharedPRaw, _SharedParts, _SharedZoom, _SharedFrom, _SharedStep,
        _SharedLenient, _SharedWidth, total=False):
    at: str
    cell: Literal["count", "bytes", "mean", "least", "bandwidth", "in-flight", "violations"]
    linear: bool
    type: str
    by: Literal["thread", "cpu"]
    p: float

class CausalityKeywords(_SharedPRaw, _SharedParts, _SharedZoom, _SharedFrom, _SharedStep,
        _SharedLenient, _SharedLatency, total=False):
    at: str
    type: str
    latency_per_byte: _Time
    clock_error: _Time
    strict: bool
    by: Literal["thread", "cpu"]
    p: float

class ClocksKeywords(_SharedLenient, _SharedWidth, _SharedLatency, total=False):
    type: str
    at: str
    drift: Literal["linear", "none", "pieces[=N]"]
    reference: str
    samples: Union[_Path, Sequence[_Path]]
    evidence: Literal["messages", "samples", "collectives"]
    fit: Literal["bounds", "least-squares"]
    median: int
    amortise: bool
    tick_factor: int
    groups: Literal["joined", "apart"]
    by: Literal["thread", "cpu"]

class HierarchiesKeywords(_SharedParts, _SharedFrom, _SharedStep, _SharedLenient, _SharedWidth,
        total=False):
    candidates: Union[_Path, Sequence[_Path]]
    all: bool
    by: Literal["thread", "cpu"]
    show: Union[str, Sequence[str]]

class SweepKeywords(_SharedPRaw, _SharedParts, _SharedZoom, _SharedFrom, _SharedStep,
        _SharedLenient, _SharedWidth, total=False):
    all: bool
    p: float
    by: Literal["thread", "cpu"]
    curves: Literal["rising", "falling"]

class GanttKeywords(_SharedPRaw, _SharedParts, _SharedZoom, _SharedFrom, _SharedStep,
        _SharedLenient, _SharedWidth, _SharedFrom2, total=False):
    stretch: bool
    align: str
    type: str
    links: int
    violations: bool
    show: Union[str, Sequence[str]]
    by: Literal["thread", "cpu"]
    p: float

class TreemapKeywords(_SharedPRaw, _SharedParts, _SharedFrom, _SharedStep, _SharedLenient,
        _SharedWidth, total=False):
    at: str
    depth: int
    area: str
    statistic: str
    by: Literal["thread", "cpu"]
    show: Union[str, Sequence[str]]

class SnapshotKeywords(_SharedPRaw, _SharedParts, _SharedZoom, _SharedFrom, _SharedStep,
        _SharedLenient, _SharedWidth, _SharedTexture, total=False):
    statistic: str
    by: Literal["thread", "cpu"]
    show: Union[str, Sequence[str]]
    curves: Literal["rising", "falling"]
    view: str
    type: str
