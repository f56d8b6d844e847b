/* Every answer of tests/data/vectors.txt: best pIC, gain, loss and size at each p, and all levels. */
#include "test_aggregate_models.h"

static double tolerance(double value)
{
    return 1e-9 * fabs(value) + 1e-300;
}

static void check_case(const ocelotl_aggregation *aggregation, const char *line)
{
    double p, pic, gain, loss;
    size_t parts;
    CHECK(sscanf(line, "case %lf %lf %lf %lf %zu", &p, &pic, &gain, &loss, &parts) == 5);
    ocelotl_partition *partition;
    CHECK_OK(ocelotl_solve_raw(&partition, aggregation, p));
    const ocelotl_partition_info info = ocelotl_partition_get_info(partition);
    CHECK_NEAR(info.pic, pic, tolerance(pic));
    CHECK_NEAR(info.gain, gain, tolerance(gain));
    CHECK_NEAR(info.loss, loss, tolerance(loss));
    CHECK(info.part_count == parts);
    CHECK(info.p_raw == p);
    ocelotl_partition_free(partition);
}

static void check_level(const ocelotl_levels *levels, size_t index, const char *line)
{
    double p, gain, loss;
    size_t parts;
    CHECK(sscanf(line, "level %lf %lf %lf %zu", &p, &gain, &loss, &parts) == 4);
    CHECK(index < ocelotl_levels_get_info(levels).count);
    const ocelotl_level level = ocelotl_levels_get(levels, index);
    CHECK_NEAR(level.p_raw_from, p, tolerance(p));
    CHECK_NEAR(level.gain, gain, tolerance(gain));
    CHECK_NEAR(level.loss, loss, tolerance(loss));
    CHECK(level.parts == parts);
}

int main(void)
{
    FILE *file = test_open_vectors();
    test_model model;
    size_t models = 0;
    while (test_read_model(file, &model)) {
        fprintf(stderr, "%s\n", model.name);
        ocelotl_model *built = test_build(&model);
        ocelotl_aggregation *aggregation = test_aggregate(built, model.kind, 2);
        ocelotl_levels_options options = OCELOTL_LEVELS_OPTIONS_INIT;
        options.most = 0;
        ocelotl_levels *levels;
        CHECK_OK(ocelotl_levels_find(&levels, aggregation, &options));
        size_t level_count = 0;
        char line[512];
        while (fgets(line, sizeof line, file) != NULL && strcmp(line, "end\n") != 0) {
            if (strncmp(line, "case", 4) == 0)
                check_case(aggregation, line);
            else
                check_level(levels, level_count++, line);
        }
        CHECK(ocelotl_levels_get_info(levels).count == level_count);
        CHECK(ocelotl_levels_get_info(levels).complete);
        ocelotl_levels_free(levels);
        ocelotl_aggregation_free(aggregation);
        ocelotl_model_free(built);
        free(model.values);
        models++;
    }
    CHECK(models == 39);
    fclose(file);
    return 0;
}
