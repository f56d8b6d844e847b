/* The part of a trace that a question is about: a window, resources, and filters.
 *
 * Models, statistics, drawables, derived series and listings of events have it as a member of their
 * options. Zero is the default of each member and leaves the whole trace. A selection never changes
 * the trace. An event is selected if it passes the window, the resources and all filters. */
#ifndef OCELOTL_SELECTION_H
#define OCELOTL_SELECTION_H

#include <ocelotl/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What of a trace is chosen. A pattern is a name, or has `*`, `?` and [..] in it as SQLite's GLOB;
 * in a path, `*` also matches `/`. */
typedef struct ocelotl_selection {
    /* The window in ticks, `to` excluded. INT64_MIN and INT64_MAX are the ends of the trace, and
     * from == to == 0 is the whole of it. What happens in the last instant of the trace belongs to
     * a window that ends there. A window with from > to is an error. Any other with from == to
     * lasts no time: models and derived series refuse it, events give what lasts over that
     * instant, statistics and drawables give nothing of it. */
    int64_t from, to;

    /* The resources by path, each with all below it: the union of those named. None: all. The path
     * "" is the whole trace, and "a/." is what happens in a itself. */
    ocelotl_names resources;

    /* Event types and values whose name matches one of `only`, if given, and none of `except`. */
    ocelotl_names only, except;

    /* Selects resources by path in the same way. A match holds for all below it, too. */
    ocelotl_names only_resources, except_resources;

    /* Selects states by how long they last as a whole, in ticks, both bounds included.
     * `max_duration` 0: no upper bound; below 0: only states that last no time. */
    int64_t min_duration, max_duration;

    /* Conditions on attributes, at most 64: "NAME OP VALUE" each, where OP is one of = != < <= >
     * >=; blanks around it belong to neither side. NAME is an attribute of some event of the trace
     * (for links, "Key" is their key). An event type passes whole if none of its events carries
     * NAME; of any other, the events pass that carry it and meet the condition. Numbers (a finite
     * decimal, with or without an exponent) compare as doubles. If VALUE or the attribute is no
     * number, `=` and `!=` compare texts, VALUE may be a pattern, and the other operators never
     * hold. Attributes at a link's begin and at its end count alike; if an event carries NAME
     * twice, both values must meet the condition. */
    ocelotl_names where;
} ocelotl_selection;

#ifdef __cplusplus
}
#endif
#endif
