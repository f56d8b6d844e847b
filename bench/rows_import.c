/* Imports of Pajé text beside pj_dump: time, memory, and what becomes of it. */
#define _GNU_SOURCE
#include "child.h"
#include "synthetic.h"
#include "trace_rows.h"

#include <inttypes.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where things are, in the folder for files and in that of the programs. */
typedef struct places {
    char text[TRACE_PATH], database[TRACE_PATH], dump[TRACE_PATH];
    char importer[TRACE_PATH], parser[TRACE_PATH], repeater[TRACE_PATH], generator[TRACE_PATH];
} places;

static void find_places(places *found, const trace_wishes *wishes)
{
    snprintf(found->text, TRACE_PATH, "%s/bench_trace.trace", wishes->folder);
    snprintf(found->database, TRACE_PATH, "%s/bench_trace.db", wishes->folder);
    snprintf(found->dump, TRACE_PATH, "%s/bench_trace.dump", wishes->folder);
    snprintf(found->importer, TRACE_PATH, "%s/../ocelotl-cli", wishes->programs);
    snprintf(found->parser, TRACE_PATH, "%s/bench_parse", wishes->programs);
    snprintf(found->repeater, TRACE_PATH, "%s/bench_repeat", wishes->programs);
    snprintf(found->generator, TRACE_PATH, "%s/bench_generate", wishes->programs);
}

static void remove_files(const places *found)
{
    unlink(found->text);
    unlink(found->database);
    unlink(found->dump);
}

static double count_events(const char *path)
{
    ocelotl_trace *trace;
    double count = 0;
    trace_check(ocelotl_trace_open(&trace, path));
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(trace); i++)
        count += (double)ocelotl_trace_event_type_at(trace, i).count;
    ocelotl_trace_free(trace);
    return count;
}

static void repeat_trace(const places *found, const trace_wishes *wishes)
{
    char times[16];
    child_cost cost;
    snprintf(times, sizeof times, "%" PRIu32, wishes->times);
    const char *arguments[] = {
        "sh",  "-c", "zstd -dcq -- \"$0\" | \"$1\" \"$2\"", wishes->trace, found->repeater,
        times, NULL};
    trace_check_done(child_run(&cost, arguments, found->text), "zstd, bench_repeat");
}

enum { LINES, READING, IMPORT, SIMULATION, DUMP, COMMANDS };

/* Prints a line of the table: our cost, beside the rival's if a rival was measured. */
static void print_pair(bench_unit unit, double ours, double rivals, uint32_t runs, const char *what)
{
    bench_print((bench_line){.unit = unit,
                             .figure = ours,
                             .textbook = rivals > 0 ? rivals : 0,
                             .runs = (int)runs,
                             .textbook_runs = rivals > 0 ? (int)runs : 0},
                "%s", what);
}

static void print_rates(double seconds, double bytes, double events)
{
    bench_print((bench_line){.unit = BENCH_RATE, .figure = bytes / seconds}, "  bytes of text");
    bench_print((bench_line){.unit = BENCH_RATE, .figure = events / seconds},
                "  events (states and links)");
}

static void print_import(const child_command *commands, const trace_wishes *wishes, double bytes,
                         double events)
{
    const child_cost *import = &commands[IMPORT].median;
    const child_cost *reading = &commands[READING].median;
    const child_cost *simulation = &commands[SIMULATION].median;
    const child_cost *dump = &commands[DUMP].median;
    const uint32_t runs = wishes->runs;
    print_pair(BENCH_SECONDS, commands[LINES].median.seconds, 0, runs, "lines and fields alone");
    print_rates(commands[LINES].median.seconds, bytes, events);
    print_pair(BENCH_SECONDS, reading->seconds, simulation->seconds, runs,
               "all but the store; pj_dump -q");
    print_rates(reading->seconds, bytes, events);
    print_pair(BENCH_SECONDS, import->seconds, simulation->seconds, runs,
               "text to trace.db; pj_dump -q");
    print_pair(BENCH_SECONDS, import->seconds, dump->seconds, runs,
               "text to trace.db; pj_dump > file");
    print_rates(import->seconds, bytes, events);
    print_pair(BENCH_SECONDS, import->processors, simulation->processors, runs,
               "time of all processors; pj_dump -q");
    print_pair(BENCH_SECONDS, import->processors, dump->processors, runs,
               "time of all processors; pj_dump > file");
    print_pair(BENCH_BYTES, import->memory, simulation->memory, runs, "memory; pj_dump -q");
}

/* Compares the commands on the text that is there, and leaves the trace.db. */
static void compare(child_command commands[COMMANDS], const places *found, int first, uint32_t runs)
{
    const char *lines[] = {found->parser, "--lines", found->text, NULL};
    const char *reading[] = {found->parser, found->text, NULL};
    const char *import[] = {found->importer, "import", "--force", found->text, "-o",
                            found->database, NULL};
    const char *simulation[] = {"pj_dump", "-q", found->text, NULL};
    const char *dump[] = {"pj_dump", found->text, NULL};
    commands[LINES].arguments = lines;
    commands[READING].arguments = reading;
    commands[IMPORT].arguments = import;
    commands[SIMULATION].arguments = simulation;
    commands[DUMP].arguments = dump;
    commands[DUMP].output = found->dump;
    child_compare(commands + first, COMMANDS - first, (int)runs);
    trace_check_done(commands[IMPORT].median.seconds > 0, "ocelotl-cli import");
}

