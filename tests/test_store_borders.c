/* Traces around the numbers where the store packs differently: chunks of a role that make a
 * dictionary, patterns of the texts in a chunk, numbers in them, values in a chunk. What was
 * written comes back, at the ends of states, too. */
#include "temporary.h"

#include "test_checksums.h"

#include "store/codec/columns.h"
#include "store/codec/texts.h"

enum { MOST_VALUES = 33 };

/* State i has one of `distinct` values, one of as many text patterns at its begin, and another at
 * its end. */
static uint32_t value_of(uint32_t i, uint32_t distinct)
{
    return (i * 7 + i / 100) % distinct;
}

static size_t begin_text(char text[40], uint32_t i, uint32_t distinct)
{
    return (size_t)snprintf(text, 40, "pattern %c%c_%u", 'a' + (int)(value_of(i, distinct) % 26),
                            'A' + (int)(value_of(i, distinct) / 26), i);
}

static size_t end_text(char text[40], uint32_t i, uint32_t distinct)
{
    return i % 3 == 0 ? 0
                      : (size_t)snprintf(text, 40, "%u%c%c", i,
                                         'a' + (int)(value_of(i + 1, distinct) % 26),
                                         'A' + (int)(value_of(i + 1, distinct) / 26));
}

static const char *write_states(uint32_t states, uint32_t distinct)
{
    const char *path = temporary_path("borders.db");
    uint32_t values[MOST_VALUES];
    ocelotl_writer *writer = must_write(path, NULL);
    const uint32_t thread = must_kind(writer, OCELOTL_ROOT, "thread");
    const uint32_t resource = must_resource(writer, thread, OCELOTL_ROOT, "a", 0);
    const uint32_t type = must_type(writer, OCELOTL_STATE, thread, "doing");
    const uint32_t begins = must_attribute(writer, type, "from");
    const uint32_t ends = must_attribute(writer, type, "to");
    for (uint32_t v = 0; v < distinct; v++) {
        char name[16];
        snprintf(name, sizeof name, "v%u", v);
        values[v] = must_value(writer, type, name);
    }
    for (uint32_t i = 0; i < states; i++) {
        char text[40];
        ocelotl_attribute_value carried = {begins, text, begin_text(text, i, distinct)};
        CHECK_OK(ocelotl_writer_push(writer, resource, type, values[value_of(i, distinct)],
                                     3 * (int64_t)i, &carried, 1));
        carried = (ocelotl_attribute_value){ends, text, end_text(text, i, distinct)};
        CHECK_OK(ocelotl_writer_pop(writer, resource, type, 0, 3 * (int64_t)i + 1 + i % 3, &carried,
                                    carried.length > 0));
    }
    must_finish(writer);
    return path;
}

static void check_states(ocelotl_trace *trace, uint32_t states, uint32_t distinct)
{
    ocelotl_event event;
    ocelotl_events *events = must_list(trace, NULL);
    for (uint32_t i = 0; i < states; i++) {
        char from[40], to[40], wanted[120];
        begin_text(from, i, distinct);
        CHECK(must_next(&event, events) && event.begin == 3 * (int64_t)i &&
              event.end == event.begin + 1 + i % 3);
        CHECK(event.value == value_of(i, distinct));
        const bool ends = end_text(to, i, distinct) > 0;
        snprintf(wanted, sizeof wanted,
                 ends ? "{\"from\":\"%s\",\"to\":\"%s\"}" : "{\"from\":\"%s\"}", from, to);
        CHECK_TEXT(event.attributes, wanted);
    }
    CHECK(!must_next(&event, events));
    ocelotl_events_free(events);
}

/* The shortest and the longest of each value, of all chunks together. */
static void check_extremes(ocelotl_trace *trace, uint32_t states, uint32_t distinct)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    double drawn[MOST_VALUES + 1];
    double longest[MOST_VALUES] = {0};
    options.cells.metric = "state-max-duration";
    options.types.max_types = UINT32_MAX;
    options.slices = 1;
    for (uint32_t i = 0; i < states; i++)
        longest[value_of(i, distinct)] = fmax(longest[value_of(i, distinct)], 1 + i % 3);
    ocelotl_model *model = must_build(trace, &options);
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    CHECK(info.type_count == distinct);
    CHECK_OK(ocelotl_model_values(drawn, model, 0, 0, 0));
    for (uint32_t t = 0; t < distinct; t++) {
        const unsigned long value = strtoul(ocelotl_model_type_at(model, t).name + 1, NULL, 10);
        CHECK(value < distinct);
        CHECK_NEAR(drawn[t] * 1e9, longest[value], 1e-6);
    }
    ocelotl_model_free(model);
}

