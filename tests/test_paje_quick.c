/* The short way to read plain lines says what the long way says: times, and whole traces. */
#include "test_paje_fixture.h"

#include "base/input.h"
#include "importers/common/clock.h"

enum { ROUNDS = 400000, MOST_BYTES = 1 << 24 };

/* Times as they stand in a line, with something else behind them; some of them are none. */
static void check_times(void)
{
    static const char odd[] = "0123456789.-+e/: ";
    uint64_t random = 1, quick_ones = 0;
    for (int round = 0; round < ROUNDS; round++) {
        char text[64];
        int64_t plain, quick;
        const uint32_t digits = check_below(&random, 13);
        const size_t before = check_below(&random, 11);
        const size_t behind = check_below(&random, 2) == 0 ? digits : check_below(&random, 11);
        size_t length = 0;
        for (size_t i = 0; i < sizeof text; i++)
            text[i] = (char)(check_below(&random, 3) > 0 ? '0' + check_below(&random, 10)
                                                         : check_random(&random));
        for (; length < before; length++)
            text[length] = (char)('0' + check_below(&random, 10));
        text[length++] = '.';
        for (size_t i = 0; i < behind; i++)
            text[length++] = (char)('0' + check_below(&random, 10));
        if (check_below(&random, 4) == 0)
            text[check_below(&random, (uint32_t)length)] =
                odd[check_below(&random, sizeof odd - 1)];
        const bool is_plain = oc_decimal_read_plain(&plain, text, length, digits);
        const bool is_quick =
            oc_decimal_read_quickly(&quick, text, length, digits, (int64_t)oc_power_of_ten(digits));
        CHECK(!is_quick || (is_plain && quick == plain));
        quick_ones += is_quick;
    }
    CHECK(quick_ones > ROUNDS / 10);
}

/* Names of all lengths, those that are remembered and those that are not, with values declared by
 * being used. */
static void check_names(void)
{
    static char text[1 << 20];
    size_t length = (size_t)snprintf(text, sizeof text, "%s", PAJE_HEAD);
    uint64_t random = 7;
    for (unsigned i = 0; i < 40; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "6 0 x%.*s%u T 0 c%u\n",
                                   (int)(i % 20), "abcdefghijklmnopqrst", i, i);
    for (unsigned event = 0; event < 9000; event++) {
        const unsigned i = check_below(&random, 40);
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "%u %u.%03u S x%.*s%u y%.*s%u\n",
                             8 + check_below(&random, 2), event / 1000, event % 1000, (int)(i % 20),
                             "abcdefghijklmnopqrst", i, (int)check_below(&random, 20),
                             "ABCDEFGHIJKLMNOPQRST", check_below(&random, 3));
        if (check_below(&random, 5) == 0)
            length += (size_t)snprintf(text + length, sizeof text - length, "%u %u.%03u S c%u\n",
                                       10 + check_below(&random, 2), event / 1000, event % 1000, i);
        if (check_below(&random, 5) == 0)
            length += (size_t)snprintf(text + length, sizeof text - length,
                                       "%u %u.%03u L 0 c%u m %u_%u\n", 16 + check_below(&random, 2),
                                       event / 1000, event % 1000, i, check_below(&random, 30),
                                       event / 100);
    }
    CHECK(length < sizeof text - 200);
    CHECK(paje_check_long_way(text, length, NULL));
}

/* A whole trace, of more events than wait to be sorted. */
static void check_file(const char *root, const char *name)
{
    char path[4096];
    oc_input *input;
    char *bytes = malloc(MOST_BYTES);
    size_t length = 0, step = 1;
    CHECK(bytes != NULL);
    snprintf(path, sizeof path, "%s/%s", root, name);
    if (oc_input_open(&input, path) == OCELOTL_OK) {
        while (length < MOST_BYTES && step > 0) {
            CHECK_OK(oc_input_read(input, bytes + length, MOST_BYTES - length, &step));
            length += step;
        }
        oc_input_free(input);
        CHECK(paje_check_long_way(bytes, length, NULL));
    }
    free(bytes);
}

int main(void)
{
    const char *root = getenv("OCELOTL_ROOT");
    temporary_begin();
    check_times();
    check_names();
    if (root == NULL)
        return 0;
    check_file(root, "tests/data/smpi-stencil-96-plain.trace.zst");
    check_file(root, "examples/smpi-stencil-96.trace.zst");
    return 0;
}
