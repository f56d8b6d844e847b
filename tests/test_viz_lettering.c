/* Text in pictures: cleaning, cutting to a room, numbers. */
#include "check.h"

#include "viz/words/words.h"

#include <locale.h>

static void check_clean(const char *given, bool lines, const char *wanted)
{
    oc_text text = {0};
    oc_clean_add(&text, given, lines);
    CHECK_TEXT(text.bytes, wanted);
    oc_text_free(&text);
}

static void test_clean(void)
{
    check_clean("plain", false, "plain");
    check_clean("", false, "");
    check_clean("a\tb\nc", false, "a b c");
    check_clean("a\nb", true, "a\nb");
    check_clean("a\x01\x1B[0m\x7F", false, "a\xEF\xBF\xBD\xEF\xBF\xBD[0m\xEF\xBF\xBD");
    check_clean("\xFF\xC3(", false, "\xEF\xBF\xBD\xEF\xBF\xBD(");
    check_clean("\xC2\x85", false, "\xEF\xBF\xBD");           /* a control character beyond ASCII */
    check_clean("\xE2\x80\xAEgnp", false, "\xEF\xBF\xBDgnp"); /* turns the direction of writing */
    check_clean("\xEF\xBF\xBF", false, "\xEF\xBF\xBD");       /* no character: XML forbids it */
    check_clean("\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80", false,
                "\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80");
}

/* A very long line keeps its beginning and its end, of whole characters; other lines stay. */
static void check_long(const char *character, bool lines)
{
    enum { COUNT = 100000 };
    oc_text given = {0}, text = {0};
    oc_text_add(&given, lines ? "first\n" : "");
    for (int i = 0; i < COUNT; i++)
        oc_text_add(&given, character);
    oc_text_add(&given, lines ? "\nlast" : "");
    oc_clean_add(&text, given.bytes, lines);
    CHECK(!given.failed && !text.failed);
    CHECK(text.length <= OC_LONGEST_SHOWN + 20 && text.length > OC_LONGEST_SHOWN - 20);
    CHECK(strstr(text.bytes, "\xE2\x80\xA6") != NULL && strstr(text.bytes, "\xEF\xBF\xBD") == NULL);
    CHECK(!lines || (strncmp(text.bytes, "first\n", 6) == 0 &&
                     strcmp(text.bytes + text.length - 5, "\nlast") == 0));
    oc_text_clear(&text);
    oc_clean_add_whole(&text, given.bytes, lines);
    CHECK_TEXT(text.bytes, given.bytes);
    oc_text_free(&text);
    oc_text_free(&given);
}

static void check_fit(const char *given, double room, const char *wanted)
{
    oc_text text = {0};
    const bool any = oc_lettering_fit(&text, given, 10, false, room);
    CHECK_TEXT(text.bytes != NULL ? text.bytes : "", wanted);
    CHECK(any == (wanted[0] != '\0'));
    CHECK(text.length == 0 || oc_lettering_width(text.bytes, 10, false) <= room + 1e-9);
    oc_text_free(&text);
}

/* At size 10 an "n" is 6.4 pixels wide, an ellipsis 10. */
static void test_fit(void)
{
    check_fit("nnnn", 25.7, "nnnn");
    check_fit("nnnn", 25.5, "n\xE2\x80\xA6n");
    check_fit("nnnn", 17, "n\xE2\x80\xA6");
    check_fit("nnnn", 16, "");
    check_fit("nnnn", 0, "");
    check_fit("nnnn", -5, "");
    check_fit("nnnn", NAN, "");
    check_fit("", 100, "");
    check_fit("n n n nn", 31, "n\xE2\x80\xA6nn"); /* no space beside the ellipsis */
    CHECK(oc_lettering_width("wide", 10, true) > oc_lettering_width("wide", 10, false));
}

/* Fits a name into just the room that the wanted text takes. */
static void check_short(const char *name, const char *wanted)
{
    check_fit(name, oc_lettering_width(wanted, 10, false) + 1e-6, wanted);
}

#define CUT "\xE2\x80\xA6"

