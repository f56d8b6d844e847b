/* Attributes of single events as JSON of bounded length, for tooltips. */
#include "query/drawables/drawables.h"

#include "base/format/json.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_BYTES = 512,    /* of an event */
    MOST_OF_VALUE = 160, /* of a text that it carries */
    ENDING = 20          /* what says how many are left out */
};

/* Of a row. */
static const size_t most_of_row = (size_t)1 << 17;

/* --- JSON */

/* How much of a text fits, cut between characters. */
static size_t cut(const char *text, size_t length)
{
    size_t fits = 0;
    if (length <= MOST_OF_VALUE)
        return length;
    while (fits < MOST_OF_VALUE) {
        const size_t next = oc_utf8_length(text + fits, length - fits);
        fits += next > 0 ? next : 1;
    }
    return fits < length ? fits : length;
}

static void append(oc_text *json, const char *name, const ocelotl_attribute_value *value)
{
    static const char ellipsis[] = "\xE2\x80\xA6";
    char shortened[MOST_OF_VALUE + 4 + sizeof ellipsis];
    const size_t fits = cut(value->text, value->length);
    if (fits == value->length) {
        oc_json_append_member(json, name, value->text, value->length);
        return;
    }
    memcpy(shortened, value->text, fits);
    memcpy(shortened + fits, ellipsis, sizeof ellipsis - 1);
    oc_json_append_member(json, name, shortened, fits + sizeof ellipsis - 1);
}

/* Adds what fits, and counts the rest. */
static ocelotl_status add(uint32_t *left_out, oc_drawing *drawing,
                          const ocelotl_attribute_value *value)
{
    oc_text *json = &drawing->carrying.json;
    const size_t before = json->length;
    const uint32_t event_type = drawing->stream->event_type;
    const char *name =
        oc_catalogue_attribute(&drawing->made->catalogue, event_type, value->attribute);
    if (name == NULL)
        return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: an unknown attribute");
    if (oc_is_of_links(drawing->stream) && strcmp(name, "Key") == 0)
        return OCELOTL_OK;
    append(json, name, value);
    if (json->failed)
        return oc_fail_memory();
    if (json->length <= MOST_BYTES - ENDING)
        return OCELOTL_OK;
    json->length = before;
    json->bytes[before] = '\0';
    (*left_out)++;
    return OCELOTL_OK;
}

ocelotl_status oc_drawing_describe(const char **json, oc_drawing *drawing, const oc_carried *begins,
                                   const oc_record *ends)
{
    oc_text *text = &drawing->carrying.json;
    uint32_t left_out = 0;
    *json = NULL;
    if (!drawing->described)
        return OCELOTL_OK;
    oc_text_clear(text);
    for (size_t i = 0; begins != NULL && i < begins->count; i++)
        OC_TRY(add(&left_out, drawing, &begins->values[i]));
    for (uint32_t i = 0; ends != NULL && i < ends->attribute_count; i++) {
        const ocelotl_attribute_value value =
            oc_record_attribute_at(&drawing->walk.reader.records, ends, i);
        OC_TRY(add(&left_out, drawing, &value));
    }
    if (left_out > 0)
        oc_text_format(text, "%s\"...\":%u", text->length > 0 ? "," : "{", (unsigned)left_out);
    if (text->length > 0)
        oc_text_add(text, "}");
    *json = text->length > 0 ? text->bytes : NULL;
    return text->failed ? oc_fail_memory() : OCELOTL_OK;
}

/* --- Beginnings that were skipped with their chunks */

/* Something that began at the instant and is open in the walk. */
struct oc_began {
    uint32_t value;
    size_t open;
};

static int compare_values(const void *left, const void *right)
{
    const struct oc_began *a = left;
    const struct oc_began *b = right;
    return (a->value > b->value) - (a->value < b->value);
}

