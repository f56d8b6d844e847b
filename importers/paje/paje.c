/* The importer of Paje traces: lines become definitions, names and events. The language is
 * described in docs/formats/paje.md. */
#include "importers/paje/reader.h"

#include "base/bytes.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Finer ticks would leave less than four months of time in 64 bits. */
static const uint32_t finest_digits = 12;
static const uint64_t lines_per_report = 16384;
/* Memory of lines that events refer to, and of the events that wait to be sorted. Those of most
 * traces are within it. */
static const size_t most_text = (size_t)32 << 20;

static bool recognises(const char *head, size_t length)
{
    static const char word[] = "EventDef";
    bool line_begins = true;
    for (size_t i = 0; i < length; i++) {
        if (line_begins && head[i] == '%') {
            size_t next = i + 1;
            while (next < length && (head[next] == ' ' || head[next] == '\t'))
                next++;
            return length - next >= sizeof word - 1 &&
                   memcmp(head + next, word, sizeof word - 1) == 0;
        }
        if (line_begins && head[i] == '#')
            while (i + 1 < length && head[i + 1] != '\n')
                i++;
        else if (head[i] != '\n' && head[i] != '\r' && head[i] != ' ' && head[i] != '\t')
            return false;
        line_begins = head[i] == '\n' || (line_begins && head[i] != '#');
    }
    return false;
}

/* The field with a meaning; empty where the event has none. */
static paje_field get(const paje_reader *reader, paje_meaning meaning)
{
    const int place = reader->definition->place[meaning];
    return place < 0 ? (paje_field){"", 0} : reader->fields[place];
}

static bool refine_waiting(paje_reader *reader, uint64_t factor)
{
    paje_names *names = &reader->simulation.names;
    paje_links *links = &reader->simulation.links;
    paje_window *window = &reader->pipeline.window;
    bool fits = paje_window_refine(window, paje_window_first(window), factor);
    for (size_t i = 0; i < names->container_count; i++)
        fits =
            oc_multiply_time(&names->containers[i].end, names->containers[i].end, factor) && fits;
    for (size_t i = 0; i < links->count; i++)
        fits =
            oc_multiply_time(&links->halves[i].event.time, links->halves[i].event.time, factor) &&
            fits;
    return fits;
}

static ocelotl_status refine(paje_reader *reader, uint32_t digits)
{
    const uint64_t factor = paje_power_of_ten(digits - reader->digits);
    OC_TRY(paje_pipeline_settle(&reader->pipeline, false));
    if (!refine_waiting(reader, factor) ||
        ocelotl_writer_refine(reader->writer, factor) != OCELOTL_OK)
        return oc_fail(OCELOTL_ERROR_LIMIT,
                       "%s:%" PRIu64 ": times are too large for ticks of 10^-%" PRIu32
                       " of their unit, expected fewer digits",
                       reader->import->source, reader->lines.number, digits);
    reader->digits = digits;
    reader->power = (int64_t)paje_power_of_ten(digits);
    return OCELOTL_OK;
}

/* Ticks become as fine as the digits that are met. */
static ocelotl_status read_time(int64_t *time, paje_reader *reader)
{
    const paje_field text = get(reader, PAJE_TIME);
    if (paje_decimal_read_plain(time, text.text, text.length, reader->digits))
        return OCELOTL_OK;
    const uint32_t most =
        finest_digits + reader->unit_digits <= 18 ? finest_digits : 18 - reader->unit_digits;
    paje_decimal decimal;
    if (!paje_decimal_read(&decimal, text.text, text.length, most))
        return oc_fail(OCELOTL_ERROR_INPUT, "time is \"%s\", expected a decimal number", text.text);
    if (decimal.rounded)
        paje_simulation_note(&reader->simulation, PAJE_TIME_ROUNDED, reader->lines.number);
    if (decimal.digits > reader->digits)
        OC_TRY(refine(reader, decimal.digits));
    if (!paje_decimal_ticks(time, &decimal, reader->digits))
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "time \"%s\" is too large for ticks of 10^-%" PRIu32 " of its unit",
                       text.text, reader->digits);
    return OCELOTL_OK;
}

