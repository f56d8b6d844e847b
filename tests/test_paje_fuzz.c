/* Damaged Paje traces: bytes changed, lines lost, doubled and swapped. An import succeeds or fails
 * with a message and leaves nothing; what it wrote can be opened and cut into slices. */
#include "test_paje_fixture.h"

#include "fuzz/ask.h"

enum { LONGEST = 30000, MOST_LINES = 4000 };

static const char sample[] = PAJE_HEAD
    "%EventDef PajePushState 21\n% Size int\n% Time date\n% Type string\n% Container string\n% "
    "Value string\n"
    "% Comment string\n%EndEventDef\n"
    "%EventDef PajeStartLink 23\n% Time date\n% Type string\n% Container string\n% StartContainer "
    "string\n"
    "% Value string\n% Size int\n% Key string\n%EndEventDef\n"
    "6 0 p T 0 parent\n6 0.5 q T p child\n"
    "8 0 S a c\n8 0 S b w\n21 64 1.25 S a c \"a comment\"\n12 1 V a 10\n23 1.5 L 0 a m 100 k1\n"
    "9 1.5 S q w\n9 1.75 S q c\n17 2 L 0 b m k1\n10 2.125 S a\n13 2.5 V a 1\n14 2.5 V a 0.5\n15 2 "
    "E b mark\n"
    "17 3 L 0 q m k2\n23 3.5 L 0 b m 5 k2\n11 4 S a\n10 4 S a\n8 5 S a c\n16 5 L 0 a m k3\n7 6 T "
    "q\n7 6 T p\n"
    "6 6 q T 0 again\n8 7 S q w\n17 7.0625 L 0 b m k4\n8 6.5 S b c\n7 9 T a\n7 9 T b\n";

typedef struct trace_text {
    char bytes[2 * LONGEST + 1024];
    size_t length;
} trace_text;

static size_t find_lines(size_t *lines, const trace_text *text)
{
    size_t count = 0;
    lines[count++] = 0;
    for (size_t i = 0; i < text->length && count < MOST_LINES; i++)
        if (text->bytes[i] == '\n')
            lines[count++] = i + 1;
    return count - 1;
}

static void remove_bytes(trace_text *text, size_t first, size_t count)
{
    memmove(text->bytes + first, text->bytes + first + count, text->length - first - count);
    text->length -= count;
}

static void insert_bytes(trace_text *text, size_t place, const char *bytes, size_t count)
{
    if (text->length + count > sizeof text->bytes)
        return;
    memmove(text->bytes + place + count, text->bytes + place, text->length - place);
    memcpy(text->bytes + place, bytes, count);
    text->length += count;
}

/* A line goes away, comes twice, or moves. */
static void change_line(trace_text *text, uint64_t *random)
{
    static size_t lines[MOST_LINES];
    char copy[1024];
    const size_t count = find_lines(lines, text);
    if (count == 0)
        return;
    const size_t line = check_below(random, (uint32_t)count);
    const size_t length = lines[line + 1] - lines[line];
    const uint32_t kind = check_below(random, 3);
    if (length > sizeof copy)
        return;
    memcpy(copy, text->bytes + lines[line], length);
    if (kind > 0)
        insert_bytes(text, lines[check_below(random, (uint32_t)count)], copy, length);
    if (kind < 2 && lines[line] + length <= text->length)
        remove_bytes(text, lines[line], length);
}

static void change_bytes(trace_text *text, uint64_t *random)
{
    static const char *const pieces[] = {"\"",
                                         "\n",
                                         " ",
                                         "#",
                                         "%",
                                         "0",
                                         "-",
                                         "9e9",
                                         "1e-9",
                                         "a",
                                         "\xff",
                                         "0.000000001",
                                         "99999999999999999999",
                                         "%EventDef ",
                                         "%EndEventDef\n"};
    const size_t place = check_below(random, (uint32_t)text->length);
    const char *piece = pieces[check_below(random, sizeof pieces / sizeof pieces[0])];
    switch (check_below(random, 4)) {
    case 0:
        text->bytes[place] = (char)check_random(random);
        break;
    case 1:
        remove_bytes(text, place, 1);
        break;
    case 2:
        insert_bytes(text, place, piece, strlen(piece));
        break;
    default:
        text->bytes[place] = piece[0];
        break;
    }
}

/* Read strictly and leniently; the short way is the long one. */
static void try_import(bool good[2], const trace_text *text)
{
    static const paje_way ways[] = {{0, 1, false}};
    paje_check_ways("fuzz", text->bytes, text->length, ways, 1);
    for (int lenient = 0; lenient < 2; lenient++) {
        ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
        options.lenient = lenient;
        options.format = "paje";
        const ocelotl_status status = paje_import_bytes(text->bytes, text->length, &options);
        good[lenient] = status == OCELOTL_OK;
        check_import(temporary_path("trace.db"), status);
    }
}

static void fuzz(const char *bytes, size_t length, uint64_t rounds)
{
    static trace_text text;
    uint64_t strict = 0, lenient = 0;
    length = length < LONGEST ? length : LONGEST;
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        uint64_t random = (seed + length) * 0x9E3779B97F4A7C15u;
        memcpy(text.bytes, bytes, length);
        text.length = length;
        for (uint32_t changes = 1u << check_below(&random, 5); changes > 0 && text.length > 0;
             changes--)
            if (check_below(&random, 2) == 0)
                change_line(&text, &random);
            else
                change_bytes(&text, &random);
        bool good[2];
        try_import(good, &text);
        /* what is read strictly is read leniently */
        CHECK(!good[0] || good[1]);
        strict += good[0];
        lenient += good[1];
    }
    CHECK(lenient >= strict && lenient > rounds / 4);
}

/* Fuzzes the beginning of a trace, if the file exists. */
static void fuzz_file(const char *root, const char *name, uint64_t rounds)
{
    size_t length;
    char *bytes = paje_read_file(&length, root, name, LONGEST);
    if (bytes != NULL)
        fuzz(bytes, length, rounds);
    free(bytes);
}

int main(void)
{
    static const char *const beside[] = {"categories", "containers",  "events",
                                         "links",      "native_paje", "native_sample",
                                         "simu-mardi", "states",      "variables"};
    const char *root = getenv("OCELOTL_ROOT");
    temporary_begin();
    fuzz(sample, sizeof sample - 1, check_rounds(700));
    if (root == NULL)
        return 0;
    fuzz_file(root, "examples/smpi-stencil-96.trace.zst", check_rounds(60));
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
        char name[256];
        snprintf(name, sizeof name, "../shared/traces/paje/pajeng-%s.trace", beside[i]);
        fuzz_file(root, name, check_rounds(25));
    }
    return 0;
}
