/* Comparisons of random models against sums over the cells that the test knows. */
#include "made.h"

#include "base/memory.h"
#include "compare/comparison.h"
#include "model/core/model.h"

enum { GROUPS = 4, LEAVES = 3, TYPES = 4, SLICES = 5, MOST_NODES = 1 + GROUPS + GROUPS * LEAVES };

/* A model of some of the leaves and types, with the contents of its cells. */
typedef struct known {
    ocelotl_model *model;
    bool leaves[GROUPS][LEAVES], types[TYPES];
    double sums[GROUPS][LEAVES][TYPES];
    uint32_t slices;
} known;

static const char *const group_names[GROUPS] = {"g0", "g1", "g2", "g3"};
static const char *const leaf_names[LEAVES] = {"l0", "l1", "l2"};
static const char *const type_names[TYPES] = {"run", "wait", "send", "receive"};

/* The first leaf and the first type are always there, so that something is common. */
static void make_known(known *made, uint64_t *random)
{
    uint32_t parents[MOST_NODES] = {OCELOTL_ROOT};
    const char *names[MOST_NODES] = {"root"};
    const char *types[TYPES];
    ocelotl_cell cells[GROUPS * LEAVES * TYPES * SLICES];
    ocelotl_model_arrays arrays = OCELOTL_MODEL_ARRAYS_INIT;
    uint32_t numbers[TYPES];
    memset(made, 0, sizeof *made);
    made->slices = 1 + check_below(random, SLICES);
    for (uint32_t x = 0; x < TYPES; x++) {
        made->types[x] = x == 0 || check_below(random, 3) > 0;
        numbers[x] = arrays.type_count;
        if (made->types[x])
            types[arrays.type_count++] = type_names[x];
    }
    arrays.node_count = 1;
    for (uint32_t g = 0; g < GROUPS; g++) {
        uint32_t group = OCELOTL_NONE;
        for (uint32_t l = 0; l < LEAVES; l++) {
            made->leaves[g][l] = g + l == 0 || check_below(random, 2) > 0;
            if (!made->leaves[g][l])
                continue;
            if (group == OCELOTL_NONE) {
                group = arrays.node_count;
                parents[arrays.node_count] = 0;
                names[arrays.node_count++] = group_names[g];
            }
            const uint32_t leaf = arrays.node_count;
            parents[leaf] = group;
            names[arrays.node_count++] = leaf_names[l];
            for (uint32_t x = 0; x < TYPES; x++)
                for (uint32_t s = 0; s < made->slices && made->types[x]; s++) {
                    const double value = check_below(random, 8);
                    made->sums[g][l][x] += value;
                    cells[arrays.cell_count++] = (ocelotl_cell){leaf, numbers[x], s, value};
                }
        }
    }
    arrays.name = "known";
    arrays.parents = parents;
    arrays.names = names;
    arrays.types = types;
    arrays.slice_count = made->slices;
    arrays.cells = cells;
    made->model = must_take(&arrays);
}

/* Whether a leaf is in the node of a path. */
static bool is_in(const char *path, uint32_t g, uint32_t l)
{
    char leaf[16];
    snprintf(leaf, sizeof leaf, "%s/%s", group_names[g], leaf_names[l]);
    return path[0] == '\0' || strcmp(path, group_names[g]) == 0 || strcmp(path, leaf) == 0;
}

static double sum_of(const known *of, const char *path, const char *type, uint32_t *leaves)
{
    double sum = 0;
    *leaves = 0;
    for (uint32_t g = 0; g < GROUPS; g++)
        for (uint32_t l = 0; l < LEAVES; l++) {
            if (!of->leaves[g][l] || !is_in(path, g, l))
                continue;
            ++*leaves;
            for (uint32_t x = 0; x < TYPES; x++)
                sum += strcmp(type_names[x], type) == 0 ? of->sums[g][l][x] : 0;
        }
    return sum;
}

static void check_change(const ocelotl_change *change, const known *first, const known *second)
{
    uint32_t leaves[2];
    const double sums[] = {sum_of(first, change->path, change->type, &leaves[0]),
                           sum_of(second, change->path, change->type, &leaves[1])};
    CHECK(leaves[0] > 0 && leaves[1] > 0 && change->leaves == leaves[0]);
    const double cells[] = {(double)leaves[0] * first->slices, (double)leaves[1] * second->slices};
    CHECK_NEAR(change->first, sums[0] / cells[0], 1e-12);
    CHECK_NEAR(change->second, sums[1] / cells[1], 1e-12);
    CHECK_NEAR(change->amount,
               (sums[1] / cells[1] - sums[0] / cells[0]) * (cells[0] + cells[1]) / 2, 1e-9);
}

