/* Archives: opens each, looks at them if several are given, and closes them. */
#include "importers/otf2/feeding.h"

#include "base/memory.h"

#include <stdlib.h>

/* Whether the archive knows the absolute time of tick 0. */
bool otf2_has_epoch(const otf2_definitions *definitions)
{
    return definitions->has_clock && definitions->epoch != OTF2_UNDEFINED_TIMESTAMP &&
           definitions->epoch != 0 && definitions->epoch <= INT64_MAX;
}

/* --- Opening and closing */

static ocelotl_status make_tables(otf2_import *import)
{
    const size_t locations = import->definitions.locations.count;
    import->type_count = OC_OTF2_FIRST_METRIC + import->definitions.metrics.count;
    OC_TRY(oc_allocate(&import->types, import->type_count, sizeof *import->types));
    for (size_t i = 0; i < import->type_count; i++)
        import->types[i].id = OCELOTL_NONE;
    OC_TRY(oc_allocate(&import->paths, locations, sizeof *import->paths));
    OC_TRY(oc_allocate(&import->sizes, locations, sizeof *import->sizes));
    OC_TRY(oc_allocate(&import->ends, locations, sizeof *import->ends));
    OC_TRY(oc_allocate(&import->last, locations, sizeof *import->last));
    for (size_t i = 0; i < locations; i++) {
        import->ends[i] = INT64_MIN;
        import->last[i] = INT64_MIN;
        OC_TRY(otf2_archive_events(&import->paths[i], &import->sizes[i], &import->archive,
                                   import->definitions.locations.items[i].reference));
        import->bytes += import->sizes[i];
    }
    return OCELOTL_OK;
}

/* Opens an archive. In an import of several, a tick is a nanosecond, as each may have its own
 * clock. */
ocelotl_status otf2_open(otf2_import *import, size_t number)
{
    otf2_definitions *definitions = &import->definitions;
    OC_TRY(otf2_archive_open(&import->archive, &import->import->sources[number]));
    OC_TRY(otf2_archive_check_definitions(&import->archive));
    definitions->kinds = &import->kinds;
    definitions->by = import->import->options->value;
    const ocelotl_status status = otf2_definitions_read(definitions, import->archive.reader);
    if (status != OCELOTL_OK)
        return oc_fail_within(status, "%s", import->archive.definitions);
    if (definitions->locations.count == 0)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: defines no location, expected one with events",
                       import->archive.anchor);
    definitions->ticks = definitions->has_clock ? definitions->resolution : 1;
    import->timing = (otf2_timing){.base = definitions->offset};
    if (import->import->source_count > 1) {
        import->timing.resolution = definitions->ticks;
        definitions->ticks = OC_OTF2_NANOSECONDS;
    }
    return make_tables(import);
}

/* Oddities name the files of locations until the end. */
ocelotl_status otf2_keep_paths(otf2_import *import)
{
    const size_t count = import->definitions.locations.count;
    OC_TRY(oc_grow(&import->known_paths, &import->known_path_capacity,
                   import->known_path_count + count, sizeof *import->known_paths));
    for (size_t i = 0; i < count; i++) {
        import->known_paths[import->known_path_count++] = import->paths[i];
        import->paths[i] = NULL;
    }
    return OCELOTL_OK;
}

void otf2_close(otf2_import *import)
{
    for (size_t i = 0; import->paths != NULL && i < import->definitions.locations.count; i++)
        free(import->paths[i]);
    for (size_t i = 0; import->types != NULL && i < import->type_count; i++) {
        free(import->types[i].values);
        free(import->types[i].attributes);
    }
    free(import->types);
    free(import->paths);
    free(import->sizes);
    free(import->ends);
    free(import->last);
    free(import->samples.samples);
    import->types = NULL;
    import->paths = NULL;
    import->sizes = NULL;
    import->ends = NULL;
    import->last = NULL;
    import->samples = (otf2_samples){0};
    otf2_messages_free(&import->messages);
    otf2_places_free(&import->places);
    otf2_call_paths_free(&import->call_paths);
    otf2_definitions_free(&import->definitions);
    otf2_archive_close(&import->archive);
    import->messages = (otf2_messages){0};
    import->places = (otf2_places){0};
    import->call_paths = (otf2_call_paths){0};
    import->definitions = (otf2_definitions){0};
}

