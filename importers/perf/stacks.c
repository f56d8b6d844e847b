/* Stacks as nested states: a sample lasts to the next one of its thread, or as long as samples are
 * apart, and what two of them have in common goes on. */
#include "importers/perf/reader.h"

#include "base/memory.h"

#include <string.h>

static ocelotl_status pop(perf_reader *reader, perf_thread *thread, size_t depth, int64_t time)
{
    while (thread->open_count > depth) {
        thread->open_count--;
        OC_TRY(ocelotl_writer_pop(reader->ingest.writer, thread->resource,
                                  reader->stacks.declared - 1, 0, time, NULL, 0));
    }
    return OCELOTL_OK;
}

/* How long the last sample of a thread lasts, at most. */
static int64_t end_of(const perf_reader *reader, const perf_thread *thread)
{
    const int64_t end = perf_life_end(reader, thread);
    return thread->sampled > end - reader->gap ? end : thread->sampled + reader->gap;
}

/* The values of the frames of a stack, the outermost first. */
static ocelotl_status find_values(size_t *count, perf_reader *reader, perf_text stack)
{
    *count = 0;
    for (const char *end = stack.bytes + stack.length; end > stack.bytes;) {
        const char *begin = end;
        perf_text object;
        while (begin > stack.bytes && begin[-1] != '\n')
            begin--;
        OC_TRY(
            oc_grow(&reader->values, &reader->value_capacity, *count + 1, sizeof *reader->values));
        OC_TRY(perf_frame_name(&object, reader, begin, end));
        OC_TRY(perf_find_value(&reader->values[(*count)++], reader, &reader->stacks,
                               reader->key.bytes, reader->key.length));
        end = begin > stack.bytes ? begin - 1 : begin;
    }
    return OCELOTL_OK;
}

ocelotl_status perf_write_stack(perf_reader *reader, uint32_t number, int64_t time, perf_text stack)
{
    perf_thread *thread = &reader->threads[number];
    size_t count;
    size_t common = 0;
    OC_TRY(perf_declare_type(reader, &reader->stacks, OCELOTL_STATE, reader->thread_type, "Stack"));
    OC_TRY(find_values(&count, reader, stack));
    if (thread->open_count > 0 && time - thread->sampled > 2 * reader->gap)
        OC_TRY(pop(reader, thread, 0, end_of(reader, thread)));
    while (common < count && common < thread->open_count &&
           thread->open[common] == reader->values[common])
        common++;
    OC_TRY(pop(reader, thread, common, time));
    OC_TRY(oc_grow(&thread->open, &thread->open_capacity, count, sizeof *thread->open));
    for (; thread->open_count < count; thread->open_count++) {
        thread->open[thread->open_count] = reader->values[thread->open_count];
        OC_TRY(ocelotl_writer_push(reader->ingest.writer, thread->resource,
                                   reader->stacks.declared - 1, thread->open[thread->open_count],
                                   time, NULL, 0));
    }
    thread->sampled = time;
    return OCELOTL_OK;
}

ocelotl_status perf_end_stacks(perf_reader *reader)
{
    for (size_t i = 0; i < reader->thread_count; i++)
        if (reader->threads[i].open_count > 0)
            OC_TRY(pop(reader, &reader->threads[i], 0, end_of(reader, &reader->threads[i])));
    return OCELOTL_OK;
}