static void check_trace(uint32_t states, uint32_t distinct)
{
    const char *path = write_states(states, distinct);
    ocelotl_verification *verification;
    const int64_t chunks = database_number(path, "SELECT count(*) FROM chunk");
    CHECK(database_number(path, "SELECT count(*) FROM dictionary") ==
          (chunks >= OC_DICTIONARY_FEWEST));
    CHECK_OK(ocelotl_verify(&verification, path, NULL));
    CHECK(ocelotl_verification_info_of(verification).damages == 0);
    ocelotl_verification_free(verification);
    ocelotl_trace *trace = must_open(path);
    check_states(trace, states, distinct);
    check_extremes(trace, states, distinct);
    ocelotl_trace_free(trace);
}

/* Finds how many states fill `chunks` chunks. */
static uint32_t find_states(uint32_t chunks)
{
    return (uint32_t)database_number(write_states(40000, 2),
                                     "SELECT begin / 3 FROM chunk WHERE number = 1") *
           chunks;
}

static void check_chunks(void)
{
    static const uint32_t counts[] = {1, 15, 16, 17, 31, 32, 33};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        const uint32_t states = find_states(counts[i]) - 8;
        check_trace(states, 2);
        CHECK(database_number(temporary_path("borders.db"), "SELECT count(*) FROM chunk") ==
              counts[i]);
    }
}

static void check_distinct(void)
{
    static const uint32_t counts[] = {1, 15, 16, 17, 32, 33};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        check_trace(20000, counts[i]);
}

/* --- Texts of one chunk */

enum { TEXTS_MOST = 600, TEXT_LONGEST = 700 };

/* The texts of a chunk. */
typedef struct written {
    unsigned char bytes[TEXTS_MOST][TEXT_LONGEST];
    oc_carried_text texts[TEXTS_MOST];
    size_t count;
} written;

static size_t append_number(char *text, uint64_t *random)
{
    static const char *const odd[] = {"0",
                                      "00",
                                      "007",
                                      "999999999999999999",
                                      "9223372036854775807",
                                      "9223372036854775808",
                                      "18446744073709551615",
                                      "100000000000000000000000",
                                      "1000000000000000000",
                                      "-1"};
    const uint32_t which = check_below(random, 30);
    if (which < sizeof odd / sizeof odd[0])
        return (size_t)sprintf(text, "%s", odd[which]);
    return (size_t)sprintf(text, "%u", check_below(random, which < 20 ? 10 : 2000000000));
}

/* Some numbers between other bytes. */
static size_t make_mixed(char *text, uint64_t *random)
{
    static const char *const between[] = {"", "_", "#", "a", "\xC3\xA9", "e", ".", "-"};
    size_t length = 0;
    for (uint32_t i = check_below(random, check_below(random, 9) == 0 ? 70 : 5); i > 0; i--) {
        length += append_number(text + length, random);
        if (length > TEXT_LONGEST - 60)
            break;
        length += (size_t)sprintf(text + length, "%s", between[check_below(random, 8)]);
    }
    return length;
}

static size_t make_text(unsigned char *bytes, uint32_t kind, size_t i, uint64_t *random)
{
    size_t length;
    switch (kind) {
    case 0: /* keys */
        return (size_t)sprintf((char *)bytes, "%u_%u_%zu#4", check_below(random, 4),
                               check_below(random, 40), i);
    case 1:
        return make_mixed((char *)bytes, random);
    case 2: /* binary, with bytes 0 and digits */
        length = check_below(random, 40);
        for (size_t b = 0; b < length; b++)
            bytes[b] = check_below(random, 3) == 0 ? (unsigned char)('0' + check_below(random, 10))
                                                   : (unsigned char)check_below(random, 256);
        return length;
    case 3: /* as long as a pattern may be, or nearly */
        length = OC_LONGEST_PATTERN - 2 + check_below(random, 5);
        memset(bytes, 'x', length);
        bytes[check_below(random, (uint32_t)length)] = '5';
        return length;
    case 4: /* more patterns than can be */
        return (size_t)sprintf((char *)bytes, "%c%u", 'a' + (int)check_below(random, 18),
                               check_below(random, 100));
    default:
        return 0;
    }
}

