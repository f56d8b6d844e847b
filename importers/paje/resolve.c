/* The slow way from a line to its event: takes what is out of the ordinary, and reports it. */
#include "importers/paje/reader.h"

#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Finer ticks would leave less than four months of time in 64 bits. */
static const uint32_t finest_digits = 12;

static bool refine_waiting(paje_reader *reader, uint64_t factor)
{
    bool fits = paje_window_refine(&reader->pipeline.window, factor);
    fits = paje_stacks_refine(&reader->stacks, factor) && fits;
    for (size_t i = 0; i < reader->file_count; i++) {
        paje_file *file = reader->files[i];
        if (file->held != PAJE_HELD_NOTHING)
            fits = oc_multiply_time(&file->time, file->time, factor) && fits;
    }
    for (size_t i = 0; i < reader->scope_count; i++)
        fits =
            oc_multiply_time(&reader->scopes[i]->shift, reader->scopes[i]->shift, factor) && fits;
    return oc_multiply_time(&reader->first, reader->first, factor) && fits;
}

static ocelotl_status refine(paje_reader *reader, uint32_t digits)
{
    const uint64_t factor = oc_power_of_ten(digits - reader->digits);
    OC_TRY(paje_pipeline_drain(&reader->pipeline, false));
    if (!refine_waiting(reader, factor) ||
        ocelotl_writer_refine(reader->writer, factor) != OCELOTL_OK)
        return oc_fail(OCELOTL_ERROR_LIMIT,
                       "%s:%" PRIu64 ": times are too large for ticks of 10^-%" PRIu32
                       " of their unit, expected fewer digits",
                       reader->file->source->path, reader->file->lines.number, digits);
    reader->names.meaning++;
    reader->digits = digits;
    reader->power = (int64_t)oc_power_of_ten(digits);
    return OCELOTL_OK;
}

bool paje_shift_time(int64_t *time, paje_reader *reader)
{
    paje_scope *scope = reader->file->scope;
    if (reader->import->options->align != OCELOTL_ALIGN_BEGIN || reader->import->source_count < 2)
        return true;
    if (!reader->has_first)
        reader->first = *time;
    reader->has_first = true;
    if (!scope->has_first && __builtin_sub_overflow(reader->first, *time, &scope->shift))
        return false;
    scope->has_first = true;
    return !__builtin_add_overflow(*time, scope->shift, time);
}

static ocelotl_status read_time(int64_t *time, paje_reader *reader, paje_field text)
{
    if (oc_decimal_read_plain(time, text.text, text.length, reader->digits))
        return OCELOTL_OK;
    const uint32_t most =
        finest_digits + reader->unit_digits <= 18 ? finest_digits : 18 - reader->unit_digits;
    oc_decimal decimal;
    if (!oc_decimal_read(&decimal, text.text, text.length, most))
        return oc_fail(OCELOTL_ERROR_INPUT, "time is \"%s\", expected " OC_DECIMAL_EXPECTED,
                       text.text);
    if (decimal.rounded)
        paje_note(reader, PAJE_TIME_ROUNDED);
    if (decimal.digits > reader->digits)
        OC_TRY(refine(reader, decimal.digits));
    if (!oc_decimal_ticks(time, &decimal, reader->digits))
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "time \"%s\" is too large for ticks of 10^-%" PRIu32 " of its unit",
                       text.text, reader->digits);
    return OCELOTL_OK;
}

ocelotl_status paje_read_time(int64_t *time, paje_reader *reader)
{
    const paje_field text = paje_get(reader->file, PAJE_TIME);
    *time = reader->file->time;
    if (reader->file->held != PAJE_HELD_NOTHING)
        return OCELOTL_OK;
    OC_TRY(read_time(time, reader, text));
    return paje_shift_time(time, reader)
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_INPUT, "time \"%s\" is too large where files begin at once",
                         text.text);
}

/* "r g b" with numbers in 0..1. */
static int32_t read_colour(paje_reader *reader)
{
    const paje_field field = paje_get(reader->file, PAJE_COLOUR);
    const char *text = field.text;
    int32_t colour = 0;
    if (field.length == 0)
        return -1;
    for (int i = 0; i < 3; i++) {
        double part;
        text += strspn(text, " \t");
        const size_t length = strcspn(text, " \t");
        if (!oc_text_is_number(&part, text, length) || !(part >= 0) || !(part <= 1)) {
            paje_note(reader, PAJE_COLOUR_UNREADABLE);
            return -1;
        }
        colour = colour << 8 | (int32_t)(part * 255 + 0.5);
        text += length;
    }
    return colour;
}

static ocelotl_status declare_value(paje_reader *reader, const paje_where *where,
                                    const paje_declared *declared)
{
    bool again = false;
    OC_TRY(paje_names_value(&again, &reader->names, where, declared));
    if (again)
        paje_note(reader, PAJE_VALUE_TWICE);
    return OCELOTL_OK;
}

static paje_where here(const paje_reader *reader)
{
    return (paje_where){reader->file->scope, reader->file->number};
}

