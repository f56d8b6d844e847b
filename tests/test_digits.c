/* Numbers as text: the fewest digits that give them back, as trying one length after the other
 * finds them. */
#include "base/plain.h"
#include "check.h"

#include <float.h>
#include <stdint.h>

static int failures;

static void check(double number)
{
    char wanted[32] = "";
    const oc_digits_text got = oc_digits(number);
    for (int precision = 6; precision <= 17; precision++) {
        snprintf(wanted, sizeof wanted, "%.*g", precision, number);
        if (strtod(wanted, NULL) == number)
            break;
    }
    if (strcmp(wanted, got.text) != 0 && failures++ < 20)
        fprintf(stderr, "FAILED: %a is %s, expected %s\n", number, got.text, wanted);
}

static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state ^ *state >> 29;
}

static double of_bits(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* Numbers with their texts in tables, for the same of the page (cli/figures.sh): of all sizes, and
 * many that are halfway between two texts. */
static void print_short(void)
{
    uint64_t state = 3;
    for (int i = 0; i < 40000; i++) {
        const double size =
            ldexp((double)(next(&state) >> 11) * 0x1p-53, (int)(next(&state) % 120) - 60);
        const double few = (double)(next(&state) % 4096) / (double)(1 << next(&state) % 9);
        const double number = (i % 4 < 2 ? size : few) * (i % 2 == 0 ? 1 : -1);
        printf("%.17g\t%s\t%s\t%s\t%s\t%s\n", number, oc_short_digits(number, 3).text,
               oc_short_digits(number, 9).text, oc_short_time(number).text,
               oc_short_amount(number, 3, "bytes").text,
               oc_short_percent(fmin(fabs(number), 1e6)).text);
    }
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) {
        print_short();
        return 0;
    }
    static const double some[] = {0,
                                  -0.0,
                                  1,
                                  -1,
                                  0.1,
                                  1e5,
                                  123456,
                                  1234567,
                                  1e6,
                                  1e7,
                                  1e15,
                                  1e16,
                                  1e17,
                                  1e21,
                                  1e22,
                                  1e23,
                                  1e-4,
                                  1e-5,
                                  1.5e-5,
                                  5e-324,
                                  DBL_MIN,
                                  DBL_MAX,
                                  INFINITY,
                                  -INFINITY,
                                  NAN,
                                  1.0 / 3,
                                  100000000,
                                  123456700,
                                  9007199254740991.0,
                                  9007199254740993.0};
    uint64_t state = 7;
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++)
        check(some[i]);
    for (int exponent = -1074; exponent <= 1023; exponent++) {
        const double power = ldexp(1, exponent); /* its neighbours are not equally far */
        check(power);
        check(nextafter(power, 0));
        check(nextafter(power, INFINITY));
    }
    for (int i = 0; i < (int)check_rounds(200000); i++) {
        check(of_bits(next(&state)));
        check((double)(next(&state) >> 11) * 0x1p-53);
        /* of few digits: those of tables */
        char text[32];
        snprintf(text, sizeof text, "%.*g", (int)(next(&state) % 17) + 1, of_bits(next(&state)));
        check(strtod(text, NULL));
        check((double)(next(&state) >> (next(&state) % 60 + 4)));
    }
    return failures > 0;
}