static void make(written *made, uint64_t *random)
{
    const uint32_t attributes = 1 + check_below(random, 4);
    uint32_t kinds[4];
    for (uint32_t a = 0; a < attributes; a++)
        kinds[a] = check_below(random, 7);
    made->count = check_below(random, check_below(random, 3) == 0 ? 4 : TEXTS_MOST);
    for (size_t i = 0; i < made->count; i++) {
        const uint32_t a = check_below(random, attributes);
        const uint32_t kind = kinds[a] == 6 ? check_below(random, 6) : kinds[a];
        made->texts[i] =
            (oc_carried_text){100 * a, made->bytes[i], make_text(made->bytes[i], kind, i, random)};
    }
}

/* What was packed comes back. */
static void texts_check(const oc_text *columns, const oc_carried_text *made, size_t count)
{
    static oc_record_attribute read[TEXTS_MOST];
    oc_text texts = {0};
    oc_texts_order order = {0};
    oc_bytes_reader bytes = oc_bytes_read(columns->bytes, columns->length);
    CHECK_OK(oc_texts_unpack(read, &texts, &order, &bytes, count));
    CHECK(!bytes.failed && bytes.next == bytes.end);
    for (size_t i = 0; i < count; i++)
        CHECK(read[i].attribute == made[i].attribute && read[i].length == made[i].length &&
              (made[i].length == 0 ||
               memcmp(texts.bytes + read[i].text, made[i].bytes, made[i].length) == 0));
    oc_texts_order_free(&order);
    oc_text_free(&texts);
}

/* Random texts, among them what looks like numbers and patterns. */
static void check_random_texts(void)
{
    static written made;
    oc_texts_maker maker = {0};
    uint64_t random = 0x9E3779B97F4A7C15u;
    for (int i = 0; i < 3000; i++) {
        oc_text columns = {0};
        make(&made, &random);
        CHECK_OK(oc_texts_pack(&columns, &maker, made.texts, made.count));
        texts_check(&columns, made.texts, made.count);
        oc_text_free(&columns);
    }
    oc_texts_maker_free(&maker);
}

/* Packs `patterns` patterns of `numbers` numbers each, then a pattern of `length` bytes; gives how
 * many patterns they were packed with. */
static uint64_t pack_patterns(uint32_t patterns, uint32_t numbers, size_t length)
{
    static unsigned char bytes[100][OC_LONGEST_PATTERN + 10];
    oc_carried_text made[100];
    oc_texts_maker maker = {0};
    oc_text columns = {0};
    uint32_t count = 0;
    for (; count < patterns; count++) {
        size_t at = (size_t)sprintf((char *)bytes[count], "p%c%c", 'a' + (int)count % 26,
                                    'a' + (int)count / 26);
        for (uint32_t n = 0; n < numbers; n++)
            at += (size_t)sprintf((char *)bytes[count] + at, "_%u", n * count);
        made[count] = (oc_carried_text){3, bytes[count], at};
    }
    if (length > 0) {
        memset(bytes[count], 'x', length);
        made[count] = (oc_carried_text){3, bytes[count], length};
        count++;
    }
    CHECK_OK(oc_texts_pack(&columns, &maker, made, count));
    texts_check(&columns, made, count);
    oc_bytes_reader read = oc_bytes_read(columns.bytes, columns.length);
    oc_columns_skip(&read, count);
    const uint64_t found = oc_bytes_unsigned(&read);
    oc_texts_maker_free(&maker);
    oc_text_free(&columns);
    return found;
}

static void check_texts(void)
{
    CHECK(pack_patterns(15, 1, 0) == 15);
    CHECK(pack_patterns(16, 1, 0) == 16);
    CHECK(pack_patterns(17, 1, 0) == 0);
    CHECK(pack_patterns(33, 1, 0) == 0);
    CHECK(pack_patterns(16, 0, 0) == 16);
    CHECK(pack_patterns(16, 4, 0) == 16); /* 64 numbers */
    CHECK(pack_patterns(13, 5, 0) == 0);  /* 65 */
    CHECK(pack_patterns(1, 64, 0) == 1);
    CHECK(pack_patterns(1, 65, 0) == 0);
    CHECK(pack_patterns(1, 1, OC_LONGEST_PATTERN) == 2);
    CHECK(pack_patterns(1, 1, OC_LONGEST_PATTERN + 1) == 0);
}

int main(void)
{
    temporary_begin();
    check_texts();
    check_random_texts();
    check_distinct();
    check_chunks();
    return 0;
}
