/* What is read of files, compressed in any way or not, and what is said of those that are broken.
 */
#include "temporary.h"

#include "base/file/input.h"
#include "base/text.h"

#include <zlib.h>
#include <zstd.h>

#ifdef OC_HAVE_LZMA
#include <lzma.h>
#endif
#ifdef OC_HAVE_BZIP2
#include <bzlib.h>
#endif

enum { LENGTH = 300000 };

static char path[1400];
static char original[LENGTH];

static size_t deflate_all(char *room, size_t size, const char *text, size_t length, int window)
{
    z_stream stream = {.next_in = (unsigned char *)text, .avail_in = (uInt)length};
    stream.next_out = (unsigned char *)room;
    stream.avail_out = (uInt)size;
    CHECK(deflateInit2(&stream, 6, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    deflateEnd(&stream);
    return size - stream.avail_out;
}

static void append_gzip(oc_text *bytes, const char *text, size_t length)
{
    static char room[2 * LENGTH];
    oc_text_append(bytes, room, deflate_all(room, sizeof room, text, length, 15 + 16));
}

static void append_zstd(oc_text *bytes, const char *text, size_t length)
{
    static char room[2 * LENGTH];
    const size_t made = ZSTD_compress(room, sizeof room, text, length, 3);
    CHECK(!ZSTD_isError(made));
    oc_text_append(bytes, room, made);
}

#ifdef OC_HAVE_LZMA
static void append_xz(oc_text *bytes, const char *text, size_t length)
{
    static uint8_t room[2 * LENGTH];
    size_t made = 0;
    CHECK(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, (const uint8_t *)text, length, room,
                                  &made, sizeof room) == LZMA_OK);
    oc_text_append(bytes, (const char *)room, made);
}

#endif

#ifdef OC_HAVE_BZIP2
static void append_bzip2(oc_text *bytes, const char *text, size_t length)
{
    static char room[2 * LENGTH];
    unsigned made = sizeof room;
    CHECK(BZ2_bzBuffToBuffCompress(room, &made, (char *)text, (unsigned)length, 1, 0, 0) == BZ_OK);
    oc_text_append(bytes, room, made);
}
#endif

/* A file of a zip, as APPNOTE.TXT describes it. */
typedef struct zipped {
    const char *name;
    bool stored, described, wide;
    unsigned flags, method;
} zipped;

static void add_number(oc_text *bytes, uint64_t number, size_t size)
{
    for (; size > 0; size--, number >>= 8)
        oc_text_append(bytes, &(char){(char)(number & 0xFF)}, 1);
}

static void add_zipped(oc_text *bytes, const zipped *as, const char *text, size_t length)
{
    static char room[2 * LENGTH];
    const size_t made = as->stored ? length : deflate_all(room, sizeof room, text, length, -15);
    const uint64_t checksum = crc32_z(0, (const unsigned char *)text, length);
    const uint64_t size = as->wide ? UINT32_MAX : length;
    oc_text_append(bytes, "PK\x03\x04", 4);
    add_number(bytes, 20, 2);
    add_number(bytes, as->flags | (as->described ? 8 : 0), 2);
    add_number(bytes, as->method != 0 ? as->method : as->stored ? 0 : 8, 2);
    add_number(bytes, 0, 4); /* when */
    add_number(bytes, as->described ? 0 : checksum, 4);
    add_number(bytes, as->described ? 0 : as->wide ? UINT32_MAX : made, 4);
    add_number(bytes, as->described ? 0 : size, 4);
    add_number(bytes, strlen(as->name), 2);
    add_number(bytes, as->wide ? 20 : 0, 2);
    oc_text_add(bytes, as->name);
    if (as->wide) {
        add_number(bytes, 1, 2);
        add_number(bytes, 16, 2);
        add_number(bytes, length, 8);
        add_number(bytes, made, 8);
    }
    oc_text_append(bytes, as->stored ? text : room, made);
    if (as->described) {
        oc_text_append(bytes, "PK\x07\x08", 4);
        add_number(bytes, checksum, 4);
        add_number(bytes, made, as->wide ? 8 : 4);
        add_number(bytes, length, as->wide ? 8 : 4);
    }
}

/* The list of files, as far as it is looked at. */
static void end_zip(oc_text *bytes)
{
    oc_text_append(bytes, "PK\x01\x02", 4);
}

static void append_zip(oc_text *bytes, const char *text, size_t length)
{
    add_zipped(bytes, &(zipped){.name = "run.trace"}, text, length);
    end_zip(bytes);
}

/* Reads all in steps of `step`; what is read is the original's beginning. */
static ocelotl_status read_all(size_t step, size_t *total)
{
    static char buffer[LENGTH];
    oc_input *input;
    size_t got = 1;
    *total = 0;
    ocelotl_status status = oc_input_open(&input, path);
    if (status != OCELOTL_OK)
        return status;
    while (status == OCELOTL_OK && got > 0) {
        status = oc_input_read(input, buffer, step, &got);
        if (status == OCELOTL_OK && got > 0) {
            CHECK(*total + got <= LENGTH && memcmp(buffer, original + *total, got) == 0);
            *total += got;
            CHECK(oc_input_position(input) <= oc_input_size(input));
        }
    }
    if (status == OCELOTL_OK)
        CHECK(oc_input_position(input) == oc_input_size(input));
    oc_input_free(input);
    return status;
}

static void check_whole(const oc_text *bytes)
{
    static const size_t steps[] = {1, 7, 4096, 131072, LENGTH};
    size_t total;
    temporary_write(path, bytes->bytes, bytes->length);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        CHECK_OK(read_all(steps[i], &total));
        CHECK(total == LENGTH);
    }
}

