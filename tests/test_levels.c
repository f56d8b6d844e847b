/* Levels over p: against solves anywhere, at their boundaries, cut short, cancelled. */
#include "test_aggregate_models.h"

static double line(const ocelotl_level *level, double p_raw)
{
    return p_raw * level->gain - (1 - p_raw) * level->loss;
}

static ocelotl_levels *find(const ocelotl_aggregation *aggregation, size_t most)
{
    ocelotl_levels_options options = OCELOTL_LEVELS_OPTIONS_INIT;
    options.max_levels = most > 0 ? most : SIZE_MAX;
    options.whole = true;
    return must_find_levels(aggregation, &options);
}

/* A boundary belongs to the level above it. */
static size_t level_at(const ocelotl_levels *levels, double p_raw)
{
    size_t index = ocelotl_levels_info_of(levels).count - 1;
    while (index > 0 && ocelotl_levels_at(levels, index).p_raw_from > p_raw)
        index--;
    return index;
}

static void check_is(const ocelotl_partition *partition, const ocelotl_level *level)
{
    const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
    CHECK_NEAR(info.gain, level->gain, 1e-12 * fabs(level->gain) + 1e-300);
    CHECK_NEAR(info.loss, level->loss, 1e-12 * fabs(level->loss) + 1e-300);
    CHECK(info.part_count == level->parts);
}

static void check_selected(const ocelotl_aggregation *aggregation, const ocelotl_level *level)
{
    OWN_PARTITION *partition = must_solve(aggregation, level->p);
    check_is(partition, level);
}

static void check_solve_raw(const ocelotl_aggregation *aggregation, double p_raw,
                            const ocelotl_level *level)
{
    OWN_PARTITION *partition = must_solve_raw(aggregation, p_raw);
    check_is(partition, level);
}

/* Whether a level is the whole that gains no more than the one before, the best at p = 1 alone. */
static bool is_alone(const ocelotl_levels *levels, size_t index)
{
    const ocelotl_level level = ocelotl_levels_at(levels, index);
    return index > 0 && index + 1 == ocelotl_levels_info_of(levels).count && level.parts == 1 &&
           level.p_from == 1;
}

/* The list is what it says: rising, without holes, each level strictly around its p, which selects
 * it. */
static void check_list(const ocelotl_aggregation *aggregation, const ocelotl_levels *levels)
{
    const size_t count = ocelotl_levels_info_of(levels).count;
    CHECK(count >= 1);
    for (size_t i = 0; i < count; i++) {
        const ocelotl_level level = ocelotl_levels_at(levels, i);
        const bool alone = is_alone(levels, i);
        CHECK(alone ? level.p == 1 : level.p > level.p_from && level.p < level.p_to);
        CHECK(alone || level.p_raw_from < level.p_raw_to);
        CHECK_NEAR(ocelotl_p_to_raw(aggregation, level.p_from), level.p_raw_from, 1e-12);
        check_selected(aggregation, &level);
        if (i == 0) {
            CHECK(level.p_from == 0 && level.p_raw_from == 0 && level.loss == 0);
            continue;
        }
        const ocelotl_level before = ocelotl_levels_at(levels, i - 1);
        CHECK(level.p_from == before.p_to && level.p_raw_from == before.p_raw_to);
        CHECK((alone || level.gain > before.gain) && level.loss > before.loss);
    }
    const ocelotl_level last = ocelotl_levels_at(levels, count - 1);
    CHECK(last.p_to == 1 && last.p_raw_to == 1);
}

static void check_complete(const ocelotl_aggregation *aggregation, const ocelotl_levels *levels,
                           uint64_t *state)
{
    const ocelotl_levels_info info = ocelotl_levels_info_of(levels);
    CHECK(info.complete && info.untested == 0 && info.largest_gap == 0);
    CHECK(2 * info.solves <= 7 * info.count + 48);
    for (int i = 0; i < 20; i++) {
        const double p_raw = ocelotl_p_to_raw(aggregation, check_uniform(state));
        const ocelotl_level level = ocelotl_levels_at(levels, level_at(levels, p_raw));
        check_solve_raw(aggregation, p_raw, &level);
    }
    for (size_t i = 1; i < info.count; i++) { /* on both sides of each boundary */
        const ocelotl_level level = ocelotl_levels_at(levels, i);
        const ocelotl_level before = ocelotl_levels_at(levels, i - 1);
        check_solve_raw(aggregation, fmin(1, level.p_raw_from * (1 + 1e-9)), &level);
        check_solve_raw(aggregation, level.p_raw_from * (1 - 1e-9), &before);
    }
}

/* Finds two levels if the model has two; a limit of 1 counts as 2. */
static void check_two(const ocelotl_aggregation *aggregation, const ocelotl_levels *all)
{
    size_t count = ocelotl_levels_info_of(all).count;
    count -= is_alone(all, count - 1); /* which is in a list of all alone */
    for (size_t most = 1; most <= 2; most++) {
        OWN_LEVELS *two = find(aggregation, most);
        CHECK(ocelotl_levels_info_of(two).count == (count < 2 ? count : 2));
        check_list(aggregation, two);
        CHECK(ocelotl_levels_at(two, 0).parts == ocelotl_levels_at(all, 0).parts);
        const ocelotl_level last = ocelotl_levels_at(two, ocelotl_levels_info_of(two).count - 1);
        CHECK_NEAR(last.gain, ocelotl_levels_at(all, count - 1).gain, 1e-12 * fabs(last.gain));
    }
}

