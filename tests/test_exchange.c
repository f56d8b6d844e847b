/* Ranks that share an aggregation find what one alone does, to the last bit: here they are threads
 * that pass bytes by queues. */
#include "base/machine.h"
#include "test_aggregate_large.h"

#include <ocelotl/levels.h>

#include <math.h>
#include <pthread.h>

enum { MOST_RANKS = 9 };

/* What one rank has sent to another, and nobody has taken. */
typedef struct queue {
    unsigned char *bytes;
    size_t begin, end, capacity;
} queue;

typedef struct hub {
    pthread_mutex_t lock;
    pthread_cond_t more;
    uint32_t count;
    bool failed;
    uint64_t passed; /* bytes */
    queue queues[MOST_RANKS][MOST_RANKS];
} hub;

typedef struct rank {
    hub *hub;
    const ocelotl_model *model;
    const ocelotl_model_options *options; /* of a trace, whose model is made */
    const char *path;
    uint64_t memory_limit;
    uint64_t hash;
    ocelotl_exchange exchange;
    ocelotl_kind kind;
    ocelotl_status status;
    char message[256];
} rank;

static ocelotl_status send_bytes(void *context, uint32_t to, const void *bytes, size_t length)
{
    const rank *of = context;
    pthread_mutex_lock(&of->hub->lock);
    queue *between = &of->hub->queues[of->exchange.rank][to];
    if (between->end + length > between->capacity) {
        between->capacity = 2 * (between->end + length);
        between->bytes = realloc(between->bytes, between->capacity);
        CHECK(between->bytes != NULL);
    }
    memcpy(between->bytes + between->end, bytes, length);
    between->end += length;
    of->hub->passed += length;
    pthread_cond_broadcast(&of->hub->more);
    pthread_mutex_unlock(&of->hub->lock);
    return OCELOTL_OK;
}

static ocelotl_status receive_bytes(void *context, uint32_t from, void *bytes, size_t length)
{
    const rank *of = context;
    pthread_mutex_lock(&of->hub->lock);
    queue *between = &of->hub->queues[from][of->exchange.rank];
    while (between->end - between->begin < length && !of->hub->failed)
        pthread_cond_wait(&of->hub->more, &of->hub->lock);
    const bool there = between->end - between->begin >= length;
    if (there) {
        memcpy(bytes, between->bytes + between->begin, length);
        between->begin += length;
        if (between->begin == between->end)
            between->begin = between->end = 0;
    }
    pthread_mutex_unlock(&of->hub->lock);
    return there ? OCELOTL_OK : OCELOTL_ERROR_CANCELLED;
}

