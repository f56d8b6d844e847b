/* Times of Paje traces are read exactly, and their lines come out in order. */
#include "test_paje_fixture.h"

#include "store/read/reader.h"

#include "importers/common/clock.h"
#include "importers/paje/block.h"

static void check_decimals(void)
{
    static const struct {
        const char *text;
        int64_t mantissa;
        uint32_t digits;
        bool rounded;
    } good[] = {
        {"0", 0, 0, false},
        {"12.5", 125, 1, false},
        {"+12.50", 1250, 2, false},
        {"-.5", -5, 1, false},
        {"7.", 7, 0, false},
        {"1e3", 1000, 0, false},
        {"1.25E1", 125, 1, false},
        {"1e-3", 1, 3, false},
        {"12e-1", 12, 1, false},
        {"0e99999", 0, 0, false},
        {"0.000e-99999", 0, 12, false},
        {"1e-99999", 0, 12, true},
        {"00000000000000000000000000001.5", 15, 1, false},
        {"0.123456789012", 123456789012, 12, false},
        {"0.1234567890120000", 123456789012, 12, false},
        {"0.1234567890124", 123456789012, 12, true},
        {"0.1234567890125", 123456789013, 12, true},
        {"-0.1234567890125", -123456789013, 12, true},
        {"0.9999999999999999999999", 1000000000000, 12, true},
        {"1.12345678901234567890", 1123456789012, 12, true},
        {"1234567890.12345678901234567890", 123456789012345679, 8, true},
        {"123456789012345678", 123456789012345678, 0, false},
        {"999999999999999999", 999999999999999999, 0, false},
        {"9000000000000000000", 9000000000000000000, 0, false},
        {"1234567890123456789", 1234567890123456790, 0, true},
    };
    static const char *const bad[] = {"",      ".",        "-",    "+.",    "e5", "1e",  "1e+",
                                      "1.2.3", "0x10",     "nan",  "inf",   "1 ", "1,5", "--1",
                                      "1e5.5", "1e999999", "1e19", "9e18 ", "12a"};
    static const char *const large[] = {"9300000000000000000", "99999999999999999999"};
    oc_decimal decimal;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        CHECK(oc_decimal_read(&decimal, good[i].text, strlen(good[i].text), 12));
        CHECK(decimal.mantissa == good[i].mantissa && decimal.digits == good[i].digits);
        CHECK(decimal.rounded == good[i].rounded);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!oc_decimal_read(&decimal, bad[i], strlen(bad[i]), 12));
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++)
        CHECK(!oc_decimal_read(&decimal, large[i], strlen(large[i]), 12));
}

/* What is printed comes back, with more zeros, and with an exponent. */
static void check_random_decimals(void)
{
    uint64_t random = 11;
    for (int i = 0; i < 20000; i++) {
        char text[128];
        oc_decimal decimal;
        int64_t ticks;
        const uint32_t digits = check_below(&random, 13);
        const int64_t scale = (int64_t)oc_power_of_ten(digits);
        const int64_t mantissa =
            (int64_t)(check_random(&random) % oc_power_of_ten(1 + check_below(&random, 17)));
        const uint32_t zeros = check_below(&random, 5);
        const bool negative = check_below(&random, 2) == 0;
        int length = snprintf(text, sizeof text, "%s%lld", negative ? "-" : "",
                              (long long)(mantissa / scale));
        if (digits > 0)
            length += snprintf(text + length, sizeof text - (size_t)length, ".%0*lld%.*s",
                               (int)digits, (long long)(mantissa % scale), (int)zeros, "0000");
        CHECK(oc_decimal_read(&decimal, text, (size_t)length, 12) && !decimal.rounded);
        CHECK(decimal.digits <= 12);
        if (!oc_decimal_ticks(&ticks, &decimal, 12))
            continue;
        int64_t wanted = mantissa;
        CHECK(!__builtin_mul_overflow(wanted, (int64_t)oc_power_of_ten(12 - digits), &wanted));
        CHECK(ticks == (negative ? -wanted : wanted));
    }
}

