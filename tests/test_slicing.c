/* Slices are equal and exact, whatever the ratio of window and slices, and by default as many as
 * can be solved. */
#include "model/core/slicing.h"

#include "check.h"

static int compare(oc_instant a, oc_instant b)
{
    if (a.ticks != b.ticks)
        return a.ticks < b.ticks ? -1 : 1;
    return a.rest < b.rest ? -1 : a.rest > b.rest;
}

static oc_slicing random_slicing(uint64_t *random)
{
    oc_slicing slicing = {.length = 1 + check_random(random) %
                                            ((uint64_t)1 << (1 + check_below(random, 62)))};
    const uint64_t most = slicing.length < UINT32_MAX ? slicing.length : UINT32_MAX;
    const uint64_t bound = (uint64_t)1 << check_below(random, 33);
    slicing.slices = (uint32_t)(1 + check_random(random) % (most < bound ? most : bound));
    slicing.begin = (int64_t)check_random(random) / 4;
    return slicing;
}

/* Slice `index` is `length` units long, and begins where exact arithmetic says. */
static void check_slice(const oc_slicing *slicing, uint32_t index)
{
    const oc_instant from = oc_slicing_boundary(slicing, index);
    const oc_instant to = oc_slicing_boundary(slicing, index + 1);
    int64_t units;
    CHECK(from.rest < slicing->slices && to.rest < slicing->slices);
    CHECK(compare(from, to) < 0);
    CHECK(oc_slicing_between(&units, slicing, from, to));
    CHECK(units == (int64_t)slicing->length);
}

static void check_random_slicing(uint64_t seed)
{
    uint64_t random = seed * 0x9E3779B97F4A7C15u;
    const oc_slicing slicing = random_slicing(&random);
    const oc_instant begin = oc_slicing_boundary(&slicing, 0);
    const oc_instant end = oc_slicing_boundary(&slicing, slicing.slices);
    CHECK(begin.ticks == slicing.begin && begin.rest == 0);
    CHECK(end.ticks - slicing.begin == (int64_t)slicing.length && end.rest == 0);
    for (int i = 0; i < 50; i++)
        check_slice(&slicing, (uint32_t)(check_random(&random) % slicing.slices));
    check_slice(&slicing, 0);
    check_slice(&slicing, slicing.slices - 1);
}

/* Small windows, whole: what all slices have of a life adds up to it, and the slices touched are
 * those that have any of it. */
static void check_life(const oc_slicing *slicing, int64_t begin, int64_t end)
{
    int64_t sum = 0;
    uint32_t first, last;
    oc_slicing_touched(&first, &last, slicing, begin, end);
    CHECK(first <= last && last <= slicing->slices);
    for (uint32_t i = 0; i < slicing->slices; i++) {
        int64_t lived;
        const oc_instant before = oc_slicing_lived(oc_slicing_boundary(slicing, i), begin, end);
        const oc_instant after = oc_slicing_lived(oc_slicing_boundary(slicing, i + 1), begin, end);
        CHECK(oc_slicing_between(&lived, slicing, before, after));
        CHECK(lived >= 0 && lived <= (int64_t)slicing->length);
        CHECK((lived > 0) == (i >= first && i < last));
        sum += lived;
    }
    CHECK(sum == (end - begin) * (int64_t)slicing->slices);
}

static void check_small(void)
{
    for (uint64_t length = 1; length <= 30; length++)
        for (uint32_t slices = 1; slices <= length; slices++) {
            const oc_slicing slicing = {.begin = -7, .length = length, .slices = slices};
            for (int64_t begin = -7; begin <= (int64_t)length - 7; begin++)
                for (int64_t end = begin; end <= (int64_t)length - 7; end++)
                    check_life(&slicing, begin, end);
        }
}

/* Boundaries that double precision cannot tell from their neighbours. */
static void check_large_lives(uint64_t seed)
{
    uint64_t random = seed * 0xD6E8FEB86659FD93u;
    const uint32_t slices = 3 + check_below(&random, 1000);
    const uint64_t whole = ((uint64_t)1 << 50) + check_below(&random, 1000);
    const oc_slicing slicing = {.begin = 5, .length = whole * slices, .slices = slices};
    const uint32_t slice = check_below(&random, slices);
    const int64_t begin = 5 + (int64_t)(whole * slice);
    uint32_t first, last;
    oc_slicing_touched(&first, &last, &slicing, begin, begin + (int64_t)whole);
    CHECK(first == slice && last == slice + 1);
    oc_slicing_touched(&first, &last, &slicing, begin, begin + (int64_t)whole + 1);
    CHECK(first == slice && last == slice + 1 + (slice + 1 < slices));
    oc_slicing_touched(&first, &last, &slicing, begin - (slice > 0), begin + 1);
    CHECK(first == slice - (slice > 0) && last == slice + 1);
}

/* The default is less for more leaves than can be solved in a few seconds, but not where they will
 * be merged. */
static void check_default_count(void)
{
    enum { LEAVES = 60000 };
    static oc_given_node nodes[LEAVES + 1];
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    ocelotl_model *model;
    oc_slice_count count;
    nodes[0] = (oc_given_node){OCELOTL_ROOT, "", NULL, 0, false};
    for (uint32_t i = 1; i <= LEAVES; i++)
        nodes[i] = (oc_given_node){0, "leaf", NULL, i, false};
    CHECK_OK(oc_model_begin(&model, NULL, nodes, LEAVES + 1));
    CHECK_OK(oc_model_add_type(model, "busy", -1, false));
    CHECK_OK(oc_count_slices(&count, model, NULL, 1000000, &options));
    CHECK(count.slices < OCELOTL_DEFAULT_SLICES && count.slices >= 20);
    CHECK_TEXT(count.reason, "more would take longer than a few seconds");
    const uint32_t all = count.slices;
    options.hierarchy.max_leaves = LEAVES;
    CHECK_OK(oc_count_slices(&count, model, NULL, 1000000, &options));
    CHECK(count.slices == all);
    options.hierarchy.max_leaves = 100;
    CHECK_OK(oc_count_slices(&count, model, NULL, 1000000, &options));
    CHECK(count.slices == OCELOTL_DEFAULT_SLICES);
    CHECK_TEXT(count.reason, "");
    options.kind = OCELOTL_TEMPORAL;
    CHECK_OK(oc_count_slices(&count, model, NULL, 1000000, &options));
    CHECK(count.slices == OCELOTL_DEFAULT_SLICES);
    ocelotl_model_free(model);
}

int main(void)
{
    check_default_count();
    int64_t units;
    const oc_slicing wide = {.begin = 0, .length = 1000, .slices = 100};
    for (uint64_t seed = 1; seed <= 20000; seed++)
        check_random_slicing(seed);
    for (uint64_t seed = 1; seed <= 1000; seed++)
        check_large_lives(seed);
    check_small();
    CHECK(
        !oc_slicing_between(&units, &wide, (oc_instant){INT64_MIN, 0}, (oc_instant){INT64_MAX, 0}));
    CHECK(!oc_slicing_between(&units, &wide, (oc_instant){0, 0}, (oc_instant){INT64_MAX / 2, 0}));
    return 0;
}