static bool has_group(const known *of, uint32_t g)
{
    return of->leaves[g][0] || of->leaves[g][1] || of->leaves[g][2];
}

/* Nodes that only one has, the topmost of them. */
static uint32_t count_only(const known *of, const known *other)
{
    uint32_t count = 0;
    for (uint32_t g = 0; g < GROUPS; g++) {
        count += has_group(of, g) && !has_group(other, g);
        for (uint32_t l = 0; l < LEAVES && has_group(other, g); l++)
            count += of->leaves[g][l] && !other->leaves[g][l];
    }
    return count;
}

/* How many changes there have to be: where one of both has anything. */
static size_t count_changes(const known *first, const known *second)
{
    char path[16];
    size_t count = 0;
    for (uint32_t x = 0; x < TYPES; x++)
        for (uint32_t n = 0; n < 1 + GROUPS * (1 + LEAVES); n++) {
            const uint32_t g = n == 0 ? 0 : (n - 1) / (1 + LEAVES);
            const uint32_t l = n == 0 ? 0 : (n - 1) % (1 + LEAVES);
            uint32_t leaves[2];
            snprintf(path, sizeof path, "%s%s%s", n > 0 ? group_names[g] : "", l > 0 ? "/" : "",
                     l > 0 ? leaf_names[l - 1] : "");
            const double some = sum_of(first, path, type_names[x], &leaves[0]) +
                                sum_of(second, path, type_names[x], &leaves[1]);
            count += leaves[0] > 0 && leaves[1] > 0 && some > 0;
        }
    return count;
}

/* What is known of leaves by a named change above them: how much each of their cells changes, or
 * how many times. */
typedef struct knowledge {
    double each, times;
} knowledge;

/* Returns whether a change of the type is named at a node, and what it predicts for those below. */
static bool is_named(knowledge *told, const ocelotl_comparison *comparison, const char *path,
                     const char *type, const known *first, const known *second)
{
    for (size_t i = 0; i < comparison->info.change_count; i++) {
        const ocelotl_change change = comparison->changes[i];
        uint32_t leaves[2];
        if (!change.named || strcmp(change.path, path) != 0 || strcmp(change.type, type) != 0)
            continue;
        sum_of(first, path, type, &leaves[0]);
        sum_of(second, path, type, &leaves[1]);
        const double cells =
            ((double)leaves[0] * first->slices + (double)leaves[1] * second->slices) / 2;
        *told = change.proportional ? (knowledge){0, change.amount / (change.first * cells)}
                                    : (knowledge){change.amount / cells, 0};
        return true;
    }
    return false;
}

/* Checks that the named changes predict every leaf's within a factor of two, and that each is named
 * because the others do not predict it. */
static void check_names(const ocelotl_comparison *comparison, const known *first,
                        const known *second)
{
    const ocelotl_comparison_info info = comparison->info;
    size_t named = 0;
    for (size_t i = 0; i < info.change_count; i++) {
        const ocelotl_change change = comparison->changes[i];
        const double cells = (double)(first->slices + second->slices) / 2;
        const bool leaf = strchr(change.path, '/') != NULL;
        knowledge told = {0, 0};
        char group[8] = "";
        named += change.named;
        if (!leaf)
            continue;
        snprintf(group, sizeof group, "%.2s", change.path);
        if (!is_named(&told, comparison, group, change.type, first, second))
            is_named(&told, comparison, "", change.type, first, second);
        const double expected = (told.each + told.times * change.first) * cells;
        const double larger = fmax(fabs(change.amount), fabs(expected));
        const double apart = fabs(change.amount - expected);
        if (change.named)
            CHECK(apart > larger / 2 * (1 - 1e-9) && larger > 0);
        else
            CHECK(apart <= larger / 2 * (1 + 1e-9) || fabs(change.amount) < 1e-9);
    }
    CHECK(named == info.named_count);
}

