/* Records for a stream of a writer. */
#include "store/copy/copying.h"

/* Counts as the public functions of the writer do. */
static void count(ocelotl_writer *writer, uint32_t index, const oc_record *record, bool is_step)
{
    const oc_writer_stream *stream = &writer->streams[index];
    oc_writer_event_type *type = &writer->event_types[stream->event_type];
    const bool half =
        oc_record_has_partner(record, stream->role) && record->partner == OCELOTL_NONE;
    type->unmatched += half;
    if (stream->role == OC_ROLE_LINKS_IN) {
        type->count += half;
        if (half && record->value != OCELOTL_NONE)
            writer->values[record->value].count++;
    } else {
        type->count += !record->ends && is_step;
    }
}

ocelotl_status oc_copy_record(ocelotl_writer *writer, uint32_t stream, const oc_record *record,
                              const oc_writer_attributes *attributes)
{
    const oc_writer_stream *to = &writer->streams[stream];
    const bool is_step =
        to->role != OC_ROLE_VARIABLE || to->count == 0 || to->packing.end != record->time;
    OC_TRY(oc_writer_append(writer, stream, record, attributes));
    count(writer, stream, record, is_step);
    return OCELOTL_OK;
}
