#include "model/metrics/formula.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/plain.h"
#include "store/trace/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char operators[] = "*/\"";

bool oc_is_formula(const char *name)
{
    return name != NULL && strchr(name, '/') != NULL;
}

static ocelotl_status fail(const char *text, const char *at)
{
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "the metric \"%s\" is no formula %s%s%s, expected [NUMBER *] NAME / NAME, with "
                   "names that have blanks or operators in double quotes",
                   text, *at != '\0' ? "at \"" : "at its end", at, *at != '\0' ? "\"" : "");
}

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t");
}

/* Takes a name off the front, if there is one: what is in quotes, or up to an operator. */
static bool take_name(oc_text *name, const char **at)
{
    *at = skip_blanks(*at);
    const char *begin = *at;
    const bool quoted = *begin == '"';
    begin += quoted;
    size_t length = strcspn(begin, quoted ? "\"" : operators);
    if (quoted && begin[length] != '"')
        return false;
    const char *behind = skip_blanks(begin + length + quoted);
    while (!quoted && length > 0 && strchr(" \t", begin[length - 1]) != NULL)
        length--;
    oc_text_append(name, begin, length);
    const bool takes = length > 0 && (quoted || strcspn(begin, " \t") >= length);
    *at = takes ? behind : *at;
    return takes;
}

static ocelotl_status fail_unknown(const ocelotl_trace *trace, const char *name)
{
    const char **names = NULL;
    size_t count = 0;
    OC_TRY(oc_allocate(&names, trace->event_type_count, sizeof *names));
    for (uint32_t e = 0; e < trace->event_type_count; e++)
        if (trace->event_types[e].category == OCELOTL_VARIABLE && trace->event_types[e].count > 0)
            names[count++] = oc_type_spelling(trace, e);
    const ocelotl_status status =
        count == 0
            ? oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: has no variable \"%s\", nor any other one",
                      trace->label, name)
            : oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: has no variable \"%s\"; the nearest is \"%s\"",
                      trace->label, name, names[oc_nearest(name, names, count)]);
    free(names);
    return status;
}

static ocelotl_status find_variable(uint32_t *found, const ocelotl_trace *trace, const char *name)
{
    *found = OCELOTL_NONE;
    for (uint32_t e = 0; e < trace->event_type_count; e++) {
        if (trace->event_types[e].category != OCELOTL_VARIABLE ||
            trace->event_types[e].count == 0 || !oc_type_is(trace, e, name))
            continue;
        if (*found != OCELOTL_NONE)
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "%s: has several variables \"%s\", expected \"%s\" or \"%s\"",
                           trace->label, name, oc_type_spelling(trace, *found),
                           oc_type_spelling(trace, e));
        *found = e;
    }
    return *found != OCELOTL_NONE ? OCELOTL_OK : fail_unknown(trace, name);
}

/* A number before "*", else 1. */
static bool take_factor(double *factor, const char **at)
{
    const size_t length = strcspn(*at, operators);
    *factor = 1;
    if ((*at)[length] != '*')
        return true;
    size_t end = length;
    while (end > 0 && strchr(" \t", (*at)[end - 1]) != NULL)
        end--;
    const bool is_number = oc_bytes_are_number(factor, *at, end);
    const bool takes = is_number && isfinite(*factor) && *factor > 0;
    *at += takes ? length + 1 : 0;
    return takes;
}

ocelotl_status oc_formula_read(oc_formula *formula, const ocelotl_trace *trace, const char *text)
{
    oc_text names[2] = {{0}};
    const char *at = skip_blanks(text);
    bool reads = take_factor(&formula->factor, &at) && take_name(&names[0], &at) && *at == '/';
    at += reads;
    reads = reads && take_name(&names[1], &at) && *at == '\0';
    ocelotl_status status = names[0].failed || names[1].failed ? oc_fail_memory()
                            : reads                            ? OCELOTL_OK
                                                               : fail(text, at);
    if (status == OCELOTL_OK)
        status = find_variable(&formula->numerator, trace, names[0].bytes);
    if (status == OCELOTL_OK)
        status = find_variable(&formula->denominator, trace, names[1].bytes);
    oc_text_free(&names[0]);
    oc_text_free(&names[1]);
    return status;
}

void oc_formula_add_unit(oc_text *unit, const oc_formula *formula, const ocelotl_trace *trace)
{
    const char *above = trace->event_types[formula->numerator].unit;
    const char *below = trace->event_types[formula->denominator].unit;
    const bool is_level = trace->event_types[formula->numerator].kind == OCELOTL_LEVEL;
    const bool of_level = trace->event_types[formula->denominator].kind == OCELOTL_LEVEL;
    const bool same = strcmp(above, below) == 0;
    if (above[0] == '\0' || below[0] == '\0')
        return;
    if (is_level == of_level && !same)
        oc_text_format(unit, "%s/%s", above, below);
    else if (is_level && !of_level)
        oc_text_format(unit, same ? "s" : "%s s/%s", above, below);
    else if (of_level && !is_level)
        oc_text_format(unit, same ? "1/s" : "%s/(%s s)", above, below);
}
