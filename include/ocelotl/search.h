/* Finds resources, event types and values of a trace by parts of their names. */
#ifndef OCELOTL_SEARCH_H
#define OCELOTL_SEARCH_H

#include <ocelotl/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ocelotl_found_kind {
    OCELOTL_FOUND_RESOURCE = 0,
    OCELOTL_FOUND_EVENT_TYPE = 1,
    OCELOTL_FOUND_VALUE = 2
} ocelotl_found_kind;

/* How a name answers to a text, the best first. The case of letters from A to Z does not count. */
typedef enum ocelotl_match {
    OCELOTL_MATCH_WHOLE = 0,  /* it is the text, */
    OCELOTL_MATCH_BEGIN = 1,  /* begins with it, */
    OCELOTL_MATCH_WORD = 2,   /* has a word that begins with it, */
    OCELOTL_MATCH_INSIDE = 3, /* has it somewhere, */
    OCELOTL_MATCH_LETTERS = 4 /* or has all of its letters, in their order */
} ocelotl_match;

typedef struct ocelotl_found {
    ocelotl_found_kind kind;
    uint32_t index; /* of the resource, event type or value, in the trace */
    ocelotl_match match;
    const char *name;
    /* the path of a resource, the shortest spelling of an event type, and of a value that of its
     * event type; it lives as long as the search */
    const char *place;
} ocelotl_found;

typedef struct ocelotl_search ocelotl_search;

/* Finds at most `most` of what answers to a text, 0: 200. Names count; a text with "/" in it is
 * sought in the paths of resources. Better matches come first; of equals resources, then event
 * types, then values, each the shortest name first, then in the order of the trace. An empty text
 * finds nothing. The trace must outlive the search. O(bytes of all names + found log found).
 * Errors: MEMORY. */
OCELOTL_API ocelotl_status ocelotl_search_open(ocelotl_search **search, const ocelotl_trace *trace,
                                               const char *text, size_t most);
OCELOTL_API void ocelotl_search_free(ocelotl_search *search);

/* What was found, by index below the count; zeros and "" beyond. O(1). */
OCELOTL_API size_t ocelotl_search_count(const ocelotl_search *search);
OCELOTL_API ocelotl_found ocelotl_search_at(const ocelotl_search *search, size_t index);

/* How much answers to the text in all, `most` or not. O(1). */
OCELOTL_API uint64_t ocelotl_search_total(const ocelotl_search *search);

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
