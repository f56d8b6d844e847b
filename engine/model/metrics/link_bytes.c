#include "model/metrics/link_bytes.h"

#include "base/plain.h"
#include "base/text.h"

#include <string.h>

static bool is_bytes(const char *name, const char *asked)
{
    static const char *const usual[] = {"size", "bytes", "length"};
    if (asked != NULL)
        return strcmp(name, asked) == 0;
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        if (oc_same_letters(name, usual[i]))
            return true;
    return false;
}

uint32_t oc_filling_bytes(const oc_filling *filling, uint32_t event_type)
{
    const oc_attribute_names *attributes = &filling->catalogue->attributes[event_type];
    for (size_t i = 0; i < attributes->count; i++)
        if (is_bytes(attributes->names[i], filling->options->cells.attribute))
            return (uint32_t)i;
    return OCELOTL_NONE;
}

static ocelotl_status fail_attribute(const oc_filling *filling)
{
    const char *asked = filling->options->cells.attribute;
    oc_text known = {0};
    for (uint32_t e = 0; e < filling->trace->event_type_count; e++)
        for (size_t i = 0; filling->type_of_event_type[e] != OCELOTL_NONE &&
                           i < filling->catalogue->attributes[e].count;
             i++)
            oc_text_format(&known, "%s\"%s\"", known.length > 0 ? ", " : "",
                           filling->catalogue->attributes[e].names[i]);
    const ocelotl_status status =
        oc_fail(OCELOTL_ERROR_ARGUMENT,
                "%s: no link carries %s%s%s; they carry %s, of which --attribute takes one that is "
                "a number",
                filling->trace->label, asked != NULL ? "\"" : "a size, bytes or length",
                asked != NULL ? asked : "", asked != NULL ? "\"" : "",
                known.length > 0 ? known.bytes : "nothing");
    oc_text_free(&known);
    return status;
}

/* Whether a stream has met a number as that attribute. */
static ocelotl_status look_for_numbers(bool *found, const oc_filling *filling, uint32_t stream,
                                       uint32_t attribute)
{
    oc_cursor *cursor = NULL;
    OC_TRY(oc_cursor_open(&cursor, &filling->connection, stream, 1));
    const ocelotl_status status = oc_cursor_seek(cursor, filling->trace->info.end, true);
    const oc_fold *fold = oc_cursor_fold(cursor);
    for (size_t i = 0; status == OCELOTL_OK && i < fold->sum_count; i++)
        *found |= fold->sums[i].attribute == attribute;
    oc_cursor_free(cursor);
    return status;
}

/* What is carried may be text, of which there is no sum. */
static ocelotl_status check_numbers(const oc_filling *filling)
{
    bool found = false;
    bool any = false;
    const char *name = "";
    for (uint32_t s = 0; s < filling->trace->stream_count && !found; s++) {
        const oc_stream *stream = &filling->trace->streams[s];
        const bool shown = filling->type_of_event_type[stream->event_type] != OCELOTL_NONE;
        const uint32_t attribute =
            shown ? oc_filling_bytes(filling, stream->event_type) : OCELOTL_NONE;
        if (attribute == OCELOTL_NONE ||
            (stream->role != OC_ROLE_LINKS_OUT && stream->role != OC_ROLE_LINKS_IN))
            continue;
        any = true;
        name = oc_catalogue_attribute(filling->catalogue, stream->event_type, attribute);
        OC_TRY(look_for_numbers(&found, filling, s, attribute));
    }
    if (!any || found)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "%s: no \"%s\" that a link carries is a number, expected bytes",
                   filling->trace->label, name);
}

ocelotl_status oc_filling_check_bytes(const oc_filling *filling)
{
    for (uint32_t e = 0; e < filling->trace->event_type_count; e++)
        if (filling->type_of_event_type[e] != OCELOTL_NONE &&
            oc_filling_bytes(filling, e) != OCELOTL_NONE)
            return check_numbers(filling);
    return fail_attribute(filling);
}
