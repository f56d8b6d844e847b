/* What the lines of Paje traces say, one by one: declarations, containers, and all that is out of
 * the ordinary, which is reported. */
#include "importers/paje/reader.h"

#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Finer ticks would leave less than four months of time in 64 bits. */
static const uint32_t finest_digits = 12;

/* Makes ticks finer, and all times that wait. */
static ocelotl_status refine(paje_reader *reader, uint32_t digits)
{
    const uint64_t factor = oc_power_of_ten(digits - reader->digits);
    OC_TRY(paje_pipeline_drain(&reader->pipeline, false));
    bool fits = paje_window_refine(&reader->pipeline.window, factor);
    fits = paje_stacks_refine(&reader->stacks, factor) && fits;
    for (size_t i = 0; i < reader->file_count; i++) {
        int64_t *time = &reader->files[i]->time;
        fits = (!reader->files[i]->is_held || oc_multiply_time(time, *time, factor)) && fits;
    }
    for (size_t i = 0; i < reader->scope_count; i++)
        fits =
            oc_multiply_time(&reader->scopes[i]->shift, reader->scopes[i]->shift, factor) && fits;
    fits = oc_multiply_time(&reader->first, reader->first, factor) && fits;
    if (!fits || ocelotl_writer_refine(reader->writer, factor) != OCELOTL_OK)
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

ocelotl_status paje_read_time(int64_t *time, paje_reader *reader)
{
    const paje_field text = paje_get(reader->file, PAJE_TIME);
    const uint32_t most =
        finest_digits + reader->unit_digits <= 18 ? finest_digits : 18 - reader->unit_digits;
    oc_decimal decimal;
    *time = reader->file->time;
    if (reader->file->is_held)
        return OCELOTL_OK;
    if (!oc_decimal_read_plain(time, text.text, text.length, reader->digits)) {
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
    }
    return paje_shift_time(time, reader)
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_INPUT, "time \"%s\" is too large where files begin at once",
                         text.text);
}

