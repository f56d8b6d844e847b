/* Layouts: what they are made of, copies of them, and what is in a description. */
#include "importers/ctf/description.h"

#include "base/memory.h"
#include "importers/ctf/tokens.h"

#include <stdlib.h>
#include <string.h>

/* A limit is that of what is parsed, where it is. */
static ocelotl_status fail_limit(const ctf_description *description, const char *what,
                                 const char *expected)
{
    const ctf_tokens *at = description->parsed;
    return at == NULL ? oc_fail(OCELOTL_ERROR_INPUT, "%s, expected %s", what, expected)
                      : oc_fail(OCELOTL_ERROR_INPUT, "%s:%u: %s, expected %s", at->path, at->line,
                                what, expected);
}

ocelotl_status ctf_layout_add(ctf_layout **added, ctf_description *to, ctf_kind kind,
                              uint32_t alignment)
{
    if (to->layout_count >= CTF_MOST_LAYOUTS)
        return fail_limit(to, "metadata of more than 2^20 layouts", "fewer");
    OC_TRY(oc_grow(&to->layouts, &to->layout_capacity, to->layout_count + 1, sizeof(ctf_layout *)));
    OC_TRY(oc_allocate(added, 1, sizeof(**added)));
    **added = (ctf_layout){.kind = kind, .alignment = alignment};
    to->layouts[to->layout_count++] = *added;
    return OCELOTL_OK;
}

ocelotl_status ctf_layout_add_field(ctf_description *description, ctf_layout *to, const char *name,
                                    size_t length, ctf_layout *layout)
{
    description->field_bytes += sizeof(*to->fields) + length;
    if (description->field_bytes > CTF_MOST_FIELDS)
        return fail_limit(description, "metadata of layouts of more than 512 MiB", "less");
    if (layout->depth >= CTF_DEEPEST)
        return fail_limit(description, "layouts of more than 32 levels", "fewer");
    OC_TRY(oc_grow(&to->fields, &to->field_capacity, to->field_count + 1, sizeof(*to->fields)));
    ctf_field *field = &to->fields[to->field_count];
    *field = (ctf_field){.layout = layout};
    OC_TRY(oc_allocate(&field->name, length + 1, 1));
    memcpy(field->name, name, length);
    to->field_count++;
    if (layout->depth >= to->depth)
        to->depth = layout->depth + 1;
    if (to->kind == CTF_STRUCTURE && layout->alignment > to->alignment)
        to->alignment = layout->alignment;
    return OCELOTL_OK;
}

ocelotl_status ctf_layout_copy(ctf_layout **copy, ctf_description *to, ctf_layout *of)
{
    *copy = of;
    if (of->kind < CTF_STRUCTURE) /* it has no parts */
        return OCELOTL_OK;
    OC_TRY(ctf_layout_add(copy, to, of->kind, of->alignment));
    ctf_layout *made = *copy;
    made->length = of->length;
    made->depth = of->depth;
    OC_TRY(oc_copy_optional(&made->reference, of->reference));
    if (of->element != NULL)
        OC_TRY(ctf_layout_copy(&made->element, to, of->element));
    for (size_t i = 0; i < of->field_count; i++) {
        ctf_layout *member;
        OC_TRY(ctf_layout_copy(&member, to, of->fields[i].layout));
        OC_TRY(
            ctf_layout_add_field(to, made, of->fields[i].name, strlen(of->fields[i].name), member));
    }
    return OCELOTL_OK;
}

ocelotl_status ctf_layout_look_up(size_t *index, ctf_layout *structure, size_t end,
                                  const char *name, size_t length)
{
    const size_t wanted = end < structure->field_count ? end : structure->field_count;
    if (structure->mapped > wanted) {
        oc_map_free(&structure->field_of);
        structure->field_of = (oc_map){0};
        structure->mapped = 0;
    }
    for (; structure->mapped < wanted; structure->mapped++) {
        const char *known = structure->fields[structure->mapped].name;
        OC_TRY(oc_map_set(&structure->field_of, known, strlen(known), (uint32_t)structure->mapped));
    }
    const uint32_t found = oc_map_get(&structure->field_of, name, length);
    *index = found != OC_MAP_NONE ? found : SIZE_MAX;
    return OCELOTL_OK;
}

size_t ctf_layout_find(const ctf_layout *structure, const char *name)
{
    for (size_t i = 0; structure != NULL && i < structure->field_count; i++)
        if (strcmp(structure->fields[i].name, name) == 0)
            return i;
    return SIZE_MAX;
}

/* --- Questions */

ctf_event_class *ctf_find_event(const ctf_description *description, const ctf_stream_class *stream,
                                uint64_t id)
{
    size_t first = stream->first_event;
    size_t end = first + stream->event_count;
    if (id < stream->event_count && description->events[first + id].id == id)
        return &description->events[first + id]; /* most tracers count from 0 */
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (description->events[middle].id < id)
            first = middle + 1;
        else
            end = middle;
    }
    return first < stream->first_event + stream->event_count && description->events[first].id == id
               ? &description->events[first]
               : NULL;
}

const ctf_entry *ctf_find_entry(const ctf_description *description, const char *name)
{
    for (size_t i = 0; i < description->entry_count; i++)
        if (strcmp(description->environment[i].name, name) == 0)
            return &description->environment[i];
    return NULL;
}
