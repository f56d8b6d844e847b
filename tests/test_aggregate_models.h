/* Models for the tests of the aggregation: dense values over a tree whose leaves come first. */
#ifndef OC_TESTS_AGGREGATE_MODELS_H
#define OC_TESTS_AGGREGATE_MODELS_H

#include "made.h"

#define TEST_MOST_NODES 64

typedef struct test_model {
    char name[64];
    ocelotl_kind kind;
    uint32_t nodes, leaves, types, slices;
    int parent[TEST_MOST_NODES]; /* -1: the root */
    double *values;              /* leaf x type x slice */
} test_model;

static inline double test_value(const test_model *model, uint32_t leaf, uint32_t type,
                                uint32_t slice)
{
    return model->values[((size_t)leaf * model->types + type) * model->slices + slice];
}

/* The library's model of given arrays; zeros are left out. */
static inline ocelotl_model *test_build_arrays(uint32_t nodes, const int *parent, uint32_t leaves,
                                               uint32_t types, uint32_t slices,
                                               const double *values)
{
    uint32_t *parents = malloc(nodes * sizeof *parents);
    ocelotl_cell *cells = malloc(((size_t)leaves * types * slices + 1) * sizeof *cells);
    CHECK(parents != NULL && cells != NULL);
    for (uint32_t k = 0; k < nodes; k++)
        parents[k] = parent[k] < 0 ? OCELOTL_ROOT : (uint32_t)parent[k];
    size_t count = 0;
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
        for (uint32_t type = 0; type < types; type++)
            for (uint32_t slice = 0; slice < slices; slice++, values++)
                if (*values != 0)
                    cells[count++] = (ocelotl_cell){leaf, type, slice, *values};
    ocelotl_model *model =
        must_take_cells("test", nodes, parents, NULL, types, NULL, slices, cells, count);
    free(parents);
    free(cells);
    return model;
}

static inline ocelotl_model *test_build(const test_model *model)
{
    return test_build_arrays(model->nodes, model->parent, model->leaves, model->types,
                             model->slices, model->values);
}

static inline ocelotl_aggregation *test_aggregate(const ocelotl_model *model, ocelotl_kind kind,
                                                  uint32_t threads)
{
    ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
    options.kind = kind;
    options.work.threads = threads;
    return must_aggregate(model, &options);
}

/* By the names of vector instructions; the first is what the library chooses, the second what every
 * machine has. */
#define TEST_INSTRUCTIONS 4
static const char *const test_instructions[TEST_INSTRUCTIONS] = {NULL, "plain", "avx2", "avx512"};

/* As test_aggregate, with given vector instructions; NULL where this machine lacks them, which the
 * library must say. */
static inline ocelotl_aggregation *test_aggregate_with(const ocelotl_model *model,
                                                       ocelotl_kind kind, uint32_t threads,
                                                       const char *instructions)
{
    ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
    options.kind = kind;
    options.work.threads = threads;
    options.instructions = instructions;
    ocelotl_aggregation *aggregation = NULL;
    const ocelotl_status status = ocelotl_aggregation_create(&aggregation, model, &options);
    if (status == OCELOTL_OK)
        return aggregation;
    fprintf(stderr, "without %s: %s\n", instructions != NULL ? instructions : "any",
            ocelotl_error_message());
    CHECK(status == OCELOTL_ERROR_ARGUMENT && aggregation == NULL);
    CHECK(instructions != NULL && strcmp(instructions, "plain") != 0);
    CHECK(strstr(ocelotl_error_message(), instructions) != NULL);
    CHECK(strstr(ocelotl_error_message(), "plain") != NULL);
    return NULL;
}

/* A random tree and random values of one of several textures; what is drawn from few values makes
 * ties. */
static inline test_model test_random_model(uint64_t seed, ocelotl_kind kind, uint32_t most_leaves,
                                           uint32_t most_slices)
{
    uint64_t state = seed * 2654435761u + 88172645463325252u;
    for (int i = 0; i < 8; i++)
        check_random(&state);
    test_model model = {.kind = kind};
    model.leaves = 1 + check_below(&state, most_leaves);
    model.types = 1 + check_below(&state, 3);
    model.slices = 1 + check_below(&state, most_slices);
    /* Neighbours are grouped, one to three at a time, until one node is left. */
    uint32_t top[TEST_MOST_NODES], tops = model.leaves;
    for (uint32_t i = 0; i < tops; i++)
        top[i] = i;
    model.nodes = model.leaves;
    while (tops > 1 || (model.nodes < TEST_MOST_NODES / 2 && check_below(&state, 4) == 0)) {
        const uint32_t least = tops > TEST_MOST_NODES / 8 ? 2 : 1;
        uint32_t grouped = least + check_below(&state, 3);
        grouped = grouped > tops ? tops : grouped;
        if (tops > 1 && model.nodes + tops >= TEST_MOST_NODES - 2)
            grouped = tops;
        const uint32_t first = check_below(&state, tops - grouped + 1);
        for (uint32_t i = first; i < first + grouped; i++)
            model.parent[top[i]] = (int)model.nodes;
        top[first] = model.nodes++;
        for (uint32_t i = first + 1; i + grouped - 1 < tops; i++)
            top[i] = top[i + grouped - 1];
        tops -= grouped - 1;
    }
    model.parent[top[0]] = -1;
    const uint32_t texture = check_below(&state, 5);
    const size_t cells = (size_t)model.leaves * model.types * model.slices;
    model.values = malloc(cells * sizeof *model.values);
    CHECK(model.values != NULL);
    for (size_t i = 0; i < cells; i++) {
        const double random = check_uniform(&state);
        model.values[i] = texture == 0   ? random
                          : texture == 1 ? (double)check_below(&state, 2)
                          : texture == 2 ? (random < 0.7 ? 0 : random)
                          : texture == 3 ? (double)check_below(&state, 3) / 10
                                         : 1 + 0.01 * random;
    }
    return model;
}

