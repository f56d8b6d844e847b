/* Plateaus, the level to show first, and rules that choose one, against the list of all levels. */
#include "test_aggregate_models.h"

static ocelotl_levels *find(const ocelotl_aggregation *aggregation, size_t most, bool knee)
{
    ocelotl_levels_options options = OCELOTL_LEVELS_OPTIONS_INIT;
    options.max_levels = most > 0 ? most : SIZE_MAX;
    options.max_solves = most > 0 ? options.max_solves : UINT64_MAX;
    options.knee = knee;
    return must_find_levels(aggregation, &options);
}

/* Normalised pIC. */
static double value(const ocelotl_aggregation *aggregation, const ocelotl_level *level, double p)
{
    return p * level->gain / ocelotl_aggregation_whole_gain(aggregation) -
           (1 - p) * level->loss / ocelotl_aggregation_whole_loss(aggregation);
}

static double best_value(const ocelotl_aggregation *aggregation, const ocelotl_levels *all,
                         double p)
{
    double best = -INFINITY;
    for (size_t i = 0; i < ocelotl_levels_info_of(all).count; i++) {
        const ocelotl_level level = ocelotl_levels_at(all, i);
        best = fmax(best, value(aggregation, &level, p));
    }
    return best;
}

static bool stands_for(const ocelotl_aggregation *aggregation, const ocelotl_levels *all,
                       const ocelotl_level *level, double from, double to)
{
    /* What is lost against the best is convex in p: the ends are enough. */
    return value(aggregation, level, from) >= best_value(aggregation, all, from) - 0.01 - 1e-12 &&
           value(aggregation, level, to) >= best_value(aggregation, all, to) - 0.01 - 1e-12;
}

/* Plateaus follow each other over all p, by number from the most aggregated, and each is stood for.
 */
static size_t check_cover(const ocelotl_aggregation *aggregation, const ocelotl_levels *all,
                          const ocelotl_levels *levels)
{
    const ocelotl_levels_info info = ocelotl_levels_info_of(levels);
    size_t next = info.plateaus;
    double to = 0;
    CHECK(info.plateaus >= 1 && info.plateaus <= info.count);
    for (size_t i = 0; i < info.count; i++) {
        const ocelotl_level level = ocelotl_levels_at(levels, i);
        if (level.plateau == 0) {
            CHECK(!level.automatic && level.plateau_from == 0 && level.plateau_to == 0);
            continue;
        }
        CHECK(level.plateau == next);
        CHECK(level.plateau_from == to && level.plateau_to > to);
        CHECK(stands_for(aggregation, all, &level, level.plateau_from, level.plateau_to));
        to = level.plateau_to;
        next--;
    }
    CHECK(next == 0 && to == 1);
    return info.plateaus;
}

/* The fewest levels that can stand for all: from p = 0 on always the one that reaches furthest. To
 * a hundredth of p, so they may be one fewer than they can be. */
static size_t fewest(const ocelotl_aggregation *aggregation, const ocelotl_levels *all)
{
    size_t number = 0;
    int from = 0;
    while (from < 100) {
        int reached = from + 1;
        for (size_t i = 0; i < ocelotl_levels_info_of(all).count; i++) {
            const ocelotl_level level = ocelotl_levels_at(all, i);
            while (reached < 100 &&
                   stands_for(aggregation, all, &level, from / 100.0, (reached + 1) / 100.0))
                reached++;
        }
        from = reached;
        number++;
    }
    return number;
}

/* The level to show first; the list is of all. */
static ocelotl_level first_of(const ocelotl_levels *all)
{
    ocelotl_level first = {0};
    for (size_t i = 0; i < ocelotl_levels_info_of(all).count; i++)
        if (ocelotl_levels_at(all, i).automatic)
            first = ocelotl_levels_at(all, i);
    return first;
}

/* The most detailed level of at most so many parts. */
static ocelotl_level most_of(const ocelotl_levels *all, size_t parts)
{
    size_t i = 0;
    while (ocelotl_levels_at(all, i).parts > parts)
        i++;
    return ocelotl_levels_at(all, i);
}