static void check_broken(const oc_text *bytes, const char *unit)
{
    size_t total;
    for (size_t lost = 1; lost < bytes->length / 2; lost = lost * 3 + 1) {
        temporary_write(path, bytes->bytes, bytes->length - lost);
        CHECK_FAILS(read_all(4096, &total), OCELOTL_ERROR_INPUT, "ends too early");
        CHECK(strstr(ocelotl_error_message(), unit) != NULL);
        CHECK(strstr(ocelotl_error_message(), path) != NULL);
    }
    oc_text longer = {0};
    oc_text_append(&longer, bytes->bytes, bytes->length);
    oc_text_add(&longer, "something else");
    temporary_write(path, longer.bytes, longer.length);
    CHECK_FAILS(read_all(4096, &total), OCELOTL_ERROR_INPUT, "damaged");
    oc_text_free(&longer);
}

static void test_compressed(void (*append)(oc_text *, const char *, size_t), const char *unit)
{
    oc_text bytes = {0};
    append(&bytes, original, LENGTH);
    CHECK(!bytes.failed);
    check_whole(&bytes);
    check_broken(&bytes, unit);
    oc_text_clear(&bytes);
    append(&bytes, original, 100000);
    append(&bytes, original, 0);
    append(&bytes, original + 100000, LENGTH - 100000);
    check_whole(&bytes);
    oc_text_free(&bytes);
}

/* Between two xz streams there may be zeros. */
static void test_padding(void)
{
#ifdef OC_HAVE_LZMA
    oc_text bytes = {0};
    append_xz(&bytes, original, 1000);
    oc_text_append(&bytes, "\0\0\0\0\0\0\0", 8);
    append_xz(&bytes, original + 1000, LENGTH - 1000);
    oc_text_append(&bytes, "\0\0\0", 4);
    check_whole(&bytes);
    oc_text_free(&bytes);
#endif
}