static inline bool test_is_empty(const ocelotl_part *part, uint32_t types)
{
    for (uint32_t type = 0; type < types; type++)
        if (part->shares[type] != 0)
            return false;
    return true;
}

/* The same bits, once one is multiplied by a power of two. */
static inline bool test_same(double a, double b, double factor)
{
    uint64_t bits_of_a, bits_of_b;
    a *= factor;
    memcpy(&bits_of_a, &a, sizeof a);
    memcpy(&bits_of_b, &b, sizeof b);
    return bits_of_a == bits_of_b;
}

static inline void test_check_same_part(const ocelotl_part *a, const ocelotl_part *b,
                                        uint32_t types, double factor)
{
    CHECK(a->first == b->first && a->last == b->last && a->leaves == b->leaves);
    CHECK(test_same(a->gain, b->gain, factor) && test_same(a->loss, b->loss, factor));
    for (uint32_t type = 0; type < types; type++)
        CHECK(test_same(a->shares[type], b->shares[type], factor));
}

/* Every part and every figure is the same, bit by bit; how many cuts were tried may depend on the
 * way. */
static inline void test_check_same(const ocelotl_partition *one, const ocelotl_partition *other,
                                   uint32_t types, double factor)
{
    const ocelotl_partition_info a = ocelotl_partition_info_of(one);
    const ocelotl_partition_info b = ocelotl_partition_info_of(other);
    CHECK(a.kind == b.kind && test_same(a.p, b.p, 1) && test_same(a.p_raw, b.p_raw, 1));
    CHECK(test_same(a.pic, b.pic, factor));
    CHECK(test_same(a.gain, b.gain, factor) && test_same(a.loss, b.loss, factor));
    CHECK(test_same(a.whole_gain, b.whole_gain, factor) &&
          test_same(a.whole_loss, b.whole_loss, factor));
    CHECK(a.part_count == b.part_count && a.cell_count == b.cell_count &&
          a.cut_count == b.cut_count);
    for (size_t i = 0; i < a.part_count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(one, i);
        const ocelotl_part same = ocelotl_partition_part_at(other, i);
        test_check_same_part(&part, &same, types, factor);
    }
}

static inline void test_check_same_levels(const ocelotl_levels *a, const ocelotl_levels *b)
{
    CHECK(ocelotl_levels_info_of(a).count == ocelotl_levels_info_of(b).count);
    for (size_t i = 0; i < ocelotl_levels_info_of(a).count; i++) {
        const ocelotl_level one = ocelotl_levels_at(a, i), other = ocelotl_levels_at(b, i);
        const double figures[][2] = {{one.p, other.p},
                                     {one.p_from, other.p_from},
                                     {one.p_to, other.p_to},
                                     {one.p_raw_from, other.p_raw_from},
                                     {one.p_raw_to, other.p_raw_to},
                                     {one.gain, other.gain},
                                     {one.loss, other.loss}};
        for (size_t f = 0; f < sizeof figures / sizeof figures[0]; f++)
            CHECK(test_same(figures[f][0], figures[f][1], 1));
        CHECK(one.parts == other.parts && one.number == other.number);
        CHECK(one.plateau == other.plateau && one.automatic == other.automatic);
        CHECK(one.known_from == other.known_from);
    }
}

/* Reads the next model of a file of vectors, up to its answers; false at the end. See
 * tests/data/vectors.txt. */
static inline bool test_read_model(FILE *file, test_model *model)
{
    char line[4096], kind[32];
    do {
        if (fgets(line, sizeof line, file) == NULL)
            return false;
    } while (line[0] == '#');
    CHECK(sscanf(line, "model %63s %31s %u %u %u %u", model->name, kind, &model->nodes,
                 &model->leaves, &model->types, &model->slices) == 6);
    CHECK(model->nodes <= TEST_MOST_NODES);
    model->kind = strcmp(kind, "temporal") == 0  ? OCELOTL_TEMPORAL
                  : strcmp(kind, "spatial") == 0 ? OCELOTL_SPATIAL
                                                 : OCELOTL_SPATIOTEMPORAL;
    CHECK(fscanf(file, "%31s", kind) == 1 && strcmp(kind, "parents") == 0);
    for (uint32_t k = 0; k < model->nodes; k++)
        CHECK(fscanf(file, "%d", &model->parent[k]) == 1);
    model->values =
        malloc((size_t)model->leaves * model->types * model->slices * sizeof *model->values);
    CHECK(model->values != NULL);
    double *value = model->values;
    for (uint32_t series = 0; series < model->leaves * model->types; series++) {
        CHECK(fscanf(file, "%31s", kind) == 1 && strcmp(kind, "values") == 0);
        for (uint32_t t = 0; t < model->slices; t++)
            CHECK(fscanf(file, "%lf", value++) == 1);
    }
    CHECK(fgetc(file) == '\n');
    return true;
}

/* One of the files of tests/data that test_read_model reads. */
static inline FILE *test_open_data(const char *name)
{
    const char *root = getenv("OCELOTL_ROOT");
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/data/%s", root != NULL ? root : ".", name);
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    return file;
}

static inline FILE *test_open_vectors(void)
{
    return test_open_data("vectors.txt");
}

#endif
