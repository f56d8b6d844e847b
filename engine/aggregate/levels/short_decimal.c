#include "aggregate/levels/short_decimal.h"

#include "base/plain.h"

double oc_round_digits(double number, int digits)
{
    char text[40];
    oc_plain_print(text, sizeof text, "%.*e", digits - 1, number);
    return oc_plain_number(text, NULL);
}

double oc_short_decimal(double low, double high)
{
    const double middle = low + (high - low) / 2;
    const double margin = (high - low) / 64;
    for (int digits = 1; digits <= 17; digits++) {
        const double p = oc_round_digits(middle, digits);
        if (p > low + margin && p < high - margin)
            return p;
    }
    return middle;
}
