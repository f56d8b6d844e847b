/* Why parts are cut: differences add up, they are those of the solver's own measures, and a cut is
 * gone from the best partition at the same raw p once its types are taken out. */
#include "test_aggregate_large.h"

#include "aggregate/explanation.h"
#include "model/hierarchy/arrange.h"

/* A model, and how it is measured. */
typedef struct run {
    large_model made;
    uint32_t most_leaves; /* 0: none are merged */
    const ocelotl_aggregation *aggregation;
    const ocelotl_partition *partition;
    double rounding, p;
    size_t taken, minimal, one_block; /* how often something was tried */
} run;

static ocelotl_model *build(const run *of)
{
    ocelotl_model *model = large_build(&of->made);
    oc_arrangement arrangement = {0};
    if (of->most_leaves == 0)
        return model;
    CHECK_OK(oc_arrangement_begin(&arrangement, model));
    CHECK_OK(oc_merge_leaves(&arrangement, of->most_leaves));
    CHECK_OK(oc_arrangement_settle(&arrangement));
    CHECK_OK(oc_model_rearrange(model, &arrangement, OC_MERGED));
    oc_arrangement_free(&arrangement);
    return model;
}

static ocelotl_explanation *explain(const run *of, uint32_t node, uint32_t first, uint32_t last)
{
    ocelotl_explanation *explanation;
    CHECK_OK(oc_part_explain(&explanation, of->aggregation, of->partition, node, first, last));
    return explanation;
}

static double pic_of(const run *of, double gain, double loss)
{
    return of->p * gain - (1 - of->p) * loss;
}

static double pic_of_block(const run *of, uint32_t node, uint32_t first, uint32_t last)
{
    ocelotl_explanation *explanation = explain(of, node, first, last);
    const double pic = pic_of(of, explanation->gain, explanation->loss);
    oc_explanation_free(explanation);
    return pic;
}

/* The pieces of a cut, less its block. */
static double measure_cut(const run *of, const ocelotl_cut *cut)
{
    double pic = -pic_of_block(of, cut->node, cut->first, cut->last);
    for (size_t i = 0; i < cut->piece_count; i++)
        pic += pic_of_block(of, cut->pieces[i].node, cut->pieces[i].first, cut->pieces[i].last);
    return pic;
}

static bool has_part(const ocelotl_partition *partition, const ocelotl_cut_piece *piece)
{
    for (size_t i = 0; i < ocelotl_partition_info_of(partition).part_count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        if (part.node == piece->node && part.first == piece->first && part.last == piece->last)
            return true;
    }
    return false;
}

/* Whether a part has all of the block. */
static bool has_block(const ocelotl_partition *partition, const ocelotl_cut *cut)
{
    const ocelotl_model *model = ocelotl_partition_model(partition);
    const ocelotl_node node = ocelotl_model_node_at(model, cut->node);
    for (size_t i = 0; i < ocelotl_partition_info_of(partition).part_count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        const ocelotl_node of = ocelotl_model_node_at(model, part.node);
        if (of.leaf_first <= node.leaf_first && part.first <= cut->first &&
            of.leaf_first + of.leaf_count >= node.leaf_first + node.leaf_count &&
            part.last >= cut->last)
            return true;
    }
    return false;
}

