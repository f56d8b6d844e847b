/* Nesting that no program has, or few: whatever the format, an end was missed. */
#include "store/write/writer.h"

#include "base/text.h"

enum { OC_DEEPEST_USUAL = 1024 };

/* Streams of one oddity, and the worst of them. */
typedef struct nesting {
    const char *kind;
    uint64_t count;
    double worst; /* how deep; or how many times as long as the resource lives */
    uint32_t stream, value;
} nesting;

static void note_nesting(nesting *found, double worse, uint32_t stream, uint32_t value)
{
    found->count++;
    if (worse > found->worst)
        *found = (nesting){found->kind, found->count, worse, stream, value};
}

/* Looks at the states of one resource. Time in a value counts in each state of that value, so it is
 * longer than the resource lives only where they are inside each other. */
static void look_at_nesting(nesting found[2], const ocelotl_writer *writer, uint32_t index)
{
    const oc_writer_stream *stream = &writer->streams[index];
    const oc_fold *fold = stream->fold;
    const int64_t born = writer->resources[stream->resource].begin;
    const int64_t begin = born < stream->begin ? born : stream->begin;
    const oc_total *longest = NULL;
    if (fold == NULL || stream->role != OC_ROLE_STATES)
        return;
    if (fold->deepest > OC_DEEPEST_USUAL)
        note_nesting(&found[0], (double)fold->deepest, index, OCELOTL_NONE);
    for (size_t i = 0; i < fold->total_count; i++)
        if (longest == NULL || fold->totals[i].closed > longest->closed)
            longest = &fold->totals[i];
    if (longest != NULL && longest->closed > stream->end - begin)
        note_nesting(&found[1], (double)longest->closed / (double)(stream->end - begin), index,
                     longest->value);
}

static void describe_nesting(oc_text *detail, const ocelotl_writer *writer, const nesting *found)
{
    const oc_writer_stream *stream = &writer->streams[found->stream];
    const bool has_value = found->value < writer->value_count;
    oc_text_format(detail, has_value ? "%.3g times as long, \"%s\" of " : "%.0f deep%s, ",
                   found->worst, has_value ? writer->values[found->value].name : "");
    oc_text_format(detail, "type \"%s\" in \"%s\"", writer->event_types[stream->event_type].name,
                   writer->resources[stream->resource].name);
}

ocelotl_status oc_writer_warn_of_nesting(ocelotl_writer *writer)
{
    nesting found[2] = {{.kind = "states more than 1024 deep in each other (kept)"},
                        {.kind = "states of one name in each other, in sum longer than their "
                                 "resource lives (each counts)"}};
    for (uint32_t s = 0; s < writer->stream_count; s++)
        look_at_nesting(found, writer, s);
    for (size_t i = 0; i < 2; i++) {
        oc_text detail = {0};
        /* A copy has the warnings of its original. */
        if (found[i].count == 0 ||
            oc_writer_find_warning(writer, found[i].kind) < writer->warning_count)
            continue;
        describe_nesting(&detail, writer, &found[i]);
        const ocelotl_status status =
            detail.failed
                ? oc_fail_memory()
                : ocelotl_writer_warning(writer, found[i].kind, found[i].count, detail.bytes);
        oc_text_free(&detail);
        OC_TRY(status);
    }
    return OCELOTL_OK;
}