paje_parser *paje_reader_parser(paje_reader *reader, uint32_t thread, paje_field *words)
{
    paje_parser *parser = &reader->ahead.parsers[thread];
    const paje_file *file = reader->file;
    parser->long_way = reader->import->long_way;
    parser->generation = reader->names.generation;
    parser->digits = reader->digits;
    parser->power = reader->power;
    parser->scope = file->scope;
    parser->definitions = &file->definitions;
    parser->words = words != NULL ? words : parser->own_words;
    parser->after = INT64_MIN;
    return parser;
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

static paje_where here(const paje_reader *reader)
{
    return (paje_where){reader->file->scope, reader->file->number};
}

static paje_declared declared_at(paje_reader *reader)
{
    const paje_file *file = reader->file;
    const paje_message *message = &file->definition->message;
    return (paje_declared){.alias = paje_get(file, PAJE_ALIAS),
                           .name = paje_get(file, PAJE_NAME),
                           .type = paje_get(file, PAJE_TYPE),
                           .container = paje_get(file, PAJE_CONTAINER),
                           .is_container = message->kind == PAJE_DEFINE_CONTAINER_TYPE,
                           .category = message->category};
}

static ocelotl_status declare(paje_reader *reader)
{
    const paje_definition *definition = reader->file->definition;
    const paje_where where = here(reader);
    paje_declared declared = declared_at(reader);
    bool again = false;
    OC_TRY(paje_pipeline_drain(&reader->pipeline, false));
    if (definition->has_extra)
        paje_note(reader, PAJE_FIELD_IGNORED);
    if (!declared.is_container)
        declared.colour = read_colour(reader);
    if (definition->message.kind != PAJE_DEFINE_VALUE)
        return paje_names_type(&reader->names, &where, &declared);
    OC_TRY(paje_names_value(&again, &reader->names, &where, &declared));
    if (again)
        paje_note(reader, PAJE_VALUE_TWICE);
    return OCELOTL_OK;
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

/* Makes the resource that stands for a file of several, at its first instant. */
static ocelotl_status make_node(paje_reader *reader, int64_t time)
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

static ocelotl_status create(paje_reader *reader)
{
    int64_t time;
    uint32_t resource;
    const paje_file *file = reader->file;
    const paje_where where = here(reader);
    const paje_declared declared = declared_at(reader);
    OC_TRY(paje_read_time(&time, reader));
    OC_TRY(paje_pipeline_drain(&reader->pipeline, false));
    OC_TRY(make_node(reader, time));
    OC_TRY(paje_names_container(&resource, &reader->names, &where, &declared, time));
    for (size_t i = 0; i < file->definition->field_count; i++)
        if (file->definition->fields[i].meaning == PAJE_EXTRA)
            OC_TRY(keep_note(reader, reader->stacks.resources.all[resource].id,
                             file->definition->fields[i].name, file->words[1 + i].text));
    return paje_get(file, PAJE_FILE_NAME).length > 0
               ? paje_files_name(reader, paje_get(file, PAJE_FILE_NAME).text)
               : OCELOTL_OK;
}

/* The container whose events the file holds has been created before. */
static ocelotl_status name_file(paje_reader *reader)
{
    const paje_file *file = reader->file;
    const paje_field container = paje_get(file, PAJE_CONTAINER);
    if (file->definition->place[PAJE_CONTAINER] >= 0 &&
        paje_names_known_container(&reader->names, file->scope, container) == OC_MAP_NONE)
        return paje_names_fail_container(container);
    return paje_files_name(reader, paje_get(file, PAJE_FILE_NAME).text);
}

/* Resolves the line at hand as the short way does. A value or attributes that are unknown are
 * declared by being used, attributes in the order of their fields; anything else is an error. */
static ocelotl_status resolve(paje_event *event, paje_parser *parser, paje_reader *reader)
{
    const paje_file *file = reader->file;
    const paje_definition *definition = file->definition;
    const paje_where where = here(reader);
    paje_names *names = &reader->names;
    for (;;) {
        const paje_lack lack = paje_parser_event(event, parser);
        const paje_field text = file->words[1 + parser->lacking];
        if (lack == PAJE_LACKS_NOTHING)
            return OCELOTL_OK;
        if (lack == PAJE_LACKS_TYPE)
            return paje_names_fail_type(names, file->scope, definition->message.category, text);
        if (lack == PAJE_LACKS_CONTAINER)
            return paje_names_fail_container(text);
        if (lack == PAJE_LACKS_NUMBER)
            return oc_fail(OCELOTL_ERROR_INPUT, "value is \"%s\", expected a number", text.text);
        if (parser->key.failed)
            return oc_fail_memory();
        OC_TRY(paje_pipeline_drain(&reader->pipeline, false));
        if (lack == PAJE_LACKS_VALUE)
            OC_TRY(paje_names_use_value(names, &where, parser->of_definition->type, text));
        for (size_t i = 0; lack == PAJE_LACKS_ATTRIBUTE && i < definition->field_count; i++) {
            const paje_meaning meaning = definition->fields[i].meaning;
            if (meaning == PAJE_EXTRA || (definition->is_link && meaning == PAJE_KEY))
                OC_TRY(paje_names_use_attribute(names, event->type, definition->fields[i].name));
        }
        parser->generation = names->generation;
    }
}

/* Adds an event whose place is in the file at hand; with several files its texts are freed before
 * it. */
static ocelotl_status add(paje_reader *reader, paje_event *event,
                          const ocelotl_attribute_value *attributes)
{
    paje_window *window = &reader->pipeline.window;
    event->file = reader->file->number;
    event->line = PAJE_LINE(reader->file->lines.number - window->last->first_line);
    return paje_window_add(window, event, attributes, reader->file_count > 1);
}

/* Ends a container. If several files have created it, the last one to destroy it does. */
static ocelotl_status end_container(paje_reader *reader, int64_t time)
{
    paje_names *names = &reader->names;
    const paje_scope *scope = reader->file->scope;
    paje_event event = {.kind = PAJE_DESTROY_CONTAINER, .value = OCELOTL_NONE, .time = time};
    ocelotl_status status = OCELOTL_OK;
    uint32_t container;
    OC_TRY(paje_names_end_container(&container, names, scope, paje_get(reader->file, PAJE_NAME)));
    uint32_t next = container;
    if (!names->several || container == scope->root_container) {
        event.resource = names->containers[container].resource;
        return add(reader, &event, NULL);
    }
    while ((event.resource = paje_names_next_end(&next, names, container)) != PAJE_NOWHERE)
        if (status == OCELOTL_OK)
            status = add(reader, &event, NULL);
    return status;
}

static ocelotl_status add_event(paje_reader *reader)
{
    paje_file *file = reader->file;
    paje_event event = {0};
    OC_TRY(paje_read_time(&event.time, reader));
    OC_TRY(make_node(reader, event.time));
    if (file->definition->message.kind == PAJE_DESTROY_CONTAINER)
        return end_container(reader, event.time);
    paje_parser *parser = paje_reader_parser(reader, 0, file->words);
    parser->known[PAJE_QUICK_NUMBERS].generation = UINT64_MAX;
    paje_parser_define(parser, file->definition, PAJE_QUICK_NUMBERS);
    OC_TRY(resolve(&event, parser, reader));
    if (file->definition->is_end && file->definition->has_extra)
        paje_note(reader, PAJE_FIELD_IGNORED);
    return add(reader, &event, parser->attributes);
}

bool paje_add_quickly(paje_reader *reader, int number)
{
    paje_file *file = reader->file;
    paje_event event = {.time = file->time};
    paje_parser *parser = paje_reader_parser(reader, 0, file->words);
    paje_parser_define(parser, file->definition, number);
    if (file->scope->root == PAJE_NOWHERE ||
        paje_parser_event(&event, parser) != PAJE_LACKS_NOTHING ||
        add(reader, &event, parser->attributes) != OCELOTL_OK)
        return false;
    file->kept_lines++;
    file->definition->count++;
    return true;
}

ocelotl_status paje_next_line(bool *is_event, paje_reader *reader)
{
    paje_file *file = reader->file;
    size_t count;
    bool has_nul;
    *is_event = false;
    char *text = paje_lines_next(&has_nul, &file->lines);
    if (has_nul)
        return oc_fail_nul();
    while (*text == ' ' || *text == '\t')
        text++;
    if (*text == '%') {
        reader->names.generation++;
        reader->names.meaning++;
        return paje_definitions_line(&file->definitions, text + 1);
    }
    if (!paje_split(file->words, PAJE_MOST_FIELDS + 1, &count, text))
        return oc_fail(OCELOTL_ERROR_INPUT, "a quote is not closed, expected one more \"");
    if (count == 0)
        return OCELOTL_OK;
    file->definition = paje_definitions_find(&file->definitions, file->words[0].text);
    if (file->definition == NULL)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "unknown event number \"%s\", expected one defined by %%EventDef before",
                       file->words[0].text);
    if (count - 1 != file->definition->field_count)
        return oc_fail(OCELOTL_ERROR_INPUT, "wrong number of fields, %zu in \"%s\", expected %zu",
                       count - 1, file->definition->name, file->definition->field_count);
    file->kept_lines++;
    file->definition->count++;
    *is_event = true;
    return OCELOTL_OK;
}

static ocelotl_status do_sound_line(paje_reader *reader)
{
    switch (reader->file->definition->message.kind) {
    case PAJE_CREATE_CONTAINER:
        return create(reader);
    case PAJE_DEFINE_CONTAINER_TYPE:
    case PAJE_DEFINE_TYPE:
    case PAJE_DEFINE_VALUE:
        return declare(reader);
    case PAJE_TRACE_FILE:
        return name_file(reader);
    case PAJE_UNKNOWN:
        paje_note(reader, PAJE_EVENT_UNKNOWN);
        return OCELOTL_OK;
    default:
        return add_event(reader);
    }
}

ocelotl_status paje_do_line(paje_reader *reader)
{
    paje_definition *definition = reader->file->definition;
    const ocelotl_status status = do_sound_line(reader);
    definition->skipped += status != OCELOTL_OK;
    return status;
}

ocelotl_status paje_fail_line(paje_reader *reader, ocelotl_status status)
{
    char message[2048];
    snprintf(message, sizeof message, "%s", ocelotl_error_message());
    OC_TRY(paje_pipeline_drain(&reader->pipeline, false));
    return oc_oddities_skip(&reader->oddities, oc_fail(status, "%s", message),
                            reader->file->source->path, reader->file->lines.number);
}

ocelotl_status paje_fail_lost(const paje_file *file)
{
    const char *loss = oc_input_loss(file->text.input);
    if (file->kept_lines == 0)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: %s; no event is before that", file->source->path,
                       loss);
    return oc_fail(OCELOTL_ERROR_INPUT, "%s:%" PRIu64 ": %s", file->source->path,
                   file->lines.number + 1, loss);
}

