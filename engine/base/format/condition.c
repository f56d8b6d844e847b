/* Conditions "NAME OP VALUE", of numbers and of texts. */
#include "base/format/condition.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_VALUE = 256 };

void oc_condition_free(oc_condition *condition)
{
    free(condition->name);
    *condition = (oc_condition){.name = NULL};
}

/* --- Reading */

/* Reads the comparison at the beginning of a text; returns its length, 0 if none begins here. */
static size_t read_comparison(oc_comparison *comparison, const char *text)
{
    static const struct {
        const char *letters;
        oc_comparison comparison;
    } known[] = {{"<=", OC_AT_MOST}, {">=", OC_AT_LEAST}, {"!=", OC_UNEQUAL}, {"==", OC_EQUAL},
                 {"=", OC_EQUAL},    {"<", OC_LESS},      {">", OC_MORE}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strncmp(text, known[i].letters, strlen(known[i].letters)) == 0) {
            *comparison = known[i].comparison;
            return strlen(known[i].letters);
        }
    return 0;
}

static ocelotl_status fail_form(const char *text, const char *what)
{
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "condition \"%s\" %s, expected NAME OP VALUE with one of = != < <= > >=, as in "
                   "\"size >= 1000\"",
                   text, what);
}

/* A copy of text[from..to) less the blanks around it. */
static void trim(size_t *from, size_t *to, const char *text)
{
    while (*from < *to && oc_is_blank(text[*from]))
        ++*from;
    while (*to > *from && oc_is_blank(text[*to - 1]))
        --*to;
}

ocelotl_status oc_condition_read(oc_condition *condition, const char *text, bool orders_texts)
{
    const size_t length = strlen(text);
    size_t end = 0;
    size_t letters = 0;
    while (end < length && (letters = read_comparison(&condition->comparison, text + end)) == 0)
        end++;
    if (letters == 0)
        return fail_form(text, "compares nothing");
    size_t begin = 0;
    size_t value = end + letters;
    size_t value_end = length;
    trim(&begin, &end, text);
    trim(&value, &value_end, text);
    if (begin == end)
        return fail_form(text, "names no attribute");
    const bool orders = condition->comparison != OC_EQUAL && condition->comparison != OC_UNEQUAL;
    condition->is_number = oc_bytes_are_number(&condition->number, text + value, value_end - value);
    if (orders && !condition->is_number && !orders_texts)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "condition \"%s\" compares with \"%.*s\", expected a number; texts are "
                       "compared by = and !=",
                       text,
                       (int)(value_end - value > LONGEST_VALUE ? LONGEST_VALUE : value_end - value),
                       text + value);
    OC_TRY(oc_allocate(&condition->name, end - begin + value_end - value + 2, 1));
    char *copied = condition->name + (end - begin) + 1;
    memcpy(condition->name, text + begin, end - begin);
    memcpy(copied, text + value, value_end - value);
    condition->text = copied;
    condition->orders_texts = orders_texts;
    return OCELOTL_OK;
}

/* --- Deciding */

static bool compare_numbers(oc_comparison comparison, double left, double right)
{
    switch (comparison) {
    case OC_EQUAL:
        return left == right;
    case OC_UNEQUAL:
        return left != right;
    case OC_LESS:
        return left < right;
    case OC_AT_MOST:
        return left <= right;
    case OC_MORE:
        return left > right;
    case OC_AT_LEAST:
        return left >= right;
    }
    return false;
}

/* A pattern is matched against a text with an end. */
static ocelotl_status match(bool *found, const oc_condition *condition, const char *text,
                            size_t length)
{
    char near[LONGEST_VALUE];
    char *far = NULL;
    if (length >= sizeof near)
        OC_TRY(oc_allocate(&far, length + 1, 1));
    char *copy = far != NULL ? far : near;
    memcpy(copy, text, length);
    copy[length] = '\0';
    *found = oc_pattern_matches(condition->text, copy);
    free(far);
    return OCELOTL_OK;
}

ocelotl_status oc_condition_decide(bool *met, const oc_condition *condition, const char *text,
                                   size_t length)
{
    double number;
    if (condition->is_number && oc_bytes_are_number(&number, text, length)) {
        *met = compare_numbers(condition->comparison, number, condition->number);
    } else if (condition->comparison == OC_EQUAL || condition->comparison == OC_UNEQUAL) {
        OC_TRY(match(met, condition, text, length));
        *met = *met == (condition->comparison == OC_EQUAL);
    } else {
        const size_t other = strlen(condition->text);
        const int order = memcmp(text, condition->text, length < other ? length : other);
        const double longer = (double)(length > other) - (double)(length < other);
        *met = condition->orders_texts &&
               compare_numbers(condition->comparison, order != 0 ? order : longer, 0);
    }
    return OCELOTL_OK;
}