/* "r g b" with numbers in 0..1. */
static int32_t read_colour(paje_reader *reader)
{
    const paje_field field = get(reader, PAJE_COLOUR);
    const char *text = field.text;
    int32_t colour = 0;
    if (field.length == 0)
        return -1;
    for (int i = 0; i < 3; i++) {
        double part;
        text += strspn(text, " \t");
        const size_t length = strcspn(text, " \t");
        if (!oc_text_is_number(&part, text, length) || !(part >= 0) || !(part <= 1)) {
            paje_simulation_note(&reader->simulation, PAJE_COLOUR_UNREADABLE, reader->lines.number);
            return -1;
        }
        colour = colour << 8 | (int32_t)(part * 255 + 0.5);
        text += length;
    }
    return colour;
}

static ocelotl_status define(paje_reader *reader)
{
    paje_names *names = &reader->simulation.names;
    const paje_field alias = get(reader, PAJE_ALIAS);
    const paje_field name = get(reader, PAJE_NAME);
    const paje_field type = get(reader, PAJE_TYPE);
    bool known = false;
    OC_TRY(paje_pipeline_settle(&reader->pipeline, false));
    if (reader->definition->has_extra)
        paje_simulation_note(&reader->simulation, PAJE_FIELD_IGNORED, reader->lines.number);
    switch (reader->definition->kind) {
    case PAJE_DEFINE_CONTAINER_TYPE:
        return paje_names_container_type(names, alias, name, type);
    case PAJE_DEFINE_EVENT_TYPE:
        return paje_names_event_type(names, OCELOTL_EVENT, alias, name, type, read_colour(reader));
    case PAJE_DEFINE_STATE_TYPE:
        return paje_names_event_type(names, OCELOTL_STATE, alias, name, type, read_colour(reader));
    case PAJE_DEFINE_VARIABLE_TYPE:
        return paje_names_event_type(names, OCELOTL_VARIABLE, alias, name, type,
                                     read_colour(reader));
    case PAJE_DEFINE_LINK_TYPE:
        return paje_names_event_type(names, OCELOTL_LINK, alias, name, type, read_colour(reader));
    default:
        OC_TRY(paje_names_value(&known, names, type, alias, name, read_colour(reader)));
        if (known)
            paje_simulation_note(&reader->simulation, PAJE_VALUE_TWICE, reader->lines.number);
        return OCELOTL_OK;
    }
}

static ocelotl_status refuse_files(const char *name)
{
    return oc_fail(OCELOTL_ERROR_INPUT,
                   "the trace goes on in the file \"%s\", expected a trace in one file", name);
}

/* In a note a "=" ends the name. */
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

