/* Rows 1 to 8: the engine on random models, beside the algorithm as the textbook has it and beside
 * what one core can do at best. */
#include "bench.h"

#include <math.h>
#include <string.h>

enum { PS = 3 };

static const double ps[PS] = {0.1, 0.5, 0.9};
static const bench_time no_rival;

/* Seconds of repeating. */
static const double patience = 2;
static const double more_patience = 8; /* for two that are compared closely */

/* What is measured: creating an aggregation (the measures) and solving at one p. */
typedef struct subject {
    ocelotl_model *model;
    ocelotl_aggregation_options options;
    ocelotl_aggregation *aggregation;
    double p; /* normalised */
    ocelotl_partition *partition;
} subject;

static subject subject_of(ocelotl_model *model)
{
    const ocelotl_aggregation_options usual = OCELOTL_AGGREGATION_OPTIONS_INIT;
    return (subject){.model = model, .options = usual};
}

static void forget_partition(void *context)
{
    subject *it = context;
    ocelotl_partition_free(it->partition);
    it->partition = NULL;
}

static void forget_aggregation(void *context)
{
    subject *it = context;
    forget_partition(it);
    ocelotl_aggregation_free(it->aggregation);
    it->aggregation = NULL;
}

static void end(subject *it)
{
    forget_aggregation(it);
    ocelotl_model_free(it->model);
}

static void create(void *context)
{
    subject *it = context;
    bench_check(ocelotl_aggregation_create(&it->aggregation, it->model, &it->options));
}

/* The aggregation remembers the levels that it has found. */
static void create_anew(void *context)
{
    forget_aggregation(context);
    create(context);
}

static void solve(void *context)
{
    subject *it = context;
    bench_check(ocelotl_solve(&it->partition, it->aggregation, it->p));
}

static bench_time time_create(subject *it)
{
    return bench_repeat(forget_aggregation, create, it, patience);
}

static bench_time time_solve(subject *it, double p)
{
    it->p = p;
    return bench_repeat(forget_partition, solve, it, patience);
}

static void find_levels(void *context)
{
    const subject *it = context;
    ocelotl_levels_options options = OCELOTL_LEVELS_OPTIONS_INIT;
    ocelotl_levels *levels;
    options.max_levels = SIZE_MAX;
    options.max_solves = UINT64_MAX;
    bench_check(ocelotl_levels_find(&levels, it->aggregation, &options));
    ocelotl_levels_free(levels);
}

/* --- Rows 1, 2 and 4: how long models of different sizes take, and how much memory */

/* A model, and what is wanted of it: 0 is nothing. */
typedef struct wanted_size {
    uint32_t leaves, slices;
    bool textbook;        /* it takes at most some seconds */
    bool levels;          /* all of them are found, too */
    uint64_t limit;       /* of memory, in bytes, the model included; 0: the default */
    double measures, one; /* seconds */
    double memory;        /* bytes */
} wanted_size;

typedef struct size_figures {
    bench_time measures, solves[PS];
    size_t parts[PS];
    double memory;
    double apart; /* the largest difference of an optimum, relative to the terms of its sum */
} size_figures;

/* The cells are made again: while the engine's memory is measured they must not be there. */
static size_figures measure_textbook(subject *it, const wanted_size *size)
{
    bench_cells cells = bench_random_cells(size->leaves, size->slices, 1);
    textbook *book = textbook_new(&cells);
    size_figures figures = {.memory = (double)textbook_memory(&cells),
                            .measures = textbook_time_measures(book)};
    for (int i = 0; i < PS; i++) {
        textbook_optimum optimum;
        figures.solves[i] =
            textbook_time_solve(book, ocelotl_p_to_raw(it->aggregation, ps[i]), &optimum);
        time_solve(it, ps[i]);
        const ocelotl_partition_info info = ocelotl_partition_info_of(it->partition);
        const double magnitude = info.p_raw * info.gain + (1 - info.p_raw) * info.loss;
        figures.apart = fmax(figures.apart, fabs(info.pic - optimum.pic) / magnitude);
    }
    textbook_free(book);
    bench_cells_free(&cells);
    return figures;
}