static void mix(uint64_t *hash, const void *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        *hash = (*hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001B3u;
}

static void mix_partition(uint64_t *hash, const ocelotl_partition *partition, uint32_t types)
{
    ocelotl_partition_info info = ocelotl_partition_info_of(partition);
    const double sums[] = {info.p,    info.p_raw,      info.pic,       info.gain,
                           info.loss, info.whole_gain, info.whole_loss};
    mix(hash, sums, sizeof sums);
    mix(hash, &info.cut_count, sizeof info.cut_count);
    for (size_t i = 0; i < info.part_count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        const uint32_t place[] = {part.node, part.first, part.last, part.leaves};
        mix(hash, place, sizeof place);
        mix(hash, &part.gain, sizeof part.gain);
        mix(hash, &part.loss, sizeof part.loss);
        mix(hash, part.shares, types * sizeof *part.shares);
    }
}

static ocelotl_status find_all(rank *of, const ocelotl_model *model)
{
    static const double all[] = {0, 1e-3, 0.1, 0.3, 0.5, 0.77, 0.95, 1};
    ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
    ocelotl_aggregation *aggregation = NULL;
    const uint32_t types = ocelotl_model_info_of(model).type_count;
    options.kind = of->kind;
    options.work.threads = 1 + of->exchange.rank % 2;
    options.work.memory_limit = of->memory_limit;
    options.work.exchange = of->exchange.count > 0 ? &of->exchange : NULL;
    ocelotl_status status = ocelotl_aggregation_create(&aggregation, model, &options);
    for (size_t i = 0; i <= sizeof all / sizeof *all && status == OCELOTL_OK; i++) {
        ocelotl_partition *partition = NULL;
        status = i < sizeof all / sizeof *all ? ocelotl_solve(&partition, aggregation, all[i])
                                              : ocelotl_solve_auto(&partition, aggregation);
        if (status == OCELOTL_OK)
            mix_partition(&of->hash, partition, types);
        ocelotl_partition_free(partition);
    }
    for (uint32_t depth = 0; status == OCELOTL_OK && of->kind != OCELOTL_TEMPORAL; depth++) {
        ocelotl_partition *partition = NULL;
        if (ocelotl_partition_at_depth(&partition, aggregation, depth) != OCELOTL_OK)
            break;
        mix_partition(&of->hash, partition, types);
        ocelotl_partition_free(partition);
    }
    ocelotl_aggregation_free(aggregation);
    return status;
}

static ocelotl_status find_of_trace(rank *of)
{
    ocelotl_trace *trace = NULL;
    ocelotl_model *model = NULL;
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    if (of->options != NULL)
        options = *of->options;
    options.work.exchange = of->exchange.count > 0 ? &of->exchange : NULL;
    if (of->memory_limit > 0)
        options.work.memory_limit =
            of->memory_limit * (of->exchange.count - of->exchange.rank + (of->exchange.count == 0));
    of->memory_limit = 0; /* of the aggregation */
    ocelotl_status status = ocelotl_trace_open(&trace, of->path);
    if (status == OCELOTL_OK)
        status = ocelotl_model_from_trace(&model, trace, &options);
    if (status == OCELOTL_OK)
        status = find_all(of, model);
    ocelotl_model_free(model);
    ocelotl_trace_free(trace);
    return status;
}

static void *run_rank(void *context)
{
    rank *of = context;
    of->hash = 0xCBF29CE484222325u;
    of->status = of->model != NULL ? find_all(of, of->model) : find_of_trace(of);
    snprintf(of->message, sizeof of->message, "%s", ocelotl_error_message());
    if (of->status != OCELOTL_OK && of->hub != NULL) {
        pthread_mutex_lock(&of->hub->lock);
        of->hub->failed = true;
        pthread_cond_broadcast(&of->hub->more);
        pthread_mutex_unlock(&of->hub->lock);
    }
    return NULL;
}

/* Runs ranks, of which all find the same. */
static rank run_ranks(const rank *like, uint32_t count)
{
    static hub all;
    rank ranks[MOST_RANKS];
    pthread_t threads[MOST_RANKS];
    all = (hub){.count = count};
    CHECK(pthread_mutex_init(&all.lock, NULL) == 0 && pthread_cond_init(&all.more, NULL) == 0);
    for (uint32_t r = 0; r < count; r++) {
        ranks[r] = *like;
        ranks[r].hub = &all;
        ranks[r].exchange = (ocelotl_exchange){r, count, send_bytes, receive_bytes, &ranks[r]};
    }
    for (uint32_t r = 0; r < count; r++)
        CHECK(pthread_create(&threads[r], NULL, run_rank, &ranks[r]) == 0);
    for (uint32_t r = 0; r < count; r++)
        CHECK(pthread_join(threads[r], NULL) == 0);
    for (uint32_t r = 1; r < count && ranks[0].status == OCELOTL_OK; r++)
        CHECK(ranks[r].status == OCELOTL_OK && ranks[r].hash == ranks[0].hash);
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = 0; b < count; b++) {
            CHECK(all.failed || all.queues[a][b].begin == all.queues[a][b].end);
            free(all.queues[a][b].bytes);
        }
    return ranks[0];
}

static void check_ranks(const char *name, const rank *like)
{
    static const uint32_t counts[] = {1, 2, 3, 4, 5, 7, 9};
    rank alone = *like;
    run_rank(&alone);
    if (alone.status != OCELOTL_OK)
        fprintf(stderr, "%s: %s\n", name, alone.message);
    CHECK(alone.status == OCELOTL_OK);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const rank found = run_ranks(like, counts[i]);
        if (found.status != OCELOTL_OK || found.hash != alone.hash)
            fprintf(stderr, "%s: %u ranks: %s\n", name, counts[i], found.message);
        CHECK(found.status == OCELOTL_OK && found.hash == alone.hash);
    }
}

