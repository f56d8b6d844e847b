/* What of a trace's events is to be shown: of a model (ocelotl_model_options has the same filters),
 * of statistics, of drawables and of a listing of events. Filters never change the trace, and
 * compose: what is shown passes all of them. */
#ifndef OCELOTL_FILTER_H
#define OCELOTL_FILTER_H

#include <ocelotl/selection.h>
#include <ocelotl/trace.h>
#include <ocelotl/work.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A pattern is a name, or has `*`, `?` and [..] in it as SQLite's GLOB; in a path, `*` passes over
 * `/`. */
typedef struct ocelotl_filter {
    size_t size; /* sizeof(ocelotl_filter), set by the initialiser */

    /* Shown are event types or values whose name matches one of `only`, if there are any, and none
     * of `except`. */
    ocelotl_names only, except;

    /* Of the resources the same by path, where a match holds for all below it, too. */
    ocelotl_names only_resources, except_resources;

    /* Of states those that last, as a whole, so many ticks; 0 and INT64_MAX: all. */
    int64_t min_duration, max_duration;

    /* Conditions on what events carry beside their value, at most 64: "NAME OP VALUE" each, where
     * OP is one of = != < <= > >= and blanks around it are no part of the others. NAME is an
     * attribute of some event of the trace (of links, "Key" is their key). An event type of which
     * no event carries it is left alone; of any other, shown are the events that carry it and meet
     * the condition. Numbers (a finite decimal, with an exponent or without) are compared as
     * numbers, as doubles; where VALUE or what is carried is none, `=` and `!=` compare texts, of
     * which VALUE may be a pattern, and the others hold for nothing. What a link carries at its
     * beginning and at its end counts alike; of an attribute that is carried twice, both have to
     * meet the condition. */
    ocelotl_names where;
} ocelotl_filter;

#define OCELOTL_FILTER_INIT                                                               \
    {                                                                                     \
        sizeof(ocelotl_filter), {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, 0, INT64_MAX, \
        {                                                                                 \
            NULL, 0                                                                       \
        }                                                                                 \
    }

#ifdef __cplusplus
}
#endif
#endif