static void measure_size(wanted_size size)
{
    size_figures engine = {.memory = 0};
    size_figures book = {.memory = 0};
    const uint64_t heap = bench_heap();
    const uint64_t resident = bench_resident();
    subject it = subject_of(bench_random_model(size.leaves, size.slices, 1));
    const uint64_t model_memory = bench_heap() - heap;
    if (size.limit > 0)
        it.options.work.memory_limit = size.limit - model_memory;
    bench_forget_peak();
    engine.measures = time_create(&it);
    for (int i = 0; i < PS; i++) {
        engine.solves[i] = time_solve(&it, ps[i]);
        engine.parts[i] = ocelotl_partition_info_of(it.partition).part_count;
    }
    engine.memory = (double)(bench_peak() - resident);
    if (size.textbook)
        book = measure_textbook(&it, &size);
    bench_seconds(engine.measures, book.measures, size.measures, "measures");
    for (int i = 0; i < PS; i++)
        bench_seconds(engine.solves[i], book.solves[i], size.one, "one p, p = %.1f (%zu parts)",
                      ps[i], engine.parts[i]);
    bench_figure(BENCH_BYTES, engine.memory, book.memory, size.memory,
                 "peak memory of all, the model included");
    bench_figure(BENCH_BYTES, (double)model_memory, 0, 0, "memory of the model alone");
    if (size.textbook)
        bench_figure(BENCH_DIFFERENCE, book.apart, 0, 1e-9, "relative difference of the optima");
    if (size.levels)
        bench_seconds(bench_repeat(create_anew, find_levels, &it, 0.1), no_rival, 0, "all levels");
    end(&it);
}

void bench_size(const bench_wishes *wishes)
{
    static const wanted_size sizes[] = {
        {1000, 30, .textbook = true, .levels = true, .measures = 10e-3, .one = 1.5e-3},
        {1000, 100, .textbook = true, .one = 15e-3, .memory = 150e6},
        {1000, 300, .one = 0.25},
        {1000, 1000, .limit = 2000000000, .one = 10, .memory = 2e9},
        {10000, 30, .textbook = true, .one = 50e-3},
    };
    measure_size(sizes[wishes->which]);
}

/* --- Row 3: how near to the machine's ceiling a solve comes. A cut evaluation is one addition with
 * a maximum; those that pruning spares are not counted; at p = 0.9, where the whole is best, it
 * spares few. The time is that of the whole solve, not of its inner loops alone. */

typedef struct ceiling {
    const char *instructions; /* as ocelotl_aggregation_options takes them */
    double rate;              /* additions with a maximum in a second */
    double measures;          /* seconds wanted of row 4b */
} ceiling;

enum { CEILINGS = 3 };

double ceiling_avx512(size_t rounds, double step);
double ceiling_avx2(size_t rounds, double step);
double ceiling_plain(size_t rounds, double step);
void ceiling_keep(const void *results, size_t size);

static volatile char kept;

void ceiling_keep(const void *results, size_t size)
{
    kept = ((const char *)results)[size - 1];
}

/* The best of ten tries of a thirtieth of a second or so: what else the machine does only makes it
 * slower. */
static double measure_ceiling(double (*loop)(size_t rounds, double step))
{
    size_t rounds = 1000000;
    double best = 0;
    for (int i = 0; i < 10; i++) {
        const double begin = bench_now();
        const double count = loop(rounds, 0x1p-20);
        const double seconds = bench_now() - begin;
        best = fmax(best, count / seconds);
        rounds = (size_t)((double)rounds * 0.03 / seconds) + 1;
    }
    return best;
}

/* The kinds of vectors that this machine has, widest first. */
static int find_ceilings(ceiling found[CEILINGS])
{
    int count = 0;
#ifdef BENCH_X86_VECTORS
    if (__builtin_cpu_supports("avx512f"))
        found[count++] = (ceiling){"avx512", measure_ceiling(ceiling_avx512), 1};
    if (__builtin_cpu_supports("avx2"))
        found[count++] = (ceiling){"avx2", measure_ceiling(ceiling_avx2), 3};
#endif
    found[count++] = (ceiling){"plain", measure_ceiling(ceiling_plain), 0};
    return count;
}

