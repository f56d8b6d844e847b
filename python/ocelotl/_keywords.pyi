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
    counter_step: bool
    group_types: Union[str, Sequence[str]]
    type_level: Union[int, Literal["auto"]]
    most_types: int
    nesting_depth: int
    max_groups: int
    regroup: bool
    drop_level: Union[str, Sequence[str]]
    group: Union[str, Sequence[str]]
    reuse_rows: bool
    max_leaves: int
    fold: Union[str, Sequence[str]]
    order: Literal["trace", "name", "begin", "activity", "traffic"]
    slices: int
    kind: Literal["spatiotemporal", "temporal", "spatial"]
    state_type: Union[str, Sequence[str]]
    untraced: Literal["type", "ignore"]

class _SharedFrom(TypedDict, total=False):
    from_: _Time
    to: _Time
    resource: Union[str, Sequence[str]]
    only: Union[str, Sequence[str]]
    except_: Union[str, Sequence[str]]
    only_resources: Union[str, Sequence[str]]
    except_resources: Union[str, Sequence[str]]
    type_tree: _Path
    nesting: Literal["innermost", "inclusive"]

class _SharedRate(TypedDict, total=False):
    rate: bool
    statistic: str
    background: Union[str, Sequence[str]]

class _SharedAttribute(TypedDict, total=False):
    attribute: str
    pair: str

class _SharedPlain(TypedDict, total=False):
    plain: bool
    whole: bool

class _SharedLenient(TypedDict, total=False):
    lenient: bool
    time_unit: Literal["s", "ms", "us", "ns"]
    by: Literal["thread", "cpu"]
    value: Literal["level", "function", "region", "paradigm", "role", "callpath"]
    stacks: bool
    collectives: bool
    fold_names: str
    threads: int
    no_cache: bool

class _SharedCounter(TypedDict, total=False):
    counter: Union[str, Sequence[str]]
    increment: Union[str, Sequence[str]]

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

class _SharedEfficiency(TypedDict, total=False):
    efficiency: bool
    counter: str
    placement: _Time

class _SharedFrom2(TypedDict, total=False):
    from2: _Time
    to2: _Time

class _SharedLatency(TypedDict, total=False):
    latency: _Time
    max_drift: str

class OverviewKeywords(_SharedPRaw, _SharedParts, _SharedFrom, _SharedRate, _SharedAttribute,
        _SharedPlain, _SharedLenient, _SharedCounter, _SharedWidth, _SharedTexture, total=False):
    part: Union[_Part, Sequence[_Part]]
    move: str
    columns: str
    show: Union[str, Sequence[str]]
    curves: Literal["rising", "falling"]
    notes: bool
    view: str
    type: str

class StatsKeywords(_SharedPRaw, _SharedParts, _SharedFrom, _SharedAttribute, _SharedPlain,
        _SharedLenient, _SharedWidth, _SharedEfficiency, total=False):
    at: str
    type: str
    of: Literal["lives", "leaves", "active"]
    quantiles: bool
    extremes: bool
    p: float
    part: Union[_Part, Sequence[_Part]]
    move: str
    columns: str
    show: Union[str, Sequence[str]]

class DurationsKeywords(_SharedPRaw, _SharedParts, _SharedFrom, _SharedAttribute, _SharedPlain,
        _SharedLenient, _SharedWidth, _SharedEfficiency, _SharedFrom2, total=False):
    at: str
    type: str
    over_time: int
    p: float
    part: Union[_Part, Sequence[_Part]]
    move: str
    columns: str
    show: Union[str, Sequence[str]]

class EventsKeywords(_SharedPRaw, _SharedParts, _SharedFrom, _SharedAttribute, _SharedPlain,
        _SharedLenient, _SharedCounter, total=False):
    type: str
    p: float
    part: Union[_Part, Sequence[_Part]]
    columns: str

class SeriesKeywords(_SharedFrom, _SharedAttribute, _SharedLenient, _SharedCounter, _SharedWidth,
        total=False):
    at: str
    reduce: Literal["count", "sum", "mean", "min", "max"]
    in_flight: Literal["count", "bytes", "rate", "slowdown"]
    owner: str
    side: Literal["sender", "receiver", "pair", "through"]
    only_above: float
    variable: Union[str, Sequence[str]]
    state_type: str
    move: str
    columns: str

class CompareKeywords(_SharedPRaw, _SharedParts, _SharedFrom, _SharedAttribute, _SharedLenient,
        _SharedCounter, _SharedWidth, _SharedFrom2, total=False):
    stretch: bool
    view: str
    type: str
    p: float
    map: Union[str, Sequence[str]]
    columns: str
    show: Union[str, Sequence[str]]

