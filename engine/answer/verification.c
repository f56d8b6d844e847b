/* What is damaged in a trace.db. */
#include "answer/table.h"

#include "base/format/visible.h"

#include <inttypes.h>
#include <stdlib.h>

#include <ocelotl/verify.h>

/* Whether a damage concerns one resource and type. */
static bool has_place(const ocelotl_trace *trace, const ocelotl_damage *damage)
{
    return trace != NULL && damage->event_type[0] != '\0';
}

ocelotl_status ocelotl_damage_describe(char **text, const ocelotl_verification *verification,
                                       uint32_t index)
{
    const ocelotl_trace *trace = ocelotl_verification_trace(verification);
    const ocelotl_damage damage = ocelotl_verification_damage_at(verification, index);
    oc_text line = {0};
    oc_text_add(&line, damage.what);
    if (has_place(trace, &damage))
        oc_text_format(&line, ", %" PRIu64 " records of \"%s\" at \"%s\", from %.9g s to %.9g s",
                       damage.records, damage.event_type, damage.resource,
                       ocelotl_trace_seconds(trace, damage.from),
                       ocelotl_trace_seconds(trace, damage.to));
    return oc_text_give(text, &line);
}

static ocelotl_status add_members(oc_json *json, void *state)
{
    const ocelotl_verification *verification = *(const ocelotl_verification **)state;
    const ocelotl_trace *trace = ocelotl_verification_trace(verification);
    const ocelotl_verification_info info = ocelotl_verification_info_of(verification);
    oc_json_flag(json, "sound", info.damages == 0);
    oc_json_count(json, "streams", info.streams);
    oc_json_count(json, "chunks", info.chunks);
    oc_json_count(json, "records", info.records);
    oc_json_list(json, "damage");
    for (uint32_t i = 0; i < info.damages; i++) {
        const ocelotl_damage damage = ocelotl_verification_damage_at(verification, i);
        oc_json_item(json, 1);
        if (has_place(trace, &damage)) {
            oc_json_text(json, "resource", damage.resource);
            oc_json_text(json, "type", damage.event_type);
            oc_json_seconds(json, "from", trace, damage.from);
            oc_json_seconds(json, "to", trace, damage.to);
            oc_json_count(json, "records", damage.records);
        }
        oc_json_text(json, "what", damage.what);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
    return OCELOTL_OK;
}

static ocelotl_status print_all(oc_output *out, void *state)
{
    const ocelotl_verification *verification = *(const ocelotl_verification **)state;
    const ocelotl_verification_info info = ocelotl_verification_info_of(verification);
    if (info.damages == 0)
        oc_output_format(out,
                         "sound: %" PRIu64 " chunks of %" PRIu32 " streams, %" PRIu64 " records\n",
                         info.chunks, info.streams, info.records);
    for (uint32_t i = 0; i < info.damages; i++) {
        char *line = NULL;
        OC_TRY(ocelotl_damage_describe(&line, verification, i));
        oc_output_print(out, "%s\n", line);
        free(line);
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_verification_write(const ocelotl_sink *sink, ocelotl_form form,
                                          const ocelotl_verification *verification)
{
    return oc_forms_write(sink, form, &(oc_forms){&verification, add_members, print_all});
}