/* What both have of a type in a leaf is in the joint model, in its two halves. */
static void check_joint_leaf(const ocelotl_model *joint, uint32_t node, const known *first,
                             const known *second)
{
    double values[2 * TYPES];
    const uint32_t count = ocelotl_model_info_of(joint).compared_types;
    const char *path = ocelotl_model_node_at(joint, node).path;
    CHECK_OK(ocelotl_model_values(values, joint, node, 0, first->slices - 1));
    for (uint32_t type = 0; type < count; type++) {
        uint32_t leaves[2];
        const char *name = ocelotl_model_type_at(joint, type).name;
        const double sums[] = {sum_of(first, path, name, &leaves[0]),
                               sum_of(second, path, name, &leaves[1])};
        CHECK(leaves[0] == 1 && leaves[1] == 1);
        CHECK_NEAR(values[type], sums[0] / first->slices, 1e-12);
        CHECK_NEAR(values[count + type], sums[1] / first->slices, 1e-12);
    }
}

static void check_joint(const ocelotl_comparison *comparison, const known *first,
                        const known *second)
{
    ocelotl_model *joint;
    uint32_t leaves = 0, common = 0;
    if (first->slices != second->slices) {
        CHECK_REFUSED(ocelotl_comparison_join(&joint, comparison, 0), "expected as many");
        return;
    }
    for (uint32_t g = 0; g < GROUPS; g++)
        for (uint32_t l = 0; l < LEAVES; l++)
            common += first->leaves[g][l] && second->leaves[g][l];
    for (uint32_t groups = 0; groups <= 16; groups += 16) {
        leaves = 0;
        CHECK_OK(ocelotl_comparison_join(&joint, comparison, groups));
        const uint32_t nodes = ocelotl_model_info_of(joint).node_count;
        for (uint32_t k = 1; k < nodes; k++) {
            const ocelotl_node node = ocelotl_model_node_at(joint, k);
            const bool leaf = k + 1 == nodes || ocelotl_model_node_at(joint, k + 1).parent != k;
            if (!leaf)
                continue;
            leaves++;
            CHECK(node.leaf_count == 1 && node.row_count == 1);
            check_joint_leaf(joint, k, first, second);
        }
        CHECK(leaves == common);
        ocelotl_model_free(joint);
    }
}

static void check_models(uint64_t seed)
{
    uint64_t random = seed * 0x9E3779B97F4A7C15u;
    known both[2];
    make_known(&both[0], &random);
    make_known(&both[1], &random);
    ocelotl_comparison *comparison = must_compare(both[0].model, both[1].model);
    const ocelotl_comparison_info info = comparison->info;
    CHECK(info.change_count == count_changes(&both[0], &both[1]));
    for (size_t i = 0; i < info.change_count; i++) {
        const ocelotl_change change = comparison->changes[i];
        check_change(&change, &both[0], &both[1]);
        CHECK(i == 0 ||
              fabs(change.amount) <= fabs(comparison->changes[i - 1].amount) * (1 + 1e-6));
    }
    check_names(comparison, &both[0], &both[1]);
    for (int m = 0; m < 2; m++)
        CHECK(info.only_count[m] == count_only(&both[m], &both[1 - m]));
    check_joint(comparison, &both[0], &both[1]);
    ocelotl_comparison_free(comparison);
    /* Nothing changes in a model that is compared to itself. */
    comparison = must_compare(both[0].model, both[0].model);
    for (size_t i = 0; i < comparison->info.change_count; i++)
        CHECK(fabs(comparison->changes[i].amount) <= 0);
    CHECK(comparison->info.named_count == 0);
    CHECK(comparison->info.only_count[0] == 0);
    ocelotl_comparison_free(comparison);
    ocelotl_model_free(both[0].model);
    ocelotl_model_free(both[1].model);
}

/* All leaves have 100 and what is added to each. */
static ocelotl_model *make_whole(const int (*added)[LEAVES])
{
    uint32_t parents[MOST_NODES] = {OCELOTL_ROOT};
    const char *names[MOST_NODES] = {"root"};
    const char *types[] = {"run"};
    ocelotl_cell cells[GROUPS * LEAVES];
    ocelotl_model_arrays arrays = OCELOTL_MODEL_ARRAYS_INIT;
    arrays.node_count = 1;
    for (uint32_t g = 0; g < GROUPS; g++) {
        const uint32_t group = arrays.node_count++;
        parents[group] = 0;
        names[group] = group_names[g];
        for (uint32_t l = 0; l < LEAVES; l++) {
            parents[arrays.node_count] = group;
            names[arrays.node_count] = leaf_names[l];
            cells[arrays.cell_count++] =
                (ocelotl_cell){arrays.node_count++, 0, 0, 100 + added[g][l]};
        }
    }
    arrays.name = "whole";
    arrays.parents = parents;
    arrays.names = names;
    arrays.type_count = 1;
    arrays.types = types;
    arrays.slice_count = 1;
    arrays.cells = cells;
    return must_take(&arrays);
}

