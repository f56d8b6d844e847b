/* What is in a trace. */
#include "answer/table.h"

#include "base/memory.h"
#include "quality/causality.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The events know the paths of resources. */
typedef struct source {
    ocelotl_trace *trace;
    const ocelotl_notes *notes; /* on it, or NULL */
    const char *choices;        /* of the first picture, or NULL */
    ocelotl_events *events;
    uint32_t *examples; /* the first resource of each type */
    oc_text alignment;  /* what was done to the clock of each of several files, a text each */
} source;

static ocelotl_status find_alignment(source *of)
{
    ocelotl_query *query = NULL;
    bool found = true;
    OC_TRY(ocelotl_query_open(&query, of->trace,
                              "SELECT value FROM meta WHERE key GLOB 'aligned.*' "
                              "ORDER BY length(key), key"));
    ocelotl_status status = ocelotl_query_next(&found, query);
    while (found && status == OCELOTL_OK) {
        oc_text_add(&of->alignment, ocelotl_query_cell_at(query, 0).text);
        oc_text_append(&of->alignment, "", 1);
        status = ocelotl_query_next(&found, query);
    }
    ocelotl_query_free(query);
    return status == OCELOTL_OK && of->alignment.failed ? oc_fail_memory() : status;
}

static ocelotl_status begin_source(source *of)
{
    ocelotl_trace *trace = of->trace;
    const uint32_t types = ocelotl_trace_resource_type_count(trace);
    OC_TRY(ocelotl_events_open(&of->events, trace, NULL));
    OC_TRY(oc_allocate(&of->examples, types, sizeof *of->examples));
    for (uint32_t i = 0; i < types; i++)
        of->examples[i] = OCELOTL_NONE;
    for (uint32_t r = ocelotl_trace_resource_count(trace); r-- > 0;) {
        const uint32_t type = ocelotl_trace_resource_at(trace, r).type;
        if (type < types)
            of->examples[type] = r;
    }
    return find_alignment(of);
}

/* Longer paths help nobody, and types one in the other could have N^2 bytes of them. */
enum { LONGEST_EXAMPLE = 4096 };

/* The path of the first resource of a type; "" where it has none, or too long a one. */
static const char *example_of(const source *of, uint32_t type)
{
    const uint32_t example = of->examples[type];
    const char *path = example != OCELOTL_NONE ? ocelotl_events_path(of->events, example) : "";
    return memchr(path, '\0', LONGEST_EXAMPLE + 1) != NULL ? path : "";
}

static ocelotl_value value_of(const source *of, uint32_t event_type, uint32_t index)
{
    return ocelotl_trace_value_at(of->trace,
                                  ocelotl_trace_event_type_value_at(of->trace, event_type, index));
}

typedef struct type_totals {
    double innermost, inclusive; /* seconds */
} type_totals;

static type_totals totals_of(const source *of, const ocelotl_value *value)
{
    return (type_totals){ocelotl_trace_seconds(of->trace, value->innermost_ticks),
                         ocelotl_trace_seconds(of->trace, value->inclusive_ticks)};
}

static type_totals sum_values(const source *of, uint32_t event_type)
{
    type_totals totals = {0, 0};
    for (uint32_t i = 0; i < ocelotl_trace_event_type_value_count(of->trace, event_type); i++) {
        const ocelotl_value value = value_of(of, event_type, i);
        totals.innermost += totals_of(of, &value).innermost;
        totals.inclusive += totals_of(of, &value).inclusive;
    }
    return totals;
}

/* --- What a derived trace was made of: its source, what was done, and the clocks that were set */

