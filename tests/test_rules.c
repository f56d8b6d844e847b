/* Rules that choose a level, against the definitions read off the list of all levels. */
#include "test_aggregate_models.h"

typedef struct step {
    double gain, loss; /* as shares of the whole's */
} step;

static step step_after(const ocelotl_aggregation *aggregation, const ocelotl_levels *all, size_t i)
{
    const ocelotl_level low = ocelotl_levels_at(all, i);
    const ocelotl_level high = ocelotl_levels_at(all, i + 1);
    return (step){(high.gain - low.gain) / ocelotl_aggregation_whole_gain(aggregation),
                  (high.loss - low.loss) / ocelotl_aggregation_whole_loss(aggregation)};
}

static double size_of(step grown, ocelotl_rule rule)
{
    return rule == OCELOTL_RULE_GAP ? fmax(grown.gain, grown.loss) : fabs(grown.gain - grown.loss);
}

/* Steps that differ by rounding alone are equal: any of them will do. */
static void check_rule(const ocelotl_aggregation *aggregation, const ocelotl_levels *all,
                       ocelotl_rule rule)
{
    const size_t count = ocelotl_levels_info_of(all).count;
    ocelotl_partition *partition;
    CHECK_OK(ocelotl_solve_rule(&partition, aggregation, rule, 0));
    const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
    double largest = 0;
    for (size_t i = 0; i + 1 < count; i++)
        largest = fmax(largest, size_of(step_after(aggregation, all, i), rule));
    bool found = count == 1;
    for (size_t i = 0; i + 1 < count; i++) {
        const bool before = rule == OCELOTL_RULE_GAP_BETWEEN_BEFORE;
        const ocelotl_level level = ocelotl_levels_at(all, before ? i : i + 1);
        if (size_of(step_after(aggregation, all, i), rule) >= largest - 1e-9 &&
            level.parts == info.part_count && fabs(level.gain - info.gain) <= 1e-9 * level.gain)
            found = true;
    }
    CHECK(found);
    ocelotl_partition_free(partition);
}

static void check_ends(const ocelotl_aggregation *aggregation)
{
    ocelotl_partition *partition;
    CHECK_OK(ocelotl_solve_rule(&partition, aggregation, OCELOTL_RULE_COARSEST, 0));
    CHECK(ocelotl_partition_info_of(partition).part_count == 1);
    ocelotl_partition_free(partition);
    CHECK_OK(ocelotl_solve_rule(&partition, aggregation, OCELOTL_RULE_FINEST, 0));
    CHECK(ocelotl_partition_info_of(partition).p == 0);
    ocelotl_partition_free(partition);
}

static void check_plateaus(const ocelotl_aggregation *aggregation)
{
    ocelotl_partition *partition = NULL;
    ocelotl_levels *levels = must_find_levels(aggregation, NULL);
    const ocelotl_levels_info info = ocelotl_levels_info_of(levels);
    for (size_t i = 0; i < info.count; i++) {
        const ocelotl_level level = ocelotl_levels_at(levels, i);
        if (level.plateau == 0)
            continue;
        CHECK_OK(ocelotl_solve_rule(&partition, aggregation, OCELOTL_RULE_PLATEAU, level.plateau));
        CHECK(ocelotl_partition_info_of(partition).part_count == level.parts);
        ocelotl_partition_free(partition);
    }
    partition = NULL;
    CHECK(ocelotl_solve_rule(&partition, aggregation, OCELOTL_RULE_PLATEAU, info.plateaus + 1) ==
          OCELOTL_ERROR_ARGUMENT);
    CHECK(strstr(ocelotl_error_message(), "expected one from 1 to") != NULL);
    CHECK(partition == NULL);
    ocelotl_levels_free(levels);
}

static void check_model(const test_model *test)
{
    ocelotl_model *model = test_build(test);
    ocelotl_aggregation *aggregation = test_aggregate(model, test->kind, 1);
    ocelotl_levels_options every = OCELOTL_LEVELS_OPTIONS_INIT;
    every.max_levels = SIZE_MAX;
    every.max_solves = UINT64_MAX;
    ocelotl_levels *all = must_find_levels(aggregation, &every);
    CHECK(ocelotl_levels_info_of(all).complete);
    for (int rule = OCELOTL_RULE_GAP; rule <= OCELOTL_RULE_GAP_BETWEEN_AFTER; rule++)
        check_rule(aggregation, all, (ocelotl_rule)rule);
    check_ends(aggregation);
    check_plateaus(aggregation);
    ocelotl_levels_free(all);
    ocelotl_aggregation_free(aggregation);
    ocelotl_model_free(model);
}

static void test_random_rules(void)
{
    static const ocelotl_kind kinds[] = {OCELOTL_SPATIOTEMPORAL, OCELOTL_TEMPORAL, OCELOTL_SPATIAL};
    for (uint64_t seed = 1; seed <= 300; seed++) {
        test_model model = test_random_model(seed, kinds[seed % 3], 12, 16);
        check_model(&model);
        free(model.values);
    }
}

static void test_unknown(void)
{
    test_model model = test_random_model(1, OCELOTL_TEMPORAL, 4, 8);
    ocelotl_model *built = test_build(&model);
    ocelotl_aggregation *aggregation = test_aggregate(built, model.kind, 1);
    ocelotl_partition *partition = NULL;
    CHECK(ocelotl_solve_rule(&partition, aggregation, (ocelotl_rule)99, 0) ==
          OCELOTL_ERROR_ARGUMENT);
    CHECK(ocelotl_solve_rule(&partition, aggregation, OCELOTL_RULE_PLATEAU, 0) ==
          OCELOTL_ERROR_ARGUMENT);
    CHECK(partition == NULL);
    ocelotl_aggregation_free(aggregation);
    ocelotl_model_free(built);
    free(model.values);
}

int main(void)
{
    test_random_rules();
    test_unknown();
    return 0;
}