/* What is named, by hand: what leaves gain, and the nodes where that is said, the largest first. */
static void check_chosen(void)
{
    static const struct {
        int added[GROUPS][LEAVES];
        const char *named;
    } cases[] = {
        {{{0}}, ""},
        {{{0}, {0, 6, 0}}, "g1/l1 +6; "},
        {{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, "(whole) +12; "},
        {{{0}, {2, 2, 2}}, "g1 +6; "},
        {{{0}, {2, 3, 4}}, "g1 +9; "},
        {{{1, 1, 1}, {1, 1, 1}, {-1, -1, -1}, {-1, -1, -1}}, "g0 +3; g1 +3; g2 -3; g3 -3; "},
        {{{0}, {0}, {5, -5, 0}}, "g2/l0 +5; g2/l1 -5; "},
        /* One that is far from what the whole does. */
        {{{2, 2, 2}, {2, 20, 2}, {2, 2, 2}, {2, 2, 2}}, "(whole) +42; g1/l1 +20; "},
        {{{9, 9, 9}, {9, 9, 9}, {9, 9, 9}, {-20, 9, 9}}, "(whole) +79; g3/l0 -20; "},
        /* One group has nearly all, the others the rest of it. */
        {{{20, 20, 20}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, "g0 +60; g1 +3; g2 +3; g3 +3; "},
    };
    static const int nothing[GROUPS][LEAVES];
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        OWN_MODEL *before = make_whole(nothing);
        OWN_MODEL *after = make_whole(cases[c].added);
        char named[256] = "";
        OWN_COMPARISON *comparison = must_compare(before, after);
        for (size_t i = 0; i < comparison->info.change_count; i++) {
            const ocelotl_change change = comparison->changes[i];
            const size_t length = strlen(named);
            if (change.named)
                snprintf(named + length, sizeof named - length, "%s %+.0f; ",
                         change.path[0] != '\0' ? change.path : "(whole)", change.amount);
        }
        CHECK_TEXT(named, cases[c].named);
    }
}

static ocelotl_model *make_small(const char *leaf, const char *type)
{
    const uint32_t parents[] = {OCELOTL_ROOT, 0};
    const char *names[] = {"root", leaf};
    const char *types[] = {type};
    const ocelotl_cell cell = {1, 0, 0, 1};
    return must_take_cells(leaf, 2, parents, names, 1, types, 1, &cell, 1);
}

/* A model of leaves below the root, and of types that are numbered: values[(slice x leaves + leaf)
 * x types + type]. */
static ocelotl_model *make_flat(uint32_t leaves, uint32_t types, uint32_t slices,
                                const double *values)
{
    uint32_t parents[1 + LEAVES] = {OCELOTL_ROOT};
    ocelotl_cell cells[256];
    size_t count = 0;
    CHECK(leaves <= LEAVES && (size_t)leaves * types * slices <= 256);
    for (uint32_t slice = 0; slice < slices; slice++)
        for (uint32_t leaf = 0; leaf < leaves; leaf++)
            for (uint32_t type = 0; type < types; type++)
                cells[count++] = (ocelotl_cell){leaf + 1, type, slice, *values++};
    return must_take_cells("flat", 1 + leaves, parents, NULL, types, NULL, slices, cells, count);
}

/* Multiplies all leaves by one ratio: only the changes of the whole are worth their names. */
static void check_ratio(void)
{
    static const double before[] = {1, 10, 100, 5, 50, 1};
    double after[6];
    for (int i = 0; i < 6; i++)
        after[i] = before[i] * 1.25;
    OWN_MODEL *first = make_flat(3, 2, 1, before);
    OWN_MODEL *second = make_flat(3, 2, 1, after);
    OWN_COMPARISON *comparison = must_compare(first, second);
    const ocelotl_comparison_info info = comparison->info;
    CHECK_NEAR(info.ratio, 1.25, 1e-12);
    CHECK_NEAR(info.apart, 0, 1e-12);
    CHECK_TEXT(info.unit, "");
    CHECK(info.named_count == 2);
    for (size_t i = 0; i < info.change_count; i++) {
        const ocelotl_change change = comparison->changes[i];
        CHECK(change.named == (change.path[0] == '\0') && change.proportional == change.named);
    }
    /* A fifth of the total moves from one leaf to others. */
    after[0] -= 1.25;
    after[2] -= 40.25;
    after[3] += 41.5;
    OWN_MODEL *moved = make_flat(3, 2, 1, after);
    OWN_COMPARISON *other = must_compare(first, moved);
    CHECK_NEAR(other->info.ratio, 1.25, 1e-12);
    CHECK_NEAR(other->info.apart, 41.5 / (167 * 1.25), 1e-12);
}

/* Three nodes of 1, 3 and 2 resources: each resource with its own cell below its node, */
static ocelotl_model *make_apart(const double values[6])
{
    static const uint32_t parents[] = {OCELOTL_ROOT, 0, 0, 0, 1, 2, 2, 2, 3, 3};
    ocelotl_cell cells[6];
    size_t count = 0;
    for (uint32_t leaf = 0; leaf < 6; leaf++)
        cells[count++] = (ocelotl_cell){4 + leaf, 0, 0, values[leaf]};
    return must_take_cells("apart", 10, parents, NULL, 1, NULL, 1, cells, count);
}

/* or the node as one leaf that stands for them. */
static ocelotl_model *make_merged(const double values[6])
{
    static const uint32_t before[] = {0, 1, 4, 6};
    const double sums[] = {values[0], values[1] + values[2] + values[3], values[4] + values[5]};
    ocelotl_model *model = make_flat(3, 1, 1, sums);
    oc_tree *tree = &model->matrix.tree;
    CHECK_OK(oc_allocate(&tree->weight_before, 4, sizeof *tree->weight_before));
    memcpy(tree->weight_before, before, sizeof before);
    return model;
}

/* A leaf that stands for several resources differs by what they differ by. */
static void check_weights(void)
{
    static const double before[] = {6, 1, 2, 3, 10, 0};
    static const double after[] = {3, 9, 2, 1, 11, 5};
    ocelotl_model *joint;
    ocelotl_model *models[] = {make_apart(before), make_apart(after), make_merged(before),
                               make_merged(after)};
    ocelotl_comparison *apart = must_compare(models[0], models[1]);
    ocelotl_comparison *merged = must_compare(models[2], models[3]);
    CHECK(merged->info.change_count == 4);
    for (size_t i = 0; i < 4; i++) {
        const ocelotl_change found = merged->changes[i];
        size_t same = 0;
        for (size_t k = 0; k < apart->info.change_count; k++) {
            const ocelotl_change wanted = apart->changes[k];
            if (strcmp(wanted.path, found.path) != 0)
                continue;
            CHECK(found.leaves == wanted.leaves);
            CHECK_NEAR(found.first, wanted.first, 1e-12);
            CHECK_NEAR(found.second, wanted.second, 1e-12);
            CHECK_NEAR(found.amount, wanted.amount, 1e-12);
            same++;
        }
        CHECK(same == 1);
    }
    CHECK_OK(ocelotl_comparison_join(&joint, merged, 0));
    for (uint32_t leaf = 0; leaf < 3; leaf++) {
        double values[2];
        const double wanted[][2] = {{6, 3}, {2, 4}, {5, 8}}; /* the means above */
        CHECK_OK(ocelotl_model_values(values, joint, 1 + leaf, 0, 0));
        CHECK_NEAR(values[0], wanted[leaf][0], 1e-12);
        CHECK_NEAR(values[1], wanted[leaf][1], 1e-12);
    }
    ocelotl_model_free(joint);
    ocelotl_comparison_free(apart);
    ocelotl_comparison_free(merged);
    for (int i = 0; i < 4; i++)
        ocelotl_model_free(models[i]);
}

static ocelotl_change_floor floor_of(const double *after, size_t most)
{
    static const double before[] = {1000, 1000, 1000, 1000, 1000, 1000};
    OWN_MODEL *first = make_flat(1, 6, 1, before);
    OWN_MODEL *second = make_flat(1, 6, 1, after);
    OWN_COMPARISON *comparison = must_compare(first, second);
    const ocelotl_change_floor found = ocelotl_comparison_floor(comparison, most);
    return found;
}

static void check_floor(void)
{
    const double after[] = {1500, 700, 1004, 998.5, 1000.25, 1000};
    ocelotl_change_floor found = floor_of(after, 30);
    CHECK_NEAR(found.amount, 5, 1e-12); /* of 805.75 are 5.75 less than 1 % */
    CHECK(found.above == 2 && found.below == 3);
    CHECK_NEAR(found.share, 5.75 / 805.75, 1e-12);
    found = floor_of(after, 1);
    CHECK_NEAR(found.amount, 500, 1e-12);
    CHECK(found.above == 1 && found.below == 4);
    CHECK_NEAR(found.share, 305.75 / 805.75, 1e-12);
    const double alike[] = {1500, 1500, 1500, 1500, 1500, 1500};
    found = floor_of(alike, 2);
    CHECK(found.above == 6 && found.below == 0 && fpclassify(found.share) == FP_ZERO);
    const double same[] = {1000, 1000, 1000, 1000, 1000, 1000};
    found = floor_of(same, 2);
    CHECK(found.above == 0 && found.below == 0 && fpclassify(found.amount) == FP_ZERO);
}

static void find_phases(uint32_t *found, const char *before, const char *after,
                        const uint32_t *cuts, size_t count)
{
    double values[2][64 * 3] = {{0}, {0}};
    const char *const texts[] = {before, after};
    ocelotl_model *models[2];
    for (int m = 0; m < 2; m++) {
        for (uint32_t slice = 0; texts[m][slice] != '\0'; slice++)
            values[m][slice * 3 + (uint32_t)(texts[m][slice] - 'a')] = 1;
        models[m] = make_flat(1, 3, (uint32_t)strlen(texts[m]), values[m]);
    }
    ocelotl_comparison *comparison = must_compare(models[0], models[1]);
    CHECK_OK(ocelotl_comparison_find_phases(found, comparison, cuts, count));
    ocelotl_comparison_free(comparison);
    ocelotl_model_free(models[0]);
    ocelotl_model_free(models[1]);
}

/* Each slice is of one type, as a letter. */
static void check_phases(void)
{
    static const uint32_t cuts[] = {0, 3, 6};
    static const struct {
        const char *before, *after;
        uint32_t found[3];
    } cases[] = {
        {"aaabbbcccc", "aaabbbcccc", {0, 3, 6}},
        {"aaabbbcccc", "aaaaaabbbbbbcccccccc", {0, 6, 12}}, /* all is slower */
        {"aaabbbcccc", "aaabbbbbbcccc", {0, 3, 9}},         /* one phase is */
        {"aaabbbcccc", "aaacccc", {0, 3, 3}},               /* one is missing */
        {"aaabbbcccc", "bbbcccc", {0, 0, 3}},
        {"aaabbbcccc", "aaabbb", {0, 3, 6}},
        {"aaabbbaaaa", "aabbbbbaaa", {0, 2, 7}},   /* two are alike */
        {"aaabbbcccc", "aabababbcccc", {0, 4, 8}}, /* as much is wrong at 2 and at 6 */
    };
    uint32_t found[3];
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        find_phases(found, cases[c].before, cases[c].after, cuts, 3);
        for (int i = 0; i < 3; i++)
            CHECK(found[i] == cases[c].found[i]);
    }
    static const uint32_t wrong[] = {3, 3};
    OWN_MODEL *model = make_small("a", "run");
    OWN_COMPARISON *comparison = must_compare(model, model);
    CHECK_OK(ocelotl_comparison_find_phases(found, comparison, NULL, 0));
    CHECK_REFUSED(ocelotl_comparison_find_phases(found, comparison, wrong, 2), "slice 3");
}