static ocelotl_status list_begun(oc_carrying *carrying, int64_t begin)
{
    carrying->began_count = 0;
    for (size_t i = 0; i < carrying->walk.open.count; i++) {
        const oc_open_event *open = oc_walk_open(&carrying->walk, i);
        if (open->begin != begin)
            continue;
        OC_TRY(oc_grow(&carrying->began, &carrying->began_capacity, carrying->began_count + 1,
                       sizeof *carrying->began));
        carrying->began[carrying->began_count++] = (struct oc_began){open->value, i};
    }
    if (carrying->began_count > 1)
        qsort(carrying->began, carrying->began_count, sizeof *carrying->began, compare_values);
    return OCELOTL_OK;
}

/* Goes to the instant of a beginning, unless the last look was there. */
static ocelotl_status go_to(oc_carrying *carrying, oc_drawing *drawing, int64_t begin)
{
    const oc_record *record;
    oc_walk *walk = &carrying->walk;
    if (carrying->looked && carrying->index == drawing->index && carrying->at == begin)
        return OCELOTL_OK;
    carrying->looked = false;
    walk->reader.connection = drawing->walk.reader.connection;
    walk->carries = true;
    walk->to = begin;
    walk->within = true;
    OC_TRY(oc_walk_begin(walk, drawing->index, begin));
    OC_TRY(oc_walk_peek(&record, walk));
    while (record != NULL && record->time <= begin) {
        OC_TRY(oc_walk_take(walk, record));
        OC_TRY(oc_walk_peek(&record, walk));
    }
    OC_TRY(list_begun(carrying, begin));
    carrying->looked = true;
    carrying->index = drawing->index;
    carrying->at = begin;
    return OCELOTL_OK;
}

ocelotl_status oc_drawing_describe_live(const char **json, oc_drawing *drawing, const oc_live *live,
                                        const oc_record *ends)
{
    oc_carrying *carrying = &drawing->carrying;
    const oc_open_event *event = &live->event;
    *json = NULL;
    if (!drawing->described || event->found)
        return oc_drawing_describe(json, drawing, event->carried, ends);
    OC_TRY(go_to(carrying, drawing, event->begin));
    const struct oc_began key = {.value = event->value};
    const struct oc_began *end = carrying->began + carrying->began_count;
    const struct oc_began *same =
        carrying->began_count == 0
            ? NULL
            : bsearch(&key, carrying->began, carrying->began_count, sizeof key, compare_values);
    if (same == NULL)
        return oc_drawing_describe(json, drawing, NULL, ends);
    if ((same > carrying->began && same[-1].value == key.value) ||
        (same + 1 < end && same[1].value == key.value))
        return OCELOTL_OK;
    const oc_open_event *open = oc_walk_open(&carrying->walk, same->open);
    return oc_drawing_describe(json, drawing, open->carried, ends);
}

/* --- Rows */

ocelotl_status oc_drawing_attach(oc_drawing *drawing, oc_object *object, const char *json)
{
    if (json == NULL || object->end - object->begin < drawing->carrying.row_shortest)
        return OCELOTL_OK;
    return oc_copy_text(&object->attributes, json);
}

void oc_drawing_bound_attributes(oc_drawing *drawing)
{
    oc_carrying *carrying = &drawing->carrying;
    oc_drawn_pool *pool = drawing->pool;
    while (carrying->row_bytes > most_of_row) {
        carrying->row_shortest =
            carrying->row_shortest < INT64_MAX / 2 ? 2 * carrying->row_shortest + 1 : INT64_MAX;
        for (size_t i = drawing->made->rows[drawing->row].first; i < pool->object_count; i++) {
            oc_object *object = &pool->objects[i];
            if (object->attributes == NULL || object->end - object->begin >= carrying->row_shortest)
                continue;
            carrying->row_bytes -= strlen(object->attributes);
            free(object->attributes);
            object->attributes = NULL;
        }
    }
}

void oc_carrying_free(oc_carrying *carrying)
{
    oc_walk_free(&carrying->walk);
    free(carrying->began);
    oc_text_free(&carrying->json);
}