static void add_derived(oc_json *json, const ocelotl_trace *trace, const ocelotl_trace_info *info)
{
    const double tick = ocelotl_trace_seconds(trace, 1);
    oc_json_line(json, 0);
    oc_json_object(json, "derived");
    oc_json_text(json, "from", info->derived_from);
    oc_json_text(json, "how", info->derivation);
    oc_json_list(json, "clocks");
    for (uint32_t i = 0; i < ocelotl_trace_clock_count(trace); i++) {
        const ocelotl_set_clock clock = ocelotl_trace_clock_at(trace, i);
        oc_json_item(json, 1);
        oc_json_text(json, "clock", clock.path);
        oc_json_count(json, "group", clock.group);
        oc_json_number(json, "offset", clock.offset * tick);
        oc_json_number(json, "drift", clock.drift);
        oc_json_number(json, "bound", clock.bound * tick);
        oc_json_count(json, "samples", clock.samples);
        oc_json_count(json, "messages", clock.messages);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
    oc_json_end_object(json);
}

static void print_derived(oc_output *out, const ocelotl_trace *trace)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    const uint32_t count = ocelotl_trace_clock_count(trace);
    double worst = 0;
    uint32_t groups = 0;
    if (info.derived_from[0] == '\0')
        return;
    oc_output_print(out, "made of    %s\n", info.derived_from);
    if (info.derivation[0] != '\0')
        oc_output_print(out, "by         %s\n", info.derivation);
    for (uint32_t i = 0; i < count; i++) {
        const ocelotl_set_clock clock = ocelotl_trace_clock_at(trace, i);
        worst = fmax(worst, clock.bound * ocelotl_trace_seconds(trace, 1));
        groups = clock.group >= groups ? clock.group + 1 : groups;
    }
    if (count == 0)
        return;
    oc_output_format(out, "clocks     %u set right", count);
    if (groups > 1)
        oc_output_format(out, ", in %u groups that do not compare", groups);
    if (groups == count)
        oc_output_add(out, ", so that nothing is known of them\n");
    else if (isfinite(worst))
        oc_output_format(out, ", each to within %.3g s\n", worst);
    else
        oc_output_add(out, "; what some of them are off by is not known\n");
}

/* --- JSON */

