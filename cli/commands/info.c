/* ocelotl-cli info: what is in a trace. */
#include "output.h"
#include "shell.h"
#include "visible.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Of the names of values, to which their numbers are aligned. */
enum { VALUE_WIDTH = 28 };

static const char *const categories[] = {"event", "state", "variable", "link"};

/* What is said, of what; the events know the paths of resources. */
typedef struct info_work {
    FILE *file;
    const ocelotl_trace *trace;
    const ocelotl_events *events;
    const uint32_t *examples; /* the first resource of each type */
} info_work;

static uint64_t count_events(const ocelotl_trace *trace)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(trace); i++)
        count += ocelotl_trace_event_type_at(trace, i).count;
    return count;
}

static ocelotl_value value_of(const ocelotl_trace *trace, uint32_t event_type, uint32_t index)
{
    return ocelotl_trace_value_at(trace,
                                  ocelotl_trace_event_type_value_at(trace, event_type, index));
}

/* The first resource of each type, to be freed; NULL: no memory. */
static uint32_t *list_examples(const ocelotl_trace *trace)
{
    const uint32_t types = ocelotl_trace_resource_type_count(trace);
    uint32_t *examples = calloc((size_t)types + 1, sizeof *examples);
    for (uint32_t i = 0; examples != NULL && i < types; i++)
        examples[i] = OCELOTL_NONE;
    for (uint32_t r = ocelotl_trace_resource_count(trace); examples != NULL && r-- > 0;) {
        const uint32_t type = ocelotl_trace_resource_at(trace, r).type;
        if (type < types)
            examples[type] = r;
    }
    return examples;
}

/* Longer paths help nobody, and types one in the other could have N^2 bytes of them. */
enum { LONGEST_EXAMPLE = 4096 };

/* The path of the first resource of a type, as --resource takes it; "" where it has none, or too
 * long a one. */
static const char *example_of(const info_work *work, uint32_t type)
{
    const uint32_t example = work->examples[type];
    const char *path = example != OCELOTL_NONE ? ocelotl_events_path(work->events, example) : "";
    return memchr(path, '\0', LONGEST_EXAMPLE + 1) != NULL ? path : "";
}

static void print_resources(const info_work *work)
{
    fprintf(work->file, "resources  %u\n", ocelotl_trace_resource_count(work->trace));
    for (uint32_t i = 0; i < ocelotl_trace_resource_type_count(work->trace); i++) {
        const ocelotl_resource_type type = ocelotl_trace_resource_type_at(work->trace, i);
        const char *path = example_of(work, i);
        fprintf(work->file, "  %8u  ", type.resources);
        cli_write_visible(work->file, type.name);
        fputs(path[0] == '\0' ? "" : ", such as ", work->file);
        cli_write_visible(work->file, path);
        fputc('\n', work->file);
    }
}

static void print_values(FILE *file, const ocelotl_trace *trace, uint32_t event_type,
                         ocelotl_category category)
{
    for (uint32_t i = 0; i < ocelotl_trace_event_type_value_count(trace, event_type); i++) {
        const ocelotl_value value = value_of(trace, event_type, i);
        if (value.count == 0)
            continue;
        fprintf(file, "  %12" PRIu64 "  ", value.count);
        cli_write_column(file, value.name, VALUE_WIDTH);
        if (category == OCELOTL_STATE)
            fprintf(file, " %16.9g s, of it innermost %.9g s",
                    ocelotl_trace_seconds(trace, value.inclusive_ticks),
                    ocelotl_trace_seconds(trace, value.innermost_ticks));
        else if (category == OCELOTL_LINK)
            fprintf(file, " %16.9g s in flight",
                    ocelotl_trace_seconds(trace, value.inclusive_ticks));
        fprintf(file, "\n");
    }
}

typedef struct type_totals {
    double innermost, inclusive; /* seconds */
} type_totals;

static type_totals sum_values(const ocelotl_trace *trace, uint32_t event_type)
{
    type_totals totals = {0, 0};
    for (uint32_t i = 0; i < ocelotl_trace_event_type_value_count(trace, event_type); i++) {
        const ocelotl_value value = value_of(trace, event_type, i);
        totals.innermost += ocelotl_trace_seconds(trace, value.innermost_ticks);
        totals.inclusive += ocelotl_trace_seconds(trace, value.inclusive_ticks);
    }
    return totals;
}

/* Where states nest, the time in any of them is that of the innermost ones. */
static void print_total(FILE *file, const ocelotl_trace *trace, uint32_t index,
                        const ocelotl_event_type *type)
{
    if (type->count == 0)
        return;
    if (type->category == OCELOTL_STATE)
        fprintf(file, ", %.9g s in any of them", sum_values(trace, index).innermost);
    else if (type->category == OCELOTL_LINK)
        fprintf(file, ", %.9g s in flight", sum_values(trace, index).inclusive);
}

