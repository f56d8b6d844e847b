/* Every answer of tests/data/vectors.txt and vectors-more.txt: best pIC, gain, loss and size at
 * each p, and all levels, with the instructions that the library chooses and with plain ones. */
#include "test_aggregate_models.h"

/* Losses that the rounding of their own terms could produce are taken for 0: at most 2^-50 of gain
 * and loss together. Where values are nearly equal this is more than 1e-9 of the loss. */
static double tolerance(double value, double gain, double loss)
{
    return 1e-9 * fabs(value) + 0x1p-50 * (gain + loss);
}

static void check_case(const ocelotl_aggregation *aggregation, const char *line)
{
    double p, pic, gain, loss;
    size_t parts;
    CHECK(sscanf(line, "case %lf %lf %lf %lf %zu", &p, &pic, &gain, &loss, &parts) == 5);
    OWN_PARTITION *partition = must_solve_raw(aggregation, p);
    const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
    CHECK_NEAR(info.pic, pic, tolerance(pic, gain, loss));
    CHECK_NEAR(info.gain, gain, tolerance(gain, gain, loss));
    CHECK_NEAR(info.loss, loss, tolerance(loss, gain, loss));
    CHECK(info.part_count == parts);
    CHECK(info.p_raw == p);
}

struct line { /* of a level, as a function of p */
    double p, gain, loss;
    size_t parts;
};

/* Where a level begins to be best is a difference of losses divided by one of X log n: as uncertain
 * as these are. */
static double tolerance_of_crossing(const struct line *below, const struct line *level)
{
    const double both = level->gain + level->loss, difference = both - below->gain - below->loss;
    const double rounding = 0x1p-50 * (level->loss + level->p * both);
    const double taken_for_nothing = level->loss < 0x1p-24 * both ? 0x1p-50 * both : 0;
    return 1e-9 * level->p + (rounding + taken_for_nothing) / difference;
}

/* `before` is the level below, and becomes this one. */
static void check_level(const ocelotl_levels *levels, size_t index, const char *text,
                        struct line *before)
{
    struct line line;
    CHECK(sscanf(text, "level %lf %lf %lf %zu", &line.p, &line.gain, &line.loss, &line.parts) == 4);
    CHECK(index < ocelotl_levels_info_of(levels).count);
    const ocelotl_level level = ocelotl_levels_at(levels, index);
    CHECK_NEAR(level.p_raw_from, line.p, index == 0 ? 0 : tolerance_of_crossing(before, &line));
    CHECK_NEAR(level.gain, line.gain, tolerance(line.gain, line.gain, line.loss));
    CHECK_NEAR(level.loss, line.loss, tolerance(line.loss, line.gain, line.loss));
    CHECK(level.parts == line.parts);
    *before = line;
}

/* Reads the answers that follow a model, and asks for each. */
static void check_answers(FILE *file, const ocelotl_aggregation *aggregation)
{
    ocelotl_levels_options options = OCELOTL_LEVELS_OPTIONS_INIT;
    options.max_levels = SIZE_MAX;
    options.max_solves = UINT64_MAX;
    OWN_LEVELS *levels = must_find_levels(aggregation, &options);
    size_t level_count = 0;
    struct line before = {0};
    char line[512];
    while (fgets(line, sizeof line, file) != NULL && strcmp(line, "end\n") != 0) {
        if (strncmp(line, "case", 4) == 0)
            check_case(aggregation, line);
        else
            check_level(levels, level_count++, line, &before);
    }
    CHECK(ocelotl_levels_info_of(levels).count == level_count);
    CHECK(ocelotl_levels_info_of(levels).complete);
}

static void check_file(const char *name, size_t wanted, const char *instructions)
{
    FILE *file = test_open_data(name);
    test_model model;
    size_t models = 0;
    while (test_read_model(file, &model)) {
        fprintf(stderr, "%s\n", model.name);
        OWN_MODEL *built = test_build(&model);
        OWN_AGGREGATION *aggregation = test_aggregate_with(built, model.kind, 2, instructions);
        check_answers(file, aggregation);
        free(model.values);
        models++;
    }
    CHECK(models == wanted);
    fclose(file);
}

int main(void)
{
    for (size_t i = 0; i < 2; i++) {
        check_file("vectors.txt", 39, test_instructions[i]);
        check_file("vectors-more.txt", 86, test_instructions[i]);
    }
    return 0;
}
