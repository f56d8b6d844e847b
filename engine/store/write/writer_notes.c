/* What a writer knows of the whole trace beside its source: how clocks of files were aligned, and
 * what the trace was made of by setting clocks right. */
#include "store/write/writer.h"

#include "base/memory.h"
#include "store/file/tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ocelotl_status oc_writer_note_add(ocelotl_writer *writer, const char *key, const char *text)
{
    char *own_key = NULL;
    char *own_text = NULL;
    OC_TRY(oc_grow(&writer->notes, &writer->note_capacity, writer->note_count + 1,
                   sizeof *writer->notes));
    ocelotl_status status = oc_copy_utf8(&own_key, key);
    if (status == OCELOTL_OK)
        status = oc_copy_utf8(&own_text, text);
    if (status != OCELOTL_OK) {
        free(own_key);
        return status;
    }
    writer->notes[writer->note_count++] = (oc_writer_note){own_key, own_text};
    return OCELOTL_OK;
}

/* Adds one of several notes of a key, under its number. */
static ocelotl_status add_numbered(ocelotl_writer *writer, const char *key, uint32_t *count,
                                   const oc_text *text)
{
    char numbered[32];
    if (text->failed)
        return oc_fail_memory();
    snprintf(numbered, sizeof numbered, "%s%" PRIu32, key, *count);
    OC_TRY(oc_writer_note_add(writer, numbered, text->bytes));
    ++*count;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_aligned(ocelotl_writer *writer, const char *file, const char *how)
{
    oc_text text = {0};
    OC_TRY(oc_writer_check(writer));
    oc_text_format(&text, "%s: %s", file, how);
    const ocelotl_status status =
        add_numbered(writer, OC_STORE_ALIGNED_KEY, &writer->aligned_count, &text);
    oc_text_free(&text);
    return status;
}

ocelotl_status ocelotl_writer_derived(ocelotl_writer *writer, const char *uid, const char *how)
{
    OC_TRY(oc_writer_check(writer));
    if (strchr(uid, '\n') != NULL || (how != NULL && strchr(how, '\n') != NULL))
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "a derivation has several lines, expected one");
    for (size_t i = 0; i < writer->note_count; i++)
        if (strcmp(writer->notes[i].key, OC_STORE_DERIVED_KEY) == 0)
            return oc_fail(OCELOTL_ERROR_ARGUMENT, "the trace is derived twice, expected it once");
    OC_TRY(oc_writer_note_add(writer, OC_STORE_DERIVED_KEY, uid));
    return how != NULL ? oc_writer_note_add(writer, OC_STORE_DERIVATION_KEY, how) : OCELOTL_OK;
}

ocelotl_status ocelotl_writer_clock(ocelotl_writer *writer, const ocelotl_set_clock *clock)
{
    oc_text text = {0};
    OC_TRY(oc_writer_check(writer));
    if (!isfinite(clock->offset) || !isfinite(clock->drift) || !(clock->bound >= 0))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "clock %" PRIu32 " has the offset %g, the drift %g and the bound %g, "
                       "expected numbers, and a bound of at least 0",
                       writer->clock_count, clock->offset, clock->drift, clock->bound);
    oc_text_format(&text, "%s;%.17g;%.17g;", clock->path, clock->offset, clock->drift);
    if (isfinite(clock->bound))
        oc_text_format(&text, "%.17g", clock->bound);
    oc_text_format(&text, ";%" PRIu64 ";%" PRIu64 ";%" PRIu32, clock->samples, clock->messages,
                   clock->group);
    const ocelotl_status status =
        add_numbered(writer, OC_STORE_CLOCK_KEY, &writer->clock_count, &text);
    oc_text_free(&text);
    return status;
}