/* The share of leaves that a part covers for four fifths of the slices though it loses over a
 * hundredth of what one block loses. */
static double flat_of(const ocelotl_aggregation *aggregation, const ocelotl_level *level)
{
    OWN_PARTITION *partition = must_solve(aggregation, level->p);
    const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
    uint32_t slices = 0;
    double flat = 0;
    double all = 0;
    for (size_t i = 0; i < info.part_count; i++) {
        const uint32_t end = ocelotl_partition_part_at(partition, i).last + 1;
        slices = end > slices ? end : slices;
    }
    for (size_t i = 0; i < info.part_count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        const double wide = part.last + 1 - part.first;
        all += wide * part.leaves / slices;
        if (info.kind != OCELOTL_SPATIAL && slices > 1 && wide >= 0.8 * slices &&
            part.loss > 0.01 * info.whole_loss)
            flat += part.leaves;
    }
    return flat / all;
}

/* The most aggregated level that loses at most so much. */
static ocelotl_level least_of(const ocelotl_levels *all, double loss)
{
    size_t i = ocelotl_levels_info_of(all).count - 1;
    while (ocelotl_levels_at(all, i).loss > loss)
        i--;
    return ocelotl_levels_at(all, i);
}

/* Checks that leaves are flat in at most a quarter of what is shown first, in place of another
 * level, or in fewer; and returns whether they are in too many of that one. */
static bool check_flat(const ocelotl_aggregation *aggregation, const ocelotl_levels *all,
                       const ocelotl_level *other, size_t *spread)
{
    const ocelotl_level first = first_of(all);
    const ocelotl_level many = most_of(all, 150);
    const double flat = flat_of(aggregation, other);
    const double fewest = flat_of(aggregation, &many);
    if (flat <= 0.25 || fewest >= flat || many.parts <= other->parts)
        return false;
    CHECK(fewest > 0.25 ? first.parts == many.parts : flat_of(aggregation, &first) <= 0.25);
    CHECK(first.parts > other->parts && first.parts <= 150 && first.loss < other->loss);
    ++*spread;
    return true;
}

/* Checks the level to show first against the knee: it loses at most a quarter where 100 parts can,
 * has at most 150 parts where these do, and leaves that are no block where these are none. */
static void check_first(const ocelotl_aggregation *aggregation, const ocelotl_levels *all,
                        const ocelotl_levels *with_knee, size_t *refined, size_t *coarsened,
                        size_t *spread)
{
    const double quarter = 0.25 * ocelotl_aggregation_whole_loss(aggregation);
    const ocelotl_level knee = first_of(with_knee);
    const ocelotl_level first = first_of(all);
    const ocelotl_level few = most_of(all, 100);
    const ocelotl_level many = most_of(all, 150);
    if (knee.parts > 150 && many.loss <= quarter) {
        CHECK(first.parts == many.parts && first.loss == many.loss);
        ++*coarsened;
    } else if (knee.parts < few.parts && knee.loss > quarter) {
        const ocelotl_level least = few.loss > quarter ? few : least_of(all, quarter);
        if (check_flat(aggregation, all, &least, spread))
            return;
        CHECK(few.loss > quarter ? first.parts == few.parts : first.loss <= quarter);
        CHECK(first.parts <= few.parts);
        for (size_t i = 0; i < ocelotl_levels_info_of(all).count; i++) {
            const ocelotl_level level = ocelotl_levels_at(all, i);
            CHECK(level.loss <= first.loss || level.loss > quarter ||
                  level.p_to - fmax(level.p_from, first.p) < 0.02);
        }
        ++*refined;
    } else if (!check_flat(aggregation, all, &knee, spread)) {
        CHECK(first.p == knee.p && first.parts == knee.parts);
    }
}

/* Checks the knee: it has more than one block if any level has, is about the best of those at p =
 * 0.5, and no clearly more aggregated level would be. */