/* The same without the types but `left`: whether the cut is worth something then. */
static bool is_worth_without(run *of, const ocelotl_cut *cut, uint32_t left)
{
    const large_model *made = &of->made;
    run other = *of;
    const size_t size = (size_t)made->leaves * made->types * made->slices;
    other.made.values = large_allocate(size, sizeof(double));
    memcpy(other.made.values, made->values, size * sizeof(double));
    bool any = false;
    for (uint32_t leaf = 0; leaf < made->leaves; leaf++)
        for (uint32_t type = 0; type < made->types; type++)
            for (uint32_t slice = 0; slice < made->slices; slice++) {
                double *value = large_at(&other.made, leaf, type, slice);
                *value = cut->taken[type] && type != left ? 0 : *value;
                any = any || *value > 0;
            }
    double worth = 0;
    if (any) {
        size_t same = 0;
        OWN_MODEL *model = build(&other);
        OWN_AGGREGATION *aggregation = test_aggregate(model, made->kind, 1);
        OWN_PARTITION *partition = must_solve_raw(aggregation, of->p);
        other.aggregation = aggregation;
        other.partition = partition;
        worth = measure_cut(&other, cut);
        for (size_t i = 0; i < cut->piece_count; i++)
            same += has_part(partition, &cut->pieces[i]);
        CHECK(left != OCELOTL_NONE || same < cut->piece_count);
        of->one_block += left == OCELOTL_NONE && has_block(partition, cut);
    }
    free(other.made.values);
    return worth > of->rounding;
}

static void check_taken(run *of, const ocelotl_cut *cut)
{
    uint32_t count = 0;
    for (uint32_t type = 0; type < of->made.types; type++)
        count += cut->taken[type];
    CHECK(count == cut->taken_count && (count > 0 || cut->all.pic <= of->rounding));
    if (count == 0)
        return;
    of->taken++;
    CHECK(!is_worth_without(of, cut, OCELOTL_NONE));
    for (uint32_t type = 0; type < of->made.types && cut->all.pic > of->rounding; type++)
        if (cut->taken[type]) {
            of->minimal++;
            CHECK(is_worth_without(of, cut, type));
        }
}

static void check_cut(run *of, const ocelotl_cut *cut, bool made)
{
    ocelotl_difference types = {0, 0, 0}, pieces = {0, 0, 0};
    for (uint32_t type = 0; type < of->made.types; type++) {
        types.gain += cut->types[type].gain;
        types.loss += cut->types[type].loss;
        types.pic += cut->types[type].pic;
    }
    for (size_t i = 0; i < cut->piece_count; i++) {
        pieces.gain += cut->pieces[i].by.gain;
        pieces.loss += cut->pieces[i].by.loss;
        pieces.pic += cut->pieces[i].by.pic;
        CHECK((cut->pieces[i].number != SIZE_MAX) == made);
        CHECK(!made || has_part(of->partition, &cut->pieces[i]));
    }
    CHECK_NEAR(types.gain, cut->all.gain, of->rounding);
    CHECK_NEAR(types.loss, cut->all.loss, of->rounding);
    CHECK_NEAR(types.pic, cut->all.pic, of->rounding);
    CHECK_NEAR(pieces.gain, cut->all.gain, of->rounding);
    CHECK_NEAR(pieces.loss, cut->all.loss, of->rounding);
    CHECK_NEAR(pieces.pic, cut->all.pic, of->rounding);
    CHECK_NEAR(pic_of(of, cut->all.gain, cut->all.loss), cut->all.pic, of->rounding);
    CHECK_NEAR((made ? 1 : -1) * measure_cut(of, cut), cut->all.pic, of->rounding);
    CHECK(cut->all.pic >= -of->rounding); /* the partition is the best */
    if (made)
        check_taken(of, cut);
}

static void check_part(run *of, size_t number)
{
    const ocelotl_part part = ocelotl_partition_part_at(of->partition, number);
    ocelotl_explanation *explanation = explain(of, part.node, part.first, part.last);
    const size_t count = ocelotl_partition_info_of(of->partition).part_count;
    size_t around = 0;
    CHECK(explanation->number == number);
    CHECK_NEAR(explanation->gain, part.gain, of->rounding);
    CHECK_NEAR(explanation->loss, part.loss, of->rounding);
    CHECK(explanation->cuts[OCELOTL_CUT_INSIDE].piece_count == 0);
    for (ocelotl_cut_kind kind = 0; kind < OCELOTL_CUT_COUNT; kind++) {
        const ocelotl_cut *cut = &explanation->cuts[kind];
        if (cut->piece_count == 0)
            continue;
        around += oc_is_made(kind);
        CHECK(cut->piece_count > 1 && cut->first <= part.first && cut->last >= part.last);
        check_cut(of, cut, oc_is_made(kind));
    }
    CHECK((around > 0) == (count > 1)); /* something is always beside it */
    oc_explanation_free(explanation);
}

