"""Writing a trace.db."""
from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Dict, Mapping, Optional, Tuple

from ocelotl._calls import ArgumentError, call, encode, make
from ocelotl._native import ffi, lib

_CATEGORIES = {"event": lib.OCELOTL_EVENT, "state": lib.OCELOTL_STATE,
               "variable": lib.OCELOTL_VARIABLE, "link": lib.OCELOTL_LINK}

Attributes = Optional[Mapping[str, Any]]


class Writer:
    """Writes a trace.db, which is there at the end of ``with``, or not at all.

    Types, resources and values are numbers that the methods give. Times are in seconds, and kept as
    whole ticks; events of one resource and type come in order of time. What else an event carries
    is ``attributes``, a dictionary of texts or numbers by name.

    >>> import os, tempfile, ocelotl
    >>> path = os.path.join(tempfile.mkdtemp(), "run.db")
    >>> with ocelotl.Writer(path) as w:
    ...     rank = w.resource(w.resource_type("RANK"), "rank 0")
    ...     state = w.event_type("state", "MPI", "RANK")
    ...     w.push(rank, state, w.value(state, "MPI_Wait"), 0.5)
    ...     w.pop(rank, state, 1.5)
    >>> ocelotl.open(path).events()["duration"].tolist()
    [1.0]
    """

    def __init__(self, path: Any, tick: Any = Fraction(1, 10**9), name: Optional[str] = None,
                 overwrite: bool = False) -> None:
        self._tick = Fraction(str(tick)).limit_denominator(10**18)
        if self._tick <= 0:
            raise ArgumentError(f"tick is {tick}, expected a time above 0")
        options = ffi.new("ocelotl_writer_options *")
        options.size = ffi.sizeof("ocelotl_writer_options")
        options.tick_numerator = self._tick.numerator
        options.tick_denominator = self._tick.denominator
        options.overwrite = overwrite
        kept = ffi.NULL if name is None else ffi.new("char[]", encode(name))
        options.name = kept
        self._writer: Any = make("ocelotl_writer", lib.ocelotl_writer_free, lib.ocelotl_writer_open,
                                 encode(path), options)
        self._resource_types: Dict[str, int] = {}
        self._attributes: Dict[Tuple[int, str], int] = {}
        self._links: Dict[int, int] = {}

    def _held(self) -> Any:
        if self._writer is None:
            raise ArgumentError("the writer is closed, expected an open one")
        return self._writer

    def _ticks(self, seconds: Any) -> int:
        if isinstance(seconds, float) and not math.isfinite(seconds):
            raise ArgumentError(f"time is {seconds}, expected a finite number of seconds")
        ticks = round(Fraction(seconds) / self._tick)
        if not -2**63 <= ticks < 2**63:
            raise ArgumentError(f"time is {seconds} s, expected one within 2^63 ticks")
        return ticks

    def _declare(self, function: Any, *arguments: Any) -> int:
        made = ffi.new("uint32_t *")
        call(function, made, self._held(), *arguments)
        return int(made[0])

    def _record(self, function: Any, event_type: int, attributes: Attributes,
                *arguments: Any) -> None:
        """Calls a function, with what an event of a type carries as the last of its arguments."""
        carried = attributes or {}
        values = ffi.new("ocelotl_attribute_value[]", len(carried)) if carried else ffi.NULL
        kept = []
        for at, (name, value) in zip(values if carried else (), carried.items()):
            known = (event_type, name)
            if known not in self._attributes:
                self._attributes[known] = self._declare(lib.ocelotl_writer_attribute, event_type,
                                                        encode(name))
            at.attribute = self._attributes[known]
            if value is not None:
                written = str(value).encode("utf-8", "surrogateescape")
                kept.append(ffi.from_buffer(written))
                at.text, at.length = ffi.cast("char *", kept[-1]), len(written)
        call(function, *arguments, values, len(carried))
        del kept

    def _type(self, name: Optional[str]) -> int:
        if name is None:
            return int(lib.OCELOTL_ROOT)
        if name not in self._resource_types:
            raise ArgumentError(f"unknown type of resources {name!r}, expected one of "
                                f"{', '.join(self._resource_types) or 'none'}")
        return self._resource_types[name]

    def resource_type(self, name: str, parent: Optional[str] = None) -> str:
        """Declares a type of resources, below another; gives its name."""
        self._resource_types[name] = self._declare(lib.ocelotl_writer_resource_type,
                                                   self._type(parent), encode(name))
        return name

    def resource(self, type: str, name: str, parent: Optional[int] = None, begin: Any = 0) -> int:
        """Declares a resource, below another, alive from ``begin``."""
        above = lib.OCELOTL_ROOT if parent is None else parent
        return self._declare(lib.ocelotl_writer_resource, self._type(type), above, encode(name),
                             self._ticks(begin))

    def resource_end(self, resource: int, end: Any) -> None:
        """Ends a resource's life."""
        call(lib.ocelotl_writer_resource_end, self._held(), resource, self._ticks(end))

    def event_type(self, category: str, name: str, resource_type: Optional[str] = None,
                   colour: int = -1) -> int:
        """Declares a type of events: "state", "event", "variable" or "link"."""
        if category not in _CATEGORIES:
            raise ArgumentError(f"category is {category!r}, expected one of "
                                f"{', '.join(_CATEGORIES)}")
        return self._declare(lib.ocelotl_writer_event_type, _CATEGORIES[category],
                             self._type(resource_type), encode(name), colour)

    def value(self, event_type: int, name: str, colour: int = -1) -> int:
        """Declares a value of a type of events."""
        return self._declare(lib.ocelotl_writer_value, event_type, encode(name), colour)

    def push(self, resource: int, event_type: int, value: int, time: Any,
             attributes: Attributes = None) -> None:
        """Begins a state inside those that are open."""
        self._record(lib.ocelotl_writer_push, event_type, attributes, self._held(), resource,
                     event_type, value, self._ticks(time))

    def pop(self, resource: int, event_type: int, time: Any, attributes: Attributes = None) -> None:
        """Ends the innermost open state."""
        self._record(lib.ocelotl_writer_pop, event_type, attributes, self._held(), resource,
                     event_type, 0, self._ticks(time))

    def event(self, resource: int, event_type: int, time: Any, value: Optional[int] = None,
              attributes: Attributes = None) -> None:
        """Records an instant."""
        self._record(lib.ocelotl_writer_event, event_type, attributes, self._held(), resource,
                     event_type, lib.OCELOTL_NONE if value is None else value, self._ticks(time))

    def variable(self, resource: int, event_type: int, time: Any, value: float,
                 attributes: Attributes = None) -> None:
        """Gives a variable a new value from ``time`` on."""
        self._record(lib.ocelotl_writer_variable, event_type, attributes, self._held(), resource,
                     event_type, self._ticks(time), value)

    def link_begin(self, resource: int, event_type: int, time: Any, value: Optional[int] = None,
                   attributes: Attributes = None) -> int:
        """Begins a link; gives the number that ends it."""
        link = ffi.new("uint64_t *")
        self._record(lib.ocelotl_writer_link_begin, event_type, attributes, link, self._held(),
                     resource, event_type, lib.OCELOTL_NONE if value is None else value,
                     self._ticks(time))
        self._links[int(link[0])] = event_type
        return int(link[0])

    def link_end(self, link: int, resource: int, time: Any, attributes: Attributes = None) -> None:
        """Ends a link at another resource."""
        if attributes and link not in self._links:
            raise ArgumentError(f"link is {link}, expected one that is open")
        self._record(lib.ocelotl_writer_link_end, self._links.get(link, 0), attributes,
                     self._held(), link, resource, self._ticks(time))
        self._links.pop(link, None)

    def finish(self) -> None:
        """Ends what is open at the last instant, and puts the file at its place."""
        call(lib.ocelotl_writer_finish, self._held())
        self._writer = None

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, kind: Any, exception: Any, traceback: Any) -> None:
        if kind is None and self._writer is not None:
            self.finish()
        self._writer = None
