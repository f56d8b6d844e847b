/* What pairs of clocks say of each other at the ends of the range of times. */
#include "quality/links.h"

#include "check.h"

static void test_least_of_all(void)
{
    oc_clock_sums pairs[] = {
        {.source = 0, .target = 1, .links = 1, .least = 5, .transit = 5, .most_ahead = 5},
        {.source = 1,
         .target = 0,
         .links = 1,
         .least = INT64_MIN,
         .transit = -1,
         .most_ahead = INT64_MIN}};
    uint32_t resources[] = {OCELOTL_NONE, OCELOTL_NONE};
    ocelotl_causality c = {.pairs = pairs, .pair_count = 2};
    c.clocks.resources = resources;
    c.clocks.count = 2;
    CHECK(ocelotl_causality_pair_at(&c, 0).ahead_least == INT64_MAX);
    CHECK(ocelotl_causality_pair_at(&c, 0).ahead_most == 5);
    CHECK(ocelotl_causality_pair_at(&c, 1).ahead_least == -5);
    pairs[1].most_ahead = INT64_MAX;
    CHECK(ocelotl_causality_pair_at(&c, 0).ahead_least == INT64_MIN);
}

int main(void)
{
    test_least_of_all();
    return 0;
}