ocelotl_status paje_pass_long_line(paje_reader *reader, paje_block *block)
{
    block->lines = 1;
    reader->file->lines.number = block->first_line + 1;
    return paje_fail_line(reader, oc_fail(OCELOTL_ERROR_INPUT,
                                          "a line of more than %d MiB, expected lines of text",
                                          PAJE_LONGEST_LINE >> 20));
}

ocelotl_status paje_check_file(paje_reader *reader, paje_file *file)
{
    reader->file = file;
    if (oc_input_loss(file->text.input) != NULL) {
        const ocelotl_status status = paje_fail_lost(file);
        if (file->kept_lines == 0 && reader->file_count == 1)
            return status;
        /* what was read before counts */
        OC_TRY(oc_oddities_lose_rest(&reader->oddities, "trace"));
    }
    if (file->text.is_open)
        oc_oddities_note(&reader->oddities, OC_LAST_LINE_OPEN, file->source->path,
                         file->lines.number);
    if (file->definitions.open != NULL) {
        oc_fail(OCELOTL_ERROR_INPUT,
                "the trace ends in the definition of \"%s\", expected %%EndEventDef",
                file->definitions.open->name);
        OC_TRY(paje_fail_line(reader, OCELOTL_ERROR_INPUT));
    }
    if (file->kept_lines > 0)
        return OCELOTL_OK;
    if (reader->file_count > 1) {
        oc_oddities_note(&reader->oddities, PAJE_FILE_EMPTY, file->source->path, 0);
        return OCELOTL_OK;
    }
    return oc_oddities_fail_empty(&reader->oddities, file->source->path,
                                  "holds definitions alone, expected events");
}