/* However few solves are allowed, what is listed are levels, and what is missing is said. */
static void check_few_solves(const ocelotl_aggregation *aggregation, const ocelotl_levels *all)
{
    const size_t count = ocelotl_levels_info_of(all).count;
    size_t before = 0;
    for (uint64_t most = 1; most <= 32; most *= 2) {
        ocelotl_levels_options options = OCELOTL_LEVELS_OPTIONS_INIT;
        options.max_levels = SIZE_MAX;
        options.max_solves = most;
        options.whole = true;
        OWN_LEVELS *some = must_find_levels(aggregation, &options);
        const ocelotl_levels_info info = ocelotl_levels_info_of(some);
        check_list(aggregation, some);
        CHECK(info.count >= before && info.count <= count);
        CHECK(info.complete == (info.untested == 0) && (!info.complete || info.count == count));
        before = info.count;
    }
}

/* Among all levels those of the list that the defaults give have its numbers and its p, in its
 * order. */
static void check_numbers(const ocelotl_aggregation *aggregation, const ocelotl_levels *all)
{
    OWN_LEVELS *listed = must_find_levels(aggregation, NULL);
    const size_t count = ocelotl_levels_info_of(listed).count;
    size_t number = 0;
    for (size_t i = 0; i < ocelotl_levels_info_of(all).count; i++) {
        const ocelotl_level level = ocelotl_levels_at(all, i);
        if (level.number == 0)
            continue;
        const ocelotl_level same = ocelotl_levels_at(listed, number++);
        CHECK(level.number == number && same.number == number);
        CHECK(level.parts == same.parts && level.p == same.p && level.gain == same.gain);
        CHECK(level.automatic == same.automatic && level.plateau == same.plateau);
    }
    CHECK(number == count);
}

/* What a shorter list leaves out is worth no more than it says. */
static void check_short(const ocelotl_aggregation *aggregation, const ocelotl_levels *all,
                        size_t most)
{
    OWN_LEVELS *some = find(aggregation, most);
    const ocelotl_levels_info info = ocelotl_levels_info_of(some);
    const size_t count = ocelotl_levels_info_of(all).count;
    CHECK(info.count <= most);
    check_list(aggregation, some);
    if (info.complete)
        CHECK(info.count == count && info.largest_gap == 0);
    else
        CHECK(info.untested > 0 && info.largest_gap > 0);
    const double gain = ocelotl_aggregation_whole_gain(aggregation);
    const double loss = ocelotl_aggregation_whole_loss(aggregation);
    for (size_t i = 0; i < count; i++) {
        const ocelotl_level level = ocelotl_levels_at(all, i);
        double nearest = -INFINITY;
        for (size_t k = 0; k < info.count; k++) {
            const ocelotl_level listed = ocelotl_levels_at(some, k);
            nearest =
                fmax(nearest, level.p * listed.gain / gain - (1 - level.p) * listed.loss / loss);
        }
        const double missing =
            level.p * level.gain / gain - (1 - level.p) * level.loss / loss - nearest;
        CHECK(missing <= info.largest_gap + 1e-12);
    }
}

/* The most detailed level that is small enough. Sizes may rise with p: then any that is met will
 * do. */
static void check_parts(const ocelotl_aggregation *aggregation, const ocelotl_levels *levels,
                        size_t parts)
{
    const size_t count = ocelotl_levels_info_of(levels).count;
    bool falls = true;
    size_t wanted = 1;
    for (size_t i = 0; i < count; i++) {
        const ocelotl_level level = ocelotl_levels_at(levels, i);
        falls = falls && (i == 0 || level.parts < ocelotl_levels_at(levels, i - 1).parts);
        wanted = level.parts <= parts && level.parts > wanted ? level.parts : wanted;
    }
    ocelotl_partition *partition;
    CHECK_OK(ocelotl_solve_parts(&partition, aggregation, parts));
    const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
    CHECK(info.part_count <= parts);
    CHECK(!falls || info.part_count == wanted);
    OWN_PARTITION *again = must_solve(aggregation, info.p);
    CHECK(ocelotl_partition_info_of(again).part_count == info.part_count);
    CHECK(ocelotl_partition_info_of(again).gain == info.gain);
    ocelotl_partition_free(partition);
}