/* All kinds; of the long model the widest alone. */
void bench_shares(const bench_wishes *wishes)
{
    const bool all = wishes->which == 0;
    const uint32_t slices = all ? 300 : 1000;
    const double target = all ? 0.4 : 0.6;
    ceiling found[CEILINGS];
    const int count = find_ceilings(found);
    subject it = subject_of(bench_random_model(1000, slices, 1));
    for (int i = 0; i < count; i++)
        bench_figure(BENCH_RATE, found[i].rate, 0, 0, "%s: ceiling of one core",
                     found[i].instructions);
    for (int i = 0; i < (all ? count : 1); i++) {
        const char *name = found[i].instructions;
        it.options.instructions = name;
        it.options.work.threads = 1;
        time_create(&it);
        const bench_time time = time_solve(&it, 0.9);
        const ocelotl_partition_info info = ocelotl_partition_info_of(it.partition);
        const double tried = info.cut_count > 0 ? (double)info.cuts_tried : -1;
        bench_seconds(time, no_rival, 0, "%s: one p, p = 0.9, one thread", name);
        bench_figure(BENCH_SHARE, tried / (double)info.cut_count, 0, 0,
                     "%s: cuts that pruning leaves", name);
        bench_figure(BENCH_RATE, tried / time.seconds, 0, 0, "%s: cuts evaluated", name);
        bench_figure(BENCH_SHARE, tried / time.seconds / found[i].rate, 0, target,
                     "%s: share of the ceiling", name);
    }
    end(&it);
}

/* The model of a hundred million cells is made once. */
void bench_widest(const bench_wishes *wishes)
{
    (void)wishes;
    ceiling found[CEILINGS];
    const int count = find_ceilings(found);
    subject it = subject_of(bench_random_model(100000, 100, 1));
    it.options.kind = OCELOTL_TEMPORAL;
    for (int i = 0; i < count; i++) {
        it.options.instructions = found[i].instructions;
        bench_seconds(time_create(&it), no_rival, found[i].measures, "measures, %s",
                      found[i].instructions);
    }
    bench_seconds(time_solve(&it, 0.5), no_rival, 0, "one p, p = 0.5");
    end(&it);
}

/* --- Rows 5 to 7: sparse and dense models, two threads and one, skipped cuts and all cuts */

void bench_sparse(const bench_wishes *wishes)
{
    static const char *const names[] = {"all cells", "1 % of them"};
    double seconds[2], memory[2];
    (void)wishes;
    for (int i = 0; i < 2; i++) {
        bench_cells cells = bench_random_cells(1000, 100, i == 0 ? 1 : 0.01);
        textbook *book = textbook_new(&cells);
        const bench_time rival = textbook_time_measures(book);
        textbook_free(book);
        const uint64_t heap = bench_heap();
        subject it = subject_of(bench_model(&cells));
        memory[i] = (double)(bench_heap() - heap);
        bench_cells_free(&cells);
        const bench_time time = time_create(&it);
        seconds[i] = time.seconds;
        bench_seconds(time, rival, 0, "%s: measures", names[i]);
        bench_figure(BENCH_BYTES, memory[i], 0, 0, "%s: memory of the model", names[i]);
        end(&it);
    }
    bench_figure(BENCH_FACTOR, seconds[0] / seconds[1], 0, 10, "measures, times faster");
    bench_figure(BENCH_FACTOR, memory[0] / memory[1], 0, 10, "model, times smaller");
}

static void print_threads(const bench_time times[2], uint32_t slices, const char *what,
                          double target)
{
    for (int i = 0; i < 2; i++)
        bench_seconds(times[i], no_rival, 0, "T = %u: %s, %d thread%s", slices, what, i + 1,
                      i == 0 ? "" : "s");
    bench_figure(BENCH_FACTOR, times[0].seconds / times[1].seconds, 0, target,
                 "T = %u: %s, times faster", slices, what);
}