/* What one alignment costs (compare/phases.c): each slice what it differs from its phase, each
 * begin what it is off from where it was, stretched. */
static double phases_cost(const char *before, const char *after, const uint32_t *cuts,
                          const uint32_t *begins)
{
    const uint32_t slices = (uint32_t)strlen(after);
    double cost = 0;
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t end = i < 2 ? cuts[i + 1] : (uint32_t)strlen(before);
        double shares[3] = {0};
        for (uint32_t slice = cuts[i]; slice < end; slice++)
            shares[before[slice] - 'a'] += 1.0 / (end - cuts[i]);
        for (uint32_t slice = begins[i]; slice < (i < 2 ? begins[i + 1] : slices); slice++)
            for (int x = 0; x < 3; x++)
                cost += pow((after[slice] == 'a' + x) - shares[x], 2);
        if (i > 0)
            cost += 0.01 * fabs(begins[i] - (double)cuts[i] / (double)strlen(before) * slices);
    }
    return cost;
}

/* Of all alignments of random slices none costs less than the one that is found. The second and the
 * third phase are so alike that it matters what their begins are off. */
static void check_phases_are_best(uint64_t seed)
{
    uint64_t random = seed;
    char texts[2][32] = {"aaaaaaaa", ""};
    uint32_t found[3] = {0}, begins[3] = {0};
    for (uint32_t slice = 0; slice < 12; slice++)
        texts[0][8 + slice] = (char)('b' + check_below(&random, 2));
    for (uint32_t slice = 0; slice < 8 + seed % 20; slice++)
        texts[1][slice] = (char)('b' + check_below(&random, 2));
    const uint32_t cuts[] = {0, 8, 12 + (uint32_t)(seed % 5)};
    find_phases(found, texts[0], texts[1], cuts, 3);
    double least = INFINITY;
    const uint32_t slices = (uint32_t)strlen(texts[1]);
    for (begins[1] = 0; begins[1] <= slices; begins[1]++)
        for (begins[2] = begins[1]; begins[2] <= slices; begins[2]++)
            least = fmin(least, phases_cost(texts[0], texts[1], cuts, begins));
    CHECK_NEAR(phases_cost(texts[0], texts[1], cuts, found), least, 1e-9);
}