/* Checks that the part of a name that says most stays longest. */
static void test_names(void)
{
    check_short("void sort<int, std::vector<int> >(int *, int *)",
                "void sort<" CUT ">(int *, int *)");
    check_short("void sort<int, std::vector<int> >(int *, int *)", "void sort<" CUT ">(" CUT ")");
    check_short("void sort<int, std::vector<int> >(int *, int *)", "void sort" CUT);
    check_short("run(const char *)::{lambda(int, long)#1}", "run(" CUT ")::{lambda(" CUT ")#1}");
    check_short("ns::solver<double, 3>::step(double) const",
                "ns::solver<" CUT ">::step(" CUT ") const");
    check_short("ns::outer::inner::solver<double, 3>::step(double)", CUT "::step(" CUT ")");
    check_short("ns::outer::inner::solver<double, 3>::step(double, double)", CUT "::step");
    check_short("site/cluster-with-a-name/machine-12/core-3", CUT "/machine-12/core-3");
    check_short("site/cluster-with-a-name/machine-12/core-3", CUT "/core-3");
    check_short("/usr/lib/library-of-something.so", CUT "/library-of-something.so");
    /* one `/` makes no path */
    check_short("site/machine-with-a-name-12", "site/ma" CUT "-a-name-12");
    check_short("graphene-nancy-12", "gra" CUT "cy-12");
    check_short("bool operator<(ns::some const &, ns::some const &)", "bool operator<(" CUT ")");
    check_short("bool operator< <int>(ns::some const &, ns::some const &)",
                "bool operator< <int>(" CUT ")");
    check_short("map<int, int>::operator()(int, int)", "map<" CUT ">::operator()(" CUT ")");
    check_short("pointer<some_class>::operator->() const", "pointer<" CUT ">::operator->() const");
    check_short("operator<<<some_type>(stream &)", "operator<<<" CUT ">(stream &)");
    check_short("apply<(a > b), int>::to(int)", "apply<" CUT ">::to(int)");
    check_short("(anonymous namespace)::work(int, long)", "(anonymous namespace)::work(" CUT ")");
    check_short("at<node->next->value>(int)", "at<" CUT ">(int)");
    check_short("if a < b and c > d then f(a, b, c, d)", "if a < b and c > d then f(" CUT ")");
    check_short("unbalanced<int(and so on", "unba" CUT "nd so on");
    check_short("unbalanced)int>(and so on", "unba" CUT "nd so on");
    check_short("MPI_Send (3 of 4 ranks here)", "MPI_Sen" CUT "ranks here)");
}

/* A character that has marks is kept with all of them or not at all. */
static void test_marks(void)
{
    check_short("ae\xCC\x81\xCC\xA7o bcdefgh ij", "a" CUT "ij");
    for (double room = 10; room < 120; room += 0.5) {
        oc_text text = {0};
        oc_lettering_fit(&text,
                         "e\xCC\x81"
                         "e\xCC\x81"
                         "e\xCC\x81"
                         "e\xCC\x81"
                         "e\xCC\x81"
                         "e\xCC\x81",
                         10, false, room);
        for (size_t i = 0; i < text.length; i += 3)
            CHECK(memcmp(text.bytes + i, "e\xCC\x81", 3) == 0 ||
                  memcmp(text.bytes + i, CUT, 3) == 0);
        oc_text_free(&text);
    }
}

static void add_random_piece(char *name, uint64_t *state)
{
    static const char *const pieces[] = {
        "a",      "bc",       "<",    ">",  "(",      ")",      "::",         "/",
        " ",      "operator", "->",   ",",  "\u00E9", "\u4E2D", "\U0001F600", "\u0301",
        "\u200D", "\xFF",     "\xC3", "\n", "<int>",  "(int)",  "*"};
    enum { PIECES = sizeof pieces / sizeof pieces[0] };
    const uint32_t which = check_below(state, PIECES + 1);
    strcat(name, which < PIECES ? pieces[which] : "(anonymous namespace)");
}

/* For any name the result fits, is valid and always the same. It is the whole name if that fits,
 * and not empty if an ellipsis and the first character fit. */
static void test_random_names(void)
{
    uint64_t state = 11;
    for (int i = 0; i < 30000; i++) {
        char name[1024] = "";
        for (uint32_t pieces = 1 + check_below(&state, 24); pieces > 0; pieces--)
            add_random_piece(name, &state);
        const double room = check_below(&state, 2500) / 10.0;
        oc_text clean = {0}, text = {0}, again = {0};
        oc_clean_add(&clean, name, false);
        const bool any = oc_lettering_fit(&text, name, 10, false, room);
        CHECK(any == oc_lettering_fit(&again, name, 10, false, room) && any == (text.length > 0));
        if (any) {
            CHECK_TEXT(text.bytes, again.bytes);
            CHECK(oc_lettering_width(text.bytes, 10, false) <= room + 1e-9);
            for (size_t at = 0; at < text.length;
                 at += oc_utf8_length(text.bytes + at, text.length - at))
                CHECK(oc_utf8_length(text.bytes + at, text.length - at) > 0);
        }
        if (oc_lettering_width(clean.bytes, 10, false) <= room)
            CHECK_TEXT(text.bytes, clean.bytes);
        else
            CHECK(!any || strstr(text.bytes, CUT) != NULL);
        oc_text_free(&clean);
        oc_text_free(&text);
        oc_text_free(&again);
    }
}

/* Long names of one kind take no longer than others: careless code would take hours for each of
 * these. */
static void test_long_names(void)
{
    static const char *const pieces[] = {"a(",   "a<",        "a::",      "a/",      ")",
                                         "a<b>", "e\xCC\x81", "\xCC\x81", "operator"};
    enum { REPEATS = 300000 };
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        const size_t length = strlen(pieces[i]);
        char *name = malloc(REPEATS * length + 1);
        CHECK(name != NULL);
        for (size_t at = 0; at < REPEATS; at++)
            memcpy(name + at * length, pieces[i], length + 1);
        oc_text text = {0};
        oc_lettering_fit(&text, name, 10, false, 100);
        CHECK(text.length < 100);
        oc_text_free(&text);
        free(name);
    }
}