static void add_event_type(oc_json *json, const source *of, uint32_t index)
{
    const ocelotl_event_type type = ocelotl_trace_event_type_at(of->trace, index);
    const type_totals totals = sum_values(of, index);
    uint64_t tachyons = 0;
    oc_json_item(json, 1);
    oc_json_text(json, "category", oc_category_name(type.category));
    oc_json_text(json, "name", type.name);
    oc_json_text(json, "spelling", ocelotl_trace_event_type_spelling(of->trace, index));
    oc_json_text(json, "unit", type.unit);
    if (type.kind == OCELOTL_COUNTER)
        oc_json_text(json, "kind", "counter");
    oc_json_count(json, "count", type.count);
    oc_json_count(json, "unmatched", type.unmatched);
    if (type.category == OCELOTL_LINK) {
        /* Those that end before they begin; null where damage hides them. */
        const ocelotl_status status = ocelotl_trace_count_tachyons(&tachyons, of->trace, index);
        if (status == OCELOTL_OK)
            oc_json_count(json, "tachyons", tachyons);
        else if (status == OCELOTL_ERROR_INPUT)
            oc_json_null(json, "tachyons");
        else
            json->out.status = status;
    }
    oc_json_number(json, "innermost", totals.innermost);
    oc_json_number(json, "inclusive", totals.inclusive);
    oc_json_list(json, "values");
    for (uint32_t i = 0; i < ocelotl_trace_event_type_value_count(of->trace, index); i++) {
        const ocelotl_value value = value_of(of, index, i);
        oc_json_item(json, 2);
        oc_json_text(json, "name", value.name);
        oc_json_seconds(json, "innermost", of->trace, value.innermost_ticks);
        oc_json_seconds(json, "inclusive", of->trace, value.inclusive_ticks);
        oc_json_count(json, "count", value.count);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
    oc_json_end_object(json);
}

static void add_source(oc_json *json, const source *of, const ocelotl_trace_info *info)
{
    const ocelotl_trace *trace = of->trace;
    const uint32_t count = ocelotl_trace_source_kind_count(trace);
    oc_json_line(json, 0);
    oc_json_object(json, "source");
    oc_json_text(json, "path", info->source);
    oc_json_text(json, "format", info->format);
    oc_json_text(json, "producer", info->producer);
    oc_json_list(json, "files");
    for (uint32_t i = 0; i < ocelotl_trace_file_count(trace); i++)
        oc_json_text(json, NULL, ocelotl_trace_file_at(trace, i).path);
    oc_json_end_list(json);
    if (of->alignment.length > 0) {
        oc_json_list(json, "aligned");
        for (size_t at = 0; at < of->alignment.length; at += strlen(of->alignment.bytes + at) + 1)
            oc_json_text(json, NULL, of->alignment.bytes + at);
        oc_json_end_list(json);
    }
    oc_json_line(json, 1);
    oc_json_object(json, "records"); /* whatever became of them: those of a kind stand together */
    for (uint32_t i = 0; i < count;) {
        const char *kind = ocelotl_trace_source_kind_at(trace, i).kind;
        uint64_t records = 0;
        for (; i < count && strcmp(ocelotl_trace_source_kind_at(trace, i).kind, kind) == 0; i++)
            records += ocelotl_trace_source_kind_at(trace, i).count;
        oc_json_count(json, kind, records);
    }
    oc_json_end_object(json);
    oc_json_line(json, 1);
    oc_json_object(json, "left_out");
    for (uint32_t i = 0; i < count; i++) {
        const ocelotl_source_kind kind = ocelotl_trace_source_kind_at(trace, i);
        if (kind.fate != OCELOTL_FATE_LEFT_OUT)
            continue;
        oc_json_object(json, kind.kind);
        oc_json_count(json, "count", kind.count);
        oc_json_text(json, "why", kind.why);
        oc_json_end_object(json);
    }
    oc_json_end_object(json);
    oc_json_end_object(json);
}

static ocelotl_status add_members(oc_json *json, void *state)
{
    const source *of = state;
    const ocelotl_trace_info info = ocelotl_trace_info_of(of->trace);
    const uint64_t events = oc_count_events(of->trace);
    oc_json_text(json, "name", info.name);
    oc_json_text(json, "format", info.format);
    oc_json_text(json, "importer", info.importer);
    oc_json_text(json, "origin", info.origin);
    oc_json_text(json, "uid", info.uid);
    oc_json_count(json, "tick_numerator", info.tick_numerator);
    oc_json_count(json, "tick_denominator", info.tick_denominator);
    oc_json_seconds(json, "begin", of->trace, info.begin);
    oc_json_seconds(json, "end", of->trace, info.end);
    oc_json_seconds(json, "duration", of->trace, info.end - info.begin);
    oc_json_count(json, "size", info.file_size);
    oc_json_count(json, "events", events);
    oc_json_number(json, "bytes_per_event",
                   events > 0 ? (double)info.file_size / (double)events : (double)NAN);
    oc_json_count(json, "resources", ocelotl_trace_resource_count(of->trace));
    oc_json_list(json, "resource_types");
    for (uint32_t i = 0; i < ocelotl_trace_resource_type_count(of->trace); i++) {
        const ocelotl_resource_type type = ocelotl_trace_resource_type_at(of->trace, i);
        oc_json_item(json, 1);
        oc_json_text(json, "name", type.name);
        oc_json_text(json, "example", example_of(of, i));
        oc_json_count(json, "resources", type.resources);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
    oc_json_line(json, 0);
    oc_json_list(json, "event_types");
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(of->trace); i++)
        add_event_type(json, of, i);
    oc_json_end_list(json);
    oc_json_line(json, 0);
    oc_json_list(json, "warnings");
    for (uint32_t i = 0; i < ocelotl_trace_warning_count(of->trace); i++) {
        const ocelotl_warning warning = ocelotl_trace_warning_at(of->trace, i);
        oc_json_item(json, 1);
        oc_json_text(json, "kind", warning.kind);
        oc_json_text(json, "detail", warning.detail);
        oc_json_count(json, "count", warning.count);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
    add_source(json, of, &info);
    if (info.derived_from[0] != '\0')
        add_derived(json, of->trace, &info);
    oc_json_line(json, 0);
    oc_json_count(json, "notes", ocelotl_notes_count(of->notes));
    oc_json_metadata(json, "metadata", of->notes);
    if (of->choices != NULL) {
        oc_json_object(json, "picture");
        oc_json_choices(json, of->choices);
        oc_json_end_object(json);
    }
    return OCELOTL_OK;
}

/* --- CSV: a row for each type of resources, event type, value, oddity and kind of records */

static void add_row(oc_csv_table *table, const char *what, const char *type, const char *name,
                    uint64_t count, type_totals totals)
{
    oc_csv_text(table, what);
    oc_csv_text(table, type);
    oc_csv_text(table, name);
    oc_csv_count(table, count);
    oc_csv_number(table, totals.innermost);
    oc_csv_number(table, totals.inclusive);
    oc_csv_end_row(table);
}

static ocelotl_status add_rows(oc_csv_table *table, void *state)
{
    static const type_totals none = {NAN, NAN};
    const source *of = state;
    oc_csv_row(table, "what,type,name,count,innermost,inclusive");
    for (uint32_t i = 0; i < ocelotl_trace_resource_type_count(of->trace); i++) {
        const ocelotl_resource_type type = ocelotl_trace_resource_type_at(of->trace, i);
        add_row(table, "resource", type.name, example_of(of, i), type.resources, none);
    }
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(of->trace); i++) {
        const ocelotl_event_type type = ocelotl_trace_event_type_at(of->trace, i);
        const char *category = oc_category_name(type.category);
        add_row(table, category, type.name, "", type.count, sum_values(of, i));
        for (uint32_t v = 0; v < ocelotl_trace_event_type_value_count(of->trace, i); v++) {
            const ocelotl_value value = value_of(of, i, v);
            if (value.count > 0)
                add_row(table, category, type.name, value.name, value.count, totals_of(of, &value));
        }
    }
    for (uint32_t i = 0; i < ocelotl_trace_warning_count(of->trace); i++) {
        const ocelotl_warning warning = ocelotl_trace_warning_at(of->trace, i);
        add_row(table, "oddity", warning.kind, warning.detail, warning.count, none);
    }
    for (uint32_t i = 0; i < ocelotl_trace_source_kind_count(of->trace); i++) {
        const ocelotl_source_kind kind = ocelotl_trace_source_kind_at(of->trace, i);
        add_row(table, "record", kind.kind, ocelotl_fate_name(kind.fate), kind.count, none);
    }
    for (size_t i = 0; i < ocelotl_notes_metadata_count(of->notes); i++) {
        const ocelotl_metadata one = ocelotl_notes_metadata_at(of->notes, i);
        add_row(table, "metadata", one.key, one.value, 1, none);
    }
    return OCELOTL_OK;
}

/* --- Text, for people */

/* Width of the column of value names, so that their numbers line up. */
enum { VALUE_WIDTH = 28 };

static void print_values(oc_output *out, const source *of, uint32_t event_type,
                         ocelotl_category category)
{
    for (uint32_t i = 0; i < ocelotl_trace_event_type_value_count(of->trace, event_type); i++) {
        const ocelotl_value value = value_of(of, event_type, i);
        const type_totals totals = totals_of(of, &value);
        if (value.count == 0)
            continue;
        oc_output_format(out, "  %12" PRIu64 "  ", value.count);
        oc_output_add_column(out, value.name, VALUE_WIDTH);
        if (category == OCELOTL_STATE)
            oc_output_format(out, " %9s, of it innermost %s", oc_short_time(totals.inclusive).text,
                             oc_short_time(totals.innermost).text);
        else if (category == OCELOTL_LINK)
            oc_output_format(out, " %9s in flight", oc_short_time(totals.inclusive).text);
        oc_output_add(out, "\n");
    }
}

/* Leaves damage unmentioned, as `verify` reports it. With nested states the total is the time of
 * the innermost ones. */
static void print_event_types(oc_output *out, const source *of)
{
    const ocelotl_trace *trace = of->trace;
    oc_output_format(out, "events     %" PRIu64 "\n", oc_count_events(trace));
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(trace); i++) {
        const ocelotl_event_type type = ocelotl_trace_event_type_at(trace, i);
        const type_totals totals = sum_values(of, i);
        uint64_t tachyons = 0;
        const ocelotl_status status = type.category == OCELOTL_LINK
                                          ? ocelotl_trace_count_tachyons(&tachyons, of->trace, i)
                                          : OCELOTL_OK;
        oc_output_print(out, "%s \"%s\": %" PRIu64 "%s%s",
                        type.kind == OCELOTL_COUNTER ? "counter" : oc_category_name(type.category),
                        ocelotl_trace_event_type_spelling(trace, i), type.count,
                        type.unit[0] != '\0' ? ", in " : "", type.unit);
        if (type.unmatched > 0)
            oc_output_format(out, " (%" PRIu64 " with one end only)", type.unmatched);
        if (status != OCELOTL_OK && status != OCELOTL_ERROR_INPUT)
            out->status = status;
        if (status == OCELOTL_OK && tachyons > 0)
            oc_output_format(out, " (%" PRIu64 " end before they begin: see causality)", tachyons);
        if (type.count > 0 && type.category == OCELOTL_STATE)
            oc_output_format(out, ", %s in any of them", oc_short_time(totals.innermost).text);
        else if (type.count > 0 && type.category == OCELOTL_LINK)
            oc_output_format(out, ", %s in flight", oc_short_time(totals.inclusive).text);
        oc_output_add(out, "\n");
        print_values(out, of, i, type.category);
    }
}

