#include "store/select/conditions.h"

#include "base/memory.h"
#include "base/options.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CONDITIONS = 64, LONGEST_VALUE = 256 };

void oc_conditions_free(oc_conditions *conditions)
{
    for (size_t i = 0; conditions->list != NULL && i < conditions->count; i++)
        free(conditions->list[i].name);
    free(conditions->list);
    free(conditions->concern);
    free(conditions->first);
    free(conditions->of_attribute);
    *conditions = (oc_conditions){0};
}

/* --- Reading */

static bool is_blank(char letter)
{
    return letter == ' ' || letter == '\t';
}

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
    while (*from < *to && is_blank(text[*from]))
        ++*from;
    while (*to > *from && is_blank(text[*to - 1]))
        --*to;
}

static ocelotl_status read_condition(oc_condition *condition, const char *text)
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
    if (orders && !condition->is_number)
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
    return OCELOTL_OK;
}

/* --- Attributes */

static ocelotl_status fail_unknown(const oc_conditions *conditions, const char *name)
{
    const oc_catalogue *catalogue = conditions->catalogue;
    const ocelotl_trace *trace = catalogue->trace;
    const size_t count = conditions->first[trace->event_type_count];
    const char **names = NULL;
    if (count == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s: no event carries \"%s\", nor any other attribute", trace->label, name);
    OC_TRY(oc_allocate(&names, count, sizeof *names));
    for (uint32_t t = 0; t < trace->event_type_count; t++)
        for (size_t a = 0; a < catalogue->attributes[t].count; a++)
            names[conditions->first[t] + a] = catalogue->attributes[t].names[a];
    const ocelotl_status status = oc_fail(
        OCELOTL_ERROR_ARGUMENT, "%s: no event carries \"%s\"; the nearest attribute is \"%s\"",
        trace->label, name, names[oc_nearest(name, names, count)]);
    free(names);
    return status;
}

static ocelotl_status bind(oc_conditions *conditions, size_t condition)
{
    const oc_catalogue *catalogue = conditions->catalogue;
    const char *name = conditions->list[condition].name;
    bool found = false;
    for (uint32_t t = 0; t < catalogue->trace->event_type_count; t++)
        for (size_t a = 0; a < catalogue->attributes[t].count; a++)
            if (strcmp(catalogue->attributes[t].names[a], name) == 0) {
                conditions->of_attribute[conditions->first[t] + a] |= (uint64_t)1 << condition;
                conditions->concern[t] |= (uint64_t)1 << condition;
                found = true;
            }
    return found ? OCELOTL_OK : fail_unknown(conditions, name);
}

static ocelotl_status bind_all(oc_conditions *conditions)
{
    const uint32_t types = conditions->catalogue->trace->event_type_count;
    OC_TRY(oc_allocate(&conditions->concern, types, sizeof *conditions->concern));
    OC_TRY(oc_allocate(&conditions->first, (size_t)types + 1, sizeof *conditions->first));
    for (uint32_t t = 0; t < types; t++)
        conditions->first[t + 1] =
            conditions->first[t] + conditions->catalogue->attributes[t].count;
    OC_TRY(oc_allocate(&conditions->of_attribute, conditions->first[types],
                       sizeof *conditions->of_attribute));
    for (size_t i = 0; i < conditions->count; i++)
        OC_TRY(bind(conditions, i));
    return OCELOTL_OK;
}

ocelotl_status oc_conditions_make(oc_conditions *conditions, const oc_catalogue *catalogue,
                                  const ocelotl_names *where)
{
    OC_TRY(oc_check_names(where, "condition"));
    if (where->count == 0)
        return OCELOTL_OK;
    if (where->count > MOST_CONDITIONS)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "%zu conditions, expected at most %d", where->count,
                       MOST_CONDITIONS);
    conditions->catalogue = catalogue;
    OC_TRY(oc_allocate(&conditions->list, where->count, sizeof *conditions->list));
    conditions->count = where->count;
    for (size_t i = 0; i < where->count; i++)
        OC_TRY(read_condition(&conditions->list[i], where->names[i]));
    return bind_all(conditions);
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

static ocelotl_status decide(bool *met, const oc_condition *condition, const char *text,
                             size_t length)
{
    double number;
    if (condition->is_number && oc_bytes_are_number(&number, text, length)) {
        *met = compare_numbers(condition->comparison, number, condition->number);
    } else if (condition->comparison == OC_EQUAL || condition->comparison == OC_UNEQUAL) {
        OC_TRY(match(met, condition, text, length));
        *met = *met == (condition->comparison == OC_EQUAL);
    } else {
        *met = false;
    }
    return OCELOTL_OK;
}

static ocelotl_status look(oc_verdict *verdict, const oc_conditions *conditions,
                           uint32_t event_type, uint32_t attribute, const char *text, size_t length)
{
    const size_t first = conditions->first[event_type];
    if (attribute >= conditions->first[event_type + 1] - first)
        return OCELOTL_OK;
    for (uint64_t rest = conditions->of_attribute[first + attribute]; rest != 0; rest &= rest - 1) {
        const oc_condition *condition = &conditions->list[__builtin_ctzll(rest)];
        bool met;
        OC_TRY(decide(&met, condition, text, length));
        if (met)
            verdict->met |= rest & -rest;
        else
            verdict->failed |= rest & -rest;
    }
    return OCELOTL_OK;
}

ocelotl_status oc_conditions_look(oc_verdict *verdict, const oc_conditions *conditions,
                                  uint32_t event_type, const oc_records *records,
                                  const oc_record *record)
{
    if (!oc_conditions_concern(conditions, event_type))
        return OCELOTL_OK;
    for (uint32_t i = 0; i < record->attribute_count; i++) {
        const oc_record_attribute *attribute = &records->attributes[record->attribute_first + i];
        OC_TRY(look(verdict, conditions, event_type, attribute->attribute,
                    attribute->length > 0 ? records->text.bytes + attribute->text : "",
                    attribute->length));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_conditions_look_carried(oc_verdict *verdict, const oc_conditions *conditions,
                                          uint32_t event_type, const oc_carried *carried)
{
    if (!oc_conditions_concern(conditions, event_type))
        return OCELOTL_OK;
    for (size_t i = 0; carried != NULL && i < carried->count; i++)
        OC_TRY(look(verdict, conditions, event_type, carried->values[i].attribute,
                    carried->values[i].text, carried->values[i].length));
    return OCELOTL_OK;
}