ocelotl_status paje_declare(paje_reader *reader)
{
    const paje_file *file = reader->file;
    const paje_kind kind = file->definition->kind;
    const paje_where where = here(reader);
    paje_declared declared = {.alias = paje_get(file, PAJE_ALIAS),
                              .name = paje_get(file, PAJE_NAME),
                              .type = paje_get(file, PAJE_TYPE)};
    OC_TRY(paje_pipeline_drain(&reader->pipeline, false));
    if (file->definition->has_extra)
        paje_note(reader, PAJE_FIELD_IGNORED);
    if (kind == PAJE_DEFINE_CONTAINER_TYPE)
        return paje_names_container_type(&reader->names, &where, &declared);
    declared.colour = read_colour(reader);
    switch (kind) {
    case PAJE_DEFINE_EVENT_TYPE:
        return paje_names_event_type(&reader->names, &where, OCELOTL_EVENT, &declared);
    case PAJE_DEFINE_STATE_TYPE:
        return paje_names_event_type(&reader->names, &where, OCELOTL_STATE, &declared);
    case PAJE_DEFINE_VARIABLE_TYPE:
        return paje_names_event_type(&reader->names, &where, OCELOTL_VARIABLE, &declared);
    case PAJE_DEFINE_LINK_TYPE:
        return paje_names_event_type(&reader->names, &where, OCELOTL_LINK, &declared);
    default:
        return declare_value(reader, &where, &declared);
    }
}

/* Keeps a note; a "=" ends its name. */
static ocelotl_status keep_note(paje_reader *reader, uint32_t resource, const char *name,
                                const char *text)
{
    char *plain = NULL;
    OC_TRY(oc_copy_text(&plain, name));
    for (char *sign = plain; (sign = strchr(sign, '=')) != NULL;)
        *sign = '-';
    const ocelotl_status status =
        ocelotl_writer_resource_note(reader->writer, resource, plain, text);
    free(plain);
    return status;
}

ocelotl_status paje_make_node(paje_reader *reader, int64_t time)
{
    paje_scope *scope = reader->file->scope;
    paje_resources *resources = &reader->stacks.resources;
    if (scope->root != PAJE_NOWHERE)
        return OCELOTL_OK;
    OC_TRY(paje_pipeline_drain(&reader->pipeline, false));
    OC_TRY(
        paje_resources_add(&scope->root, resources, scope->root_type, 0, reader->file->node, time));
    resources->all[scope->root].is_root = true;
    reader->names.containers[scope->root_container].resource = scope->root;
    return OCELOTL_OK;
}

ocelotl_status paje_create(paje_reader *reader)
{
    int64_t time;
    uint32_t resource;
    const paje_file *file = reader->file;
    const paje_where where = here(reader);
    const paje_declared declared = {.alias = paje_get(file, PAJE_ALIAS),
                                    .name = paje_get(file, PAJE_NAME),
                                    .type = paje_get(file, PAJE_TYPE),
                                    .container = paje_get(file, PAJE_CONTAINER)};
    OC_TRY(paje_read_time(&time, reader));
    OC_TRY(paje_pipeline_drain(&reader->pipeline, false));
    OC_TRY(paje_make_node(reader, time));
    OC_TRY(paje_names_container(&resource, &reader->names, &where, &declared, time));
    for (size_t i = 0; i < file->definition->field_count; i++)
        if (file->definition->fields[i].meaning == PAJE_EXTRA)
            OC_TRY(keep_note(reader, reader->stacks.resources.all[resource].id,
                             file->definition->fields[i].name, file->fields[i].text));
    return paje_get(file, PAJE_FILE_NAME).length > 0
               ? paje_files_name(reader, paje_get(file, PAJE_FILE_NAME).text)
               : OCELOTL_OK;
}

static ocelotl_category category_of(paje_kind kind)
{
    switch (kind) {
    case PAJE_NEW_EVENT:
        return OCELOTL_EVENT;
    case PAJE_SET_VARIABLE:
    case PAJE_ADD_VARIABLE:
    case PAJE_SUB_VARIABLE:
        return OCELOTL_VARIABLE;
    case PAJE_START_LINK:
    case PAJE_END_LINK:
        return OCELOTL_LINK;
    default:
        return OCELOTL_STATE;
    }
}