static void compare_threads(uint32_t slices, double target)
{
    ocelotl_model *model = bench_random_model(1000, slices, 1);
    subject both[2] = {subject_of(model), subject_of(model)};
    void *const contexts[2] = {&both[0], &both[1]};
    bench_time times[2];
    for (uint32_t i = 0; i < 2; i++) {
        both[i].options.work.threads = i + 1;
        both[i].p = 0.5;
    }
    bench_compare(times, forget_aggregation, create, contexts, bench_now, more_patience);
    print_threads(times, slices, "measures", target);
    bench_compare(times, forget_partition, solve, contexts, bench_now, more_patience);
    print_threads(times, slices, "one p", target);
    forget_aggregation(&both[0]);
    end(&both[1]);
}

void bench_threads(const bench_wishes *wishes)
{
    if (wishes->which == 0) {
        compare_threads(30, 1);
        compare_threads(100, 1.8);
    } else {
        compare_threads(300, 1.8);
    }
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static void print_pruning(ocelotl_model *model, const char *name)
{
    static const double pruned[] = {0.2, 0.5, 0.8};
    subject it = subject_of(model);
    bench_seconds(time_create(&it), no_rival, 0, "%.22s, T = %u: measures", name,
                  ocelotl_model_info_of(model).slice_count);
    for (size_t i = 0; i < sizeof pruned / sizeof pruned[0]; i++) {
        bench_seconds(time_solve(&it, pruned[i]), no_rival, 0, "%.22s, p = %.1f: one p", name,
                      pruned[i]);
        const ocelotl_partition_info info = ocelotl_partition_info_of(it.partition);
        const double tried = (double)info.cuts_tried / (double)info.cut_count;
        bench_figure(BENCH_SHARE, info.cut_count > 0 ? 1 - tried : -1, 0, 0,
                     "%.22s, p = %.1f: cuts spared", name, pruned[i]);
    }
    end(&it);
}

void bench_pruning(const bench_wishes *wishes)
{
    print_pruning(bench_random_model(1000, 100, 1), "random");
    for (int i = 0; i < wishes->trace_count; i++)
        print_pruning(bench_trace_model(wishes->traces[i], NULL), name_of(wishes->traces[i]));
}

/* --- Row 8: models whose slices are mostly empty, so that very many cuts are tied */

enum { GROUPS = 4, LEAVES = 16, INNER = 1 + GROUPS, SLICES = 200 };

/* Groups of four leaves, one type; a cell holds 1 with the given probability. */
static ocelotl_model *sparse_model(double density)
{
    static ocelotl_cell cells[LEAVES * SLICES];
    uint32_t parents[INNER + LEAVES] = {OCELOTL_ROOT};
    uint64_t state = 1;
    bench_cells made = {.nodes = INNER + LEAVES, .types = 1, .slices = SLICES};
    for (uint32_t k = INNER; k < INNER + LEAVES; k++)
        parents[k] = 1 + (k - INNER) / (LEAVES / GROUPS);
    for (uint32_t i = 0; i < LEAVES * SLICES; i++)
        if (bench_draw(&state) < density)
            cells[made.count++] = (ocelotl_cell){INNER + i / SLICES, 0, i % SLICES, 1};
    made.parents = parents;
    made.cells = cells;
    return bench_model(&made);
}

static void print_ties(ocelotl_model *model, const char *name, double one_p, double all_levels)
{
    subject it = subject_of(model);
    time_create(&it);
    bench_seconds(time_solve(&it, ocelotl_p_from_raw(it.aggregation, 0.001)), no_rival, one_p,
                  "%.22s, p_raw = 0.001: one p", name);
    bench_seconds(bench_repeat(create_anew, find_levels, &it, 2), no_rival, all_levels,
                  "%.22s: all levels", name);
    end(&it);
}

/* Of the traces those with few resources: what counts of events hold of others is not sparse. */
void bench_ties(const bench_wishes *wishes)
{
    print_ties(sparse_model(0.02), "2 % of cells", 0.012, 0);
    print_ties(sparse_model(0.2), "20 % of cells", 0, 0);
    for (int i = 0; i < wishes->trace_count; i++) {
        ocelotl_model *model = bench_trace_model(wishes->traces[i], "event-count");
        if (ocelotl_model_info_of(model).leaf_count <= 32)
            print_ties(model, name_of(wishes->traces[i]), 0.02, 2);
        else
            ocelotl_model_free(model);
    }
}
