/* Traces that are longer than the window of events that are sorted: they go through the threads and
 * the memory that is used again. However its lines are laid out, and somewhat out of order, a trace
 * stays the same. */
#include "test_paje_fixture.h"

/* What follows PAJE_HEAD: an event with more attributes than most. */
static const char *const more_definitions =
    "%EventDef PajeNewEvent 18\n%  Time date\n%  Type string\n"
    "%  Container string\n%  Value string\n%  A string\n%  B string\n"
    "%  C string\n%  D string\n%  E int\n%EndEventDef\n";

enum { LINES = 80000, NEW_CONTAINER = 30000, FARTHEST = 4000, LONGEST = 160, LINKS_AHEAD = 700 };

typedef struct line {
    char text[LONGEST];
    uint64_t place;
} line;

/* Makes a line. Its number determines both ends of a link: the end comes a fixed time after the
 * start. */
static void make_line(line *made, size_t i, uint64_t *random)
{
    const bool is_late = i > NEW_CONTAINER + 2 * FARTHEST && check_below(random, 3) == 0;
    const char *where = is_late ? "late" : check_below(random, 2) == 0 ? "a" : "b";
    char time[32];
    snprintf(time, sizeof time, "%zu.%06zu", i / 10000, i % 10000 * 100);
    made->place = i;
    if (i == NEW_CONTAINER)
        snprintf(made->text, LONGEST, "6 %s late T 0 late", time);
    else if (i % 10 == 3)
        snprintf(made->text, LONGEST, "16 %s L 0 a m key_%zu", time, i);
    else if (i % 10 == 4 && i > LINKS_AHEAD + 10)
        snprintf(made->text, LONGEST, "17 %s L 0 b m key_%zu", time, i - 1 - LINKS_AHEAD);
    else if (i % 10 == 5)
        snprintf(made->text, LONGEST, "12 %s V %s %d.25", time, where,
                 (int)check_below(random, 100));
    else if (i % 10 == 6)
        snprintf(made->text, LONGEST, "18 %s E %s mark one%zu two three four%zu %zu", time, where,
                 i % 7, i, i);
    else if (i % 10 < 3)
        snprintf(made->text, LONGEST, "9 %s S %s c", time, where);
    else if (i % 10 == 7)
        snprintf(made->text, LONGEST, "15 %s E %s mark", time, where);
    else
        snprintf(made->text, LONGEST, "10 %s S %s", time, where);
}

static int compare_places(const void *left, const void *right)
{
    const line *a = left, *b = right;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* Lines move, but for the one that creates a container, and not far. */
static void disorder(line *lines, uint64_t *random)
{
    for (size_t i = 0; i < LINES; i++)
        if (i != NEW_CONTAINER)
            lines[i].place = 2 * i +
                             2 * (i > NEW_CONTAINER + FARTHEST || i + 1 + FARTHEST < NEW_CONTAINER
                                      ? check_below(random, FARTHEST / 2)
                                      : 0) +
                             1;
        else
            lines[i].place = 2 * i;
    qsort(lines, LINES, sizeof *lines, compare_places);
}

/* The same line in another layout. */
static void write_line(oc_text *text, const char *given, uint32_t layout)
{
    for (const char *byte = given; *byte != '\0'; byte++)
        if (*byte == ' ' && layout == 1)
            oc_text_add(text, " \t ");
        else
            oc_text_append(text, byte, 1);
    oc_text_add(text, layout == 2 ? "\r\n" : layout == 3 ? " # comment\n" : "\n");
}

static void import_lines(char uid[64], const line *lines, uint64_t *random, uint32_t layouts)
{
    oc_text text = {0};
    oc_text_add(&text, PAJE_HEAD);
    oc_text_add(&text, "5 m L message \"1 1 1\"\n5 mark E mark \"0 0 0\"\n");
    oc_text_add(&text, more_definitions);
    for (size_t i = 0; i < LINES; i++)
        write_line(&text, lines[i].text, check_below(random, layouts));
    CHECK(!text.failed);
    temporary_files(true);
    temporary_write(paje_source(), text.bytes, text.length);
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    options.name = "long";
    const ocelotl_status status =
        ocelotl_import(temporary_path("trace.db"), paje_source(), &options);
    CHECK_TEXT(status == OCELOTL_OK ? "" : ocelotl_error_message(), "");
    oc_text_free(&text);
    ocelotl_trace *trace = paje_open();
    snprintf(uid, 64, "%s", ocelotl_trace_info_of(trace).uid);
    CHECK(ocelotl_trace_event_type_at(trace, paje_event_type(trace, "Message")).count ==
          LINES / 10);
    CHECK(ocelotl_trace_event_type_at(trace, paje_event_type(trace, "Mark")).count == LINES / 5);
    CHECK(ocelotl_trace_event_type_at(trace, paje_event_type(trace, "State")).count ==
          3 * LINES / 10 - 1);
    ocelotl_trace_free(trace);
}

int main(void)
{
    temporary_begin();
    uint64_t random = 5;
    char in_order[64], in_disorder[64];
    line *lines = calloc(LINES, sizeof *lines);
    CHECK(lines != NULL);
    for (size_t i = 0; i < LINES; i++)
        make_line(&lines[i], i, &random);
    import_lines(in_order, lines, &random, 1);
    import_lines(in_disorder, lines, &random, 4);
    CHECK_TEXT(in_disorder, in_order);
    disorder(lines, &random);
    import_lines(in_disorder, lines, &random, 4);
    CHECK_TEXT(in_disorder, in_order);
    free(lines);
    temporary_files(true);
    return 0;
}
