/* The question in SQL that gives the events behind a histogram. */
#include "query/durations/durations.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* A text of SQL, with its quotes. */
static void add_quoted(oc_text *text, const char *string)
{
    oc_text_add(text, "'");
    for (; *string != '\0'; string++) {
        oc_text_append(text, string, 1);
        if (*string == '\'')
            oc_text_append(text, string, 1);
    }
    oc_text_add(text, "'");
}

static void add_seconds(oc_text *text, const ocelotl_durations *of, int64_t tick)
{
    oc_text_format(text, "%.17g", ocelotl_trace_seconds(of->trace, tick));
}

/* What is below a resource, or only there. */
static void add_place(oc_text *text, const char *column, const char *path, bool below)
{
    oc_text_format(text, "%s = ", column);
    add_quoted(text, path);
    if (!below)
        return;
    oc_text_format(text, " OR substr(%s, 1, length(", column);
    add_quoted(text, path);
    oc_text_add(text, ") + 1) = ");
    add_quoted(text, path);
    oc_text_add(text, " || '/'");
}

/* Whether SQL can name a resource and all below it. */
static bool is_plain_path(const char *path)
{
    const size_t length = strlen(path);
    return length > 0 && !(length > 1 && strcmp(path + length - 2, "/.") == 0);
}

static void add_places(oc_text *text, const ocelotl_durations *of, const char *column,
                       const char *group)
{
    for (size_t i = 0; i < of->chosen_count; i++) {
        oc_text_add(text, i == 0 ? " AND (" : " OR ");
        add_place(text, column, of->chosen[i], true);
    }
    oc_text_add(text, of->chosen_count > 0 ? ")" : "");
    if (group == NULL || group[0] == '\0')
        return;
    oc_text_add(text, " AND (");
    add_place(text, column, group, of->below);
    oc_text_add(text, ")");
}

/* The values of a type that count; nothing where all do. */
static void add_values(oc_text *text, const ocelotl_durations *of, uint32_t event_type)
{
    const uint32_t count = ocelotl_trace_event_type_value_count(of->trace, event_type);
    const bool none = oc_durations_want(of, event_type, OCELOTL_NONE);
    uint32_t wanted = 0;
    for (uint32_t i = 0; i < count; i++)
        wanted += oc_durations_want(of, event_type,
                                    ocelotl_trace_event_type_value_at(of->trace, event_type, i));
    if (wanted == count && none)
        return;
    oc_text_add(text, none ? " AND (value IS NULL OR value IN (" : " AND (value IN (");
    for (uint32_t i = 0, given = 0; i < count; i++) {
        const uint32_t value = ocelotl_trace_event_type_value_at(of->trace, event_type, i);
        if (!oc_durations_want(of, event_type, value))
            continue;
        oc_text_add(text, given++ > 0 ? ", " : "");
        add_quoted(text, ocelotl_trace_value_at(of->trace, value).name);
    }
    oc_text_add(text, "))");
}

/* --- Conditions on attributes */

/* A text that is a number meets conditions as one: an affinity makes it so. Behind all numbers are
 * the texts. */
static void add_number_or_text(oc_text *text, const oc_condition *condition, const char *value,
                               const char *spelling)
{
    static const char *const signs[] = {
        [OC_EQUAL] = "=",    [OC_UNEQUAL] = "<>", [OC_LESS] = "<",
        [OC_AT_MOST] = "<=", [OC_MORE] = ">",     [OC_AT_LEAST] = ">="};
    const bool equates = condition->comparison == OC_EQUAL || condition->comparison == OC_UNEQUAL;
    if (condition->is_number)
        oc_text_format(text,
                       "CASE WHEN %s < CAST(9e999 AS REAL) THEN CAST(%s AS REAL) %s %.17g "
                       "ELSE ",
                       value, value, signs[condition->comparison], condition->number);
    if (equates) {
        oc_text_format(text, "%s(%s = ", condition->comparison == OC_UNEQUAL ? "NOT " : "",
                       spelling);
        add_quoted(text, condition->text);
        oc_text_format(text, " OR %s GLOB ", spelling);
        add_quoted(text, condition->text);
        oc_text_add(text, ")");
    } else {
        oc_text_add(text, "0");
    }
    oc_text_add(text, condition->is_number ? " END" : "");
}

