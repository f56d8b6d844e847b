/* However a trace is cut into blocks, however many threads read it, and whether or not its lines
 * are read the short way, its import comes to the same: the same bytes of a trace.db, or the same
 * message with the same line. */
#include "test_paje_fixture.h"

#include <zlib.h>
#include <zstd.h>

enum { MOST_BYTES = 1 << 24 };

/* Broken in all the ways that lines can be, behind the definitions. */
static const char *const broken[] = {
    "8 1 S a\n",
    "8 1 S a c c\n",
    "99 1 S a c\n",
    "8 x S a c\n",
    "8 1 S nobody c\n",
    "8 1 nothing a c\n",
    "8 1 V a c\n",
    "8 1 S a \"c\n",
    "8 1 S a new\n8 2 S a \"new one\"\n",
    "12 1 V a many\n",
    "12 1 V a 1e308\n13 2 V a 1e308\n",
    "8 1 S a c\n7 2 T a\n8 3 S a c\n",
    "8 1 S a c\n7 2 T a\n8 2 S a c\n6 3 a T 0 again\n8 4 S a c\n",
    "8 1 S a c\n6 1 a T 0 again\n",
    "8 1 S a c\n\n\n\n8 1.5 S a c\n# nothing\n\n8 1.25 S b c\n8 0 S b w\n8 x S a c\n",
    "%EventDef PajeSetState 8\n% Time date\n% Type string\n%EndEventDef\n",
    ("8 1 S a c\n%EventDef PajeSetState 8\n% Type string\n% Time date\n% Container string\n"
     "% Value string\n%EndEventDef\n8 S 2 a c\n8 3 S a c\n"),
    "8 1 S a c\n8 1.000000001 S a w\n8 1.5 S b c\n8 9223372036854775807 S a c\n",
    "16 1 L 0 a m k\n17 2 L 0 b m k\n17 2 L 0 b m other\n16 3 L 0 b m third\n10 3 S a\n",
    "16 1 L 0 a m k\n16 1 L 0 a m k\n17 0.5 L 0 b m k\n17 3 L 0 a m k\n7 4 T b\n17 5 L 0 b m k\n",
    "5 d S done \"1 1 1\"\n8 1 S a d\n1 S2 T Other\n8 2 S2 a x\n8 3 S2 a x\n8 4 S2 b x\n",
    "8 1 S a c\r\n8 2 S a c \n 8 3 S a c\n8\t4 S a c\n8 5 S a c",
    "8 1 S a c\n%EventDef PajeNewEvent 40\n% Time date\n",
    "0 T2 T Inner\n6 1 q T2 a inner\n1 Q T2 State2\n8 1 Q q z\n7 2 T a\n8 3 Q q z\n"};

static void check_broken(void)
{
    static const paje_way ways[] = {{0, 1, false}, {0, 3, false}, {64, 1, false}, {64, 2, false},
                                    {64, 1, true}, {7, 3, false}, {500, 2, false}};
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        char text[16384];
        const int length = snprintf(text, sizeof text, "%s%s", PAJE_HEAD, broken[i]);
        paje_check_ways(broken[i], text, (size_t)length, ways, sizeof ways / sizeof ways[0]);
    }
}

/* A block may end behind any line: blocks of all sizes from one line's to that of all. */
static void check_all_cuts(void)
{
    char text[32768];
    size_t length = (size_t)snprintf(text, sizeof text, "%s", PAJE_HEAD);
    const size_t head = length;
    const size_t sizes = 52 / check_rounds(4);
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++)
        if (broken[i][0] != '%')
            length += (size_t)snprintf(text + length, sizeof text - length, "%s", broken[i]);
    for (size_t size = head - 100; size < length; size += sizes) {
        const paje_way cut = {size, 1 + (uint32_t)(size % 3), false};
        paje_check_ways("a cut", text, length, &cut, 1);
    }
}

