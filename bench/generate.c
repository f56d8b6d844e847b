/* Writes the synthetic trace of the thesis (Figure 7.8), of any length, see synthetic.h:
 *
 *   bench_generate STATES [--seed SEED] > trace.paje      Paje text, which `ocelotl-cli import - -o
 * trace.db` reads bench_generate STATES [--seed SEED] -o trace.db       straight through the public
 * writer */
#include "synthetic.h"

#include <ocelotl/ocelotl.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char head[] =
    "%EventDef PajeDefineContainerType 0\n% Alias string\n% Type string\n% Name string\n"
    "%EndEventDef\n"
    "%EventDef PajeDefineStateType 1\n% Alias string\n% Type string\n% Name string\n"
    "%EndEventDef\n"
    "%EventDef PajeDefineEntityValue 2\n% Alias string\n% Type string\n% Name string\n"
    "% Color color\n%EndEventDef\n"
    "%EventDef PajeCreateContainer 3\n% Time date\n% Alias string\n% Type string\n"
    "% Container string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeDestroyContainer 4\n% Time date\n% Type string\n% Name string\n"
    "%EndEventDef\n"
    "%EventDef PajeSetState 5\n% Time date\n% Container string\n% Type string\n"
    "% Value string\n%EndEventDef\n";

static void write_head(void)
{
    fputs(head, stdout);
    /* Each level has a type of its own: Paje knows no type below itself. */
    for (uint32_t level = 0; level < 4; level++)
        if (level == 0)
            printf("0 L0 0 level0\n");
        else
            printf("0 L%u L%u level%u\n", level, level - 1, level);
    printf("1 S L3 state\n");
    for (uint32_t v = 0; v < SYNTHETIC_VALUES; v++)
        printf("2 v%u S \"state %u\" \"%.1f 0.5 %.1f\"\n", v, v, v / 10.0, 1 - v / 10.0);
    for (uint32_t r = 0, level = 0, last = 0; r < SYNTHETIC_RESOURCES; r++) {
        if (r > last) {
            level++;
            last = last * 10 + 10;
        }
        if (r == 0)
            printf("3 0.000000 r0 L0 0 r0\n");
        else
            printf("3 0.000000 r%u L%u r%u r%u\n", r, level, (r - 1) / 10, r);
    }
}

/* Writes a number backwards from `end`, with at least `digits` digits. */
static char *write_number(char *end, uint64_t number, int digits)
{
    while (digits-- > 0 || number > 0) {
        *--end = (char)('0' + number % 10);
        number /= 10;
    }
    return end;
}

/* Nothing that is called for each line does less than fwrite. */
static size_t write_line(char line[64], const synthetic_state *state)
{
    char *end = line + 64;
    char *begin = end;
    *--begin = '\n';
    begin = write_number(begin, state->value, 1);
    memcpy(begin -= 4, " S v", 4);
    begin = write_number(begin, SYNTHETIC_INNER + state->leaf, 1);
    memcpy(begin -= 2, " r", 2);
    begin = write_number(begin, (uint64_t)state->time % 1000000, 6);
    *--begin = '.';
    begin = write_number(begin, (uint64_t)state->time / 1000000, 1);
    memcpy(begin -= 2, "5 ", 2);
    return (size_t)(end - begin);
}

static void write_text(uint64_t states, uint64_t seed)
{
    static synthetic trace;
    static char buffer[1 << 20];
    synthetic_state state;
    char line[64];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    write_head();
    synthetic_begin(&trace, states, seed);
    while (synthetic_next(&state, &trace)) {
        const size_t length = write_line(line, &state);
        fwrite(line + sizeof line - length, 1, length, stdout);
    }
    for (uint32_t r = SYNTHETIC_INNER; r < SYNTHETIC_RESOURCES; r++)
        printf("4 %" PRId64 ".%06" PRId64 " L3 r%u\n", trace.time / 1000000, trace.time % 1000000,
               r);
}

static int usage(void)
{
    fprintf(stderr, "usage: bench_generate STATES [--seed SEED] [-o trace.db]\n");
    return 2;
}

static bool read_number(uint64_t *number, const char *text)
{
    char *end;
    *number = strtoull(text, &end, 10);
    return *end == '\0' && text[0] >= '0' && text[0] <= '9';
}

int main(int argc, char **argv)
{
    const char *target = NULL;
    uint64_t states = 0;
    uint64_t seed = 1;
    if (argc < 2 || argc % 2 != 0 || !read_number(&states, argv[1]))
        return usage();
    for (int i = 2; i < argc; i += 2) {
        if (strcmp(argv[i], "-o") == 0)
            target = argv[i + 1];
        else if (strcmp(argv[i], "--seed") != 0 || !read_number(&seed, argv[i + 1]))
            return usage();
    }
    if (target == NULL) {
        write_text(states, seed);
        return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
    }
    if (synthetic_write(target, states, seed) == OCELOTL_OK)
        return 0;
    fprintf(stderr, "bench_generate: %s\n", ocelotl_error_message());
    return 1;
}
