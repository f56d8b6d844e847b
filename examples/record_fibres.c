/* Counts per user thread: four fibres walk a matrix by rows or by columns, and what the processor
 * counts is read at each switch and given to the fibre that ran. Needs PAPI.
 *
 *     record_fibres TRACE.db */
#include <ocelotl/ocelotl.h>

#include <papi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

enum { FIBRES = 4, ROUNDS = 8, SIDE = 2048, STACK = 1 << 16, COUNTERS = 2 };

#define TRY(call)                           \
    do {                                    \
        const ocelotl_status failed = call; \
        if (failed != OCELOTL_OK)           \
            return failed;                  \
    } while (0)

typedef struct fibres {
    ocelotl_writer *writer;
    uint32_t resources[FIBRES], counters[COUNTERS], works, ways[2];
    ucontext_t main, contexts[FIBRES];
    char *stacks;
    double *matrix;
    int events;
    long long begin;
} fibres;

static const char *const names[COUNTERS] = {"PAPI_TOT_INS", "PAPI_L1_DCM"};

/* A fibre gets a pointer as two numbers. */
static fibres *running;

static void walk(int number)
{
    volatile double sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < SIDE; i++)
            for (size_t j = 0; j < SIDE; j++)
                sum += running->matrix[number % 2 == 0 ? i * SIDE + j : j * SIDE + i];
        swapcontext(&running->contexts[number], &running->main);
    }
}

static ocelotl_status declare(fibres *f)
{
    static const char *const ways[2] = {"rows", "columns"};
    uint32_t type;
    TRY(ocelotl_writer_resource_type(&type, f->writer, OCELOTL_ROOT, "fibre"));
    TRY(ocelotl_writer_event_type(&f->works, f->writer, OCELOTL_STATE, type, "works", -1));
    for (int way = 0; way < 2; way++)
        TRY(ocelotl_writer_value(&f->ways[way], f->writer, f->works, ways[way], -1));
    for (int c = 0; c < COUNTERS; c++) {
        TRY(ocelotl_writer_event_type(&f->counters[c], f->writer, OCELOTL_VARIABLE, type, names[c],
                                      -1));
        TRY(ocelotl_writer_kind(f->writer, f->counters[c], OCELOTL_INCREMENT));
    }
    for (int k = 0; k < FIBRES; k++) {
        char name[32];
        snprintf(name, sizeof name, "fibre %d", k);
        TRY(ocelotl_writer_resource(&f->resources[k], f->writer, type, OCELOTL_ROOT, name, 0));
    }
    return OCELOTL_OK;
}

/* One read at the switch, and a subtraction: nothing is reset, so nothing is lost in between. A
 * fibre that waits counts nothing: it has a reading at both ends of that. */
static ocelotl_status run_for_a_round(fibres *f, int k)
{
    long long before[COUNTERS];
    long long after[COUNTERS];
    const long long from = PAPI_get_real_nsec() - f->begin;
    PAPI_read(f->events, before);
    swapcontext(&f->main, &f->contexts[k]);
    PAPI_read(f->events, after);
    const long long to = PAPI_get_real_nsec() - f->begin;
    TRY(ocelotl_writer_push(f->writer, f->resources[k], f->works, f->ways[k % 2], from, NULL, 0));
    TRY(ocelotl_writer_pop(f->writer, f->resources[k], f->works, 0, to, NULL, 0));
    for (int c = 0; c < COUNTERS; c++) {
        TRY(ocelotl_writer_variable(f->writer, f->resources[k], f->counters[c], from, 0, NULL, 0));
        TRY(ocelotl_writer_variable(f->writer, f->resources[k], f->counters[c], to,
                                    (double)(after[c] - before[c]), NULL, 0));
    }
    return OCELOTL_OK;
}

static ocelotl_status record(fibres *f, const char *path)
{
    TRY(ocelotl_writer_open(&f->writer, path, NULL));
    TRY(declare(f));
    f->begin = PAPI_get_real_nsec();
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 0; k < FIBRES; k++)
            TRY(run_for_a_round(f, k));
    return ocelotl_writer_finish(f->writer);
}

static bool begin_counting(fibres *f)
{
    f->events = PAPI_NULL;
    if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT ||
        PAPI_create_eventset(&f->events) != PAPI_OK)
        return false;
    for (int c = 0; c < COUNTERS; c++)
        if (PAPI_add_named_event(f->events, names[c]) != PAPI_OK)
            return false;
    return PAPI_start(f->events) == PAPI_OK;
}

static void begin_fibres(fibres *f)
{
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++)
        f->matrix[i] = (double)i;
    running = f;
    for (int k = 0; k < FIBRES; k++) {
        getcontext(&f->contexts[k]);
        f->contexts[k].uc_stack.ss_sp = f->stacks + (size_t)k * STACK;
        f->contexts[k].uc_stack.ss_size = STACK;
        f->contexts[k].uc_link = &f->main;
        makecontext(&f->contexts[k], (void (*)(void))walk, 1, k);
    }
}

int main(int argc, char **argv)
{
    static fibres f;
    if (argc != 2) {
        fprintf(stderr, "Usage: record_fibres TRACE.db\n");
        return 2;
    }
    f.matrix = malloc(sizeof *f.matrix * SIDE * SIDE);
    f.stacks = malloc((size_t)FIBRES * STACK);
    if (f.matrix == NULL || f.stacks == NULL || !begin_counting(&f)) {
        fprintf(stderr, "record_fibres: this machine counts no instructions and cache misses\n");
        return 77;
    }
    begin_fibres(&f);
    const ocelotl_status status = record(&f, argv[1]);
    if (status != OCELOTL_OK)
        fprintf(stderr, "record_fibres: %s\n", ocelotl_error_message());
    ocelotl_writer_free(f.writer);
    free(f.matrix);
    free(f.stacks);
    return status == OCELOTL_OK ? 0 : 1;
}