static void check_random_models(ocelotl_kind kind)
{
    static const uint32_t slices[] = {24, 70, 3}; /* by kind */
    for (uint64_t seed = 1; seed <= 60; seed++) {
        test_model random = test_random_model(seed, kind, 20, slices[kind]);
        ocelotl_model *model = test_build(&random);
        char name[64];
        snprintf(name, sizeof name, "kind %d, seed %u", (int)kind, (unsigned)seed);
        check_ranks(name, &(rank){.model = model, .kind = kind});
        ocelotl_model_free(model);
        free(random.values);
    }
}

/* A root of many leaves and nothing between, leaves that are alike and ones that are not. */
static void check_flat_root(uint32_t leaves, uint64_t memory_limit)
{
    const uint32_t slices = 12;
    int *parent = malloc((leaves + 1) * sizeof *parent);
    double *values = calloc((size_t)leaves * slices, sizeof *values);
    uint64_t state = 7;
    CHECK(parent != NULL && values != NULL);
    for (uint32_t leaf = 0; leaf < leaves; leaf++) {
        parent[leaf] = (int)leaves;
        for (uint32_t t = 0; t < slices; t++)
            values[leaf * slices + t] = leaf % 7 < 3 ? 0.5 : check_uniform(&state);
    }
    parent[leaves] = -1;
    ocelotl_model *model = test_build_arrays(leaves + 1, parent, leaves, 1, slices, values);
    check_ranks("a flat root", &(rank){.model = model, .memory_limit = memory_limit});
    ocelotl_model_free(model);
    free(parent);
    free(values);
}

/* Where partitions tie, or nearly so, ranks add up what parts come to in one order, too. */
static void check_ties(void)
{
    static const large_texture textures[] = {LARGE_FEW_VALUES, LARGE_MIRRORED, LARGE_TINY};
    for (uint32_t shape = 0; shape < LARGE_SHAPES; shape++)
        for (size_t i = 0; i < sizeof textures / sizeof *textures; i++) {
            large_model model = large_make(OCELOTL_SPATIOTEMPORAL, (large_shape)shape, textures[i],
                                           24, 2, 16, shape);
            OWN_MODEL *built = large_build(&model);
            check_ranks("ties", &(rank){.model = built});
            large_free(&model);
        }
}

/* Each rank reads its share of a trace; of as many slices as fit the machine with the least memory,
 * which is the last rank's. */
static void check_traces(void)
{
    static const char *const metrics[] = {NULL, "event-count", "link-count", "state-mean-duration"};
    static const char path[] = "exchange.db";
    const char *root = getenv("OCELOTL_ROOT");
    char source[4096];
    snprintf(source, sizeof source, "%s/examples/smpi-stencil-96.trace.zst",
             root != NULL ? root : "..");
    (void)remove(path);
    CHECK_OK(ocelotl_import(path, source, NULL));
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
        ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
        options.slices = 40;
        options.cells.metric = metrics[i];
        check_ranks(metrics[i] != NULL ? metrics[i] : "states",
                    &(rank){.path = path, .options = &options});
    }
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    check_ranks("the least memory",
                &(rank){.path = path, .options = &options, .memory_limit = 3 << 20});
    /* Room for a cell in each slice of a leaf, on a machine of few processors, but not for all. */
    options.slices = 4;
    options.kind = OCELOTL_SPATIAL;
    options.work.memory_limit = 20 << 10;
    const rank full = run_ranks(&(rank){.path = path, .options = &options}, 2);
    CHECK(full.status == OCELOTL_ERROR_LIMIT);
    CHECK(oc_processor_count() > 4 || strstr(full.message, "the cells of all ranks") != NULL);
    CHECK(remove(path) == 0);
}

int main(void)
{
    check_random_models(OCELOTL_SPATIOTEMPORAL);
    check_random_models(OCELOTL_SPATIAL);
    check_random_models(OCELOTL_TEMPORAL);
    check_flat_root(1000, 0);
    check_flat_root(1, 0);
    check_flat_root(333, 1 << 20);
    check_ties();
    check_traces();
    return 0;
}