static ocelotl_status read_value(paje_event *event, uint32_t type, paje_reader *reader)
{
    const paje_field text = paje_get(reader->file, PAJE_VALUE);
    const paje_where where = here(reader);
    /* What ends a state may name it, which says nothing. */
    if (reader->file->definition->place[PAJE_VALUE] < 0 || event->kind == PAJE_POP_STATE ||
        event->kind == PAJE_RESET_STATE)
        return OCELOTL_OK;
    if (category_of(reader->file->definition->kind) == OCELOTL_VARIABLE) {
        if (!oc_bytes_are_number(&event->number, text.text, text.length))
            return oc_fail(OCELOTL_ERROR_INPUT, "value is \"%s\", expected a number", text.text);
        return OCELOTL_OK;
    }
    OC_TRY(paje_names_known_value(&event->value, &reader->names, &reader->names.key, type, text));
    if (event->value != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(paje_pipeline_drain(&reader->pipeline, false));
    return paje_names_find_value(&event->value, &reader->names, &where, type, text);
}

static ocelotl_status find_attribute(uint32_t *attribute, paje_reader *reader, uint32_t type,
                                     const char *name)
{
    paje_names *names = &reader->names;
    OC_TRY(paje_names_known_attribute(attribute, names, &names->key, type, name));
    if (*attribute != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(paje_pipeline_drain(&reader->pipeline, false));
    return paje_names_find_attribute(attribute, names, type, name);
}

/* A link's first attribute is its key; then comes all that has no other meaning. */
static ocelotl_status read_attributes(paje_event *event, paje_reader *reader)
{
    const paje_definition *definition = reader->file->definition;
    ocelotl_attribute_value *attributes = reader->pipeline.window.attributes;
    const bool link = event->kind == PAJE_START_LINK || event->kind == PAJE_END_LINK;
    size_t count = link;
    if (!definition->has_extra && !link)
        return OCELOTL_OK;
    for (size_t i = 0; i < definition->field_count; i++) {
        const paje_definition_field *field = &definition->fields[i];
        const bool is_key = link && field->meaning == PAJE_KEY;
        if (field->meaning != PAJE_EXTRA && !is_key)
            continue;
        ocelotl_attribute_value *attribute = &attributes[is_key ? 0 : count++];
        OC_TRY(find_attribute(&attribute->attribute, reader, event->type, field->name));
        attribute->text = reader->file->fields[i].text;
        attribute->length = reader->file->fields[i].length;
    }
    if (link)
        event->key_hash = paje_link_hash(&reader->stacks.links.hash_key, event, &attributes[0]);
    event->attribute_count = (uint16_t)count;
    return OCELOTL_OK;
}

static ocelotl_status resolve_event(paje_event *event, paje_reader *reader)
{
    const paje_file *file = reader->file;
    const paje_definition *definition = file->definition;
    paje_names *names = &reader->names;
    uint32_t type;
    OC_TRY(paje_names_find_event_type(&type, names, file->scope, category_of(definition->kind),
                                      paje_get(file, PAJE_TYPE)));
    event->type = names->types[type].id;
    event->resource = file->scope->root;
    if (definition->place[PAJE_CONTAINER] >= 0)
        OC_TRY(paje_names_find_container(&event->resource, names, file->scope,
                                         paje_get(file, PAJE_CONTAINER)));
    if (event->kind == PAJE_START_LINK)
        OC_TRY(paje_names_find_container(&event->end, names, file->scope,
                                         paje_get(file, PAJE_START_CONTAINER)));
    if (event->kind == PAJE_END_LINK)
        OC_TRY(paje_names_find_container(&event->end, names, file->scope,
                                         paje_get(file, PAJE_END_CONTAINER)));
    OC_TRY(read_value(event, type, reader));
    if (event->kind != PAJE_POP_STATE && event->kind != PAJE_RESET_STATE)
        return read_attributes(event, reader);
    if (definition->has_extra)
        paje_note(reader, PAJE_FIELD_IGNORED);
    return OCELOTL_OK;
}

static paje_event *begin_event(paje_reader *reader, int64_t time)
{
    const paje_file *file = reader->file;
    paje_window *window = &reader->pipeline.window;
    window->next = (paje_event){.kind = (uint8_t)file->definition->kind,
                                .file = file->number,
                                .line = PAJE_LINE(file->lines.number - window->last->first_line),
                                .value = OCELOTL_NONE,
                                .time = time};
    return &window->next;
}

/* Ends an event; with several files its texts are freed before it. */
static ocelotl_status end_event(paje_reader *reader)
{
    return paje_window_add(&reader->pipeline.window, reader->file_count > 1);
}

static ocelotl_status add_end(paje_reader *reader, uint32_t resource, int64_t time)
{
    begin_event(reader, time)->resource = resource;
    return end_event(reader);
}

/* Ends a container. If several files have created it, the last one to destroy it does. */
static ocelotl_status end_container(paje_reader *reader, int64_t time)
{
    paje_names *names = &reader->names;
    ocelotl_status status = OCELOTL_OK;
    uint32_t container;
    uint32_t resource;
    OC_TRY(paje_names_end_container(&container, names, reader->file->scope,
                                    paje_get(reader->file, PAJE_NAME)));
    uint32_t next = container;
    if (!names->several || container == reader->file->scope->root_container)
        return add_end(reader, names->containers[container].resource, time);
    while ((resource = paje_names_next_end(&next, names, container)) != PAJE_NOWHERE)
        if (status == OCELOTL_OK)
            status = add_end(reader, resource, time);
    return status;
}

ocelotl_status paje_add_event(paje_reader *reader)
{
    int64_t time;
    OC_TRY(paje_read_time(&time, reader));
    OC_TRY(paje_make_node(reader, time));
    if (reader->file->definition->kind == PAJE_DESTROY_CONTAINER)
        return end_container(reader, time);
    OC_TRY(resolve_event(begin_event(reader, time), reader));
    return end_event(reader);
}