/* Times as they stand in a line, with something else behind them; some of them are none. */
static void check_quick_decimals(void)
{
    enum { ROUNDS = 400000 };
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

/* Checks a clock that turns out finer and finer: times read before keep their meaning, wherever
 * they wait. */
static void check_growing_digits(void)
{
    ocelotl_trace *trace =
        paje_import(PAJE_HEAD "8 0 S a c\n16 0 L 0 a m k\n17 0 L 0 a m early\n7 10 T b\n"
                              "8 0.5 S a w\n12 0.5 V a 2\n"
                              "8 0.123456789 S a c\n17 1.0000000001 L 0 a m k\n"
                              "16 2e-1 L 0 a m early\n"
                              "12 1.5 V a 4\n");
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    const int64_t second = 10000000000;
    CHECK(info.tick_numerator == 1 && info.tick_denominator == (uint64_t)second);
    CHECK(info.begin == 0 && info.end == 10 * second);
    CHECK(ocelotl_trace_resource_at(trace, 1).end == 10 * second);
    CHECK(paje_value(trace, "compute").innermost_ticks == second / 2);
    CHECK(paje_value(trace, "wait").innermost_ticks == 10 * second - second / 2);
    CHECK(paje_value(trace, "m").inclusive_ticks == second + 1);
    CHECK(paje_warning(trace, "time with more digits") == 0);
    CHECK(ocelotl_trace_seconds(trace, info.end) == 10);
    oc_records states = paje_records(trace, "alpha", "State", OC_ROLE_STATES);
    CHECK(states.records[1].time == 1234567890 && states.records[1].ends);
    oc_records_free(&states);
    paje_end(trace);
}

/* The same, but the times are already in the file when the clock gets finer. */
static void check_late_digits(void)
{
    enum { COUNT = 3 * PAJE_WINDOW };
    char *text = malloc(sizeof PAJE_HEAD + 64 * COUNT);
    CHECK(text != NULL);
    size_t length = (size_t)sprintf(text, "%s", PAJE_HEAD);
    for (int i = 0; i < COUNT; i++)
        length += (size_t)sprintf(text + length, "8 %d%s S %s %s\n12 %d V a %d\n", i,
                                  i == COUNT / 2 ? ".25" : "", i % 2 == 0 ? "a" : "b",
                                  i % 3 == 0 ? "c" : "w", i, i);
    ocelotl_trace *trace = paje_import(text);
    free(text);
    CHECK(ocelotl_trace_info_of(trace).tick_denominator == 100);
    CHECK(ocelotl_trace_info_of(trace).end == 100 * (COUNT - 1));
    int64_t total = 0;
    for (uint32_t v = 0; v < ocelotl_trace_value_count(trace); v++)
        total += ocelotl_trace_value_at(trace, v).innermost_ticks;
    CHECK(total == 100 * (COUNT - 1) + 100 * (COUNT - 2));
    oc_cursor *cursor;
    uint32_t variable = 0;
    while (trace->streams[variable].role != OC_ROLE_VARIABLE)
        variable++;
    CHECK_OK(oc_cursor_open(&cursor, &(oc_connection){trace, trace->database}, variable, 64));
    CHECK_OK(oc_cursor_seek(cursor, 100 * 1000, false));
    CHECK(oc_cursor_fold(cursor)->totals[0].integral == 100.0 * 999 * 500);
    oc_cursor_free(cursor);
    paje_end(trace);
}

/* Ends of links and of containers that have left the window before the clock gets finer. */
static void check_late_links(void)
{
    enum { COUNT = PAJE_WINDOW + 100 };
    char *text = malloc(sizeof PAJE_HEAD + 32 * COUNT);
    CHECK(text != NULL);
    size_t length =
        (size_t)sprintf(text, "%s6 0 c T 0 gamma\n17 4 L 0 c m k\n7 5 T c\n", PAJE_HEAD);
    for (int i = 0; i < COUNT; i++)
        length += (size_t)sprintf(text + length, "15 5 E a x\n");
    sprintf(text + length, "15 5.25 E a x\n16 5 L 0 a m k\n");
    ocelotl_trace *trace = paje_import(text);
    free(text);
    CHECK(paje_warning(trace, "link that ends before it starts") == 1);
    CHECK(ocelotl_trace_warning_count(trace) == 1);
    oc_records in = paje_records(trace, "gamma", "Message", OC_ROLE_LINKS_IN);
    CHECK(in.count == 1 && in.records[0].time == 500 && in.records[0].duration == -100);
    oc_records_free(&in);
    paje_end(trace);
}

static void check_odd_times(void)
{
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    ocelotl_trace *trace = paje_import(PAJE_HEAD "8 -1.5e0 S a c\n8 0.00000000000000000001 S a w\n"
                                                 "8 12345678901234567890e-15 S b c\n");
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    CHECK(info.begin == -1500000000000 && info.tick_denominator == 1000000000000);
    CHECK(info.end == 12345678901234568);
    CHECK(paje_warning(trace, "time with more digits") == 2);
    CHECK(ocelotl_trace_resource_at(trace, 0).begin == info.begin);
    paje_end(trace);

    static const char text[] = PAJE_HEAD "8 1.5 S a c\n8 2.5 S a w\n";
    options.time_unit = "ms";
    CHECK_OK(paje_import_bytes(text, sizeof text - 1, &options));
    trace = paje_open();
    CHECK(ocelotl_trace_info_of(trace).tick_denominator == 10000 &&
          ocelotl_trace_info_of(trace).end == 25);
    paje_end(trace);
    options.time_unit = "ns";
    CHECK_OK(paje_import_bytes(text, sizeof text - 1, &options));
    trace = paje_open();
    CHECK(ocelotl_trace_info_of(trace).tick_denominator == 10000000000);
    paje_end(trace);
    options.time_unit = "h";
    CHECK(paje_import_bytes(text, sizeof text - 1, &options) == OCELOTL_ERROR_ARGUMENT);

    paje_refused("8 x S a c\n", 1,
                 "time is \"x\", expected a decimal number from -9.2e18 to 9.2e18");
    paje_refused("8 1e30 S a c\n", 1,
                 "time is \"1e30\", expected a decimal number from -9.2e18 to 9.2e18");
    paje_refused("8 0.123456789012 S a c\n8 1e18 S a w\n", 2,
                 "time \"1e18\" is too large for ticks of 10^-12 of its unit");
    static const char late[] = PAJE_HEAD "8 1e18 S a c\n8 1e18 S b c\n8 0.5 S a w\n";
    CHECK(paje_import_bytes(late, sizeof late - 1, NULL) == OCELOTL_ERROR_LIMIT);
    CHECK(strstr(ocelotl_error_message(), "times are too large for ticks of 10^-1") != NULL);
    paje_refused("8 -9e18 S a c\n8 9e18 S a w\n", 2,
                 "tick 9000000000000000000 is too far from the rest of the trace, expected fewer "
                 "than 2^63 ticks in all");
}

/* One event that stands `late` lines too late. */
static char *displaced(int late)
{
    char *text = malloc(sizeof PAJE_HEAD + 32 * (size_t)(late + 10));
    CHECK(text != NULL);
    size_t length = (size_t)sprintf(text, "%s", PAJE_HEAD);
    for (int i = 1; i <= late; i++)
        length += (size_t)sprintf(text + length, "15 %d E a x\n", i);
    sprintf(text + length, "15 0 E a first\n15 %d E a last\n", late + 1);
    return text;
}

static void check_order(void)
{
    char *text = displaced(PAJE_WINDOW);
    ocelotl_trace *trace = paje_import(text);
    oc_records records = paje_records(trace, "alpha", "Mark", OC_ROLE_EVENTS);
    CHECK(records.count > 0);
    CHECK(paje_value(trace, "first").count == 1 && paje_value(trace, "x").count == PAJE_WINDOW);
    oc_records_free(&records);
    paje_end(trace);
    free(text);

    text = displaced(PAJE_WINDOW + 1);
    CHECK(paje_import_bytes(text, strlen(text), NULL) == OCELOTL_ERROR_INPUT);
    CHECK(strstr(ocelotl_error_message(),
                 ": time goes back by more than the 16384 events that are sorted") != NULL);
    trace = paje_import_lenient(text);
    CHECK(paje_warning(trace, "skipped line: time goes back") == 1);
    CHECK(paje_value(trace, "first").count == 0 && paje_value(trace, "last").count == 1);
    paje_end(trace);
    free(text);
}

/* Of equal times the earlier line comes first. */
static void check_equal_times(void)
{
    ocelotl_trace *trace =
        paje_import(PAJE_HEAD "12 5 V a 1\n12 3 V a 2\n12 5 V a 3\n12 3 V a 4\n12 4 V a 5\n");
    static const double wanted[] = {2, 4, 5, 1, 3};
    oc_records records = paje_records(trace, "alpha", "Power", OC_ROLE_VARIABLE);
    CHECK(records.count == 5);
    for (size_t i = 0; i < 5; i++)
        CHECK(records.records[i].number == wanted[i]);
    oc_records_free(&records);
    paje_end(trace);
}

/* A trace of buffers written one after the other, as far apart as they may be. */
static void check_interleaved(void)
{
    enum { BUFFER = PAJE_WINDOW / 2, ROUNDS = 6 };
    char *text = malloc(sizeof PAJE_HEAD + 2 * ROUNDS * BUFFER * 32);
    CHECK(text != NULL);
    size_t length = (size_t)sprintf(text, "%s", PAJE_HEAD);
    for (int round = 0; round < ROUNDS; round++)
        for (int half = 0; half < 2; half++)
            for (int i = 0; i < BUFFER; i++)
                length += (size_t)sprintf(text + length, "15 %d E %s x\n", round * BUFFER + i,
                                          half == 0 ? "a" : "b");
    ocelotl_trace *trace = paje_import(text);
    free(text);
    CHECK(paje_value(trace, "x").count == 2 * ROUNDS * BUFFER);
    paje_end(trace);
}

int main(void)
{
    temporary_begin();
    check_decimals();
    check_random_decimals();
    check_quick_decimals();
    check_growing_digits();
    check_late_digits();
    check_late_links();
    check_odd_times();
    check_order();
    check_equal_times();
    check_interleaved();
    return 0;
}