static void check_number(void (*add)(oc_text *, double, int), double value, int digits,
                         const char *wanted)
{
    oc_text text = {0};
    add(&text, value, digits);
    CHECK_TEXT(text.bytes, wanted);
    oc_text_free(&text);
}

static void test_numbers(void)
{
    check_number(oc_decimal_add, 0, 2, "0");
    check_number(oc_decimal_add, -0.001, 2, "0");
    check_number(oc_decimal_add, 1.005, 3, "1.005");
    check_number(oc_decimal_add, 0.05, 2, "0.05");
    check_number(oc_decimal_add, -12.5, 2, "-12.5");
    check_number(oc_decimal_add, 100, 9, "100");
    check_number(oc_decimal_add, 0.999, 2, "1");
    check_number(oc_decimal_add, 1e200, 2, "1e+200");
    check_number(oc_number_add, 0.1, 17, "0.1");
    check_number(oc_number_add, 1.0 / 3, 17, "0.3333333333333333");
    check_number(oc_number_add, 0.5, 6, "0.5");
    check_number(oc_number_add, 1.0 / 3, 6, "0.333333");
    oc_text text = {0};
    oc_count_add(&text, 0);
    oc_text_add(&text, " ");
    oc_count_add(&text, 1000);
    oc_text_add(&text, " ");
    oc_count_add(&text, 12345678901);
    oc_text_add(&text, " ");
    oc_percent_add(&text, 0.9999999);
    oc_text_add(&text, " ");
    oc_percent_add(&text, 1e-9);
    oc_text_add(&text, " ");
    oc_percent_add(&text, 1);
    CHECK_TEXT(text.bytes, "0 1,000 12,345,678,901 > 99.99 % < 0.01 % 100 %");
    oc_text_free(&text);
}

static void check_quantity(double value, const char *unit, const char *wanted)
{
    oc_text text = {0};
    oc_quantity_add(&text, value, 3, unit);
    CHECK_TEXT(text.bytes, wanted);
    oc_text_free(&text);
}

static void test_quantities(void)
{
    check_quantity(0, "", "0");
    check_quantity(0, "B", "0 B");
    check_quantity(950, "", "950");
    check_quantity(999.4, "", "999");
    check_quantity(999.5, "", "1 k");
    check_quantity(-999.5, "B", "-1 kB");
    check_quantity(1234, "", "1.23 k");
    check_quantity(12345, "B", "12.3 kB");
    check_quantity(3.4e6, "", "3.4 M");
    check_quantity(9.996e6, "", "10 M");
    check_quantity(123456789, "B", "123 MB");
    check_quantity(999499999, "B", "999 MB");
    check_quantity(999500001, "B", "1 GB");
    check_quantity(5e17, "", "500 P");
    check_quantity(2e18, "B", "2 EB");
    check_quantity(3e25, "", "30000000 E");
    check_quantity(0.25, "", "0.25");
    check_quantity(0.0012345, "s", "1.23 ms");
    check_quantity(38e6, "bytes", "38 MB");
    check_quantity(1.2e9, "bytes/s", "1.2 GB/s");
    check_quantity(3400, "events", "3.4 k events");
    check_quantity(1, "events", "1 event");
    check_quantity(12345, "%", "12345 %");
    check_quantity(1.5, "", "1.5");
}

/* Each {} is the next word, whatever is around it. */
static void test_phrases(void)
{
    oc_text text = {0};
    OC_PHRASE(&text, "{}, {} of {} in {}\n", oc_word_count(1, "link"), oc_word_count(1234, NULL),
              oc_word_whole(1000000), oc_word_time(0.0125, 0.01));
    CHECK_TEXT(text.bytes, "1 link, 1,234 of 1000000 in 12.5 ms\n");
    oc_text_clear(&text);
    OC_PHRASE(&text, "{}{} \xE2\x86\x92 {}: {}, {}", oc_word_text("p "), oc_word_number(0.25, 17),
              oc_word_name("a\tb"), oc_word_percent(0.5), oc_word_amount(1500, "B"));
    CHECK_TEXT(text.bytes, "p 0.25 \xE2\x86\x92 a b: 50 %, 1.5 kB");
    oc_text_clear(&text);
    OC_PHRASE(&text, "nothing", oc_word_text("unused"));
    CHECK_TEXT(text.bytes, "nothing");
    oc_text_free(&text);
}

int main(void)
{
    test_clean();
    check_long("n", false);
    check_long("\xC3\xA9", true);
    check_long("\xE4\xB8\xAD", false);
    check_long("\xF0\x9F\x98\x80", true);
    test_fit();
    test_names();
    test_marks();
    test_random_names();
    test_long_names();
    test_quantities();
    test_phrases();
    test_numbers();
    if (setlocale(LC_ALL, "de_DE.UTF-8") != NULL) /* whatever locale the program chose */
        test_numbers();
    return 0;
}