void trace_import(const trace_wishes *wishes)
{
    static places found;
    static child_command commands[COMMANDS];
    char *name = strdup(wishes->trace);
    find_places(&found, wishes);
    repeat_trace(&found, wishes);
    compare(commands, &found, LINES, wishes->runs);
    const double bytes = trace_file_size(found.text);
    const double events = count_events(found.database);
    printf("\na  Pajé text to a finished trace.db: %s x %" PRIu32
           ", %.0f MB, %.2f million events\n",
           name != NULL ? basename(name) : "", wishes->times, bytes / 1e6, events / 1e6);
    free(name);
    print_import(commands, wishes, bytes, events);
    printf("\nc  Bytes of that trace.db for each event (states and links together)\n");
    trace_columns(found.database);
    remove_files(&found);
}

static const char wide_head[] =
    "%EventDef PajeDefineContainerType 0\n% Alias string\n% Type string\n% Name "
    "string\n%EndEventDef\n"
    "%EventDef PajeDefineStateType 1\n% Alias string\n% Type string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeCreateContainer 2\n% Time date\n% Alias string\n% Type string\n% Container "
    "string\n"
    "% Name string\n%EndEventDef\n"
    "%EventDef PajeSetState 3\n% Time date\n% Container string\n% Type string\n% Value "
    "string\n%EndEventDef\n"
    "%EventDef PajeDestroyContainer 4\n% Time date\n% Type string\n% Name string\n%EndEventDef\n";

enum { WIDE_ROUNDS = 10 };

/* All resources take turns, so that all their streams are open at once. */
static void write_wide(const char *path, uint32_t resources)
{
    FILE *file = fopen(path, "w");
    trace_check_done(file != NULL, path);
    fprintf(file, "%s0 T 0 thread\n1 S T state\n", wide_head);
    for (uint32_t r = 0; r < resources; r++)
        fprintf(file, "2 0 r%" PRIu32 " T 0 r%" PRIu32 "\n", r, r);
    for (uint32_t round = 0; round < WIDE_ROUNDS; round++)
        for (uint32_t r = 0; r < resources; r++)
            fprintf(file, "3 %" PRIu32 ".%06" PRIu32 " r%" PRIu32 " S v%" PRIu32 "\n", round, r, r,
                    (round + r) % 4);
    for (uint32_t r = 0; r < resources; r++)
        fprintf(file, "4 %d T r%" PRIu32 "\n", WIDE_ROUNDS, r);
    trace_check_done(fclose(file) == 0, path);
}

void trace_wide(const trace_wishes *wishes)
{
    static places found;
    static child_command commands[COMMANDS];
    find_places(&found, wishes);
    write_wide(found.text, wishes->wide);
    compare(commands, &found, IMPORT, 1);
    printf("\nb  Memory of an import, at its peak: %" PRIu32
           " resources, %d states each, in turn\n",
           wishes->wide, WIDE_ROUNDS);
    const child_cost *import = &commands[IMPORT].median;
    const child_cost *simulation = &commands[SIMULATION].median;
    print_pair(BENCH_BYTES, import->memory, simulation->memory, 1, "memory; pj_dump -q");
    print_pair(BENCH_SECONDS, import->seconds, simulation->seconds, 1,
               "text to trace.db; pj_dump -q");
    remove_files(&found);
}

/* Through a pipe: no disk need hold the text. */
void trace_text(trace_findings *findings, const trace_wishes *wishes)
{
    static places found;
    char states[24];
    child_cost generated, imported;
    find_places(&found, wishes);
    snprintf(states, sizeof states, "%" PRIu64, wishes->text);
    const char *generate[] = {found.generator, states, NULL};
    const char *import[] = {"sh",
                            "-c",
                            "\"$0\" \"$1\" | \"$2\" import --force - -o \"$3\"",
                            found.generator,
                            states,
                            found.importer,
                            found.database,
                            NULL};
    trace_check_done(child_run(&generated, generate, NULL), "bench_generate");
    trace_check_done(child_run(&imported, import, NULL), "bench_generate | ocelotl-cli import");
    const double count = count_events(found.database);
    const double bytes = trace_file_size(found.database);
    printf("\ne  Text of %.1f million states, 1000 leaves, 10 values: imported from a pipe, while "
           "it is made\n",
           count / 1e6);
    bench_print((bench_line){.unit = BENCH_SECONDS, .figure = imported.seconds, .runs = 1},
                "import");
    bench_print((bench_line){.unit = BENCH_RATE, .figure = count / imported.seconds}, "  states");
    bench_print((bench_line){.unit = BENCH_SECONDS, .figure = generated.seconds, .runs = 1},
                "the making of the text alone");
    bench_print((bench_line){.unit = BENCH_BYTES, .figure = bytes}, "size (%.2f bytes a state)",
                bytes / count);
    findings->import_rate = count / imported.seconds;
    findings->import_bytes = bytes / count;
    remove_files(&found);
}