static void check_knee(const ocelotl_aggregation *aggregation, const ocelotl_levels *all)
{
    const size_t count = ocelotl_levels_info_of(all).count;
    ocelotl_level automatic = {0};
    double most = -INFINITY; /* worth, of a level of more than one part */
    for (size_t i = 0; i < count; i++) {
        const ocelotl_level level = ocelotl_levels_at(all, i);
        if (level.automatic) {
            CHECK(automatic.parts == 0);
            automatic = level;
        }
        if (level.parts > 1)
            most = fmax(most, 2 * value(aggregation, &level, 0.5));
    }
    CHECK(automatic.parts > 0 && automatic.plateau > 0);
    if (count < 2)
        return;
    CHECK(automatic.parts > 1);
    const double worth = 2 * value(aggregation, &automatic, 0.5);
    CHECK(worth >= most - 0.01 - 1e-12);
    for (size_t i = 0; i < count; i++) {
        const ocelotl_level level = ocelotl_levels_at(all, i);
        if (level.parts > 1 && level.p_to - fmax(level.p_from, automatic.p) > 0.06)
            CHECK(level.gain <= automatic.gain ||
                  2 * value(aggregation, &level, 0.5) < most - 0.01 + 1e-12);
    }
}

/* Without a p the library solves at the p of that level. */
static void check_solve_auto(const ocelotl_aggregation *aggregation, const ocelotl_levels *levels)
{
    ocelotl_partition *partition = must_solve_auto(aggregation);
    const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
    size_t automatic = 0;
    for (size_t i = 0; i < ocelotl_levels_info_of(levels).count; i++) {
        const ocelotl_level level = ocelotl_levels_at(levels, i);
        if (!level.automatic)
            continue;
        automatic++;
        CHECK(level.p == info.p && level.parts == info.part_count);
        CHECK_NEAR(info.gain, level.gain, 1e-12 * fabs(level.gain) + 1e-300);
    }
    CHECK(automatic == 1);
    ocelotl_partition_free(partition);
}

/* The plateaus do not depend on how many levels are listed. */
static void check_same(const ocelotl_levels *all, const ocelotl_levels *some)
{
    CHECK(ocelotl_levels_info_of(all).plateaus == ocelotl_levels_info_of(some).plateaus);
    size_t k = 0;
    for (size_t i = 0; i < ocelotl_levels_info_of(some).count; i++) {
        const ocelotl_level level = ocelotl_levels_at(some, i);
        if (level.plateau == 0)
            continue;
        ocelotl_level other;
        do
            other = ocelotl_levels_at(all, k++);
        while (other.plateau == 0 && k < ocelotl_levels_info_of(all).count);
        CHECK(other.plateau == level.plateau && other.parts == level.parts &&
              other.gain == level.gain);
        CHECK(other.plateau_from == level.plateau_from && other.plateau_to == level.plateau_to);
        CHECK(other.automatic == level.automatic && (!level.automatic || other.p == level.p));
    }
}

/* --- Rules that choose a level, against the definitions read off the list of all levels */

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

static void check_ends_of_rules(const ocelotl_aggregation *aggregation)
{
    ocelotl_partition *partition;
    CHECK_OK(ocelotl_solve_rule(&partition, aggregation, OCELOTL_RULE_COARSEST, 0));
    CHECK(ocelotl_partition_info_of(partition).part_count == 1);
    ocelotl_partition_free(partition);
    CHECK_OK(ocelotl_solve_rule(&partition, aggregation, OCELOTL_RULE_FINEST, 0));
    CHECK(ocelotl_partition_info_of(partition).p == 0);
    ocelotl_partition_free(partition);
}

static void check_plateau_rule(const ocelotl_aggregation *aggregation)
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
    CHECK_REFUSED(
        ocelotl_solve_rule(&partition, aggregation, OCELOTL_RULE_PLATEAU, info.plateaus + 1),
        "expected one from 1 to");
    CHECK_REFUSED(ocelotl_solve_rule(&partition, aggregation, OCELOTL_RULE_PLATEAU, 0), "");
    CHECK_REFUSED(ocelotl_solve_rule(&partition, aggregation, (ocelotl_rule)99, 0), "");
    CHECK(partition == NULL);
    ocelotl_levels_free(levels);
}