/* Prints the records of the source, by its own kinds, and what is odd. */
static void print_records(oc_output *out, const ocelotl_trace *trace)
{
    const uint32_t kinds = ocelotl_trace_source_kind_count(trace);
    const uint32_t warnings = ocelotl_trace_warning_count(trace);
    oc_output_add(out, kinds > 0 ? "records of the source\n" : "");
    for (uint32_t i = 0; i < kinds; i++) {
        const ocelotl_source_kind kind = ocelotl_trace_source_kind_at(trace, i);
        oc_output_format(out, "  %12" PRIu64 "  ", kind.count);
        oc_output_add_column(out, kind.kind, VALUE_WIDTH);
        oc_output_print(out, " %s%s%s\n", ocelotl_fate_name(kind.fate),
                        kind.why[0] != '\0' ? ": " : "", kind.why);
    }
    oc_output_add(out, warnings == 0 ? "nothing odd in the trace\n" : "oddities\n");
    for (uint32_t i = 0; i < warnings; i++) {
        const ocelotl_warning warning = ocelotl_trace_warning_at(trace, i);
        oc_output_print(out, "  %12" PRIu64 "  %s%s%s\n", warning.count, warning.kind,
                        warning.detail[0] != '\0' ? "; " : "", warning.detail);
    }
}

