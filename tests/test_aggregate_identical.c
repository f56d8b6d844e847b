/* Results are the same bits for any number of threads, any vector instructions, and any memory that
 * suffices. */
#include "test_aggregate_large.h"

#include "aggregate/memory.h"

static const double some_p[] = {0, 0.1, 0.5, 1};
#define SOME_P (sizeof some_p / sizeof *some_p)

/* What one aggregation answers. */
struct answers {
    uint32_t types;
    ocelotl_partition *partition[SOME_P];
    ocelotl_levels *levels; /* of small models, or NULL */
};

static struct answers ask(const ocelotl_aggregation *aggregation, const large_model *model)
{
    struct answers answers = {.types = model->types};
    for (size_t i = 0; i < SOME_P; i++)
        answers.partition[i] = must_solve(aggregation, some_p[i]);
    ocelotl_levels_options options = OCELOTL_LEVELS_OPTIONS_INIT;
    options.max_levels = 4;
    if (model->slices <= 30)
        answers.levels = must_find_levels(aggregation, &options);
    return answers;
}

static void forget(struct answers *answers)
{
    for (size_t i = 0; i < SOME_P; i++)
        ocelotl_partition_free(answers->partition[i]);
    ocelotl_levels_free(answers->levels);
}

/* Ends the aggregation. */
static void check_answers(ocelotl_aggregation *aggregation, const large_model *model,
                          const struct answers *wanted)
{
    struct answers answers = ask(aggregation, model);
    for (size_t i = 0; i < SOME_P; i++)
        test_check_same(wanted->partition[i], answers.partition[i], model->types, 1);
    if (wanted->levels != NULL)
        test_check_same_levels(wanted->levels, answers.levels);
    forget(&answers);
    ocelotl_aggregation_free(aggregation);
}

static void check_threads_and_instructions(const large_model *model, const ocelotl_model *built,
                                           const struct answers *wanted)
{
    static const uint32_t threads[] = {2, 7};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++)
        check_answers(test_aggregate(built, model->kind, threads[i]), model, wanted);
    for (size_t i = 1; i < TEST_INSTRUCTIONS; i++) {
        ocelotl_aggregation *aggregation =
            test_aggregate_with(built, model->kind, 2, test_instructions[i]);
        if (aggregation != NULL)
            check_answers(aggregation, model, wanted);
    }
}

/* Checks memory for `tenths` tenths of the losses beyond the least: each solve computes the others
 * anew. */
static void check_memory(const large_model *model, const ocelotl_model *built,
                         const struct answers *wanted, uint64_t tenths, uint32_t threads)
{
    ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
    options.kind = model->kind;
    options.work.threads = threads;
    uint64_t least, most;
    CHECK_OK(ocelotl_aggregation_memory(&least, &most, built, &options));
    options.work.memory_limit = least + (most - least) / 10 * tenths;
    ocelotl_aggregation *aggregation = must_aggregate(built, &options);
    check_answers(aggregation, model, wanted);
}

static void check_model(ocelotl_kind kind, large_texture texture, uint32_t leaves, uint32_t types,
                        uint32_t slices, bool memory)
{
    fprintf(stderr, "kind %d, texture %d, %u leaves, %u types, %u slices\n", (int)kind,
            (int)texture, leaves, types, slices);
    large_model model = large_make(kind, LARGE_TENFOLD, texture, leaves, types, slices, slices);
    OWN_MODEL *built = large_build(&model);
    OWN_AGGREGATION *aggregation = test_aggregate(built, kind, 1);
    struct answers wanted = ask(aggregation, &model);
    if (memory) {
        check_memory(&model, built, &wanted, 5, 1);
        for (uint64_t tenths = 0; tenths <= 10; tenths += 5)
            check_memory(&model, built, &wanted, tenths, 2);
    } else
        check_threads_and_instructions(&model, built, &wanted);
    forget(&wanted);
    large_free(&model);
}

static void test_unknown_instructions(void)
{
    const double values[] = {1, 2};
    const int parent[] = {-1};
    OWN_MODEL *model = test_build_arrays(1, parent, 1, 1, 2, values);
    CHECK(test_aggregate_with(model, OCELOTL_TEMPORAL, 1, "abacus") == NULL);
}

int main(void)
{
    static const large_texture textures[] = {LARGE_DENSE, LARGE_SPARSE, LARGE_STATES, LARGE_PHASES};
    static const uint32_t slices[] = {5, 30, 64, 100, 130};
    static const uint32_t leaves[] = {90, 40, 30, 24, 16};
    for (size_t texture = 0; texture < 4; texture++) {
        for (size_t i = 0; i < 5; i++)
            if (texture != 2 || i < 2)
                check_model(OCELOTL_SPATIOTEMPORAL, textures[texture], leaves[i], 2, slices[i],
                            false);
        check_model(OCELOTL_TEMPORAL, textures[texture], 70, 3, 65, false);
        check_model(OCELOTL_SPATIAL, textures[texture], 2000, 3, 3, false);
    }
    for (size_t texture = 0; texture < 4; texture++) {
        check_model(OCELOTL_SPATIOTEMPORAL, textures[texture], 60, 2, 64, true);
        check_model(OCELOTL_SPATIOTEMPORAL, textures[texture], 40, 2, 100, true);
    }
    test_unknown_instructions();
    return 0;
}