static void test_random_plateaus(void)
{
    static const ocelotl_kind kinds[] = {OCELOTL_SPATIOTEMPORAL, OCELOTL_TEMPORAL, OCELOTL_SPATIAL};
    size_t several = 0;
    size_t refined = 0;
    size_t coarsened = 0;
    size_t spread = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        test_model model = test_random_model(seed, kinds[seed % 3], 12, 16);
        ocelotl_model *built = test_build(&model);
        ocelotl_aggregation *aggregation = test_aggregate(built, model.kind, 1);
        ocelotl_levels *all = find(aggregation, 0, false);
        ocelotl_levels *some = find(aggregation, 30, false);
        ocelotl_levels *with_knee = find(aggregation, 0, true);
        check_solve_auto(aggregation, some);
        check_same(all, some);
        if (ocelotl_levels_info_of(all).count > 1) {
            const size_t plateaus = check_cover(aggregation, all, all);
            CHECK(plateaus <= 2 * fewest(aggregation, all) + 1);
            several += plateaus > 2;
        }
        check_knee(aggregation, with_knee);
        check_first(aggregation, all, with_knee, &refined, &coarsened, &spread);
        CHECK(ocelotl_levels_info_of(all).complete);
        for (int rule = OCELOTL_RULE_GAP; rule <= OCELOTL_RULE_GAP_BETWEEN_AFTER; rule++)
            check_rule(aggregation, all, (ocelotl_rule)rule);
        check_ends_of_rules(aggregation);
        check_plateau_rule(aggregation);
        ocelotl_levels_free(with_knee);
        ocelotl_levels_free(some);
        ocelotl_levels_free(all);
        ocelotl_aggregation_free(aggregation);
        ocelotl_model_free(built);
        free(model.values);
    }
    CHECK(several > 100 && refined > 10 && spread > 0);
}

/* Checks two phases, an even and an uneven one: the boundary between them is more than noise and
 * less than the whole. */
static void test_phases(void)
{
    enum { SLICES = 40 };
    double values[SLICES];
    const int parent[] = {-1};
    uint64_t state = 7;
    for (int t = 0; t < SLICES; t++)
        values[t] = (t < 25 ? 1 : 6) + 0.01 * check_uniform(&state);
    ocelotl_model *model = test_build_arrays(1, parent, 1, 1, SLICES, values);
    ocelotl_aggregation *aggregation = test_aggregate(model, OCELOTL_TEMPORAL, 1);
    ocelotl_partition *partition = must_solve_auto(aggregation);
    CHECK(ocelotl_partition_info_of(partition).part_count == 2);
    CHECK(ocelotl_partition_part_at(partition, 0).last == 24);
    must_free(partition, aggregation, model, NULL);
}

/* Checks models without loss or without gain: they have one level, and it is shown. */
static void test_one_level(void)
{
    const double even[] = {3, 3, 3, 3};
    const double single[] = {0, 5, 0, 0};
    const int parent[] = {-1};
    const double *const values[] = {even, single};
    for (int i = 0; i < 2; i++) {
        ocelotl_model *model = test_build_arrays(1, parent, 1, 1, 4, values[i]);
        ocelotl_aggregation *aggregation = test_aggregate(model, OCELOTL_TEMPORAL, 1);
        ocelotl_levels *levels = find(aggregation, 30, false);
        CHECK(ocelotl_levels_info_of(levels).count == 1 &&
              ocelotl_levels_info_of(levels).plateaus == 1);
        const ocelotl_level level = ocelotl_levels_at(levels, 0);
        CHECK(level.plateau == 1 && level.plateau_from == 0 && level.plateau_to == 1 &&
              level.automatic);
        CHECK(level.parts == (i == 0 ? 1 : 3));
        check_solve_auto(aggregation, levels);
        ocelotl_levels_free(levels);
        ocelotl_aggregation_free(aggregation);
        ocelotl_model_free(model);
    }
}

