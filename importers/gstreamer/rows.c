/* The rows of logs, and their types. */
#include "importers/gstreamer/reader.h"

ocelotl_status gstreamer_find_type(uint32_t *type, gstreamer_reader *reader, gstreamer_place place)
{
    static const struct {
        const char *name;
        gstreamer_place parent;
    } types[GSTREAMER_PLACES] = {
        [GSTREAMER_PROCESS] = {"Process", GSTREAMER_PLACES},
        [GSTREAMER_THREAD] = {"Thread", GSTREAMER_PROCESS},
        [GSTREAMER_PATH] = {"Path", GSTREAMER_PROCESS},
        [GSTREAMER_ELEMENT] = {"Element", GSTREAMER_PROCESS},
        [GSTREAMER_CATEGORY] = {"Category", GSTREAMER_THREAD},
        [GSTREAMER_FUNCTION] = {"Function", GSTREAMER_CATEGORY},
    };
    uint32_t around = reader->ingest.file_type;
    uint32_t *known = &reader->resource_types[place];
    if (*known == 0) {
        if (place != GSTREAMER_PROCESS)
            OC_TRY(gstreamer_find_type(&around, reader, types[place].parent));
        OC_TRY(oc_ingest_resource_type(type, &reader->ingest, around, types[place].name));
        *known = *type + 1;
    }
    *type = *known - 1;
    return OCELOTL_OK;
}

/* Processes are in the order of their numbers, all else as it is first seen. What is inside a
 * thread lives as long as the thread. */
ocelotl_status gstreamer_find_row(uint32_t *row, gstreamer_reader *reader, gstreamer_place place,
                                  uint32_t parent, gstreamer_text name)
{
    static const gstreamer_text none = {"(no function)", 13};
    uint32_t type;
    oc_ingest *ingest = &reader->ingest;
    const size_t before = ingest->row_count;
    if (name.length == 0 && place == GSTREAMER_FUNCTION)
        name = none;
    OC_TRY(gstreamer_find_type(&type, reader, place));
    OC_TRY(oc_ingest_row_find(row, ingest, parent, type, name.bytes, name.length));
    if (ingest->row_count == before)
        return OCELOTL_OK;
    oc_ingest_row *made = &ingest->rows[*row];
    made->life = place >= GSTREAMER_CATEGORY ? OC_LIVES_WITH_PARENT : OC_LIVES_WITH_CONTENT;
    if (place != GSTREAMER_PROCESS)
        made->order = *row;
    else if (reader->process_count++ > 0)
        oc_ingest_note(ingest, GSTREAMER_CLOCKS);
    return OCELOTL_OK;
}
