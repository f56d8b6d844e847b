#include "importers/ctf/description.h"

#include <inttypes.h>
#include <stdlib.h>

static ocelotl_status read_text(ctf_description *description, const char *folder, oc_text *text,
                                oc_text *path)
{
    OC_TRY(ctf_metadata_read(text, folder));
    oc_text_format(path, "%s/metadata", folder);
    if (path->failed)
        return oc_fail_memory();
    OC_TRY(ctf_parse(description, path->bytes, text));
    return ctf_link(description, path->bytes);
}

ocelotl_status ctf_description_read(ctf_description *description, const char *folder)
{
    oc_text text = {0};
    oc_text path = {0};
    const ocelotl_status status = read_text(description, folder, &text, &path);
    oc_text_free(&text);
    oc_text_free(&path);
    return status;
}

static void free_layout(ctf_layout *layout)
{
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

void ctf_description_free(ctf_description *description)
{
    for (size_t i = 0; i < description->layout_count; i++)
        free_layout(description->layouts[i]);
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