/* --- The beginning of time */

/* The first stamp of a location. */
static bool peek(uint64_t *stamp, otf2_import *import, OTF2_EvtReaderCallbacks *callbacks,
                 uint64_t index)
{
    uint64_t count = 0;
    otf2_batch batch = {0};
    otf2_location location = {.definitions = &import->definitions,
                              .index = index,
                              .lenient = true,
                              .path = "",
                              .batch = &batch};
    OTF2_EvtReader *reader = OTF2_Reader_GetEvtReader(
        import->archive.reader, import->definitions.locations.items[index].reference);
    if (reader == NULL)
        return false;
    if (OTF2_EvtReader_SetCallbacks(reader, callbacks, &location) == OTF2_SUCCESS)
        (void)OTF2_EvtReader_ReadEvents(reader, 1, &count);
    const bool found = location.has_begun && location.status == OCELOTL_OK;
    *stamp = (uint64_t)location.last;
    OTF2_Reader_CloseEvtReader(import->archive.reader, reader);
    otf2_location_free(&location);
    otf2_batch_free(&batch);
    return found;
}

/* Finds the first stamp of some locations, or of all. */
ocelotl_status otf2_find_first(uint64_t *found, otf2_import *import, size_t most)
{
    uint64_t first = UINT64_MAX;
    OTF2_EvtReaderCallbacks *callbacks = NULL;
    OC_TRY(otf2_make_callbacks(&callbacks, false));
    size_t looked = 0;
    for (size_t i = 0; i < import->definitions.locations.count && looked < most; i++) {
        uint64_t stamp;
        if ((import->sizes[i] > 0 || !import->archive.has_files) &&
            peek(&stamp, import, callbacks, i)) {
            looked++;
            first = stamp < first ? stamp : first;
        }
    }
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    *found = first;
    return OCELOTL_OK;
}

/* --- Several archives on one clock: each is looked at before */

static ocelotl_status look_at(otf2_import *import, size_t number)
{
    uint64_t first = UINT64_MAX;
    oc_aligned *archive = &import->aligned[number];
    OC_TRY(otf2_open(import, number));
    *archive = (oc_aligned){.path = import->import->sources[number].path,
                            .has_clock = otf2_has_epoch(&import->definitions),
                            .origin = (int64_t)import->definitions.epoch};
    if (import->import->options->align != OCELOTL_ALIGN_BEGIN)
        return OCELOTL_OK;
    OC_TRY(otf2_clocks_read(import));
    if (OTF2_Reader_OpenEvtFiles(import->archive.reader) != OTF2_SUCCESS)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: the events cannot be opened",
                       import->archive.folder);
    const ocelotl_status status = otf2_find_first(&first, import, SIZE_MAX);
    OTF2_Reader_CloseEvtFiles(import->archive.reader);
    archive->has_bounds =
        first <= INT64_MAX && otf2_timing_tick(&archive->begin, &import->timing, first);
    archive->end = archive->begin;
    return status;
}

ocelotl_status otf2_align(otf2_import *import)
{
    const size_t count = import->import->source_count;
    oc_kinds nothing = {0};
    OC_TRY(oc_allocate(&import->aligned, count, sizeof *import->aligned));
    for (size_t i = 0; i < count; i++) {
        const ocelotl_status status = look_at(import, i);
        otf2_close(import);
        oc_kinds_free(&import->kinds); /* all is counted when it is read */
        import->kinds = nothing;
        OC_TRY(status);
    }
    import->align = import->import->options->align;
    return oc_align(&import->align, import->aligned, count, OC_OTF2_NANOSECONDS, NULL);
}
