/* The memory of an import does not grow with lines that are no events, whatever they are. */
#include "test_paje_fixture.h"

#include <ocelotl/import.h>

#include <sys/resource.h>
#include <sys/wait.h>

static const size_t text_size = (size_t)96 << 20;
static const size_t most_growth = (size_t)64 << 20;

/* What is freed is used again at once where the address sanitizer watches, too. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "quarantine_size_mb=1:thread_local_quarantine_size_kb=16";
}

static size_t peak(void)
{
    struct rusage usage;
    CHECK(getrusage(RUSAGE_SELF, &usage) == 0);
    return (size_t)usage.ru_maxrss * 1024;
}

/* In a child: lines of one kind between a few events, through a pipe, since no disk needs them. */
static void write_lines(const char *lines, size_t most)
{
    const size_t length = strlen(lines);
    FILE *pipe = fopen(paje_source(), "w");
    CHECK(pipe != NULL);
    fputs(PAJE_HEAD "%EventDef OwnEvent 20\n%  Time date\n%EndEventDef\n", pipe);
    for (int i = 0; i < 160; i++)
        fprintf(pipe, "15 %d E a mark\n", i);
    for (size_t written = 0; written < most; written += length)
        fwrite(lines, 1, length, pipe);
    fputs("\n15 200 E a mark\n", pipe);
    fclose(pipe);
    _exit(0);
}

static void check_lines(const char *what, const char *lines, bool lenient)
{
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    options.lenient = lenient;
    temporary_files(true);
    CHECK(mkfifo(paje_source(), 0600) == 0);
    fflush(NULL);
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0)
        write_lines(lines, text_size);
    const size_t before = peak();
    const ocelotl_status status =
        ocelotl_import(temporary_path("trace.db"), paje_source(), &options);
    const size_t grown = peak() - before;
    CHECK_TEXT(status == OCELOTL_OK ? "" : ocelotl_error_message(), "");
    CHECK(waitpid(child, NULL, 0) == child);
    if (grown > most_growth)
        fprintf(stderr, "%s: %zu MiB more memory\n", what, grown >> 20);
    CHECK(grown <= most_growth);
    ocelotl_trace *trace = paje_open();
    CHECK(ocelotl_trace_event_type_at(trace, paje_event_type(trace, "Mark")).count >= 161);
    ocelotl_trace_free(trace);
}

/* Many of one byte between two texts; to be freed. */
static char *fill(const char *before, char byte, size_t count, const char *after)
{
    char *text = malloc(strlen(before) + count + strlen(after) + 1);
    CHECK(text != NULL);
    strcpy(text, before);
    memset(text + strlen(before), byte, count);
    strcpy(text + strlen(before) + count, after);
    return text;
}

static void check_long(const char *what, const char *before, char byte, size_t count,
                       const char *after, bool lenient)
{
    char *lines = fill(before, byte, count, after);
    check_lines(what, lines, lenient);
    free(lines);
}

int main(void)
{
    temporary_begin();
    check_lines("blank lines", "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n",
                false);
    check_lines("blanks", "                  \n\t\t\t\t\t\t\t\t\t\n               \r\n", false);
    check_lines("comments", "# a comment of as many words as one likes to read\n", false);
    check_lines("unknown events", "20 1.5                        \n20 2.5\n", false);
    check_lines("values twice", "5 m L \"a long name for a value\" \"1 1 1\"\n", false);
    check_lines("definitions again",
                "%EventDef OwnEvent 20\n%  Time date\n%  Something string\n%EndEventDef\n", false);
    check_lines("types twice", "0 T 0 \"a type that there is since long, and its long name\"\n",
                true);
    /* An event now and then, which waits for its place in time with what its line says. */
    check_long("few events", "16 300 L 0 a m key\n17 300 L 0 b m key\n15 300 E b mark\n", '\n',
               40000, "", false);
    check_long("long lines", "# ", 'x', (size_t)12 << 20, "\n", false);
    check_long("long events", "15 300 E b mark # ", 'x', (size_t)1 << 20, "\n", false);
    check_long("lines too long", "15 300 E b ", 'x', (size_t)18 << 20, "\n", true);
    temporary_files(true);
    return 0;
}
