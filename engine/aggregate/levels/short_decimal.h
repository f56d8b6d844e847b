/* Numbers that a person types again. */
#ifndef OC_AGGREGATE_LEVELS_SHORT_DECIMAL_H
#define OC_AGGREGATE_LEVELS_SHORT_DECIMAL_H

/* The shortest decimal well inside an interval: if one of so many digits is, then the nearest to
 * the middle is. */
double oc_short_decimal(double low, double high);

/* A number rounded to so many significant digits (1 to 17): the one that those digits give when
 * they are read. */
double oc_round_digits(double number, int digits);

#endif