static void print_event_types(FILE *file, const ocelotl_trace *trace)
{
    fprintf(file, "events     %" PRIu64 "\n", count_events(trace));
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(trace); i++) {
        const ocelotl_event_type type = ocelotl_trace_event_type_at(trace, i);
        fprintf(file, "%s \"", categories[type.category]);
        cli_write_visible(file, ocelotl_trace_event_type_spelling(trace, i));
        fprintf(file, "\": %" PRIu64, type.count);
        if (type.unit[0] != '\0')
            fputs(", in ", file);
        cli_write_visible(file, type.unit);
        if (type.unmatched > 0)
            fprintf(file, " (%" PRIu64 " with one end only)", type.unmatched);
        print_total(file, trace, i, &type);
        fprintf(file, "\n");
        print_values(file, trace, i, type.category);
    }
}

static void print_warnings(FILE *file, const ocelotl_trace *trace)
{
    const uint32_t count = ocelotl_trace_warning_count(trace);
    fprintf(file, "%s\n", count == 0 ? "nothing odd in the trace" : "oddities");
    for (uint32_t i = 0; i < count; i++) {
        const ocelotl_warning warning = ocelotl_trace_warning_at(trace, i);
        fprintf(file, "  %12" PRIu64 "  ", warning.count);
        cli_write_visible(file, warning.kind);
        fputs(warning.detail[0] != '\0' ? "; " : "", file);
        cli_write_visible(file, warning.detail);
        fputc('\n', file);
    }
}

/* What the source held, by its own kinds. */
static void print_source_kinds(FILE *file, const ocelotl_trace *trace)
{
    const uint32_t count = ocelotl_trace_source_kind_count(trace);
    if (count > 0)
        fputs("records of the source\n", file);
    for (uint32_t i = 0; i < count; i++) {
        const ocelotl_source_kind kind = ocelotl_trace_source_kind_at(trace, i);
        fprintf(file, "  %12" PRIu64 "  ", kind.count);
        cli_write_column(file, kind.kind, VALUE_WIDTH);
        fprintf(file, " %s%s", ocelotl_fate_name(kind.fate), kind.why[0] != '\0' ? ": " : "");
        cli_write_visible(file, kind.why);
        fputc('\n', file);
    }
}

static void print_line(FILE *file, const char *head, const char *text)
{
    fputs(head, file);
    cli_write_visible(file, text);
    fputc('\n', file);
}

static void print_text(const info_work *work)
{
    FILE *file = work->file;
    const ocelotl_trace *trace = work->trace;
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    const uint64_t events = count_events(trace);
    print_line(file, "name       ", info.name);
    fputs("format     ", file);
    cli_write_visible(file, info.format);
    print_line(file, ", by ", info.importer);
    if (info.source[0] != '\0')
        print_line(file, "source     ", info.source);
    if (info.producer[0] != '\0')
        print_line(file, "producer   ", info.producer);
    if (info.origin[0] != '\0')
        print_line(file, "origin     ", info.origin);
    print_line(file, "uid        ", info.uid);
    fprintf(file,
            "time       %.12g s to %.12g s (%.12g s), in ticks of %" PRIu64 "/%" PRIu64 " s\n",
            ocelotl_trace_seconds(trace, info.begin), ocelotl_trace_seconds(trace, info.end),
            ocelotl_trace_seconds(trace, info.end - info.begin), info.tick_numerator,
            info.tick_denominator);
    fprintf(file, "size       %" PRIu64 " bytes", info.file_size);
    if (events > 0)
        fprintf(file, ", %.1f an event", (double)info.file_size / (double)events);
    fprintf(file, "\n");
    print_resources(work);
    print_event_types(file, trace);
    print_source_kinds(file, trace);
    print_warnings(file, trace);
}

static int print_table(const ocelotl_trace *trace, const ocelotl_events *events, const cli_job *job)
{
    cli_output output = {0};
    uint32_t *examples = list_examples(trace);
    if (examples == NULL)
        return cli_memory();
    if (!cli_output_open(&output)) {
        free(examples);
        return CLI_INTERNAL;
    }
    print_text(&(info_work){output.stream, trace, events, examples});
    free(examples);
    return cli_output_close(&output, job->request->output);
}

static int answer_table(ocelotl_trace *trace, const cli_job *job)
{
    ocelotl_events *events = NULL;
    int code = cli_code(ocelotl_events_open(&events, trace, NULL));
    if (code == CLI_DONE)
        code = print_table(trace, events, job);
    ocelotl_events_free(events);
    return code;
}

static int answer(ocelotl_trace *trace, const cli_job *job)
{
    ocelotl_buffer made = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&made);
    const bool json = job->content == CLI_JSON_TEXT;
    if (!json && job->content != CLI_CSV_TEXT)
        return answer_table(trace, job);
    const int code = cli_code(json ? ocelotl_info_write_json(&sink, trace)
                                   : ocelotl_info_write_csv(&sink, trace));
    return cli_write_answer(job->request->output, &made, code);
}

int cli_info(cli_job *job)
{
    ocelotl_trace *trace = NULL;
    const int code = cli_begin_trace(&trace, job);
    return code == CLI_DONE ? answer(trace, job) : code;
}