static void test_random_levels(void)
{
    static const ocelotl_kind kinds[] = {OCELOTL_SPATIOTEMPORAL, OCELOTL_TEMPORAL, OCELOTL_SPATIAL};
    uint64_t state = 42;
    size_t short_lists = 0;
    for (uint64_t seed = 1; seed <= 240; seed++) {
        test_model model = test_random_model(seed, kinds[seed % 3], 12, 12);
        OWN_MODEL *built = test_build(&model);
        OWN_AGGREGATION *aggregation = test_aggregate(built, model.kind, 1);
        OWN_LEVELS *levels = find(aggregation, 0);
        check_list(aggregation, levels);
        check_complete(aggregation, levels, &state);
        check_two(aggregation, levels);
        for (size_t parts = 1; parts <= 16; parts += 3)
            check_parts(aggregation, levels, parts);
        if (ocelotl_levels_info_of(levels).count > 6) {
            check_short(aggregation, levels, 2);
            check_short(aggregation, levels, 3);
            check_short(aggregation, levels, 5);
            check_few_solves(aggregation, levels);
            check_numbers(aggregation, levels);
            short_lists++;
        }
        free(model.values);
    }
    CHECK(short_lists > 30);
}

/* On the boundary two partitions are equal, and the larger gain wins. */
static void test_boundary(void)
{
    const double values[] = {1, 2, 4, 4};
    const int parent[] = {-1};
    OWN_MODEL *model = test_build_arrays(1, parent, 1, 1, 4, values);
    OWN_AGGREGATION *aggregation = test_aggregate(model, OCELOTL_TEMPORAL, 1);
    OWN_LEVELS *levels = find(aggregation, 0);
    CHECK(ocelotl_levels_info_of(levels).count == 3);
    const ocelotl_level low = ocelotl_levels_at(levels, 0);
    const ocelotl_level high = ocelotl_levels_at(levels, 1);
    CHECK(low.parts == 3 && high.parts == 2);
    CHECK_NEAR(low.gain, 8, 1e-14);
    CHECK_NEAR(line(&low, low.p_raw_to), line(&high, low.p_raw_to), 1e-14);
    check_solve_raw(aggregation, low.p_raw_to, &high);
}

static bool allow(void *context, uint64_t done, uint64_t total)
{
    uint64_t *left = context;
    (void)total;
    CHECK(done <= 1000);
    return (*left)-- > 0;
}

static void test_cancel(void)
{
    FILE *file = test_open_vectors();
    test_model model;
    CHECK(test_read_model(file, &model));
    fclose(file);
    OWN_MODEL *built = test_build(&model);
    OWN_AGGREGATION *aggregation = test_aggregate(built, model.kind, 1);
    for (uint64_t allowed = 0; allowed < 5; allowed++) {
        uint64_t left = allowed;
        ocelotl_levels_options options = OCELOTL_LEVELS_OPTIONS_INIT;
        options.work.progress = allow;
        options.work.context = &left;
        ocelotl_levels *levels = NULL;
        CHECK_FAILS(ocelotl_levels_find(&levels, aggregation, &options), OCELOTL_ERROR_CANCELLED,
                    "cancelled");
        CHECK(levels == NULL);
    }
    ocelotl_partition *partition;
    CHECK_REFUSED(ocelotl_solve_parts(&partition, aggregation, 0), "expected 1 or more");
    free(model.values);
}

/* Allows as many solves as are left. */
static bool allow_left(void *context, uint64_t done, uint64_t total)
{
    uint64_t *left = context;
    (void)done;
    (void)total;
    if (*left == 0)
        return false;
    --*left;
    return true;
}

/* A search that is interrupted all the time finds the same as one that is not. */
static void check_search(const ocelotl_aggregation *aggregation, size_t most)
{
    uint64_t left = 30; /* the level to show first is looked for in one go */
    size_t before = 0;
    ocelotl_levels_options options = OCELOTL_LEVELS_OPTIONS_INIT;
    ocelotl_level_search *search;
    ocelotl_levels *found;
    options.max_levels = most;
    OWN_LEVELS *levels = must_find_levels(aggregation, &options);
    options.work.progress = allow_left;
    options.work.context = &left;
    CHECK_OK(ocelotl_level_search_begin(&search, aggregation, &options));
    for (;;) {
        const ocelotl_status status = ocelotl_level_search_continue(search);
        CHECK_OK(ocelotl_level_search_found(&found, search));
        if (status == OCELOTL_OK)
            break;
        CHECK(status == OCELOTL_ERROR_CANCELLED);
        CHECK(ocelotl_levels_info_of(found).count + 1 >= before);
        before = ocelotl_levels_info_of(found).count;
        ocelotl_levels_free(found);
        left = 4; /* to begin takes three in one go */
    }
    CHECK_OK(ocelotl_level_search_continue(search));
    test_check_same_levels(levels, found);
    ocelotl_levels_free(found);
    ocelotl_level_search_free(search);
}

static void test_search(void)
{
    static const ocelotl_kind kinds[] = {OCELOTL_SPATIOTEMPORAL, OCELOTL_TEMPORAL, OCELOTL_SPATIAL};
    for (uint64_t seed = 1; seed <= 60; seed++) {
        test_model model = test_random_model(seed, kinds[seed % 3], 12, 12);
        OWN_MODEL *built = test_build(&model);
        OWN_AGGREGATION *aggregation = test_aggregate(built, model.kind, 1);
        check_search(aggregation, 0);
        check_search(aggregation, 4);
        free(model.values);
    }
}

int main(void)
{
    test_boundary();
    test_cancel();
    test_search();
    test_random_levels();
    return 0;
}
