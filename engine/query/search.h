/* Finds resources, event types and values of a trace by parts of their names. */
#ifndef OC_QUERY_SEARCH_H
#define OC_QUERY_SEARCH_H

#include <ocelotl/trace.h>

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

/* A match before its texts are wanted. */
struct oc_candidate;

typedef struct ocelotl_search {
    const ocelotl_trace *trace;
    struct oc_candidate *candidates;
    size_t count, capacity;
    uint64_t total; /* how much answers to the text in all, `most` or not */
    ocelotl_found *found;
    char **places; /* of what was found, those that are the search's own */
} ocelotl_search;

/* Finds at most `most` of what answers to a text, 0: 200. Names count; a text with "/" in it is
 * sought in the paths of resources. Better matches come first; of equals resources, then event
 * types, then values, each the shortest name first, then in the order of the trace. An empty text
 * finds nothing. The trace must outlive the search. O(bytes of all names + found log found).
 * Errors: MEMORY. */
ocelotl_status ocelotl_search_open(ocelotl_search **search, const ocelotl_trace *trace,
                                   const char *text, size_t most);
void ocelotl_search_free(ocelotl_search *search);

#endif
