/* What was found in a trace by a text. */
#include "answer/answer.h"

#include "query/search.h"

static void add_found(oc_json *json, const ocelotl_found *found)
{
    static const char *const kinds[] = {"resource", "type", "value"};
    static const char *const matches[] = {"whole", "begin", "word", "inside", "letters"};
    oc_json_item(json, 0);
    oc_json_text(json, "kind", kinds[found->kind]);
    oc_json_text(json, "name", found->name);
    oc_json_text(json, found->kind == OCELOTL_FOUND_RESOURCE ? "path" : "of", found->place);
    oc_json_text(json, "match", matches[found->match]);
    oc_json_end_object(json);
}

/* Counts the first matches that fit into `most_bytes` bytes. */
static size_t count_told(const ocelotl_search *search, size_t most_bytes)
{
    size_t bytes = 0;
    for (size_t i = 0; i < search->count; i++) {
        oc_json json = {0};
        add_found(&json, &search->found[i]);
        bytes += json.out.text.length + 2;
        oc_text_free(&json.out.text);
        if (bytes > most_bytes)
            return i;
    }
    return search->count;
}

ocelotl_status ocelotl_search_write_json(const ocelotl_sink *sink, const ocelotl_trace *trace,
                                         const char *text, size_t most, size_t most_bytes)
{
    enum { FRAME = 64 }; /* what stands around the list */
    oc_json json = {.out = {.sink = sink}};
    ocelotl_search *search;
    OC_TRY(ocelotl_search_open(&search, trace, text, most));
    const size_t room = most_bytes > FRAME ? most_bytes - FRAME : 0;
    const size_t count = count_told(search, most_bytes > 0 ? room : SIZE_MAX);
    oc_json_object(&json, NULL);
    oc_json_count(&json, "total", search->total);
    oc_json_list(&json, "found");
    for (size_t i = 0; i < count; i++)
        add_found(&json, &search->found[i]);
    oc_json_end_list(&json);
    oc_json_end_object(&json);
    ocelotl_search_free(search);
    return oc_json_finish(&json, OCELOTL_OK);
}
