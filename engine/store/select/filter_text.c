/* What the filters let pass, in words. */
#include "store/select/type_filter.h"

#include "base/text.h"

static void add_names(oc_text *text, const char *word, const ocelotl_names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        oc_text_add(text, i > 0 ? ", " : text->length > 0 ? "; " : "");
        if (i == 0)
            oc_text_add(text, word);
        oc_text_add(text, names->names[i]);
    }
}

static void add_duration(oc_text *text, const ocelotl_trace *trace, const char *word, int64_t ticks)
{
    oc_text_format(text, "%s%s %.9g s", text->length > 0 ? "; " : "", word,
                   ocelotl_trace_seconds(trace, ticks));
}

ocelotl_status oc_describe_filters(char **words, const ocelotl_trace *trace,
                                   const ocelotl_selection *given)
{
    oc_text text = {0};
    oc_text_append(&text, "", 0);
    add_names(&text, "only ", &given->only);
    add_names(&text, "except ", &given->except);
    add_names(&text, "only resources ", &given->only_resources);
    add_names(&text, "except resources ", &given->except_resources);
    if (given->min_duration > 0)
        add_duration(&text, trace, "states of at least", given->min_duration);
    if (given->max_duration < INT64_MAX)
        add_duration(&text, trace, "states of at most", given->max_duration);
    add_names(&text, "where ", &given->where);
    const ocelotl_status status = text.failed ? oc_fail_memory() : oc_copy_utf8(words, text.bytes);
    oc_text_free(&text);
    return status;
}
