#include "importers/ctf/description.h"

#include <inttypes.h>
#include <stdlib.h>

ocelotl_status ctf_description_read(ctf_description *description, const char *folder)
{
    oc_text text = {0};
    oc_text path = {0};
    ocelotl_status status = ctf_metadata_read(&text, folder);
    oc_text_format(&path, "%s/metadata", folder);
    if (status == OCELOTL_OK && path.failed)
        status = oc_fail_memory();
    if (status == OCELOTL_OK)
        status = ctf_parse(description, path.bytes, &text);
    if (status == OCELOTL_OK)
        status = ctf_link(description, path.bytes);
    oc_text_free(&text);
    oc_text_free(&path);
    return status;
}

void ctf_description_free(ctf_description *description)
{
    for (size_t l = 0; l < description->layout_count; l++) {
        ctf_layout *layout = description->layouts[l];
        for (size_t i = 0; i < layout->label_count; i++)
            free(layout->labels[i].name);
        for (size_t i = 0; i < layout->field_count; i++)
            free(layout->fields[i].name);
        oc_map_free(&layout->field_of);
        free(layout->labels);
        free(layout->fields);
        free(layout->choices);
        free(layout->reference);
        free(layout);
    }
    for (size_t i = 0; i < description->clock_count; i++)
        free(description->clocks[i].name);
    for (size_t i = 0; i < description->entry_count; i++) {
        free(description->environment[i].name);
        free(description->environment[i].text);
    }
    for (size_t i = 0; i < description->event_count; i++)
        free(description->events[i].name);
    oc_map_free(&description->clock_of);
    free(description->layouts);
    free(description->clocks);
    free(description->environment);
    free(description->streams);
    free(description->events);
    free(description->packet_slots);
    free(description->uuid);
    *description = (ctf_description){0};
}

ocelotl_status ctf_name_event(oc_text *name, const ctf_event_class *of)
{
    oc_text_clear(name);
    if (of->name != NULL && of->name[0] != '\0')
        oc_text_add(name, of->name);
    else
        oc_text_format(name, "event %" PRIu64, of->id);
    return name->failed ? oc_fail_memory() : OCELOTL_OK;
}