/* Where the rest is to be let go, the end of what can be decoded is the end, and it is said why. */
static void test_salvage(void (*append)(oc_text *, const char *, size_t))
{
    static char buffer[LENGTH];
    oc_text bytes = {0};
    append(&bytes, original, LENGTH);
    for (size_t lost = 0; lost < bytes.length - 20; lost = lost * 3 + 1) {
        oc_input *input;
        size_t total = 0, got = 1;
        temporary_write(path, bytes.bytes, bytes.length - lost);
        CHECK_OK(oc_input_open(&input, path));
        oc_input_salvage(input, true);
        while (got > 0) {
            CHECK_OK(oc_input_read(input, buffer, 5000, &got));
            CHECK(total + got <= LENGTH && memcmp(buffer, original + total, got) == 0);
            total += got;
        }
        CHECK((oc_input_loss(input) == NULL) == (lost == 0) && (lost > 0 || total == LENGTH));
        CHECK(lost == 0 ||
              strstr(oc_input_loss(input), "the compressed data ends too early") != NULL);
        CHECK(lost > bytes.length / 3 || total > LENGTH / 4); /* a block of bzip2 is lost whole */
        /* the same again, whoever asks */
        CHECK_OK(oc_input_read(input, buffer, 5000, &got));
        CHECK(got == 0);
        oc_input_free(input);
    }
    oc_text_free(&bytes);
}

/* However a zip is written, and with folders and what is no file of the user's around it. */
static void test_zips(void)
{
    static const zipped ways[] = {{.name = "a"},
                                  {.name = "a", .stored = true},
                                  {.name = "a/b.json", .described = true},
                                  {.name = "a", .wide = true},
                                  {.name = "a", .wide = true, .described = true},
                                  {.name = "a", .wide = true, .stored = true}};
    const zipped empty = {.name = "a/", .stored = true};
    const zipped apple = {.name = "__MACOSX/._a"};
    oc_text bytes = {0};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        oc_text_clear(&bytes);
        add_zipped(&bytes, &empty, "", 0);
        add_zipped(&bytes, &ways[i], original, LENGTH);
        add_zipped(&bytes, &apple, original + 5, 100000);
        end_zip(&bytes);
        check_whole(&bytes);
    }
    oc_text_free(&bytes);
}

static void check_zip(const oc_text *bytes, const char *message, size_t wanted)
{
    size_t total;
    temporary_write(path, bytes->bytes, bytes->length);
    CHECK_FAILS(read_all(4096, &total), OCELOTL_ERROR_INPUT, message);
    CHECK(total == wanted);
}

static void test_broken_zips(void)
{
    static const struct {
        zipped as;
        const char *message;
    } cases[] = {
        {{.name = "a", .flags = 1}, "is encrypted, expected one without a password"},
        {{.name = "a", .method = 9}, "packs its file in another way, expected stored or deflated"},
        {{.name = "a", .stored = true, .described = true}, "packs its file in another way"},
        {{.name = "a/"}, "holds no file, expected one"},
    };
    oc_text bytes = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        oc_text_clear(&bytes);
        add_zipped(&bytes, &cases[i].as, original, 1000);
        end_zip(&bytes);
        check_zip(&bytes, cases[i].message, 0);
    }
    oc_text_clear(&bytes);
    add_zipped(&bytes, &(zipped){.name = "a"}, original, LENGTH);
    const size_t alone = bytes.length;
    add_zipped(&bytes, &(zipped){.name = "b"}, original, 1000);
    check_zip(&bytes, "the zip archive holds a second file, expected one alone", LENGTH);
    for (size_t end = 30; end <= alone; end += alone / 17) {
        temporary_write(path, bytes.bytes, end);
        CHECK_FAILS(read_all(4096, &(size_t){0}), OCELOTL_ERROR_INPUT,
                    "ends too early, expected the rest of its zip archive behind byte ");
    }
    bytes.bytes[14] ^= 1; /* of the checksum */
    check_zip(&bytes, "damaged (its checksum is another), expected zip at byte ", LENGTH);
    bytes.bytes[14] ^= 1;
    bytes.bytes[31] = 7; /* a kind of block that is none */
    check_zip(&bytes, "damaged (invalid block type), expected zip at byte ", 0);
    oc_text_clear(&bytes);
    oc_text_append(&bytes, "PK\x05\x06", 4);
    check_zip(&bytes, "the zip archive holds no file, expected one", 0);
    oc_text_free(&bytes);
}

static void test_unread_compressions(void)
{
    static const char *const heads[] = {"\x04\"M\x18@", "LZIP\x01", "\x1F\x9D\x90"};
    static const char *const names[] = {"lz4 -dc", "lzip -dc", "gzip -dc"};
    oc_input *input;
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        temporary_write(path, heads[i], strlen(heads[i]));
        CHECK_FAILS(oc_input_open(&input, path), OCELOTL_ERROR_INPUT, names[i]);
        CHECK(strstr(ocelotl_error_message(), path) != NULL);
    }
