/* Times of any number of digits, as ticks. */
#include "importers/picl/reader.h"

#include <stdlib.h>

/* All times fit if the largest does. */
static ocelotl_status refine(picl_reader *reader, uint32_t digits)
{
    bool fits;
    const uint64_t factor = oc_power_of_ten(digits - reader->digits);
    if (!oc_multiply_time(&reader->largest, reader->largest, factor))
        return oc_fail(OCELOTL_ERROR_LIMIT, "a time is too large for the finest one");
    OC_TRY(oc_timelines_refine(&fits, &reader->timelines, factor));
    OC_TRY(oc_sorting_refine(reader->sends, factor));
    OC_TRY(oc_sorting_refine(reader->receives, factor));
    OC_TRY(ocelotl_writer_refine(reader->writer, factor));
    for (size_t i = 0; i < reader->row_count; i++) {
        picl_row *row = &reader->rows[i];
        row->first *= (int64_t)factor;
        row->last *= (int64_t)factor;
        row->time *= (int64_t)factor;
    }
    reader->digits = digits;
    return OCELOTL_OK;
}

ocelotl_status picl_read_time(int64_t *time, picl_reader *reader, const oc_decimal *decimal)
{
    if (decimal->digits > reader->digits)
        OC_TRY(refine(reader, decimal->digits));
    if (decimal->rounded)
        oc_oddities_note(&reader->oddities, PICL_FINE_TIME, reader->path, reader->line);
    if (!oc_decimal_ticks(time, decimal, reader->digits) || *time == INT64_MIN)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "the time is too large, expected less than 2^63 ticks of 10^-%u s",
                       reader->digits);
    if (llabs(*time) > reader->largest)
        reader->largest = llabs(*time);
    return OCELOTL_OK;
}