/* Which changes of a root with two leaves are named, and how they are told. */
static void check_changed_nodes(void)
{
    static const struct {
        double before[2], amount[2];
        bool named[3], proportional;
    } cases[] = {
        {{10, 30}, {10, 30}, {true, false, false}, true},  /* all twice as much */
        {{10, 30}, {20, 20}, {true, false, false}, false}, /* as much more everywhere */
        {{0, 0}, {5, 5}, {true, false, false}, false},     /* what was not there before */
        {{0, 40}, {0, 40}, {false, false, true}, false},   /* one leaf alone */
        {{10, 10}, {10, -10}, {false, true, true}, false}, /* against each other */
        {{10, 10}, {0, 0}, {false, false, false}, false},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        oc_changed_node nodes[3] = {{.parent = OCELOTL_ROOT, .end = 3, .cells = 2}};
        for (uint32_t leaf = 1; leaf < 3; leaf++) {
            nodes[leaf] = (oc_changed_node){.parent = 0,
                                            .end = leaf + 1,
                                            .cells = 1,
                                            .amount = cases[c].amount[leaf - 1],
                                            .before = cases[c].before[leaf - 1]};
            nodes[0].amount += nodes[leaf].amount;
            nodes[0].before += nodes[leaf].before;
        }
        oc_name_changes(nodes, 3);
        for (int k = 0; k < 3; k++)
            CHECK(nodes[k].named == cases[c].named[k]);
        CHECK(nodes[0].proportional == cases[c].proportional);
    }
}

static void check_refusals(void)
{
    ocelotl_comparison *comparison;
    OWN_MODEL *model = make_small("a", "run");
    OWN_MODEL *elsewhere = make_small("b", "run");
    OWN_MODEL *otherwise = make_small("a", "wait");
    CHECK_REFUSED(ocelotl_compare_models(&comparison, model, elsewhere),
                  "no resource in common: the first has \"a\", the second \"b\"");
    CHECK_REFUSED(ocelotl_compare_models(&comparison, model, otherwise),
                  "no type in common: the first has \"run\", the second \"wait\"");
    ocelotl_comparison_free(NULL);
}

int main(void)
{
    for (uint64_t seed = 1; seed <= 300; seed++)
        check_models(seed);
    check_chosen();
    check_ratio();
    check_weights();
    check_floor();
    check_phases();
    for (uint64_t seed = 1; seed <= 300; seed++)
        check_phases_are_best(seed);
    check_changed_nodes();
    check_refusals();
    return 0;
}