/* Checks a leaf that says most beside others that change as well: the knee has each of these as one
 * block, but what is shown first has not. */
static void test_flat(void)
{
    enum { LEAVES = 4, SLICES = 40 };
    double values[LEAVES * SLICES];
    const int parent[] = {4, 4, 4, 4, -1};
    size_t unused[2] = {0};
    size_t spread = 0;
    for (int leaf = 0; leaf < LEAVES; leaf++)
        for (int t = 0; t < SLICES; t++)
            values[leaf * SLICES + t] = leaf == 0 ? (t % 20 < 10 ? 100 : 1) : (t % 8 < 4 ? 9 : 1);
    ocelotl_model *model = test_build_arrays(LEAVES + 1, parent, LEAVES, 1, SLICES, values);
    ocelotl_aggregation *aggregation = test_aggregate(model, OCELOTL_SPATIOTEMPORAL, 1);
    ocelotl_levels *all = find(aggregation, 0, false);
    ocelotl_levels *with_knee = find(aggregation, 0, true);
    check_first(aggregation, all, with_knee, &unused[0], &unused[1], &spread);
    CHECK(spread == 1);
    ocelotl_levels_free(with_knee);
    ocelotl_levels_free(all);
    must_free(NULL, aggregation, model, NULL);
}

/* Checks groups of leaves. Where they grow more uneven, the best partition at p = 0.5 has more
 * parts than a picture can show, and the knee fewer. Where one group is far more uneven than eight
 * others, that one says most, and the knee has the others as well. */
static void test_readable(void)
{
    enum { MEMBERS = 80, MOST = 80 * MEMBERS + 81 };
    int *parent = malloc(MOST * sizeof *parent);
    double *values = malloc(MOST * sizeof *values);
    CHECK(parent != NULL && values != NULL);
    for (int growing = 0; growing < 2; growing++) {
        const int groups = growing ? 80 : 60;
        const int leaves = groups * MEMBERS;
        const int nodes = leaves + groups + 1;
        size_t refined = 0;
        size_t coarsened = 0;
        size_t spread = 0;
        for (int leaf = 0; leaf < leaves; leaf++) {
            const int group = leaf / MEMBERS;
            const double uneven = group == 0 ? 1 : group < 9 ? 0.3 : 0;
            const double sign = leaf % 2 == 0 ? 1 : -1;
            parent[leaf] = leaves + group;
            values[leaf] = growing ? (group % 2 == 0 ? 1 : 14) * (leaf % 2 == 0 ? 1 : 2 + group)
                                   : (group % 2 == 0 ? 5 : 10) * (1 + sign * uneven);
        }
        for (int group = 0; group <= groups; group++)
            parent[leaves + group] = group < groups ? nodes - 1 : -1;
        ocelotl_model *model =
            test_build_arrays((uint32_t)nodes, parent, (uint32_t)leaves, 1, 1, values);
        ocelotl_aggregation *aggregation = test_aggregate(model, OCELOTL_SPATIAL, 1);
        ocelotl_levels *all = find(aggregation, 0, false);
        ocelotl_levels *with_knee = find(aggregation, 0, true);
        ocelotl_partition *partition = must_solve(aggregation, 0.5);
        CHECK(!growing || ocelotl_partition_info_of(partition).part_count > 2000);
        CHECK(first_of(with_knee).parts > 150 && first_of(with_knee).parts <= 2000);
        check_first(aggregation, all, with_knee, &refined, &coarsened, &spread);
        CHECK(coarsened == (growing ? 0 : 1));
        ocelotl_levels_free(with_knee);
        ocelotl_levels_free(all);
        must_free(partition, aggregation, model, NULL);
    }
    free(parent);
    free(values);
}

int main(void)
{
    test_phases();
    test_one_level();
    test_flat();
    test_readable();
    test_random_plateaus();
    return 0;
}