static ocelotl_status create_container(paje_reader *reader)
{
    int64_t time;
    uint32_t container;
    paje_names *names = &reader->simulation.names;
    if (get(reader, PAJE_FILE_NAME).length > 0)
        return refuse_files(get(reader, PAJE_FILE_NAME).text);
    OC_TRY(read_time(&time, reader));
    OC_TRY(paje_pipeline_settle(&reader->pipeline, false));
    OC_TRY(paje_names_container(&container, names, get(reader, PAJE_ALIAS), get(reader, PAJE_NAME),
                                get(reader, PAJE_TYPE), get(reader, PAJE_CONTAINER), time));
    for (size_t i = 0; i < reader->definition->field_count; i++)
        if (reader->definition->fields[i].meaning == PAJE_EXTRA)
            OC_TRY(keep_note(reader, names->containers[container].id,
                             reader->definition->fields[i].name, reader->fields[i].text));
    return OCELOTL_OK;
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

static ocelotl_status read_value(paje_event *event, paje_reader *reader)
{
    const paje_field text = get(reader, PAJE_VALUE);
    if (reader->definition->place[PAJE_VALUE] < 0)
        return OCELOTL_OK;
    if (category_of((paje_kind)event->kind) == OCELOTL_VARIABLE) {
        if (!oc_bytes_are_number(&event->number, text.text, text.length))
            return oc_fail(OCELOTL_ERROR_INPUT, "value is \"%s\", expected a number", text.text);
        return OCELOTL_OK;
    }
    OC_TRY(paje_names_known_value(&event->value, &reader->simulation.names, event->type, text));
    if (event->value != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(paje_pipeline_settle(&reader->pipeline, false));
    return paje_names_find_value(&event->value, &reader->simulation.names, event->type, text);
}

static ocelotl_status resolve(paje_event *event, paje_reader *reader)
{
    paje_names *names = &reader->simulation.names;
    event->kind = (uint8_t)reader->definition->kind;
    event->line = reader->lines.number;
    event->value = OCELOTL_NONE;
    OC_TRY(read_time(&event->time, reader));
    if (event->kind == PAJE_DESTROY_CONTAINER) {
        OC_TRY(paje_names_find_container(&event->container, names, get(reader, PAJE_NAME)));
        paje_names_replace(&reader->simulation.names, event->container);
        return OCELOTL_OK;
    }
    OC_TRY(paje_names_find_event_type(&event->type, names, category_of((paje_kind)event->kind),
                                      get(reader, PAJE_TYPE)));
    if (reader->definition->place[PAJE_CONTAINER] >= 0)
        OC_TRY(paje_names_find_container(&event->container, names, get(reader, PAJE_CONTAINER)));
    if (event->kind == PAJE_START_LINK)
        OC_TRY(paje_names_find_container(&event->end, names, get(reader, PAJE_START_CONTAINER)));
    if (event->kind == PAJE_END_LINK)
        OC_TRY(paje_names_find_container(&event->end, names, get(reader, PAJE_END_CONTAINER)));
    OC_TRY(read_value(event, reader));
    if (event->kind != PAJE_POP_STATE && event->kind != PAJE_RESET_STATE)
        return paje_read_attributes(event, reader);
    if (reader->definition->has_extra)
        paje_simulation_note(&reader->simulation, PAJE_FIELD_IGNORED, event->line);
    return OCELOTL_OK;
}

/* A broken line: an error with its place, or, when lenient, something to count. */
static ocelotl_status at_line(paje_reader *reader, ocelotl_status status, uint64_t line)
{
    return oc_oddities_skip(&reader->simulation.oddities, status, reader->import->source, line);
}

/* A line that can only be understood when its event happens may be broken, too. */
static ocelotl_status happen(void *context, paje_event *event)
{
    paje_reader *reader = context;
    const ocelotl_status status = paje_simulate(&reader->simulation, event);
    return status == OCELOTL_OK ? OCELOTL_OK : at_line(reader, status, event->line);
}

static void expect(void *context, const paje_event *farthest, paje_event *farther,
                   const paje_event *next)
{
    const paje_reader *reader = context;
    paje_simulation_expect(&reader->simulation, farthest, farther, next);
}

static ocelotl_status add_event(paje_reader *reader)
{
    paje_event *event = paje_window_next(&reader->pipeline.window);
    ocelotl_status status = resolve(event, reader);
    if (status == OCELOTL_OK)
        status = paje_window_add(&reader->pipeline.window);
    if (status != OCELOTL_OK)
        paje_event_free(event);
    return status;
}

static ocelotl_status find_definition(paje_reader *reader, size_t count)
{
    reader->definition = paje_definitions_find(&reader->definitions, reader->words[0].text);
    if (reader->definition == NULL)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "unknown event number \"%s\", expected one defined by %%EventDef before",
                       reader->words[0].text);
    if (count - 1 != reader->definition->field_count)
        return oc_fail(OCELOTL_ERROR_INPUT, "wrong number of fields, %zu in \"%s\", expected %zu",
                       count - 1, reader->definition->name, reader->definition->field_count);
    reader->kept_lines++;
    return OCELOTL_OK;
}

static ocelotl_status read_line(paje_reader *reader, paje_line *line)
{
    if (!line->is_split) {
        while (*line->text == ' ' || *line->text == '\t')
            line->text++;
        if (*line->text == '%') {
            const ocelotl_status status =
                paje_definitions_line(&reader->definitions, line->text + 1);
            paje_quick_prepare(reader);
            return status;
        }
        if (!paje_split(reader->words, PAJE_MOST_FIELDS + 1, &line->count, line->text))
            return oc_fail(OCELOTL_ERROR_INPUT, "a quote is not closed, expected one more \"");
    }
    if (line->count == 0)
        return OCELOTL_OK;
    OC_TRY(find_definition(reader, line->count));
    switch (reader->definition->kind) {
    case PAJE_DEFINE_CONTAINER_TYPE:
    case PAJE_DEFINE_EVENT_TYPE:
    case PAJE_DEFINE_STATE_TYPE:
    case PAJE_DEFINE_VARIABLE_TYPE:
    case PAJE_DEFINE_LINK_TYPE:
    case PAJE_DEFINE_ENTITY_VALUE:
        return define(reader);
    case PAJE_CREATE_CONTAINER:
        return create_container(reader);
    case PAJE_TRACE_FILE:
        return refuse_files(get(reader, PAJE_FILE_NAME).text);
    case PAJE_UNKNOWN:
        paje_simulation_note(&reader->simulation, PAJE_EVENT_UNKNOWN, reader->lines.number);
        return OCELOTL_OK;
    default:
        return add_event(reader);
    }
}

static ocelotl_status report(paje_reader *reader)
{
    const ocelotl_import_options *options = reader->import->options;
    if (reader->lines.number < reader->next_report || options->progress == NULL)
        return OCELOTL_OK;
    reader->next_report = reader->lines.number + lines_per_report;
    if (options->progress(options->progress_context, oc_input_position(reader->import->input),
                          oc_input_size(reader->import->input)))
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_CANCELLED, "the import was cancelled");
}