/* Compressed data that ends in the middle of a member, wherever blocks of its text end. */
static void check_cut_members(void)
{
    static const paje_way ways[] = {
        {0, 2, false}, {5000, 1, false}, {5000, 3, false}, {64, 2, false}};
    oc_text text = {0};
    char *packed = malloc(1 << 20);
    CHECK(packed != NULL);
    oc_text_add(&text, PAJE_HEAD);
    for (int i = 0; i < 4000; i++)
        oc_text_format(&text, "8 %d.%03d S %c %c\n", i / 1000, i % 1000, "ab"[i % 7 % 2],
                       "cw"[i % 3 % 2]);
    CHECK(!text.failed);
    const size_t first = ZSTD_compress(packed, 1 << 20, text.bytes, 30000, 1);
    const size_t second = ZSTD_compress(packed + first, (1 << 20) - first, text.bytes + 30000,
                                        text.length - 30000, 1);
    CHECK(!ZSTD_isError(first) && !ZSTD_isError(second));
    for (size_t cut = first - 5; cut < first + second; cut += second / 3)
        paje_check_ways("a cut frame of zstd", packed, cut, ways, sizeof ways / sizeof ways[0]);
    z_stream stream = {.next_in = (unsigned char *)text.bytes,
                       .avail_in = (uInt)text.length,
                       .next_out = (unsigned char *)packed,
                       .avail_out = 1 << 20};
    CHECK(deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    for (size_t cut = 200; cut < stream.total_out; cut += stream.total_out / 3)
        paje_check_ways("a cut member of gzip", packed, cut, ways, sizeof ways / sizeof ways[0]);
    deflateEnd(&stream);
    free(packed);
    oc_text_free(&text);
}

/* Events that stand behind later ones, in this block or in earlier ones; now and then a name that
 * is new. */
static void check_disorder(void)
{
    enum { LINES = 40000 };
    static const paje_way ways[] = {
        {0, 1, false}, {0, 3, false}, {300, 2, false}, {5000, 3, false}};
    oc_text text = {0};
    uint64_t random = 3;
    oc_text_add(&text, PAJE_HEAD);
    for (uint32_t i = 0; i < LINES; i++) {
        const uint32_t back = check_below(&random, 50) == 0 ? check_below(&random, 3000) : 0;
        const uint32_t time = 1000 + i - (back < i ? back : 0);
        const char where = "ab"[check_below(&random, 2)];
        switch (check_below(&random, 6)) {
        case 0:
            oc_text_format(&text, "16 %u.5 L 0 %c m k%u\n", time, where, i % 50);
            break;
        case 1:
            oc_text_format(&text, "17 %u.5 L 0 %c m k%u\n", time, where, i % 47);
            break;
        case 2:
            oc_text_format(&text, "12 %u.5 V %c %u.25\n", time, where, i % 10);
            break;
        case 3:
            oc_text_format(&text, "10 %u.5 S %c\n", time, where);
            break;
        default:
            oc_text_format(&text, "9 %u.5 S %c v%u\n", time, where, i / 5000);
            break;
        }
    }
    CHECK(!text.failed);
    paje_check_ways("disorder", text.bytes, text.length, ways, sizeof ways / sizeof ways[0]);
    oc_text_free(&text);
}

/* Names of all lengths, those that are remembered and those that are not, with values declared by
 * being used. */
static void check_names(void)
{
    static const paje_way ways[] = {{0, 1, false}, {5000, 2, false}};
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
    paje_check_ways("names", text, length, ways, sizeof ways / sizeof ways[0]);
}

int main(void)
{
    static const char *const files[] = {"tests/data/smpi-stencil-96-plain.trace.zst",
                                        "examples/smpi-stencil-96.trace.zst",
                                        "tests/data/smpi-stencil-700.trace.zst",
                                        "../shared/traces/paje/pajeng-native_sample.trace",
                                        "../shared/traces/paje/pajengr-starpu-buggy.trace",
                                        "../shared/traces/paje/pajengr-simgrid.trace",
                                        "../shared/traces/paje/pajeng-simu-mardi.trace"};
    static const paje_way ways[] = {
        {0, 1, false}, {0, 2, false}, {0, 3, false}, {0, 8, false}, {5000, 3, false}};
    const char *root = getenv("OCELOTL_ROOT");
    temporary_begin();
    check_broken();
    check_all_cuts();
    check_cut_members();
    check_disorder();
    check_names();
    for (size_t i = 0; root != NULL && i < sizeof files / sizeof files[0]; i++) {
        size_t length;
        char *bytes = paje_read_file(&length, root, files[i], MOST_BYTES);
        if (bytes != NULL)
            paje_check_ways(files[i], bytes, length, ways, sizeof ways / sizeof ways[0]);
        free(bytes);
    }
    temporary_files(true);
    return 0;
}