/* All attributes of a name have to meet it, and there has to be one. */
static void add_condition(oc_text *text, const oc_condition *condition, bool link)
{
    static const char from[] = "(SELECT 1 FROM json_each(attributes) AS it WHERE it.key = ";
    if (link && strcmp(condition->name, "Key") == 0) {
        oc_text_add(text, " AND key IS NOT NULL AND (");
        add_number_or_text(text, condition, "key", "key");
        oc_text_add(text, ")");
        return;
    }
    oc_text_format(text, " AND EXISTS %s", from);
    add_quoted(text, condition->name);
    oc_text_format(text, ") AND NOT EXISTS %s", from);
    add_quoted(text, condition->name);
    oc_text_add(text, " AND NOT (");
    /* A number as the trace spells it is in the JSON alone. */
    add_number_or_text(text, condition, "it.value",
                       "iif(it.type = 'text', it.value, attributes -> it.fullkey)");
    oc_text_add(text, "))");
}

static void add_conditions(oc_text *text, const ocelotl_durations *of, uint32_t event_type)
{
    const oc_conditions *conditions = &of->question.filter.conditions;
    const bool link = of->trace->event_types[event_type].category == OCELOTL_LINK;
    for (size_t i = 0; i < conditions->count; i++)
        if ((conditions->concern[event_type] >> i & 1) != 0)
            add_condition(text, &conditions->list[i], link);
}

static void add_types(oc_text *text, const ocelotl_durations *of, const char *group)
{
    bool first = true;
    for (uint32_t i = 0; i < of->trace->event_type_count; i++) {
        const bool link = of->trace->event_types[i].category == OCELOTL_LINK;
        if (!of->wanted.reached[i] || !oc_is_selected(of->question.event_types, i))
            continue;
        oc_text_format(text, "%s(category = '%s' AND type = ", first ? "(" : " OR ",
                       link ? "link" : "state");
        add_quoted(text, ocelotl_trace_event_type_at(of->trace, i).name);
        add_values(text, of, i);
        add_places(text, of, link ? "target" : "resource", group);
        if (link)
            oc_text_add(text, " AND source IS NOT NULL AND target IS NOT NULL");
        add_conditions(text, of, i);
        oc_text_add(text, ")");
        first = false;
    }
    oc_text_add(text, first ? "0" : ")");
}

static void add_window(oc_text *text, const ocelotl_durations *of, uint32_t index)
{
    const oc_window *window = &of->windows[index];
    const ocelotl_trace_info *bounds = &of->trace->info;
    if (window->from > bounds->begin) {
        oc_text_add(text, " AND \"end\" >= ");
        add_seconds(text, of, window->from);
    }
    if (window->last < bounds->end) {
        oc_text_add(text, " AND \"end\" < ");
        add_seconds(text, of, window->to);
    }
}

/* The first bin of some time has all that is shorter, the last one all that is longer. */
static void add_durations(oc_text *text, const ocelotl_durations *of, uint32_t bin)
{
    const ocelotl_duration_bin span = ocelotl_durations_bin_at(of, bin);
    const uint32_t number = bin < of->info.bins ? oc_durations_bin_number(of, bin) : 0;
    if (bin == OCELOTL_NONE)
        oc_text_add(text, "duration >= 0");
    else if (number == 0)
        oc_text_add(text, "duration = 0");
    else if (number == 1)
        oc_text_add(text, "duration > 0");
    else
        oc_text_format(text, "duration >= %.17g", span.begin);
    if (number > 0 && number < OC_DURATION_BINS - 1)
        oc_text_format(text, " AND duration < %.17g", span.end);
}

static bool is_sayable(const ocelotl_durations *of, const char *group)
{
    for (size_t i = 0; i < of->chosen_count; i++)
        if (!is_plain_path(of->chosen[i]))
            return false;
    return of->plain && (group == NULL || strcmp(group, "(outside)") != 0);
}

static ocelotl_status give(char **sql, oc_text *text)
{
    if (!text->failed) {
        *sql = text->bytes;
        return OCELOTL_OK;
    }
    oc_text_free(text);
    return oc_fail_memory();
}

ocelotl_status ocelotl_durations_write_sql(char **sql, const ocelotl_durations *durations,
                                           uint32_t column, uint32_t bin)
{
    const ocelotl_duration_column of = ocelotl_durations_column_at(durations, column);
    oc_text text = {0};
    oc_text_append(&text, "", 0);
    if (is_sayable(durations, of.group)) {
        oc_text_add(&text, "SELECT * FROM events WHERE ");
        add_types(&text, durations, of.group);
        add_window(&text, durations, of.window);
        oc_text_add(&text, " AND ");
        add_durations(&text, durations, bin);
    }
    return give(sql, &text);
}

ocelotl_status ocelotl_durations_write_condition(char **sql, const ocelotl_durations *durations,
                                                 uint32_t bin)
{
    oc_text text = {0};
    add_durations(&text, durations, bin);
    return give(sql, &text);
}
