/* Attributes of a chunk as columns: random texts, among them what looks like numbers and patterns,
 * come back as they were. */
#include "check.h"

#include "store/codec/texts.h"

enum { MOST = 600, LONGEST = 700 };

/* The texts of a chunk. */
typedef struct written {
    unsigned char bytes[MOST][LONGEST];
    oc_carried_text texts[MOST];
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
        if (length > LONGEST - 60)
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
    made->count = check_below(random, check_below(random, 3) == 0 ? 4 : MOST);
    for (size_t i = 0; i < made->count; i++) {
        const uint32_t a = check_below(random, attributes);
        const uint32_t kind = kinds[a] == 6 ? check_below(random, 6) : kinds[a];
        made->texts[i] =
            (oc_carried_text){100 * a, made->bytes[i], make_text(made->bytes[i], kind, i, random)};
    }
}

static void check_round(const written *made, oc_texts_maker *maker, oc_texts_order *order)
{
    static oc_record_attribute read[MOST];
    oc_text columns = {0}, texts = {0};
    CHECK_OK(oc_texts_pack(&columns, maker, made->texts, made->count));
    oc_bytes_reader bytes = oc_bytes_read(columns.bytes, columns.length);
    CHECK_OK(oc_texts_unpack(read, &texts, order, &bytes, made->count));
    CHECK(!bytes.failed && bytes.next == bytes.end);
    for (size_t i = 0; i < made->count; i++) {
        const oc_carried_text *text = &made->texts[i];
        CHECK(read[i].attribute == text->attribute && read[i].length == text->length);
        CHECK(text->length == 0 ||
              memcmp(texts.bytes + read[i].text, text->bytes, text->length) == 0);
    }
    oc_text_free(&columns);
    oc_text_free(&texts);
}

int main(void)
{
    static written made;
    oc_texts_maker maker = {0};
    oc_texts_order order = {0};
    uint64_t random = 0x9E3779B97F4A7C15u;
    for (int i = 0; i < 3000; i++) {
        make(&made, &random);
        check_round(&made, &maker, &order);
    }
    oc_texts_maker_free(&maker);
    oc_texts_order_free(&order);
    return 0;
}
