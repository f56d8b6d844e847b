/* The clocks of locations. What the archive says of their offsets the library applies to all times;
 * it is kept as notes of the locations, so that it can be seen what was done. */
#include "importers/otf2/import.h"

#include "base/memory.h"
#include "base/plain.h"

#include <inttypes.h>
#include <stdio.h>

enum { MOST_SAMPLES = 1000 }; /* of a location */

typedef struct reading {
    otf2_import *import;
    uint64_t location;
    uint64_t here; /* samples of the location */
    ocelotl_status status;
} reading;

static OTF2_CallbackCode on_offset(void *data, OTF2_TimeStamp time, int64_t offset,
                                   double deviation)
{
    reading *of = data;
    otf2_samples *samples = &of->import->samples;
    if (of->here++ >= MOST_SAMPLES) {
        samples->left_out++;
        return OTF2_CALLBACK_SUCCESS;
    }
    of->status =
        oc_arena_grow(&samples->samples, &samples->capacity, &of->import->definitions.arena,
                      samples->count + 1, sizeof *samples->samples);
    if (of->status != OCELOTL_OK)
        return OTF2_CALLBACK_INTERRUPT;
    samples->samples[samples->count++] = (otf2_sample){of->location, time, offset, deviation};
    return OTF2_CALLBACK_SUCCESS;
}

static ocelotl_status read_location(reading *of, OTF2_DefReaderCallbacks *callbacks)
{
    uint64_t count = 0;
    otf2_import *import = of->import;
    OTF2_Reader *reader = import->archive.reader;
    OTF2_DefReader *local = OTF2_Reader_GetDefReader(
        reader, import->definitions.locations.items[of->location].reference);
    if (local == NULL)
        return OCELOTL_OK;
    OTF2_ErrorCode code = OTF2_Reader_RegisterDefCallbacks(reader, local, callbacks, of);
    if (code == OTF2_SUCCESS)
        code = OTF2_Reader_ReadAllLocalDefinitions(reader, local, &count);
    if (code != OTF2_SUCCESS && of->status == OCELOTL_OK)
        oc_oddities_note(&import->oddities, OC_OTF2_NO_LOCAL_DEFINITIONS,
                         import->paths[of->location], 0);
    OTF2_Reader_CloseDefReader(reader, local);
    return of->status;
}

/* Without definitions of its own, a location's numbers are taken as those of the archive. */
static void note_missing(otf2_import *import)
{
    const otf2_table *locations = &import->definitions.locations;
    uint64_t missing = 0;
    uint64_t there = 0;
    for (size_t i = 0; i < locations->count; i++) {
        const bool lacks = otf2_archive_lacks_own(&import->archive, locations->items[i].reference);
        missing += lacks && import->sizes[i] > 0;
        there += !lacks;
    }
    if (there > 0)
        import->oddities.counts[OC_OTF2_LOCAL_DEFINITIONS_MISSING] += missing;
}

ocelotl_status otf2_clocks_read(otf2_import *import)
{
    const otf2_table *locations = &import->definitions.locations;
    for (size_t i = 0; i < locations->count; i++)
        OTF2_Reader_SelectLocation(import->archive.reader, locations->items[i].reference);
    note_missing(import);
    OTF2_DefReaderCallbacks *callbacks = OTF2_DefReaderCallbacks_New();
    if (callbacks == NULL)
        return oc_fail_memory();
    OTF2_DefReaderCallbacks_SetClockOffsetCallback(callbacks, on_offset);
    ocelotl_status status = OCELOTL_OK;
    if (OTF2_Reader_OpenDefFiles(import->archive.reader) == OTF2_SUCCESS) {
        for (size_t i = 0; status == OCELOTL_OK && i < locations->count; i++)
            status = read_location(&(reading){.import = import, .location = i}, callbacks);
        OTF2_Reader_CloseDefFiles(import->archive.reader);
    }
    OTF2_DefReaderCallbacks_Delete(callbacks);
    return status;
}

ocelotl_status otf2_clocks_write(otf2_import *import)
{
    const otf2_samples *samples = &import->samples;
    uint64_t number = 0;
    for (size_t i = 0; i < samples->count; i++) {
        char name[40];
        char text[120];
        char deviation[40];
        int64_t tick;
        const otf2_sample *sample = &samples->samples[i];
        int64_t offset = sample->offset;
        number = i > 0 && sample->location == sample[-1].location ? number + 1 : 0;
        if (!otf2_timing_tick(&tick, &import->timing, sample->time) ||
            !otf2_timing_scale(&offset, &import->timing))
            continue;
        oc_plain_print(deviation, sizeof deviation, "%.17g", sample->deviation);
        snprintf(name, sizeof name, "clock.sample.%" PRIu64, number);
        snprintf(text, sizeof text, "%" PRId64 " %" PRId64 " %s", tick, offset, deviation);
        OC_TRY(ocelotl_writer_resource_note(
            import->writer, import->places.locations[sample->location], name, text));
    }
    OC_TRY(oc_kinds_count(&import->kinds, "CLOCK_OFFSET", OCELOTL_FATE_ATTRIBUTE, samples->count,
                          NULL));
    return oc_kinds_count(&import->kinds, "CLOCK_OFFSET", OCELOTL_FATE_LEFT_OUT, samples->left_out,
                          "applied, and more than 1000 of a location");
}