#ifndef OC_HAVE_LZMA
    temporary_write(path,
                    "\xFD"
                    "7zXZ\0",
                    6);
    CHECK_FAILS(oc_input_open(&input, path), OCELOTL_ERROR_INPUT, "liblzma-dev");
#endif
#ifndef OC_HAVE_BZIP2
    temporary_write(path, "BZh91AY&SY", 10);
    CHECK_FAILS(oc_input_open(&input, path), OCELOTL_ERROR_INPUT, "libbz2-dev");
#endif
}

static void test_plain(void)
{
    size_t total;
    const oc_text bytes = {.bytes = original, .length = LENGTH};
    check_whole(&bytes);
    for (size_t length = 0; length < 6; length++) {
        temporary_write(path, original, length);
        CHECK_OK(read_all(4096, &total));
        CHECK(total == length);
    }
}

static void test_unread(void)
{
    oc_input *input;
    char buffer[16];
    size_t got;
    temporary_write(path, original, LENGTH);
    CHECK_OK(oc_input_open(&input, path));
    CHECK_OK(oc_input_read(input, buffer, 10, &got));
    CHECK(got == 10);
    CHECK_OK(oc_input_unread(input, buffer, 10));
    CHECK_OK(oc_input_read(input, buffer, 4, &got));
    CHECK_OK(oc_input_unread(input, buffer, got));
    for (size_t total = 0; total < 20; total += got) {
        CHECK_OK(oc_input_read(input, buffer, 7, &got));
        CHECK(got > 0 && memcmp(buffer, original + total, got) == 0);
    }
    oc_input_free(input);
}

static void test_absent(void)
{
    oc_input *input;
    CHECK_FAILS(oc_input_open(&input, "/there/is/no/such.trace"), OCELOTL_ERROR_IO,
                "/there/is/no/such.trace: ");
    CHECK_FAILS(oc_input_open(&input, temporary_folder), OCELOTL_ERROR_IO, "is a directory");
    oc_input_free(NULL);
}

static void test_standard_input(void)
{
    oc_input *input;
    char buffer[16];
    size_t got;
    int ends[2];
    CHECK(pipe(ends) == 0 && write(ends[1], "abc", 3) == 3);
    CHECK(close(ends[1]) == 0 && dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
    CHECK_OK(oc_input_open(&input, "-"));
    CHECK_TEXT(oc_input_name(input), "standard input");
    CHECK(oc_input_size(input) == 0);
    CHECK_OK(oc_input_read(input, buffer, sizeof buffer, &got));
    CHECK(got == 3 && memcmp(buffer, "abc", 3) == 0);
    CHECK_OK(oc_input_read(input, buffer, sizeof buffer, &got));
    CHECK(got == 0);
    oc_input_free(input);
}

int main(void)
{
    static const struct {
        void (*append)(oc_text *bytes, const char *text, size_t length);
        const char *unit; /* NULL: one file alone */
    } ways[] = {
        {append_gzip, "gzip member"},   {append_zstd, "zstd frame"}, {append_zip, NULL},
#ifdef OC_HAVE_LZMA
        {append_xz, "xz stream"},
#endif
#ifdef OC_HAVE_BZIP2
        {append_bzip2, "bzip2 stream"},
#endif
    };
    uint64_t state = 7;
    temporary_begin();
    snprintf(path, sizeof path, "%s", temporary_path("input"));
    for (size_t i = 0; i < LENGTH; i++) /* passes the ends of buffers when it is compressed */
        original[i] = (char)('a' + check_below(&state, 26));
    test_plain();
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        if (ways[i].unit != NULL)
            test_compressed(ways[i].append, ways[i].unit);
        test_salvage(ways[i].append);
    }
    test_padding();
    test_zips();
    test_broken_zips();
    test_unread_compressions();
    test_unread();
    test_absent();
    test_standard_input();
    return 0;
}