/* What an earlier line came to comes first. */
static ocelotl_status at_this_line(paje_reader *reader, ocelotl_status status)
{
    char message[2048];
    snprintf(message, sizeof message, "%s", ocelotl_error_message());
    OC_TRY(paje_pipeline_settle(&reader->pipeline, false));
    return at_line(reader, oc_fail(status, "%s", message), reader->lines.number);
}

static ocelotl_status read_block(paje_reader *reader)
{
    while (paje_lines_are_read(&reader->lines)) {
        paje_line line;
        if (paje_lines_is_empty(&reader->lines)) {
            paje_lines_pass_empty(&reader->lines);
            OC_TRY(report(reader));
            continue;
        }
        if (paje_quick_read(reader)) {
            OC_TRY(paje_pipeline_flow(&reader->pipeline));
            OC_TRY(report(reader));
            continue;
        }
        paje_lines_next(&line, &reader->lines, reader->words, PAJE_MOST_FIELDS + 1);
        const ocelotl_status status = read_line(reader, &line);
        if (status != OCELOTL_OK)
            OC_TRY(at_this_line(reader, status));
        OC_TRY(paje_pipeline_flow(&reader->pipeline));
        OC_TRY(report(reader));
    }
    return OCELOTL_OK;
}

/* In compressed data the line is where the text ends. */
static ocelotl_status fail_lost(const paje_reader *reader)
{
    if (reader->kept_lines == 0)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: %s; no event is before that",
                       reader->import->source, oc_input_loss(reader->import->input));
    return oc_fail(OCELOTL_ERROR_INPUT, "%s:%" PRIu64 ": %s", reader->import->source,
                   reader->lines.number + 1, oc_input_loss(reader->import->input));
}

/* Events wait to be sorted while lines that are none go by, or are long themselves: then they keep
 * what they refer to apart from their lines, and where that is too much, too, they are sorted by
 * now. */
static ocelotl_status bound_text(paje_reader *reader)
{
    size_t bytes;
    if (reader->lines.allocated <= most_text)
        return OCELOTL_OK;
    OC_TRY(paje_pipeline_settle(&reader->pipeline, false));
    OC_TRY(paje_window_own(&bytes, &reader->pipeline.window));
    if (bytes > most_text)
        OC_TRY(paje_pipeline_settle(&reader->pipeline, true));
    paje_lines_release(&reader->lines, reader->pipeline.window.count);
    return OCELOTL_OK;
}

static ocelotl_status read_more(paje_reader *reader)
{
    bool too_long;
    OC_TRY(bound_text(reader));
    const ocelotl_status status = paje_lines_read(&reader->lines, reader->pipeline.window.count,
                                                  reader->pipeline.known_happened, &too_long);
    if (status == OCELOTL_ERROR_INPUT && oc_input_loss(reader->import->input) != NULL)
        return fail_lost(reader);
    return too_long ? at_this_line(reader, status) : status;
}

