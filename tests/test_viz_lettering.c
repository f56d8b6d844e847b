/* Text in pictures: cleaning, cutting to a room, numbers. */
#include "check.h"

#include "viz/lettering.h"

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
    check_clean("\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80", false, "\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80");
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
    check_fit("nnnn", 25.5, "nn\xE2\x80\xA6");
    check_fit("nnnn", 17, "n\xE2\x80\xA6");
    check_fit("nnnn", 16, "");
    check_fit("nnnn", 0, "");
    check_fit("nnnn", -5, "");
    check_fit("", 100, "");
    check_fit("n nnnn", 25, "n\xE2\x80\xA6"); /* no space before the ellipsis */
    for (double room = 0; room < 60; room += 0.5) {
        oc_text text = {0};
        oc_lettering_fit(&text, "\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80z\xE4\xB8\xAD", 10, false, room);
        for (size_t i = 0; i < text.length;) { /* never cut within a character */
            const size_t step = oc_utf8_length(text.bytes + i, text.length - i);
            CHECK(step > 0);
            i += step;
        }
        oc_text_free(&text);
    }
    CHECK(oc_lettering_width("wide", 10, true) > oc_lettering_width("wide", 10, false));
}

static void check_number(void (*add)(oc_text *, double, int), double value, int digits, const char *wanted)
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
    CHECK_TEXT(text.bytes, "0 1,000 12,345,678,901 > 99.9 % < 0.1 % 100 %");
    oc_text_free(&text);
}

int main(void)
{
    test_clean();
    test_fit();
    test_numbers();
    if (setlocale(LC_ALL, "de_DE.UTF-8") != NULL) /* whatever the program around chose */
        test_numbers();
    return 0;
}