static void check_model(run *of)
{
    static const double p[] = {0.02, 0.15, 0.4, 0.8};
    OWN_MODEL *model = build(of);
    OWN_AGGREGATION *aggregation = test_aggregate(model, of->made.kind, 1);
    of->aggregation = aggregation;
    of->rounding = 1e-11 * (ocelotl_aggregation_whole_gain(aggregation) +
                            ocelotl_aggregation_whole_loss(aggregation));
    for (size_t i = 0; i < sizeof p / sizeof *p; i++) {
        OWN_PARTITION *partition = must_solve_raw(aggregation, p[i]);
        const size_t count = ocelotl_partition_info_of(partition).part_count;
        of->partition = partition;
        of->p = p[i];
        for (size_t part = 0; part < count; part += 1 + count / 8)
            check_part(of, part);
        if (count > 1) {
            ocelotl_explanation *whole = explain(of, 0, 0, of->made.slices - 1);
            CHECK(whole->cuts[OCELOTL_CUT_INSIDE].piece_count == count);
            check_cut(of, &whole->cuts[OCELOTL_CUT_INSIDE], true);
            oc_explanation_free(whole);
        }
    }
}

static void test_refused(void)
{
    run of = {.made = large_make(OCELOTL_SPATIAL, LARGE_BINARY, LARGE_DENSE, 4, 2, 3, 1)};
    OWN_MODEL *model = build(&of);
    OWN_AGGREGATION *aggregation = test_aggregate(model, OCELOTL_SPATIAL, 1);
    OWN_PARTITION *partition = must_solve_raw(aggregation, 0.5);
    ocelotl_partition *level;
    ocelotl_explanation *explanation;
    CHECK_OK(ocelotl_partition_at_depth(&level, aggregation, 1));
    CHECK_REFUSED(oc_part_explain(&explanation, aggregation, partition, 99, 0, 2), "node 99");
    CHECK_REFUSED(oc_part_explain(&explanation, aggregation, partition, 0, 0, 1), "slices 0 to 1");
    CHECK_REFUSED(oc_part_explain(&explanation, aggregation, level, 0, 0, 2), "which no p chooses");
    ocelotl_partition_free(level);
    large_free(&of.made);
}

int main(void)
{
    static const large_shape shapes[] = {LARGE_BINARY, LARGE_FLAT, LARGE_RANDOM, LARGE_ONLY_CHILD};
    static const large_texture textures[] = {LARGE_DENSE, LARGE_SPARSE, LARGE_STATES,
                                             LARGE_FEW_VALUES, LARGE_PHASES};
    static const ocelotl_kind kinds[] = {OCELOTL_TEMPORAL, OCELOTL_SPATIAL, OCELOTL_SPATIOTEMPORAL};
    for (size_t kind = 0; kind < 3; kind++) {
        run of = {.most_leaves = 0};
        for (size_t texture = 0; texture < sizeof textures / sizeof *textures; texture++)
            for (size_t shape = 0; shape < sizeof shapes / sizeof *shapes; shape++) {
                of.made =
                    large_make(kinds[kind], shapes[shape], textures[texture], 9, 4, 7, 17 + shape);
                of.most_leaves = shape % 2 == 0 ? 0 : 5;
                check_model(&of);
                large_free(&of.made);
            }
        fprintf(stderr,
                "kind %d: %zu cuts without types, %zu without all but one, %zu in one part\n",
                (int)kinds[kind], of.taken, of.minimal, of.one_block);
        CHECK(of.taken > 20 && of.minimal > 20);
    }
    test_refused();
    return 0;
}
