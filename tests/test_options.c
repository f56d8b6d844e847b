/* Structures that grow: a caller built against an older or a newer header gives and gets what both
 * sides know. */
#include "check.h"

#include "base/options.h"

typedef struct older {
    size_t size;
    uint32_t first;
} older;

typedef struct known {
    size_t size;
    uint32_t first, second;
} known;

typedef struct newer {
    size_t size;
    uint32_t first, second, third, fourth;
} newer;

static void test_reading(void)
{
    const known presets = {sizeof presets, 1, 2};
    known options = presets;
    CHECK_OK(oc_read_options(&options, sizeof options, NULL));
    CHECK(options.first == 1 && options.second == 2);
    const older less = {sizeof less, 5};
    CHECK_OK(oc_read_options(&options, sizeof options, &less));
    CHECK(options.first == 5);
    const newer more = {sizeof more, 6, 7, 8, 9};
    CHECK_OK(oc_read_options(&options, sizeof options, &more));
    CHECK(options.first == 6 && options.second == 7);
    const known none = {0};
    CHECK(oc_read_options(&options, sizeof options, &none) == OCELOTL_ERROR_ARGUMENT);
}

static void test_giving(void)
{
    const known info = {sizeof info, 1, 2};
    known same = {sizeof same, 8, 9};
    oc_give_info(&same, &info, sizeof info);
    CHECK(same.size == sizeof same && same.first == 1 && same.second == 2);
    struct {
        older info;
        uint64_t behind;
    } less = {{sizeof less.info, 8}, 77};
    oc_give_info(&less.info, &info, sizeof info);
    CHECK(less.info.size == sizeof less.info && less.info.first == 1 && less.behind == 77);
    newer more = {sizeof more, 8, 8, 8, 8};
    oc_give_info(&more, &info, sizeof info);
    CHECK(more.size == sizeof more && more.first == 1 && more.second == 2);
    CHECK(more.third == 0 && more.fourth == 0);
    known none = {0, 8, 9};
    oc_give_info(&none, &info, sizeof info);
    CHECK(none.size == 0 && none.first == 8 && none.second == 9);
}

int main(void)
{
    test_reading();
    test_giving();
    return 0;
}