static ocelotl_status read_lines(paje_reader *reader)
{
    do {
        OC_TRY(read_more(reader));
        OC_TRY(read_block(reader));
    } while (!reader->lines.at_end);
    return OCELOTL_OK;
}

/* What was read before counts: the rest is missed. */
static ocelotl_status check_loss(paje_reader *reader)
{
    if (oc_input_loss(reader->import->input) == NULL)
        return OCELOTL_OK;
    const ocelotl_status status = fail_lost(reader);
    if (reader->kept_lines == 0)
        return status;
    return ocelotl_writer_warning(reader->writer, "skipped rest of the trace", 1,
                                  ocelotl_error_message());
}

static ocelotl_status check_end(paje_reader *reader)
{
    OC_TRY(check_loss(reader));
    if (reader->definitions.open != NULL) {
        oc_fail(OCELOTL_ERROR_INPUT,
                "the trace ends in the definition of \"%s\", expected %%EndEventDef",
                reader->definitions.open->name);
        OC_TRY(at_line(reader, OCELOTL_ERROR_INPUT, reader->lines.number));
    }
    if (reader->kept_lines == 0)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: holds definitions alone, expected events",
                       reader->import->source);
    return OCELOTL_OK;
}

static ocelotl_status read_all(paje_reader *reader)
{
    OC_TRY(paje_names_begin(&reader->simulation.names));
    OC_TRY(paje_pipeline_begin(&reader->pipeline, happen, expect, reader));
    OC_TRY(read_lines(reader));
    OC_TRY(paje_pipeline_settle(&reader->pipeline, true));
    OC_TRY(check_end(reader));
    OC_TRY(paje_simulation_finish(&reader->simulation));
    return ocelotl_writer_finish(reader->writer);
}

static ocelotl_status choose_unit(uint32_t *digits, const char *unit)
{
    static const char *const units[] = {"s", "ms", "us", "ns"};
    for (uint32_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (unit == NULL || strcmp(unit, units[i]) == 0) {
            *digits = 3 * i;
            return OCELOTL_OK;
        }
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "time unit is \"%s\", expected s, ms, us or ns", unit);
}

static ocelotl_status open_writer(paje_reader *reader)
{
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    OC_TRY(choose_unit(&reader->unit_digits, reader->import->options->time_unit));
    options.name = reader->import->name;
    const char *path = reader->import->options->source_path;
    options.source = path != NULL ? path : reader->import->source;
    options.format = oc_paje_importer.format.name;
    options.tick_denominator = paje_power_of_ten(reader->unit_digits);
    options.overwrite = reader->import->options->overwrite;
    OC_TRY(ocelotl_writer_open(&reader->writer, reader->import->target, &options));
    reader->simulation.names.writer = reader->writer;
    reader->simulation.source = reader->import->source;
    reader->simulation.oddities = (oc_oddities){.writer = reader->writer,
                                                .names = paje_oddity_names,
                                                .name_count = PAJE_ODDITY_COUNT,
                                                .lenient = reader->import->options->lenient};
    return OCELOTL_OK;
}

static ocelotl_status import_paje(const oc_import *import)
{
    paje_reader *reader = NULL;
    OC_TRY(oc_allocate(&reader, 1, sizeof *reader));
    reader->import = import;
    reader->lines.input = import->input;
    reader->fields = reader->words + 1;
    reader->simulation.links.free_half = OC_MAP_NONE;
    reader->simulation.links.hash_key = oc_hash_key_draw();
    reader->power = 1;
    reader->next_report = lines_per_report;
    ocelotl_status status = open_writer(reader);
    if (status == OCELOTL_OK)
        status = read_all(reader);
    paje_pipeline_free(&reader->pipeline);
    paje_simulation_free(&reader->simulation);
    paje_definitions_free(&reader->definitions);
    paje_lines_free(&reader->lines);
    ocelotl_writer_free(reader->writer);
    free(reader);
    return status;
}

const oc_importer oc_paje_importer = {
    .format = {"paje", "Pajé traces, as SimGrid, StarPU and many others write them (.trace, plain, "
                       ".gz, .zst or .xz)"},
    .recognises = recognises,
    .import = import_paje,
};
