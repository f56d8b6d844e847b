/* Finds resources, event types and values of a trace by parts of their names. */
#ifndef OCELOTL_SEARCH_H
#define OCELOTL_SEARCH_H

#include <ocelotl/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ocelotl_search ocelotl_search;

/* Finds at most `most` of what answers to a text, 0: 200. Names count; a text with "/" in it is
 * sought in the paths of resources. Better matches come first; of equals resources, then event
 * types, then values, each the shortest name first, then in the order of the trace. An empty text
 * finds nothing. The trace must outlive the search. O(bytes of all names + found log found).
 * Errors: MEMORY. */
OCELOTL_API ocelotl_status ocelotl_search_open(ocelotl_search **search, const ocelotl_trace *trace,
                                               const char *text, size_t most);
OCELOTL_API void ocelotl_search_free(ocelotl_search *search);

/* What a name of a selection stands for. */
typedef enum ocelotl_name_kind {
    OCELOTL_NAME_TYPE = 0,     /* event types and values, as in `only` */
    OCELOTL_NAME_RESOURCE = 1, /* a path, as in `resources` */
    OCELOTL_NAME_PATTERN = 2   /* resources by path or glob, as in `only_resources` */
} ocelotl_name_kind;

/* Finds the names that stand for nothing of a trace, into `unknown`, which has room for each. The
 * trace belongs to the calling thread. O(names x (types + values) + resources), of patterns
 * O(names x resources). Errors: ARGUMENT (a name is NULL), MEMORY. */
OCELOTL_API ocelotl_status ocelotl_trace_find_unknown(bool *unknown, ocelotl_trace *trace,
                                                      const ocelotl_names *names,
                                                      ocelotl_name_kind kind);

#ifdef __cplusplus
}
#endif
#endif