/* A line, but for what is not known. */
static void print_known(oc_output *out, const char *head, const char *text)
{
    if (text[0] != '\0')
        oc_output_print(out, "%-10s %s\n", head, text);
}

static ocelotl_status print_text(oc_output *out, void *state)
{
    const source *of = state;
    const ocelotl_trace *trace = of->trace;
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    const uint64_t events = oc_count_events(trace);
    const size_t notes = ocelotl_notes_count(of->notes);
    oc_output_print(out, "name       %s\nformat     %s, by %s\n", info.name, info.format,
                    info.importer);
    print_known(out, "source", info.source);
    for (uint32_t i = 0; i < ocelotl_trace_file_count(trace); i++)
        oc_output_print(out, "%-10s %s\n", i == 0 ? "files" : "",
                        ocelotl_trace_file_at(trace, i).path);
    for (size_t at = 0; at < of->alignment.length; at += strlen(of->alignment.bytes + at) + 1)
        oc_output_print(out, "%-10s %s\n", at == 0 ? "aligned" : "", of->alignment.bytes + at);
    print_known(out, "producer", info.producer);
    print_known(out, "origin", info.origin);
    oc_output_print(out, "uid        %s\n", info.uid);
    print_derived(out, trace);
    if (notes > 0)
        oc_output_format(out, "notes      %zu, on the page of serve\n", notes);
    for (size_t i = 0; i < ocelotl_notes_metadata_count(of->notes); i++) {
        const ocelotl_metadata one = ocelotl_notes_metadata_at(of->notes, i);
        oc_output_print(out, "%-10s %s = %s\n", i == 0 ? "own" : "", one.key, one.value);
    }
    oc_output_add(out, "time       ");
    oc_output_add_window(out, trace, info.begin, info.end);
    oc_output_format(out, ", in ticks of %" PRIu64 "/%" PRIu64 " s\nsize       %" PRIu64 " bytes",
                     info.tick_numerator, info.tick_denominator, info.file_size);
    if (events > 0)
        oc_output_format(out, ", %.1f an event", (double)info.file_size / (double)events);
    oc_output_add(out, "\n");
    oc_output_format(out, "resources  %u\n", ocelotl_trace_resource_count(trace));
    for (uint32_t i = 0; i < ocelotl_trace_resource_type_count(trace); i++) {
        const ocelotl_resource_type type = ocelotl_trace_resource_type_at(trace, i);
        const char *path = example_of(of, i);
        oc_output_print(out, "  %8u  %s%s%s\n", type.resources, type.name,
                        path[0] == '\0' ? "" : ", such as ", path);
    }
    oc_text choice = {0};
    for (const char *line = of->choices; line != NULL && *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        oc_text_clear(&choice);
        oc_text_append(&choice, line, length);
        print_known(out, line == of->choices ? "picture" : "", choice.failed ? "" : choice.bytes);
        line += length + (line[length] != '\0');
    }
    const bool failed = choice.failed;
    oc_text_free(&choice);
    if (failed)
        return oc_fail_memory();
    print_event_types(out, of);
    print_records(out, trace);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_info_write(const ocelotl_sink *sink, ocelotl_form form, ocelotl_trace *trace,
                                  const ocelotl_notes *notes, const char *choices)
{
    source of = {.trace = trace, .notes = notes, .choices = choices};
    ocelotl_status status = begin_source(&of);
    if (status == OCELOTL_OK)
        status =
            oc_forms_write(sink, form, &(oc_forms){&of, add_members, print_text, .rows = add_rows});
    ocelotl_events_free(of.events);
    free(of.examples);
    oc_text_free(&of.alignment);
    return status;
}