class CheckKeywords(_SharedPRaw, _SharedParts, _SharedFrom, _SharedAttribute, _SharedLenient,
        _SharedCounter, _SharedWidth, total=False):
    stretch: bool
    max_loss: str
    max_time: str
    p: float
    map: Union[str, Sequence[str]]
    columns: str
    show: Union[str, Sequence[str]]

class MatrixKeywords(_SharedPRaw, _SharedParts, _SharedFrom, _SharedAttribute, _SharedPlain,
        _SharedLenient, _SharedCounter, _SharedWidth, total=False):
    type: str
    at: str
    receivers: str
    cell: Literal["count", "bytes", "mean", "least", "bandwidth", "in-flight", "violations"]
    linear: bool
    p: float
    part: Union[_Part, Sequence[_Part]]
    move: str

class CausalityKeywords(_SharedPRaw, _SharedParts, _SharedFrom, _SharedAttribute, _SharedPlain,
        _SharedLenient, _SharedCounter, _SharedLatency, total=False):
    type: str
    latency_per_byte: _Time
    clock_error: _Time
    strict: bool
    collective: Union[str, Sequence[str]]
    at: str
    p: float
    part: Union[_Part, Sequence[_Part]]
    move: str
    columns: str

class ClocksKeywords(_SharedLenient, _SharedCounter, _SharedWidth, _SharedLatency, total=False):
    type: str
    collective: Union[str, Sequence[str]]
    at: str
    drift: Literal["linear", "none", "pieces[=N]"]
    reference: str
    between: str
    samples: Union[_Path, Sequence[_Path]]
    evidence: Literal["messages", "samples", "collectives"]
    amortise: bool
    tick_factor: int
    groups: Literal["joined", "apart"]
    columns: str

class CorrectKeywords(_SharedAttribute, _SharedLenient, _SharedCounter, total=False):
    type: str
    collective: Union[str, Sequence[str]]
    cost: Union[str, Sequence[str]]
    cost_attribute: str
    cost_at: Literal["both", "end"]
    model: Union[str, Sequence[str]]
    rendezvous_above: str
    arrived: str
    transit: str
    simulate: Literal["few", "all"]
    check: bool
    bounds: bool
    reference_time: _Time
    predict: bool
    copy: str
    speed: Union[str, Sequence[str]]
    without: Union[str, Sequence[str]]
    what_if: Union[str, Sequence[str]]
    at: str
    columns: str

class HierarchiesKeywords(_SharedParts, _SharedFrom, _SharedAttribute, _SharedLenient,
        _SharedCounter, _SharedWidth, total=False):
    candidates: Union[_Path, Sequence[_Path]]
    all: bool
    move: str
    columns: str
    show: Union[str, Sequence[str]]

class SweepKeywords(_SharedPRaw, _SharedParts, _SharedFrom, _SharedAttribute, _SharedPlain,
        _SharedLenient, _SharedCounter, _SharedWidth, total=False):
    all: bool
    p: float
    part: Union[_Part, Sequence[_Part]]
    move: str
    columns: str
    curves: Literal["rising", "falling"]

class GanttKeywords(_SharedPRaw, _SharedParts, _SharedFrom, _SharedAttribute, _SharedPlain,
        _SharedLenient, _SharedCounter, _SharedWidth, _SharedFrom2, total=False):
    at: str
    type: str
    stretch: bool
    align_event: str
    p: float
    part: Union[_Part, Sequence[_Part]]
    move: str
    columns: str
    links: int
    violations: bool
    colour_by: str
    source: str
    critical_path: bool
    show: Union[str, Sequence[str]]

class TreemapKeywords(_SharedPRaw, _SharedParts, _SharedFrom, _SharedRate, _SharedAttribute,
        _SharedPlain, _SharedLenient, _SharedCounter, _SharedWidth, total=False):
    at: str
    depth: int
    area: str
    move: str
    columns: str
    show: Union[str, Sequence[str]]

class SnapshotKeywords(_SharedPRaw, _SharedParts, _SharedFrom, _SharedRate, _SharedAttribute,
        _SharedPlain, _SharedLenient, _SharedCounter, _SharedWidth, _SharedTexture, total=False):
    part: Union[_Part, Sequence[_Part]]
    move: str
    columns: str
    show: Union[str, Sequence[str]]
    curves: Literal["rising", "falling"]
    view: str
    type: str
